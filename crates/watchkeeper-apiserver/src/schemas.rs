//! The schema of a resource, and what it is asked for.

use std::sync::OnceLock;

use serde_json::Value;
use watchkeeper_schema::error::whole_numbers;
use watchkeeper_schema::prune::Decode;
use watchkeeper_schema::rules::Rules;
use watchkeeper_schema::{
    FieldError, Reason, Schema, SchemaRef, Schemas, defaults, prune, validate,
};

use crate::crd::CustomVersion;
use crate::decode_error;
use crate::error::{ApiError, Cause};
use crate::kind_defaults;
use crate::kind_validation::{self, Look};
use crate::kind_warnings;
use crate::registry::pods::qos_class;
use crate::request::Call;
use crate::resource::Resource;

pub(crate) mod embedded;
pub(crate) mod metadata;
mod scales;

/// The schema of a whole object; of kinds without one, a schema that keeps everything.
#[must_use]
pub(crate) fn of(resource: &Resource) -> SchemaRef<'_> {
    static ANY: OnceLock<Schema> = OnceLock::new();
    let any = || ANY.get_or_init(Schema::any_object).alone();
    match &resource.custom {
        Some(custom) => {
            custom.schema.as_deref().map_or_else(any, |schema| Schemas::builtin().at(schema))
        }
        None => Schemas::builtin().by_name(&resource.model).unwrap_or_else(any),
    }
}

/// Drops members that the schema does not know and names them.
pub(crate) fn prune(resource: &Resource, value: &mut Value) -> Vec<String> {
    let mut dropped = prune::prune(value, of(resource), true);
    if resource.custom.is_some() {
        dropped.extend(metadata::decode(value, of(resource)));
    }
    dropped
}

/// What is applied as it is taken up: whoever applies owns also what is empty in metadata, and, of a custom resource, what
/// is dropped only when it is stored. Nobody is told.
pub(crate) fn take_applied(resource: &Resource, value: &mut Value) {
    if resource.custom.is_none() {
        prune::prune(value, of(resource), true);
    }
    if resource.custom.is_some() {
        prune::decode_metadata(value, of(resource), Decode { form: |_, _| {}, is_stored: false });
    }
}

/// Drops of a custom resource that was applied what its schema does not have, and `null` where that is no value: both
/// counted as changes.
pub(crate) fn prune_stored(resource: &Resource, value: &mut Value) {
    if resource.custom.is_some() {
        prune::prune(value, of(resource), true);
        defaults::drop_nulls(value, of(resource));
    }
}

/// Gives metadata of a custom resource the form in which Go writes it.
pub(crate) fn decode_metadata(resource: &Resource, value: &mut Value) {
    if resource.custom.is_some() {
        metadata::decode(value, of(resource));
    }
}

/// What Go's JSON decoder says of a value that does not fit its types: of custom resources, whole objects within.
pub(crate) fn type_error(resource: &Resource, value: &Value) -> Option<String> {
    if resource.custom.is_some() {
        let within = || embedded::type_error(value, of(resource)).map(|error| error.to_string());
        return metadata::type_error(value).or_else(within);
    }
    decode_error::find(value, of(resource))
}

/// Refuses values that do not fit their Go types; the rest of custom resources is judged by validation.
///
/// # Errors
///
/// 400, as from Go's JSON decoder.
pub(crate) fn check_types(resource: &Resource, value: &Value) -> Result<(), ApiError> {
    let Some(error) = type_error(resource, value) else { return Ok(()) };
    Err(ApiError::bad_request(format!(
        "{kind} in version {} cannot be handled as a {kind}: {error}",
        crate::error::quoted(&resource.version),
        kind = resource.kind,
    )))
}

/// Drops what is `null` in a custom resource that a client sent and may not be. What an apply makes of objects is not
/// decoded again, and keeps it.
pub(crate) fn drop_nulls(resource: &Resource, value: &mut Value) {
    if resource.custom.is_some() {
        defaults::drop_nulls(value, of(resource));
    }
}

/// Brings the object into the form that is stored and fills in what is missing.
pub(crate) fn fill_defaults(resource: &Resource, value: &mut Value) {
    let schema = of(resource);
    if resource.custom.is_some() {
        defaults::default_values(value, schema);
    } else {
        kind_defaults::complete(value, schema);
    }
}

/// A custom resource whose status did not come with it, or was taken from it, is read with the one that is the default.
pub(crate) fn fill_status(call: &Call, value: &mut Value) {
    let is_written = matches!(call.subresource.as_str(), "" | "status");
    let is_missing = || call.resource.custom.is_some() && value.get("status").is_none();
    if !is_written || !is_missing() {
        return;
    }
    let schema = of(&call.resource);
    // Most have none, and need not be walked again.
    if schema.property("status").is_some_and(|status| status.usage.default.is_some()) {
        defaults::default_values(value, schema);
    }
}

/// Custom resources, and the defaults of definitions, keep floats as they were sent until they are stored: Go writes
/// one without a fraction as a whole number. What is judged and counted as a change is what was sent.
pub(crate) fn write_numbers(resource: &Resource, value: &mut Value) {
    if resource.custom.is_some() || resource.is("apiextensions.k8s.io", "customresourcedefinitions")
    {
        whole_numbers(value);
    }
}

/// What is said of an object: what is wrong with it, and what would be if it had not been like that.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) causes: Vec<Cause>,
    pub(crate) warnings: Vec<String>,
}

