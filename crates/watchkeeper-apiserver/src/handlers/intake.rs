//! What a client sent, made into an object of the version asked for: decoded, checked for kind and
//! unknown fields, pruned, defaulted.

use serde_json::{Map, Value};
use watchkeeper_schema::builtin;

use crate::error::{ApiError, Cause};
use crate::go::go_kind;
use crate::registry::strategy;
use crate::request::body::{self, Decoded, Duplicates};
use crate::request::options::FieldValidation;
use crate::request::{Call, body::summary};
use crate::resource::{Resource, split_api_version};
use crate::turn::{Halt, Turn};
use crate::{meta, schemas};

pub(crate) mod head;

/// Reads the body as an object of the resource.
pub(crate) fn object(turn: &mut Turn<'_>, call: &Call) -> Result<Value, Halt> {
    let Decoded { mut value, duplicates } = decoded(call)?;
    check_type(&mut value, &call.resource, &call.body)?;
    check_fields(turn, call, &mut value, &duplicates)?;
    Ok(value)
}

/// Reads the body as JSON or YAML.
pub(crate) fn decoded(call: &Call) -> Result<Decoded, Halt> {
    if call.body.len() > body::LIMIT {
        return Err(ApiError::too_large(body::LIMIT).into());
    }
    let Call { resource, body, .. } = call;
    Ok(body::decode(call.content_type(), body, &resource.api_version(), &resource.kind)?)
}

/// Kind and version must be those of the path, and metadata an object; for built-in kinds they may be absent.
pub(crate) fn check_type(
    value: &mut Value,
    resource: &Resource,
    sent: &[u8],
) -> Result<(), ApiError> {
    check_kind(value, resource, sent)?;
    let Err(why) = give_metadata(value, resource) else { return Ok(()) };
    let why = schemas::type_error(resource, value).unwrap_or(why);
    let (kind, version) = (&resource.kind, crate::error::quoted(&resource.version));
    let before = format!("{kind} in version {version} cannot be handled as a {kind}");
    Err(ApiError::bad_request(format!("{before}: {why}")))
}

/// Metadata of an object that says nothing of it; or why it has none.
pub(crate) fn give_metadata(value: &mut Value, resource: &Resource) -> Result<(), String> {
    match &value["metadata"] {
        Value::Object(_) => Ok(()),
        Value::Null => {
            value["metadata"] = Value::Object(Map::new());
            Ok(())
        }
        other => Err(format!(
            "json: cannot unmarshal {} into Go struct field {}.metadata of type v1.ObjectMeta",
            go_kind(other),
            resource.kind,
        )),
    }
}

/// Kind and version must be those of the path; for built-in kinds they may be absent.
pub(crate) fn check_kind(
    value: &mut Value,
    resource: &Resource,
    sent: &[u8],
) -> Result<(), ApiError> {
    if value.is_null() {
        *value = Value::Object(Map::new());
    }
    if let Some(why) = head::error(value, sent) {
        return Err(ApiError::bad_request(format!(
            "the object provided is unrecognized (must be of type {}): {why} ({})",
            resource.kind,
            summary(sent)
        )));
    }
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let (kind, api_version) = (text("kind"), text("apiVersion"));
    if resource.custom.is_some() && (kind.is_empty() || api_version.is_empty()) {
        let what = if kind.is_empty() { "Kind" } else { "apiVersion" };
        return Err(ApiError::bad_request(format!(
            "the object provided is unrecognized (must be of type {}): Object '{what}' is missing \
             in '{}' ({})",
            resource.kind,
            String::from_utf8_lossy(sent),
            summary(sent)
        )));
    }
    if resource.custom.is_some() && kind != resource.kind && api_version == resource.api_version() {
        let detail = format!("must be {}", resource.kind);
        let cause = Cause::invalid("kind", &kind.as_str().into(), &detail);
        return Err(ApiError::invalid(&resource.group, &kind, meta::name(value), vec![cause]));
    }
    if let Some(error) = mismatch(resource, &kind, &api_version) {
        return Err(ApiError::bad_request(error));
    }
    crate::convert::set_type(value, &resource.kind, &resource.api_version());
    Ok(())
}

