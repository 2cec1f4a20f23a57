//! Server-side apply: PATCH with `application/apply-patch+yaml` (KEP-555).

use serde_json::{Value, json};

use crate::apply::group_version;
use crate::convert::seen;
use crate::error::{ApiError, Cause};
use crate::go::go_kind;
use crate::history::Verb;
use crate::request::Call;
use crate::request::body::{Decoded, Duplicates};
use crate::request::options::{self, FieldValidation};
use crate::turn::{Halt, Turn};
use crate::{convert, managed, meta, schemas};

use super::create::{self, Managed};
use super::{Handled, intake, patch, save, update};

/// So many items of lists are looked at for one that was applied; after that what was emptied is `null`, as upstream
/// has it.
const MOST_PAIRS: usize = 1_000_000;

/// What lost its last field is `null`, which upstream refuses of most custom resources. Here it is as empty as it was
/// applied.
fn keep_empty(new: &mut Value, applied: &Value, pairs: &mut usize) {
    match (new, applied) {
        (Value::Object(new), Value::Object(applied)) => {
            for (name, value) in applied {
                if let Some(new) = new.get_mut(name) {
                    keep_empty(new, value, pairs);
                }
            }
        }
        (Value::Array(new), Value::Array(applied)) => {
            for applied in applied.iter().filter(|applied| holds_empty(applied)) {
                for new in new.iter_mut() {
                    let Some(left) = pairs.checked_sub(1) else { return };
                    *pairs = left;
                    if has_the_texts_of(new, applied) {
                        keep_empty(new, applied, pairs);
                    }
                }
            }
        }
        (new @ Value::Null, applied) if *applied == json!({}) || *applied == json!([]) => {
            *new = applied.clone();
        }
        _ => {}
    }
}

/// Whether there is an empty list or map in it.
fn holds_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty() || items.iter().any(holds_empty),
        Value::Object(members) => members.is_empty() || members.values().any(holds_empty),
        _ => false,
    }
}

/// Whether an item has all texts, numbers and truth values of an applied one, the keys of its list among them.
fn has_the_texts_of(item: &Value, applied: &Value) -> bool {
    let is_plain = |value: &Value| !value.is_object() && !value.is_array() && !value.is_null();
    let members = applied.as_object().into_iter().flatten();
    members.filter(|(_, value)| is_plain(value)).all(|(name, value)| item.get(name) == Some(value))
}

/// Makes the object so, or creates it.
pub(super) fn apply(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let Decoded { value: mut applied, duplicates } =
        read(call, &call.resource.api_version(), &call.resource.kind)?;
    intake::check_kind(&mut applied, &call.resource, &call.body)?;
    check_unmanaged(&applied)?;
    managed::check(&applied, call)?;
    // What the types have let pass unnamed is dropped, and nobody is told.
    FieldValidation::parse(&call.query)?;
    schemas::take_applied(&call.resource, &mut applied);
    let old = turn.core.store.get(&call.resource.table, &call.key()).cloned();
    let was = old.as_ref().map(|old| seen::seen(turn, &call.resource, old)).transpose()?;
    let live = was.as_ref().map(|was| convert::live(&call.resource, was));
    if live.is_none() && !call.subresource.is_empty() {
        return Err(call.not_found().into());
    }
    let began = turn.began;
    let mut new = managed::apply(turn, live.as_deref(), &applied, call, began)?;
    if call.resource.custom.is_some() {
        keep_empty(&mut new, &applied, &mut { MOST_PAIRS });
    }
    // Empty metadata is somebody's, though nobody sees it.
    schemas::decode_metadata(&call.resource, &mut new);
    check_once(turn, call, &duplicates)?;
    check_result(call, &applied, &new)?;
    // Who takes its part of the metadata away takes the name with it, unless somebody has another part.
    update::check_named(call, if old.is_none() { &applied } else { &new })?;
    intake::check_place(call, &mut applied.clone())?;
    // What was sent is remembered as it was; what is stored knows its place.
    intake::check_place(call, &mut new)?;
    intake::complete(call, &mut new);
    match old {
        None => {
            let stored = create::store_new(turn, call, new, Managed::Applied)?;
            create::finish(turn, call, &stored)
        }
        Some(old) => {
            patch::check_version(call, &new, &old)?;
            let saved = save::save(turn, call, &old, new, Verb::Patch, Managed::Applied)?;
            update::finish(turn, call, &saved)
        }
    }
}

/// Members that are there twice are looked for when all else is known; upstream reads JSON as YAML here.
fn check_once(turn: &mut Turn<'_>, call: &Call, duplicates: &Duplicates) -> Result<(), ApiError> {
    let Some(why) = duplicates.yaml_error() else { return Ok(()) };
    match FieldValidation::parse(&call.query)? {
        FieldValidation::Strict => Err(ApiError::bad_request(format!(
            "error strict decoding YAML: error converting YAML to JSON: {why}"
        ))),
        FieldValidation::Warn => {
            duplicates.lines.iter().for_each(|line| turn.warn(line.as_str()));
            Ok(())
        }
        FieldValidation::Ignore => Ok(()),
    }
}

