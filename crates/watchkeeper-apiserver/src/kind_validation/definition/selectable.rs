//! The fields that instances may be selected by.

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::super::{Check, Place};

/// How many a version may have.
const MOST: usize = 8;

/// Each is a text, a truth or a whole number somewhere in the schema.
pub(super) fn check(check: &mut Check<'_>, place: &Place<'_>, schema: Option<&Value>) {
    let mut seen = BTreeSet::new();
    for field in place.items() {
        let path = field.member("jsonPath");
        if path.is_empty() {
            check.push(FieldError::required(&*path.path, ""));
            continue;
        }
        let mut say = |detail: &str| {
            check.push(FieldError::invalid(&*path.path, path.text(), detail));
        };
        let Some(found) = schema.and_then(|schema| at(schema, path.text())) else {
            say("is an invalid path: does not refer to a valid field");
            continue;
        };
        if path.text().starts_with(".metadata") {
            say("must not point to fields in metadata");
        }
        if !["string", "boolean", "integer"].iter().any(|kind| found["type"] == *kind) {
            say(
                "must point to a field of type string, boolean or integer. Enum string fields and \
                 strings with formats are allowed.",
            );
        }
        if !seen.insert(path.text()) {
            check.push(FieldError::duplicate(&*path.path, path.text()));
        }
    }
    if seen.len() > MOST {
        check.push(FieldError::too_many(&*place.path, seen.len() as u64, MOST as u64));
    }
}

/// The schema of a field.
fn at<'a>(schema: &'a Value, path: &str) -> Option<&'a Value> {
    let mut names = path.strip_prefix('.')?.split('.');
    names.try_fold(schema, |schema, name| schema.get("properties")?.get(name))
}
