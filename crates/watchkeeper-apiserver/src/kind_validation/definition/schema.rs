//! The schema of a version: what may be written in one, whether it is structural, whether its defaults are good, and
//! what its rules say.

use serde_json::{Map, Value};
use watchkeeper_schema::error::child;
use watchkeeper_schema::rules::{Complaints, Rules};
use watchkeeper_schema::{FieldError, Schema, structural};

use super::super::{Check, Place};
use super::{defaults, inside, keywords};

/// What a schema may have at its root beside a status of its own.
const BESIDE_STATUS: [(&str, &str); 22] = [
    ("description", "Description"),
    ("type", "Type"),
    ("format", "Format"),
    ("title", "Title"),
    ("maximum", "Maximum"),
    ("exclusiveMaximum", "ExclusiveMaximum"),
    ("minimum", "Minimum"),
    ("exclusiveMinimum", "ExclusiveMinimum"),
    ("maxLength", "MaxLength"),
    ("minLength", "MinLength"),
    ("pattern", "Pattern"),
    ("maxItems", "MaxItems"),
    ("minItems", "MinItems"),
    ("uniqueItems", "UniqueItems"),
    ("multipleOf", "MultipleOf"),
    ("required", "Required"),
    ("items", "Items"),
    ("properties", "Properties"),
    ("externalDocs", "ExternalDocs"),
    ("example", "Example"),
    ("x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields"),
    ("x-kubernetes-validations", "XValidations"),
];

/// What is wrong with a schema, of a version whose instances have a status of their own or not.
pub(super) fn schema(check: &mut Check<'_>, place: &Place<'_>, has_status: bool) {
    let Some(json @ Value::Object(members)) = place.value else { return };
    let before = check.errors.len();
    root(check, place, members, has_status);
    if is_stored(check, place) {
        return;
    }
    let unread = keywords::unread(json);
    let read = Schema::from_crd_json(&keywords::readable(json));
    let is_sound = match &read {
        Ok(schema) if unread.is_none() => is_sound(check, schema, place),
        _ => false,
    };
    let wrong = check.errors.len();
    keywords::check(check, json, &place.path);
    if let Ok(schema) = read.as_ref()
        && !check.is_full()
    {
        complain(check, wrong, Rules::complaints(schema, &place.path), is_sound);
    }
    // What cannot be read has mostly been told.
    if check.errors.len() == before
        && let Some(why) = unread.or_else(|| read.err().map(|error| error.to_string()))
    {
        check.push(FieldError::invalid(&*place.path, "", why));
    }
}

/// What belongs to the root alone.
fn root(check: &mut Check<'_>, place: &Place<'_>, members: &Map<String, Value>, has_status: bool) {
    let is_allowed = |name: &String| BESIDE_STATUS.iter().any(|(allowed, _)| allowed == name);
    let is_set = |value: &Value| match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(_) | Value::Number(_) => true,
    };
    if has_status && members.iter().any(|(name, value)| is_set(value) && !is_allowed(name)) {
        let allowed: Vec<&str> = BESIDE_STATUS.iter().map(|(_, name)| *name).collect();
        let detail = format!(
            "only [{}] fields are allowed at the root of the schema if the status subresource is \
             enabled",
            allowed.join(" ")
        );
        let show = || place.value.and_then(inside::schema);
        inside::refuse(check, (&*place.path, place.value), show, &detail);
    }
    if members.get("nullable") == Some(&Value::Bool(true)) {
        let path = child(&place.path, "nullable");
        check.push(FieldError::forbidden(path, "nullable cannot be true at the root"));
    }
}

/// Whether it is structural and its defaults are good: what is not has no types that rules could be read by.
fn is_sound(check: &mut Check<'_>, schema: &Schema, place: &Place<'_>) -> bool {
    let mut errors = structural::check(schema, &place.path);
    if errors.is_empty() {
        errors = defaults::check(schema, &place.path);
    }
    let is_sound = errors.is_empty();
    errors.into_iter().for_each(|error| check.push(error));
    is_sound
}

/// A schema that was taken before stays, whatever would be said of it today: it is judged where it changes.
fn is_stored(check: &Check<'_>, place: &Place<'_>) -> bool {
    let olds = check.old.and_then(|old| old.pointer("/spec/versions")?.as_array());
    let mut olds = olds.into_iter().flatten();
    olds.any(|version| version.pointer("/schema/openAPIV3Schema") == place.value)
}

/// Nothing is said of what rules say where something else is wrong with what they are rules of: with that the mistakes
/// from `wrong` on are.
fn complain(check: &mut Check<'_>, wrong: usize, rules: Complaints, is_sound: bool) {
    let Complaints { written, said } = rules;
    let wrong = &check.errors[wrong..];
    let is_readable = |error: &FieldError| {
        let of = error.field.split(".x-kubernetes-validations").next().unwrap_or_default();
        is_sound && !wrong.iter().any(|wrong| wrong.field.starts_with(of))
    };
    let said: Vec<FieldError> = said.into_iter().filter(is_readable).collect();
    written.into_iter().chain(said).for_each(|error| check.push(error));
}
