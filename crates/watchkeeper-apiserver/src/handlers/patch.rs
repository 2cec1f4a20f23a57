//! PATCH: the newest state with a change worked in.
//!
//! One step holds the whole server still, so the state that is patched is always the newest: what
//! upstream retries (V5.2) cannot happen here. A version inside the patch is a precondition.

use std::sync::Arc;

use serde_json::Value;
use watchkeeper_schema::builtin;

use crate::convert::seen;
use crate::deep::{self, Extent};
use crate::error::{ApiError, Cause};
use crate::go::{go_kind, go_value};
use crate::history::Verb;
use crate::patch::{self, PatchError};
use crate::request::Call;
use crate::request::body::{self, Decoded, Duplicates};
use crate::request::options::FieldValidation;
use crate::storage::Stored;
use crate::turn::{Halt, Turn};
use crate::{convert, meta, schemas};

use super::create::Managed;
use super::{Handled, intake, save, update};

/// JSON patch.
const JSON: &str = "application/json-patch+json";
/// JSON merge patch.
const MERGE: &str = "application/merge-patch+json";
/// Strategic merge patch, for built-in kinds.
const STRATEGIC: &str = "application/strategic-merge-patch+json";
/// Server-side apply.
const APPLY: &str = "application/apply-patch+yaml";

/// Whether this is an apply.
pub(crate) fn is_apply(call: &Call) -> bool {
    call.content_type() == APPLY
}

/// Changes the object, or its status for `…/status`.
pub(crate) fn patch(turn: &mut Turn<'_>, call: &Call) -> Handled {
    check_type(call)?;
    if is_apply(call) {
        return super::apply::apply(turn, call);
    }
    if call.query.get("force").is_some() {
        let cause = Cause::forbidden("force", "may not be specified for non-apply patch");
        return Err(ApiError::invalid("meta.k8s.io", "PatchOptions", "", vec![cause]).into());
    }
    let old = super::read::existing(turn, call)?;
    let Decoded { value: change, duplicates } = read_patch(call)?;
    let was = seen::seen(turn, &call.resource, &old)?;
    let live = convert::live(&call.resource, &was);
    let mut new = patched(call, &live, &change)?;
    check_extent(&new)?;
    check_result(turn, call, &mut new, (&live, &change), &duplicates)?;
    check_unversioned(call, &new)?;
    check_version(call, &new, &old)?;
    let saved = save::save(turn, call, &old, new, Verb::Patch, Managed::Update)?;
    update::finish(turn, call, &saved)
}

/// A patch of something that is not stored as such, like a Scale.
pub(crate) fn plain(call: &Call, live: &Value) -> Result<Value, Halt> {
    let change = read_patch(call)?.value;
    let merge = matches!(call.content_type(), MERGE | STRATEGIC) && change.is_object();
    match call.content_type() {
        JSON => Ok(patch::json(live, &change).map_err(refuse)?),
        _ if merge => Ok(patch::merge(live, &change)),
        _ => {
            Err(ApiError::unsupported_media_type(&[JSON, MERGE, STRATEGIC, APPLY].join(", "))
                .into())
        }
    }
}

/// V5.1: custom resources know no strategic merge patch.
fn check_type(call: &Call) -> Result<(), ApiError> {
    let offered: &[&str] = if call.resource.custom.is_some() {
        &[JSON, MERGE, APPLY]
    } else {
        &[JSON, MERGE, STRATEGIC, APPLY]
    };
    let sent = call.content_type();
    if offered.contains(&sent) {
        return Ok(());
    }
    if sent == STRATEGIC {
        return Err(ApiError::unsupported_media_type(&offered.join(", ")));
    }
    let message = "415: Unsupported Media Type";
    Err(ApiError::new(415, "UnsupportedMediaType", message).with_details())
}