/// What is wrong with an object: its metadata, and what its schema or the rules of its kind say.
/// Writes to subresources are judged by the subresource.
pub(crate) fn validate(
    resource: &Resource,
    subresource: &str,
    old: Option<&Value>,
    new: &Value,
) -> Said {
    let mut errors = Vec::new();
    let mut forgiven = Vec::new();
    if let Some(custom) = &resource.custom {
        errors.extend(validate_custom(resource, custom, subresource, (old, new)));
        if let Some(rules) = &custom.rules {
            ask_rules(rules, old, new, &mut errors, &mut forgiven);
        }
    } else {
        errors.extend(validate_built_in(resource, subresource, (old, new), None));
    }
    let mut warnings: Vec<String> = forgiven.iter().map(ToString::to_string).collect();
    if errors.is_empty() && resource.custom.is_none() {
        match subresource {
            "" => warnings.extend(kind_warnings::of(resource, old, new)),
            "status" => warnings.extend(kind_warnings::of_status(resource, new)),
            _ => {}
        }
    }
    Said { causes: errors.into_iter().map(Cause::from).collect(), warnings }
}

/// What is wrong with a built-in object, told of what was sent.
pub(crate) fn causes_as_sent(
    resource: &Resource,
    old: Option<&Value>,
    new: &Value,
    sent: &Value,
) -> Vec<Cause> {
    let errors = validate_built_in(resource, "", (old, new), Some(sent));
    errors.into_iter().map(Cause::from).collect()
}

/// What is wrong with a custom resource before its rules are asked, in the order of `customResourceStrategy`
/// (apiextensions, `pkg/registry/customresource`).
fn validate_custom(
    resource: &Resource,
    custom: &CustomVersion,
    subresource: &str,
    (old, new): (Option<&Value>, &Value),
) -> Vec<FieldError> {
    let (schema, is_status) = (of(resource), subresource == "status");
    let mut errors = kind_validation::metadata(new, old, Look::of_custom());
    if let Some(stated) = &custom.metadata {
        errors.extend(validate::validate(new, old, stated.alone()));
    }
    let judged = validate::validate_parts(new, old, schema);
    errors.extend(judged.errors);
    if is_status {
        errors.iter_mut().for_each(name_below_status);
    }
    if let Some(paths) = &custom.scale {
        errors.extend(scales::judged(new, paths, is_status));
    }
    if !judged.is_whole {
        return errors;
    }
    // Who writes a status is not told of whole objects.
    if !is_status {
        errors.extend(embedded::judged(new, schema));
    }
    errors.extend(validate::repeats(new, old, schema));
    errors
}

/// A status that is written by itself is judged by itself: what is wrong is told by its name in the status.
fn name_below_status(error: &mut FieldError) {
    // What is said of a place without naming it is said of the status.
    if error.field == "<nil>" {
        "status".clone_into(&mut error.field);
        for before in ["\"", " in "] {
            error.detail = error.detail.replace(&format!("{before}status."), before);
        }
        return;
    }
    let told = error.detail.strip_prefix("status").filter(|_| error.field.starts_with("status"));
    if let Some(told) = told
        .and_then(|told| told.strip_prefix('.').or(told.strip_prefix(" in body").and(Some(told))))
    {
        error.detail = told.to_owned();
    }
}

fn validate_built_in(
    resource: &Resource,
    subresource: &str,
    (old, new): (Option<&Value>, &Value),
    sent: Option<&Value>,
) -> Vec<FieldError> {
    let (group, kind) = (&*resource.group, &*resource.kind);
    let look = Look::of(group, kind, subresource);
    let metadata = || kind_validation::metadata(new, old, look);
    if !subresource.is_empty() {
        return metadata()
            .into_iter()
            .chain(of_subresource(resource, subresource, old, new))
            .collect();
    }
    let rest = kind_validation::validate_as_sent(group, kind, (new, old), sent);
    if old.is_none() && kind_validation::is_judged_last(group, kind) {
        return if rest.is_empty() { metadata() } else { rest };
    }
    metadata().into_iter().chain(rest).collect()
}

/// What is wrong with the part of a built-in object that a subresource writes.
fn of_subresource(
    resource: &Resource,
    subresource: &str,
    old: Option<&Value>,
    new: &Value,
) -> Vec<FieldError> {
    match (subresource, old) {
        ("status", Some(old)) => kind_validation::status(&resource.group, &resource.kind, new, old),
        ("approval", Some(old)) => kind_validation::approval(new, old),
        ("finalize", _) => kind_validation::finalizers_of_namespace(new),
        ("ephemeralcontainers" | "resize", Some(old)) if resource.is("", "pods") => {
            kind_validation::part_of_pod(subresource, new, old, qos_class)
        }
        _ => Vec::new(),
    }
}

/// V10.3: rules are not asked about what is not even of the right shape.
fn ask_rules(
    rules: &Rules,
    old: Option<&Value>,
    new: &Value,
    errors: &mut Vec<FieldError>,
    forgiven: &mut Vec<FieldError>,
) {
    let blocks = |error: &FieldError| {
        use Reason::{NotSupported, Required, TooLong, TooMany, TypeInvalid};
        matches!(error.reason, NotSupported | Required | TooLong | TooMany | TypeInvalid)
    };
    if errors.iter().any(blocks) {
        let detail = "some validation rules were not checked because the object was invalid; \
                      correct the existing errors to complete validation";
        errors.push(FieldError::invalid("<nil>", Value::Null, detail));
        return;
    }
    // The root of an object has no path upstream.
    let placed = |mut error: FieldError| {
        if error.field.is_empty() {
            "<nil>".clone_into(&mut error.field);
        }
        error
    };
    let judgement = rules.judge(new, old);
    errors.extend(judgement.errors.into_iter().map(placed));
    forgiven.extend(judgement.forgiven.into_iter().map(placed));
}
