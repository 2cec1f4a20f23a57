//! `…/serviceaccounts/<name>/token`: a new token for an account
//! (`kubernetes/pkg/registry/core/serviceaccount/storage/token.go`).

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::access::account::{self, Wanted};
use crate::error::{ApiError, Cause, quoted};
use crate::handlers::{Handled, intake, read};
use crate::request::Call;
use crate::storage::{Stored, key};
use crate::turn::{Halt, Outcome, Turn};
use crate::{managed, meta, registry, reply};

/// How long a token holds unless told otherwise, in seconds.
const HOUR: i64 = 3600;
/// The bounds of what may be told.
const SHORTEST: i64 = 600;
const LONGEST: i64 = 1 << 32;

/// Makes a token for the account that the call names.
pub(super) fn create(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let resource = registry::builtin("authentication.k8s.io", "v1", "TokenRequest");
    let resource = resource.ok_or_else(ApiError::no_path)?;
    let of_token = Call { resource, ..call.clone() };
    let mut request = intake::object(turn, &of_token)?;
    check_place(call, &request)?;
    let account = read::existing(turn, call)?;
    let spec = &mut request["spec"];
    if !spec.is_object() {
        *spec = json!({});
    }
    if spec["expirationSeconds"].is_null() {
        spec["expirationSeconds"] = HOUR.into();
    }
    // Who asked for what is noted before the rest is filled in.
    meta::members(&mut request).remove("managedFields");
    let now = turn.now;
    managed::track(turn, None, &mut request, &of_token, now)?;
    let seconds = request["spec"]["expirationSeconds"].as_i64().unwrap_or(HOUR);
    check_duration(seconds)?;
    let sent = request["spec"]["audiences"].as_array().into_iter().flatten();
    let mut audiences: Vec<String> = sent.filter_map(Value::as_str).map(str::to_owned).collect();
    if audiences.is_empty() {
        audiences = turn.core.credentials.audiences();
    }
    let bound = bound(turn, call, &request["spec"]["boundObjectRef"])?;
    let seconds = seconds.unsigned_abs();
    let id = turn.rng.uuid();
    let credentials = &turn.core.credentials;
    let (issuer, account, for_whom) = (&*credentials.issuer, &*account, &*audiences);
    let wanted = Wanted { issuer, account, audiences: for_whom, bound, seconds, id };
    let token = credentials.signer.sign(&account::claims(&wanted, turn.now));
    meta::set(&mut request, "name", &*call.name);
    meta::set(&mut request, "namespace", &*call.namespace);
    meta::set(&mut request, "uid", meta::text(&account.value(), "uid"));
    meta::set(&mut request, "creationTimestamp", turn.now.rfc3339());
    request["spec"]["audiences"] = audiences.into();
    if request["spec"].get("boundObjectRef").is_none() {
        request["spec"]["boundObjectRef"] = Value::Null;
    }
    let end = turn.now.plus(Duration::from_secs(seconds));
    request["status"] = json!({"token": token, "expirationTimestamp": end.rfc3339()});
    Ok(Outcome::Reply(reply::value(201, call.form.codec, &request)))
}

fn invalid(name: &str, cause: Cause) -> ApiError {
    ApiError::invalid("authentication.k8s.io", "TokenRequest", name, vec![cause])
}

/// The name and the namespace are the account's, if they are there.
fn check_place(call: &Call, request: &Value) -> Result<(), ApiError> {
    for (member, own) in [("name", &call.name), ("namespace", &call.namespace)] {
        let sent = meta::text(request, member);
        if !sent.is_empty() && sent != own {
            let field = format!("metadata.{member}");
            let detail = format!("must match the service account {member} if specified");
            return Err(invalid(&call.name, Cause::invalid(field, &sent.into(), &detail)));
        }
    }
    Ok(())
}

fn check_duration(seconds: i64) -> Result<(), ApiError> {
    let detail = if seconds < SHORTEST {
        "may not specify a duration less than 10 minutes"
    } else if seconds > LONGEST {
        "may not specify a duration larger than 2^32 seconds"
    } else {
        return Ok(());
    };
    Err(invalid("", Cause::invalid("spec.expirationSeconds", &seconds.into(), detail)))
}

/// The object whose end is the token's, and for a pod the node that it runs on.
fn bound(
    turn: &Turn<'_>,
    call: &Call,
    reference: &Value,
) -> Result<Vec<(&'static str, String, String)>, Halt> {
    let text = |name: &str| reference[name].as_str().unwrap_or_default();
    if !reference.is_object() {
        return Ok(Vec::new());
    }
    let (name, uid) = (text("name"), text("uid"));
    let (part, plural) = match (text("apiVersion"), text("kind")) {
        ("v1", "Pod") => ("pod", "pods"),
        ("v1", "Secret") => ("secret", "secrets"),
        ("v1", "Node") => ("node", "nodes"),
        (version, kind) => {
            let version =
                if version.contains('/') { version.to_owned() } else { format!("/{version}") };
            let message = format!("cannot bind token to object of type {version}, Kind={kind}");
            return Err(ApiError::bad_request(message).into());
        }
    };
    let namespace = if part == "node" { "" } else { &call.namespace };
    let found: Option<Arc<Stored>> = turn.core.store.get(plural, &key(namespace, name)).cloned();
    let Some(found) = found else {
        let message = format!("{plural} {} not found", quoted(name));
        let error = ApiError::new(404, "NotFound", message);
        return Err(error.with_detail("name", name).with_detail("kind", plural).into());
    };
    let own = |object: &Stored| meta::text(&object.value(), "uid").to_owned();
    if !uid.is_empty() && uid != own(&found) {
        let kind = text("kind");
        let message = format!(
            "Operation cannot be fulfilled on {kind} {}: the UID in the bound object reference \
             ({uid}) does not match the UID in record. The object might have been deleted and then \
             recreated",
            quoted(name)
        );
        let error = ApiError::new(409, "Conflict", message);
        return Err(error.with_detail("name", name).with_detail("kind", kind).into());
    }
    let mut bound = vec![(part, name.to_owned(), own(&found))];
    if part == "pod" {
        if found.value()["spec"]["serviceAccountName"] != *call.name {
            let message = format!(
                "cannot bind token for serviceaccount {} to pod running with different \
                 serviceaccount name.",
                quoted(&call.name)
            );
            return Err(ApiError::bad_request(message).into());
        }
        if let Some(node) =
            found.value()["spec"]["nodeName"].as_str().filter(|node| !node.is_empty())
        {
            let of_node = turn.core.store.get("nodes", node).map(|node| own(node));
            bound.push(("node", node.to_owned(), of_node.unwrap_or_default()));
        }
    }
    Ok(bound)
}