/// Reads the patch; its text is JSON, or YAML for an apply.
pub(crate) fn read_patch(call: &Call) -> Result<Decoded, Halt> {
    if call.body.len() > body::LIMIT {
        return Err(ApiError::too_large(body::LIMIT).into());
    }
    let decoded = if is_apply(call) {
        body::yaml(&call.body, &call.resource.kind)
    } else {
        body::text(&call.body).map_err(ApiError::bad_request)
    };
    if call.content_type() == STRATEGIC {
        return Ok(decoded?);
    }
    let is_unread = is_read_once(call)?;
    let malformed = |error: ApiError| match call.content_type() {
        MERGE if is_unread => ApiError::bad_request(NO_PATCH),
        JSON if is_unread => error,
        _ => ApiError::bad_request(format!("error decoding patch: {}", error.message)),
    };
    Ok(decoded.map_err(malformed)?)
}

/// What the library behind a kube-apiserver says of a text that is no merge patch.
const NO_PATCH: &str = "Invalid JSON Patch";

/// Where nothing is said of names, a kube-apiserver leaves reading a patch to the library that lays it over, which has
/// words of its own.
fn is_read_once(call: &Call) -> Result<bool, ApiError> {
    Ok(FieldValidation::parse(&call.query)? == FieldValidation::Ignore)
}

/// An error of a JSON patch in the words of that library.
fn read_once(error: PatchError) -> PatchError {
    match error {
        // What is no text is no operation that it knows.
        PatchError::Malformed(why) if why.contains("struct field") => PatchError::Failed(why),
        PatchError::Malformed(why) => {
            let why = why.replace("error decoding patch: ", "");
            let why = why.replace("[]handlers.jsonPatchOp", "jsonpatch.Patch");
            PatchError::Malformed(why.replace("handlers.jsonPatchOp", "jsonpatch.Operation"))
        }
        other => other,
    }
}

/// What a patch makes of an object, before anything is dropped from that; none of an apply, or if it makes nothing.
pub(super) fn again(call: &Call, live: &Value) -> Option<Value> {
    let change = read_patch(call).ok().filter(|_| !is_apply(call))?.value;
    patched(call, live, &change).ok()
}

fn patched(call: &Call, live: &Value, change: &Value) -> Result<Value, ApiError> {
    match call.content_type() {
        JSON => {
            let is_read_once = is_read_once(call)?;
            let worded = |error| if is_read_once { read_once(error) } else { error };
            patch::json(live, change).map_err(|error| refuse(worded(error)))
        }
        MERGE if change.is_object() => Ok(patch::merge(live, change)),
        STRATEGIC if change.is_null() => Ok(live.clone()),
        STRATEGIC if change.is_object() => {
            let schema = schemas::of(&call.resource);
            patch::strategic(live, change, schema).map_err(refuse)
        }
        // A list that nobody has read yet takes the place of the object, which it then turns out not to be.
        MERGE if change.is_array() && is_read_once(call)? => Ok(change.clone()),
        // It is an object for who reads it, and none for who lays it over.
        MERGE if change.is_null() || is_read_once(call)? => Err(ApiError::bad_request(NO_PATCH)),
        kind => Err(ApiError::bad_request(format!(
            "{}json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            if kind == STRATEGIC { "" } else { "error decoding patch: " },
            go_kind(change)
        ))),
    }
}

/// What patches add up to is judged like what is sent.
pub(crate) fn check_extent(new: &Value) -> Result<(), ApiError> {
    match Extent::of(new) {
        extent if extent.is_too_wide() => Err(ApiError::bad_request(deep::TOO_WIDE)),
        _ => Ok(()),
    }
}

fn refuse(error: PatchError) -> ApiError {
    match error {
        PatchError::Malformed(why) => ApiError::bad_request(why),
        PatchError::TooLarge(_) => ApiError::new(
            413,
            "RequestEntityTooLarge",
            format!("Request entity too large: {error}"),
        ),
        // Upstream keeps the reason to itself.
        PatchError::Failed(_) => {
            let message = "the server rejected our request due to an error in our request";
            ApiError::new(422, "Invalid", message).with_details()
        }
        PatchError::Broken(why) => ApiError::new(500, "", why),
    }
}