/// What is said of an object of another kind or version.
fn mismatch(resource: &Resource, kind: &str, api_version: &str) -> Option<String> {
    let expected = resource.api_version();
    let (group, version) = split_api_version(api_version);
    let other_version = !api_version.is_empty() && api_version != expected;
    let quoted = crate::error::quoted;
    let named = if kind.is_empty() { &*resource.kind } else { kind };
    let (of_group, of_version) =
        if api_version.is_empty() { split_api_version(&expected) } else { (group, version) };
    let known =
        resource.custom.is_some() || builtin::facts().kind(of_group, of_version, named).is_some();
    let (api_version, version) =
        if api_version.is_empty() { (&*expected, of_version) } else { (api_version, version) };
    if other_version || !known {
        return Some(if known {
            format!(
                "the API version in the data ({api_version}) does not match the expected API \
                 version ({expected})"
            )
        } else {
            format!(
                "{named} in version {} cannot be handled as a {}: no kind {} is registered for \
                 version {} in scheme \"pkg/runtime/scheme.go:111\"",
                quoted(version),
                resource.kind,
                quoted(named),
                quoted(api_version)
            )
        });
    }
    if kind.is_empty() || kind == resource.kind {
        return None;
    }
    let group = if resource.group.is_empty() { "core" } else { &resource.group };
    let short = group.split('.').next().unwrap_or_default();
    Some(format!(
        "{kind} in version {} cannot be handled as a {name}: converting ({version}.{kind}) to \
         ({short}.{name}): unknown conversion",
        quoted(&resource.version),
        version = resource.version,
        name = resource.kind,
    ))
}

/// V4.11: fields that are not there or there twice are refused, told, or ignored; then dropped.
/// Before that it is checked for its types, and what is left is completed with defaults.
pub(crate) fn check_fields(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
    duplicates: &Duplicates,
) -> Result<(), Halt> {
    // What cannot be decoded has no names to speak of.
    schemas::check_types(&call.resource, value)?;
    check_names(turn, call, value, duplicates)?;
    schemas::drop_nulls(&call.resource, value);
    complete(call, value);
    Ok(())
}

/// The part of [`check_fields`] that is about names.
pub(crate) fn check_names(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
    duplicates: &Duplicates,
) -> Result<(), Halt> {
    refuse_names(turn, call, value, duplicates, |problems| strict(&call.resource, problems))
}

/// As [`check_names`], with an error of one's own.
pub(crate) fn refuse_names(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
    duplicates: &Duplicates,
    refuse: impl FnOnce(&[String]) -> ApiError,
) -> Result<(), Halt> {
    let validation = FieldValidation::parse(&call.query)?;
    let unknown = schemas::prune(&call.resource, value);
    let unknown = unknown.iter().map(|path| (path, "unknown"));
    let twice = duplicates.paths.iter().map(|path| (path, "duplicate"));
    let mut found: Vec<_> = unknown.chain(twice).collect();
    if call.resource.custom.is_none() {
        // As they stand in the text of most clients, which is that of Go's maps.
        found.sort_by_cached_key(|(path, _)| in_order(path));
    }
    let told =
        |(path, what): (&String, &str)| format!("{what} field {}", crate::error::quoted(path));
    let problems: Vec<String> = found.into_iter().map(told).collect();
    match validation {
        FieldValidation::Strict => {
            let problems: Vec<String> =
                duplicates.yaml_error().into_iter().chain(problems).collect();
            if !problems.is_empty() {
                return Err(refuse(&problems).into());
            }
        }
        FieldValidation::Warn => {
            let lines = duplicates.lines.iter().cloned();
            lines.chain(problems).for_each(|problem| turn.warn(problem));
        }
        FieldValidation::Ignore => {}
    }
    Ok(())
}

/// The last part of [`check_fields`]: defaults, for what has the types of its kind.
pub(crate) fn complete(call: &Call, value: &mut Value) {
    schemas::fill_defaults(&call.resource, value);
    strategy::complete(&call.resource, value);
}

/// A path as one to sort by: members by name, items by number.
fn in_order(path: &str) -> Vec<(u64, &str)> {
    let step = |step| {
        let number = |step: &str| step.strip_suffix(']').and_then(|number| number.parse().ok());
        number(step).map_or((0, step), |number| (number, ""))
    };
    path.split(['.', '[']).map(step).collect()
}

fn strict(resource: &Resource, problems: &[String]) -> ApiError {
    ApiError::bad_request(format!(
        "{kind} in version {} cannot be handled as a {kind}: strict decoding error: {}",
        crate::error::quoted(&resource.version),
        problems.join(", "),
        kind = resource.kind,
    ))
}

/// The name and namespace in the object must be those of the path; empty ones are filled in.
pub(crate) fn check_place(call: &Call, value: &mut Value) -> Result<(), ApiError> {
    if !call.name.is_empty() {
        let name = meta::name(value).to_owned();
        if name.is_empty() {
            meta::set(value, "name", &*call.name);
        } else if name != call.name {
            return Err(ApiError::bad_request(format!(
                "the name of the object ({name}) does not match the name on the URL ({})",
                call.name
            )));
        }
    }
    check_namespace(call, value)
}

/// The namespace in the object must be that of the path, which an empty one becomes; what is in none has none.
pub(crate) fn check_namespace(call: &Call, value: &mut Value) -> Result<(), ApiError> {
    let namespace = meta::namespace(value).to_owned();
    if !call.resource.namespaced {
        meta::members(value).remove("namespace");
    } else if namespace.is_empty() {
        meta::set(value, "namespace", &*call.namespace);
    } else if namespace != call.namespace {
        return Err(ApiError::bad_request(
            "the namespace of the provided object does not match the namespace sent on the request",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
