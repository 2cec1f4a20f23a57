//! What the answer of a conversion webhook comes to, in the words of a kube-apiserver
//! (`webhook_converter.go`).

use serde_json::Value;

use crate::error::quoted;
use crate::go::go_type;
use crate::{kind_validation, meta};

/// The kind of a review.
const KIND: &str = "ConversionReview";

/// The objects of a response, not yet looked at.
///
/// # Errors
///
/// What is wrong with the response, or what the webhook says.
pub(super) fn objects(body: &[u8], version: &str, uid: &str) -> Result<Vec<Value>, String> {
    let decoded = crate::request::body::text(body)
        .map_err(|why| format!("couldn't get version/kind; json parse error: {why}"))?;
    let review = decoded.value;
    check_type(&review, version)?;
    let response = &review["response"];
    if !response.is_object() {
        return Err("no response provided".to_owned());
    }
    let answered = response["uid"].as_str().unwrap_or_default();
    // The first version of reviews did not look at it.
    if version == "v1" && answered != uid {
        return Err(format!("expected response.uid={}, got {}", quoted(uid), quoted(answered)));
    }
    let result = |name: &str| response["result"][name].as_str().unwrap_or_default();
    match (result("status"), result("message")) {
        ("Success", _) => Ok(response["convertedObjects"].as_array().cloned().unwrap_or_default()),
        (status, "") => Err(format!("response.result.status was '{status}', not 'Success'")),
        (_, message) => Err(message.to_owned()),
    }
}

/// The answer is read as a review of the version that was sent, whatever it leaves out.
fn check_type(review: &Value, version: &str) -> Result<(), String> {
    let text = |name: &str| review[name].as_str().unwrap_or_default();
    let (kind, api_version) = (text("kind"), text("apiVersion"));
    let sent = |version: &str| format!("apiextensions.k8s.io/{version}");
    let known = ["v1", "v1beta1"].into_iter().find(|version| api_version == sent(version));
    if !matches!(kind, "" | KIND) || !api_version.is_empty() && known.is_none() {
        let (kind, version) = (quoted(kind), quoted(api_version));
        let scheme = "\"pkg/runtime/scheme.go:111\"";
        return Err(format!(
            "no kind {kind} is registered for version {version} in scheme {scheme}"
        ));
    }
    if let Some(other) = known.filter(|other| *other != version) {
        return Err(format!(
            "converting ({other}.{KIND}) to ({version}.{KIND}): unknown conversion"
        ));
    }
    if api_version.is_empty() || kind.is_empty() {
        let (wanted, got) = (sent(version), crate::apply::group_version(api_version));
        return Err(format!(
            "expected webhook response of {wanted}, Kind={KIND}, got {got}, Kind={kind}"
        ));
    }
    Ok(())
}

fn without_kind(shown: &[u8]) -> String {
    format!("Object 'Kind' is missing in '{}'", String::from_utf8_lossy(shown))
}

/// Why an object that came back is none of what was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It cannot be read.
    Unreadable(String),
    /// It is of another version or kind.
    Type(String),
    /// It is another object.
    Object(String),
    /// Its labels or annotations are none.
    Metadata(String),
}

/// The object as it goes on: what came back, with the metadata of the original but for labels and
/// annotations.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn accept(original: &Value, converted: Value, desired: &str) -> Result<Value, Wrong> {
    let text = |of: &Value, name: &str| of[name].as_str().unwrap_or_default().to_owned();
    if converted.is_null() {
        return Err(Wrong::Unreadable("unexpected end of JSON input".to_owned()));
    }
    let kind = text(&converted, "kind");
    if kind.is_empty() {
        return Err(Wrong::Unreadable(without_kind(converted.to_string().as_bytes())));
    }
    let received = text(&converted, "apiVersion");
    if received != desired {
        let why = format!("invalid groupVersion (expected {desired}, received {received})");
        return Err(Wrong::Type(why));
    }
    let expected = text(original, "kind");
    if kind != expected {
        let why = format!("invalid kind (expected {expected}, received {kind})");
        return Err(Wrong::Type(why));
    }
    for (what, member) in [("name", "name"), ("namespace", "namespace"), ("UID", "uid")] {
        let (before, after) = (meta::text(original, member), meta::text(&converted, member));
        if before != after {
            return Err(Wrong::Object(format!("must have the same {what}: {before} != {after}")));
        }
    }
    restore(original, converted).map_err(Wrong::Metadata)
}

fn restore(original: &Value, mut converted: Value) -> Result<Value, String> {
    let Some(answered) = converted.get("metadata").cloned() else {
        return Err("missing metadata in converted object".to_owned());
    };
    if !answered.is_object() {
        let kind = go_type(&answered);
        return Err(format!("invalid metadata of type {kind} in converted object"));
    }
    converted["metadata"] = original["metadata"].clone();
    for (name, path) in [("labels", "metadata.labels"), ("annotations", "metadata.annotation")] {
        let Some(new) = answered.get(name).filter(|value| !value.is_null()) else {
            meta::members(&mut converted).remove(name);
            continue;
        };
        let Some(entries) = new.as_object() else {
            let kind = go_type(new);
            return Err(format!("invalid metadata.{name} of type {kind} in converted object"));
        };
        if let Some((key, value)) = entries.iter().find(|(_, value)| !value.is_string()) {
            let kind = go_type(value);
            return Err(format!(
                "metadata.{name}[{key}] must be a string, but is {kind} in converted object"
            ));
        }
        if original["metadata"].get(name) != Some(new) {
            check(name, path, new)?;
        }
        meta::set(&mut converted, name, new.clone());
    }
    Ok(converted)
}

/// What a webhook says of labels and annotations obeys the rules of those.
fn check(name: &str, path: &str, entries: &Value) -> Result<(), String> {
    let errors = kind_validation::marks(name, path, entries);
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    match &errors[..] {
        [] => Ok(()),
        [only] => Err(only.clone()),
        _ => Err(format!("[{}]", errors.join(", "))),
    }
}

#[cfg(test)]
mod tests;