/// The patched object obeys the rules of a sent one. What does not decode is blamed on the patch.
fn check_result(
    turn: &mut Turn<'_>,
    call: &Call,
    new: &mut Value,
    (live, change): (&Value, &Value),
    duplicates: &Duplicates,
) -> Result<(), Halt> {
    let is_strategic = call.content_type() == STRATEGIC;
    // What is filled in here is not shown: upstream shows the text that it decodes.
    let bare = ["apiVersion", "kind", "metadata"].map(|name| (name, new.get(name).is_none()));
    let as_patched = |new: &Value| {
        let mut patched = new.clone();
        let members = patched.as_object_mut();
        let is_filled = |name: &str| bare.iter().any(|(one, is_bare)| *one == name && *is_bare);
        members.into_iter().for_each(|members| members.retain(|name, _| !is_filled(name)));
        shown(call, &patched, live, change)
    };
    let blame = |new: &Value, error: &str| refused(&as_patched(new), error);
    if call.resource.custom.is_none() && !is_strategic {
        check_head(turn, call, new, &|error| blame(new, error))?;
    } else if is_strategic {
        if let Some(why) = intake::head::error_of(new) {
            let why = why.rsplit_once("json parse error: ").map_or("", |(_, why)| why).to_owned();
            return Err(blame(new, &restored(why)).into());
        }
        // What a strategic patch makes is of the type that the object was of, whatever it says.
        convert::set_type(new, &call.resource.kind, &call.resource.api_version());
    }
    if call.resource.custom.is_some() {
        intake::check_type(new, &call.resource, &call.body)?;
    } else {
        intake::check_kind(new, &call.resource, &call.body)?;
        if let Err(error) = intake::give_metadata(new, &call.resource) {
            let error = if is_strategic { restored(error) } else { error };
            return Err(blame(new, &error).into());
        }
    }
    if let Some(error) = schemas::type_error(&call.resource, new) {
        let error = if is_strategic { restored(error) } else { error };
        return Err(blame(new, &error).into());
    }
    // Before what has no name is dropped, and only for who may be refused: it is a copy of the whole.
    let is_strict = FieldValidation::parse(&call.query)? == FieldValidation::Strict;
    // Of a strategic patch the patch is shown, whatever came of it.
    let before = if is_strict && !is_strategic { new.clone() } else { Value::Null };
    intake::refuse_names(turn, call, new, duplicates, |problems| {
        refused(&as_patched(&before), &format!("strict decoding error: {}", problems.join(", ")))
    })?;
    schemas::drop_nulls(&call.resource, new);
    intake::complete(call, new);
    update::check_named(call, new)?;
    intake::check_place(call, new)?;
    Ok(())
}

/// What upstream shows of a patch that it refuses: the text that it decodes, or a strategic patch itself.
fn shown(call: &Call, new: &Value, live: &Value, change: &Value) -> String {
    if call.content_type() == STRATEGIC {
        go_value(&patch::as_laid(change, Some(live)))
    } else if call.resource.custom.is_none() {
        patch::text(new, live, change, &call.resource.model)
    } else {
        new.to_string()
    }
}

fn refused(shown: &str, error: &str) -> ApiError {
    let cause = Cause::invalid("patch", &shown.into(), error);
    ApiError::invalid("", "", "", vec![cause])
}

