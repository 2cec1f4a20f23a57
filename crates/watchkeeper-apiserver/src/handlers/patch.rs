//! PATCH: the newest state with a change worked in.
//!
//! One step holds the whole server still, so the state that is patched is always the newest: what
//! upstream retries (V5.2) cannot happen here. A version inside the patch is a precondition.

use std::sync::Arc;

use serde_json::Value;

use crate::convert::seen;
use crate::deep::{self, Extent};
use crate::error::{ApiError, Cause};
use crate::history::Verb;
use crate::patch::{self, PatchError};
use crate::request::Call;
use crate::request::body::{self, Decoded};
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
    let live = convert::to_served(&call.resource, &was.value);
    let mut new = patched(call, &live, &change)?;
    check_extent(&new)?;
    check_result(turn, call, &mut new, &change, &duplicates)?;
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
    let malformed =
        |error: ApiError| ApiError::bad_request(format!("error decoding patch: {}", error.message));
    Ok(decoded.map_err(malformed)?)
}

fn patched(call: &Call, live: &Value, change: &Value) -> Result<Value, ApiError> {
    match call.content_type() {
        JSON => patch::json(live, change).map_err(refuse),
        MERGE if change.is_object() => Ok(patch::merge(live, change)),
        STRATEGIC if change.is_object() => {
            let schema = schemas::of(&call.resource);
            patch::strategic(live, change, schema).map_err(refuse)
        }
        kind => Err(ApiError::bad_request(format!(
            "{}json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            if kind == STRATEGIC { "" } else { "error decoding patch: " },
            patch::go_kind(change)
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
    change: &Value,
    duplicates: &[String],
) -> Result<(), Halt> {
    check_versioned(call, new)?;
    intake::check_type(new, &call.resource, &call.body)?;
    // Upstream shows the text that it decodes; of a strategic patch that is the patch itself.
    let shown = match call.content_type() {
        STRATEGIC => patch::go_value(change),
        _ => new.to_string(),
    };
    let blame = |error: &str| {
        let cause = Cause::invalid("patch", &shown.into(), error);
        ApiError::invalid("", "", "", vec![cause])
    };
    if let Some(error) = schemas::type_error(&call.resource, new) {
        return Err(blame(&error).into());
    }
    intake::refuse_names(turn, call, new, duplicates, |problems| {
        blame(&format!("strict decoding error: {}", problems.join(", ")))
    })?;
    intake::complete(call, new);
    update::check_named(call, new)?;
    intake::check_place(call, new)?;
    Ok(())
}

/// What has lost its version is read by upstream as the type that it has inside, which knows no names of JSON.
fn check_versioned(call: &Call, new: &Value) -> Result<(), ApiError> {
    let is_text = matches!(call.content_type(), JSON | MERGE) && call.resource.custom.is_none();
    let is_bare = new["apiVersion"].as_str().unwrap_or_default().is_empty();
    if is_text && new.is_object() && is_bare && new["kind"].is_string() {
        return Err(update::unnamed(call));
    }
    Ok(())
}

/// V5.2: a patch that names a version means that version.
pub(crate) fn check_version(call: &Call, new: &Value, old: &Arc<Stored>) -> Result<(), ApiError> {
    let version = meta::text(new, "resourceVersion");
    if !version.is_empty() && version != meta::text(&old.value, "resourceVersion") {
        return Err(ApiError::modified(&call.resource, &call.name));
    }
    Ok(())
}