/// What does not fit the types of a built-in kind is found only when everything is put together; the object is told
/// as it was applied.
fn check_result(call: &Call, applied: &Value, new: &Value) -> Result<(), ApiError> {
    if call.resource.custom.is_some() {
        return Ok(());
    }
    let why = schemas::type_error(&call.resource, new);
    let Some(why) = why.map(patch::restored) else { return Ok(()) };
    let text = |name: &str| meta::text(applied, name);
    let version = call.resource.api_version();
    let kind = format!("{}, Kind={}", group_version(&version), call.resource.kind);
    let (namespace, name) = (text("namespace"), text("name"));
    let message = format!(
        "failed to convert new object ({namespace}/{name}; {kind}) to proper version: unable to \
         convert unstructured object to {kind}: {why}"
    );
    Err(ApiError::new(500, "", message))
}

/// What an apply says of a view of the object, such as its scale, which is of a kind of its own.
pub(crate) fn read_view(call: &Call, version: &str, kind: &str) -> Result<Value, Halt> {
    let view = read(call, version, kind)?.value;
    check_unmanaged(&view)?;
    Ok(view)
}

fn read(call: &Call, version: &str, kind: &str) -> Result<Decoded, Halt> {
    check_manager(call)?;
    let applied = patch::read_patch(call)?;
    check_kind((version, kind), &applied.value)?;
    Ok(applied)
}

fn check_unmanaged(applied: &Value) -> Result<(), ApiError> {
    if applied["metadata"]["managedFields"].is_null() {
        return Ok(());
    }
    Err(ApiError::bad_request("metadata.managedFields must be nil"))
}

/// V5.3: an applied object says what it is.
fn check_kind(expected: (&str, &str), applied: &Value) -> Result<(), ApiError> {
    if !applied.is_object() && !applied.is_null() {
        return Err(ApiError::bad_request(format!(
            "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot \
             unmarshal {} into Go value of type map[string]interface {{}}",
            go_kind(applied)
        )));
    }
    let text = |name: &str| applied[name].as_str().unwrap_or_default();
    let (version, kind) = (text("apiVersion"), text("kind"));
    if (version, kind) == expected {
        return Ok(());
    }
    let version = group_version(version);
    Err(ApiError::bad_request(format!("invalid object type: {version}, Kind={kind}")))
}

/// V5.3: an apply names its manager.
fn check_manager(call: &Call) -> Result<(), ApiError> {
    let manager = call.query.text("fieldManager");
    let causes = match manager {
        "" => vec![Cause::required("fieldManager", "is required for apply patch")],
        manager => options::manager(manager),
    };
    if causes.is_empty() {
        return Ok(());
    }
    Err(ApiError::invalid("meta.k8s.io", "PatchOptions", "", causes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_lists_without_end_the_rest_is_left() {
        let list = |empty: Value| {
            Value::Array((0..2000).map(|n| json!({"name": n, "labels": empty})).collect())
        };
        let (applied, mut new) = (list(json!({})), list(Value::Null));
        keep_empty(&mut new, &applied, &mut { MOST_PAIRS });
        assert_eq!((&new[0]["labels"], &new[1999]["labels"]), (&json!({}), &Value::Null));
    }

    #[test]
    fn what_is_empty_is_found_wherever_it_is() {
        for (value, expected) in [
            (json!([]), true),
            (json!([1, "a"]), false),
            (json!([1, {}]), true),
            (json!([[1], [[]]]), true),
            (json!({}), true),
            (json!({"a": 1, "b": [1]}), false),
            (json!({"a": 1, "b": {"c": []}}), true),
            (json!(null), false),
        ] {
            assert_eq!(holds_empty(&value), expected, "{value}");
        }
    }

    #[test]
    fn what_was_applied_empty_stays_empty() {
        let applied = json!({"spec": {"a": {}, "b": [], "c": {"d": {}}, "e": null, "list": [
            {"name": "x", "labels": {}}, {"name": "y", "labels": {"a": "b"}}]}});
        let mut new = json!({"spec": {"a": null, "b": null, "c": {"d": null}, "e": null, "list": [
            {"name": "y", "labels": {"a": "b"}}, {"name": "x", "labels": null, "size": 1}]}});
        keep_empty(&mut new, &applied, &mut { MOST_PAIRS });
        let kept = json!({"spec": {"a": {}, "b": [], "c": {"d": {}}, "e": null, "list": [
            {"name": "y", "labels": {"a": "b"}}, {"name": "x", "labels": {}, "size": 1}]}});
        assert_eq!(new, kept);
    }
}
