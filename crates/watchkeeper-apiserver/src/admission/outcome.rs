//! One webhook and one write: the question, and what its answer comes to.
//!
//! Source of the texts: `webhook/{mutating,validating}/dispatcher.go`, `webhook/request`,
//! `webhook/errors` of `k8s.io/apiserver/pkg/admission/plugin`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Value, json};

use super::attributes::Attributes;
use super::audit::AuditAnnotation;
use super::conditions;
use super::hook::{Hook, Invocation, versioned};
use super::question::{CallError, OutgoingCall, Question, Subject, Topic};
use crate::error::{ApiError, Cause, quoted};
use crate::storage::key;
use crate::turn::Turn;

/// Why a webhook stops a write.
#[derive(Debug)]
pub(super) enum Failed {
    /// It could not be asked, which its failure policy may forgive.
    Calling(String),
    /// It says no, or its answer cannot be carried out.
    Refused(Box<ApiError>),
}

/// What is known of a question.
pub(super) enum Asked {
    Known { uid: String, answer: Result<Bytes, CallError> },
    Open(Box<Question>),
}

/// What a webhook that allows a write adds to it.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    /// A JSON patch as text, with its type.
    pub patch: Option<(Vec<u8>, String)>,
}

/// Asks a webhook, unless it has answered this very question before.
pub(super) fn ask(
    turn: &mut Turn<'_>,
    hook: &Hook,
    invocation: &Invocation,
    attributes: &Attributes<'_>,
    round: u8,
) -> Result<Asked, Failed> {
    check_dry_run(hook, attributes)?;
    if !hook.understands_v1() {
        let why = "could not create admission objects: webhook does not accept known \
                   AdmissionReview versions (v1, v1beta1)";
        return Err(Failed::Calling(why.to_owned()));
    }
    let mut request = conditions::request(attributes, invocation);
    for (name, object) in [("object", &attributes.object), ("oldObject", &attributes.old)] {
        let object = versioned(turn, attributes, &invocation.resource, object.as_ref());
        request.insert(name.to_owned(), object.unwrap_or(Value::Null));
    }
    // Drawn at each try, so that each try draws alike.
    let uid = turn.rng.uuid();
    let topic = Topic { hook: hook.uid(), round, request: Value::Object(request) };
    let known = turn.known.answers.iter().rev().find(|answered| answered.topic == topic);
    if let Some(answered) = known {
        let (uid, answer) = (answered.uid.clone(), answered.answer.clone());
        return Ok(Asked::Known { uid, answer });
    }
    let mut request = topic.request.clone();
    request["uid"] = uid.as_str().into();
    let review =
        json!({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request});
    let call = call(hook, &review)?;
    Ok(Asked::Open(Box::new(Question { subject: Subject::Admission(topic), uid, call })))
}

/// What has effects elsewhere is not asked by a dry run.
fn check_dry_run(hook: &Hook, attributes: &Attributes<'_>) -> Result<(), Failed> {
    if !attributes.dry_run || matches!(hook.side_effects(), "None" | "NoneOnDryRun") {
        return Ok(());
    }
    if hook.side_effects().is_empty() {
        return Err(Failed::Calling("Webhook SideEffects is nil".to_owned()));
    }
    let why = format!("admission webhook {} does not support dry run", quoted(hook.name()));
    Err(Failed::Refused(Box::new(ApiError::bad_request(why))))
}

fn call(hook: &Hook, review: &Value) -> Result<OutgoingCall, Failed> {
    OutgoingCall::new(&hook.value()["clientConfig"], hook.timeout(), review).ok_or_else(|| {
        let why =
            "could not get REST client: webhook configuration must have either service or URL";
        Failed::Calling(why.to_owned())
    })
}

/// What an answer comes to; what it tells the client and the audit is told.
pub(super) fn judge(
    turn: &mut Turn<'_>,
    hook: &Hook,
    attributes: &Attributes<'_>,
    uid: &str,
    answer: Result<Bytes, CallError>,
    mutating: bool,
) -> Result<Allowed, Failed> {
    let failed = |why: String| Failed::Calling(format!("failed to call webhook: {why}"));
    let body = answer.map_err(|CallError(why)| failed(why))?;
    let review: Value = serde_json::from_slice(&body).map_err(|_| failed(undecodable(&body)))?;
    if review["kind"].as_str().is_none_or(str::is_empty) {
        let shown = String::from_utf8_lossy(&body);
        return Err(failed(format!("Object 'Kind' is missing in '{shown}'")));
    }
    let response = verify(&review, uid, mutating)
        .map_err(|why| Failed::Calling(format!("received invalid webhook response: {why}")))?;
    tell(turn, hook, attributes, response);
    if response["allowed"] != true {
        return Err(Failed::Refused(Box::new(refusal(hook.name(), &response["status"]))));
    }
    let patch = response["patch"].as_str().filter(|patch| !patch.is_empty());
    let Some(patch) = patch else { return Ok(Allowed::default()) };
    let Ok(patch) = STANDARD.decode(patch) else {
        return Err(failed("illegal base64 data in response.patch".to_owned()));
    };
    let kind = response["patchType"].as_str().unwrap_or_default().to_owned();
    Ok(Allowed { patch: Some((patch, kind)) })
}

