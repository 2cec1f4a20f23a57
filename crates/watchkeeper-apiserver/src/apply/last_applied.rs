//! From kubectl's client-side apply to server-side apply
//! (apimachinery, `managedfields/internal/lastapplied*.go`).
//!
//! Client-side apply keeps what it applied in an annotation. When kubectl then applies on the
//! server, the fields in there that are still as applied were its own all along: they are no
//! conflicts, and the annotation is kept up to date for those who go back.

use serde_json::{Map, Value};

use super::typed::Of;
use super::{compare, set};
use crate::fields::FieldSet;

/// The manager for which this is done.
pub(super) const KUBECTL: &str = "kubectl";
const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The fields that may be taken without asking.
pub(super) fn allowed(live: &Value, api_version: &str, of: Of<'_>) -> FieldSet {
    let applied = annotations(live).and_then(|annotations| annotations.get(ANNOTATION)?.as_str());
    let applied = applied.and_then(|text| serde_json::from_str::<Value>(text).ok());
    let same_version = |applied: &Value| applied.get("apiVersion")?.as_str().map(str::to_owned);
    let Some(applied) =
        applied.filter(|applied| same_version(applied).as_deref() == Some(api_version))
    else {
        return FieldSet::default();
    };
    let compared = compare::compare(&applied, live, of);
    set::fields_of(&applied, of).difference(&compared.lost())
}

/// Writes what was applied into the annotation, if the object has one.
pub(super) fn update(object: &mut Value, applied: &Value) {
    let has = annotations(object).and_then(|annotations| annotations.get(ANNOTATION));
    if has.and_then(Value::as_str).is_none_or(str::is_empty) {
        return;
    }
    let mut applied = applied.clone();
    let inner = applied.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut);
    if let Some(annotations) = inner {
        annotations.remove(ANNOTATION);
    }
    let text = format!("{applied}\n");
    if let Some(annotations) =
        object.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut)
    {
        annotations.insert(ANNOTATION.to_owned(), text.into());
    }
}

fn annotations(object: &Value) -> Option<&Map<String, Value>> {
    object.pointer("/metadata/annotations").and_then(Value::as_object)
}