/// What upstream says in place of an error of Go's JSON decoder where it decodes no text, but a strategic patch.
pub(crate) fn restored(error: String) -> String {
    let parts = error.strip_prefix("json: cannot unmarshal ").and_then(|rest| {
        let (what, rest) = rest.split_once(" into Go ")?;
        Some((what, rest.rsplit_once(" of type ")?.1))
    });
    let Some((what, wanted)) = parts else {
        let decoded =
            if error.starts_with("illegal base64") { "error decoding from json: " } else { "" };
        return format!("{decoded}{error}");
    };
    let kind = match what {
        "number" => "int64",
        "array" => "slice",
        "object" => "map",
        other => other,
    };
    let is_struct = |name: &str| {
        let name = format!(".{name}");
        builtin::facts().structs.keys().any(|model| model.ends_with(&name))
    };
    match wanted {
        "bool" | "int32" | "int64" | "float64" => format!("unrecognized type: {wanted}"),
        list if list.starts_with("[]") => format!("cannot restore slice from {kind}"),
        map if map.starts_with("map[") || map == "v1.ResourceList" => {
            format!("cannot restore map from {kind}")
        }
        model if is_struct(model) => format!("cannot restore struct from: {kind}"),
        // Texts, whatever they are called. Go makes a text of a number, and this is refused apart.
        text if kind == "int64" => format!("cannot convert int64 to {text}"),
        _ => "unrecognized type: string".to_owned(),
    }
}

/// What the patched text of a built-in kind says that it is.
fn check_head(
    turn: &mut Turn<'_>,
    call: &Call,
    new: &Value,
    blame: &dyn Fn(&str) -> ApiError,
) -> Result<(), Halt> {
    if let Some(why) = intake::head::error_of(new) {
        return Err(blame(&why).into());
    }
    check_versioned(turn, call, new, blame)?;
    let head = ["apiVersion", "kind"].into_iter();
    let head = head.filter_map(|name| Some((name.to_owned(), new.get(name)?.clone())));
    let mut head = Value::Object(head.collect());
    let Err(error) = intake::check_type(&mut head, &call.resource, &call.body) else {
        return Ok(());
    };
    let before = format!(" cannot be handled as a {}: ", call.resource.kind);
    match error.message.split_once(&before) {
        Some((_, why)) if !why.starts_with("converting (") => Err(blame(why).into()),
        _ => Err(error.into()),
    }
}

/// What has lost its version is read by upstream as the type that it has inside, which knows no names of JSON.
fn check_versioned(
    turn: &mut Turn<'_>,
    call: &Call,
    new: &Value,
    blame: &dyn Fn(&str) -> ApiError,
) -> Result<(), Halt> {
    let is_bare = new["apiVersion"].as_str().unwrap_or_default().is_empty();
    let is_named = new["kind"].is_string() || new["kind"].is_null();
    if !is_bare || !new.is_object() || !is_named {
        return Ok(());
    }
    let members = new.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    let unknown = members.filter(|name| !matches!(*name, "kind" | "apiVersion"));
    let unknown = unknown.map(|name| format!("unknown field {}", crate::error::quoted(name)));
    let unknown: Vec<String> = unknown.collect();
    match FieldValidation::parse(&call.query)? {
        FieldValidation::Strict => {
            return Err(blame(&format!("strict decoding error: {}", unknown.join(", "))).into());
        }
        FieldValidation::Warn => unknown.into_iter().for_each(|problem| turn.warn(problem)),
        FieldValidation::Ignore => {}
    }
    Err(update::unnamed(call).into())
}

/// V4.3: a patch that takes the version away replaces whatever is there, which not every kind allows.
fn check_unversioned(call: &Call, new: &Value) -> Result<(), ApiError> {
    if update::is_unversioned(new) { update::check_unconditional(call) } else { Ok(()) }
}

/// V5.2: a patch that names a version means that version.
pub(crate) fn check_version(call: &Call, new: &Value, old: &Arc<Stored>) -> Result<(), ApiError> {
    let version = meta::text(new, "resourceVersion");
    if !version.is_empty() && version != meta::text(&old.value(), "resourceVersion") {
        return Err(ApiError::modified(&call.resource, &call.name));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