fn undecodable(body: &[u8]) -> String {
    let why = crate::request::body::text(body).map_or_else(|why| why, |_| "no object".to_owned());
    format!("couldn't get version/kind; json parse error: {why}")
}

/// `VerifyAdmissionResponse`.
fn verify<'a>(review: &'a Value, uid: &str, mutating: bool) -> Result<&'a Value, String> {
    let response = &review["response"];
    if !response.is_object() {
        return Err("webhook response was absent".to_owned());
    }
    let answered = response["uid"].as_str().unwrap_or_default();
    if answered != uid {
        return Err(format!("expected response.uid={}, got {}", quoted(uid), quoted(answered)));
    }
    let text = |name: &str| review[name].as_str().unwrap_or_default();
    let (version, kind) = (text("apiVersion"), text("kind"));
    if (version, kind) != ("admission.k8s.io/v1", "AdmissionReview") {
        return Err(format!(
            "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got \
             {}, Kind={kind}",
            crate::apply::group_version(version)
        ));
    }
    let patch = response["patch"].as_str().is_some_and(|patch| !patch.is_empty());
    let kind = response.get("patchType").filter(|kind| !kind.is_null());
    let why = match (mutating, patch, kind) {
        (true, true, None) => "webhook returned response.patch but not response.patchType",
        (true, false, Some(_)) => "webhook returned response.patchType but not response.patch",
        (true, true, Some(kind)) if kind == "" => {
            "webhook returned invalid response.patchType of \"\""
        }
        (false, true, _) => "validating webhook may not return response.patch",
        (false, _, Some(_)) => "validating webhook may not return response.patchType",
        _ => return Ok(response),
    };
    Err(why.to_owned())
}

fn tell(turn: &mut Turn<'_>, hook: &Hook, attributes: &Attributes<'_>, response: &Value) {
    let annotations = response["auditAnnotations"].as_object().into_iter().flatten();
    for (name, value) in annotations {
        let name = format!("{}/{name}", hook.name());
        annotate(turn, attributes, name, value.as_str().unwrap_or_default());
    }
    for warning in response["warnings"].as_array().into_iter().flatten() {
        turn.warn(warning.as_str().unwrap_or_default());
    }
}

/// Adds to the audit of the write; it counts when the write is answered.
pub(super) fn annotate(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    annotation: String,
    value: &str,
) {
    let call = attributes.call;
    let name = if attributes.name.is_empty() { &call.name } else { &attributes.name };
    turn.annotations.push(AuditAnnotation {
        actor: call.actor(),
        table: call.resource.table.to_string(),
        key: key(&call.namespace, name).to_string(),
        annotation,
        value: value.to_owned(),
    });
}

/// `ToStatusErr`: a refusal is one, whatever the webhook says of its code.
fn refusal(name: &str, status: &Value) -> ApiError {
    let text = |member: &str| status[member].as_str().unwrap_or_default().to_owned();
    let denied = format!("admission webhook {} denied the request", quoted(name));
    let (message, reason) = (text("message"), text("reason"));
    let message = match (&*message, &*reason) {
        ("", "") => format!("{denied} without explanation"),
        ("", reason) => format!("{denied}: {reason}"),
        (message, _) => format!("{denied}: {message}"),
    };
    let code = status["code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(0);
    let code = if (400..=999).contains(&code) { code } else { 400 };
    let mut error = ApiError::new(code, "", message);
    error.reason = reason.into();
    if let Some(details) = status["details"].as_object() {
        error.details = details.clone();
    }
    error
}

/// `NewInternalError`: 500 with the text as its cause.
pub(super) fn internal(why: &str) -> ApiError {
    let (reason, field) = (String::new(), String::new());
    ApiError::internal(why).causes([Cause { reason, message: why.to_owned(), field }])
}

/// What is said of a webhook that could not be asked.
pub(super) fn uncalled(hook: &Hook, why: &str) -> String {
    format!("failed calling webhook {}: {why}", quoted(hook.name()))
}

/// The operations of a patch.
pub(super) fn operations(patch: &[u8]) -> Result<Value, Failed> {
    let wrong = |why: String| {
        Failed::Calling(format!("received undecodable patch in webhook response: {why}"))
    };
    let value: Value = serde_json::from_slice(patch).map_err(|error| wrong(error.to_string()))?;
    match value {
        Value::Array(_) => Ok(value),
        Value::Null => Ok(json!([])),
        other => Err(wrong(format!(
            "json: cannot unmarshal {} into Go value of type jsonpatch.Patch",
            crate::go::go_kind(&other)
        ))),
    }
}

#[cfg(test)]
mod tests;
