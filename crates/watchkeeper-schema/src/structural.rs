//! Whether a schema is structural, as CRDs must have it
//! (apiextensions, `pkg/apiserver/schema/validation.go`).

use std::collections::BTreeMap;

use crate::error::{FieldError, child, item, key};
use crate::node::{Schema, Type};

#[cfg(test)]
mod tests;

/// Where a node stands, which decides what is said about a missing type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Items,
    Field,
}

/// Everything that keeps the schema at `path` from being structural, sorted by message. Keywords that servers refuse
/// wherever they stand, such as `uniqueItems`, are no matter of structure.
#[must_use]
pub fn check(schema: &Schema, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    invariants(schema, Level::Root, path, &mut errors);
    for (place, nested, _) in nested_values(schema, path, false) {
        complete(nested, schema, path, &place, &mut errors);
    }
    errors.sort_by_key(ToString::to_string);
    errors
}

fn invariants(schema: &Schema, level: Level, path: &str, errors: &mut Vec<FieldError>) {
    if schema.type_ == Some(Type::Array) && schema.items.is_none() {
        errors.push(FieldError::required(child(path, "items"), "must be specified"));
    }
    if let Some(items) = &schema.items {
        invariants(items, Level::Items, &child(path, "items"), errors);
    }
    for (name, property) in &schema.properties {
        invariants(property, Level::Field, &key(&child(path, "properties"), name), errors);
    }
    if let Some(additional) = &schema.additional {
        let place = child(path, "additionalProperties");
        if level == Level::Root {
            errors.push(FieldError::forbidden(&place, "must not be used at the root"));
        }
        if !additional.unspecified {
            invariants(additional, Level::Field, &place, errors);
        }
    }
    types(schema, level, path, errors);
    extensions(schema, path, errors);
    pattern(schema, path, errors);
    let exempt = exempt_from_types(schema);
    for (place, nested, may_have_type) in nested_values(schema, path, exempt) {
        value_validation(nested, may_have_type, &place, errors);
    }
}

/// A pattern is one. Without the feature `validate` nobody could say.
fn pattern(schema: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    #[cfg(feature = "validate")]
    if let Some(pattern) = &schema.pattern
        && let Err(why) = crate::pattern::usable(pattern)
    {
        let detail = format!("must be a valid regular expression, but isn't: {why}");
        errors.push(FieldError::invalid(child(path, "pattern"), pattern.as_str(), detail));
    }
    #[cfg(not(feature = "validate"))]
    let _ = (schema, path, errors);
}

fn types(schema: &Schema, level: Level, path: &str, errors: &mut Vec<FieldError>) {
    let place = child(path, "type");
    if schema.embedded_resource && schema.type_ != Some(Type::Object) {
        let detail = "must be object if x-kubernetes-embedded-resource is true";
        errors.push(match schema.type_ {
            None => FieldError::required(&*place, detail),
            Some(type_) => FieldError::invalid(&*place, type_.name(), detail),
        });
    } else if schema.type_.is_none() && !schema.int_or_string && !schema.preserve_unknown {
        errors.push(FieldError::required(
            &*place,
            match level {
                Level::Root => "must not be empty at the root",
                Level::Items => "must not be empty for specified array items",
                Level::Field => "must not be empty for specified object fields",
            },
        ));
    }
    if let Some(type_) = schema.type_.filter(|type_| level == Level::Root && *type_ != Type::Object)
    {
        errors.push(FieldError::invalid(place, type_.name(), "must be object at the root"));
    }
    if schema.embedded_resource && schema.additional.is_some() {
        errors.push(FieldError::forbidden(
            child(path, "additionalProperties"),
            "must not be used if x-kubernetes-embedded-resource is set",
        ));
    }
    if schema.embedded_resource && !schema.preserve_unknown && schema.properties.is_empty() {
        errors.push(FieldError::required(
            child(path, "properties"),
            "must not be empty if x-kubernetes-embedded-resource is true without \
             x-kubernetes-preserve-unknown-fields",
        ));
    }
    if level == Level::Root || schema.embedded_resource {
        object_meta(schema, level, path, errors);
    }
}

/// Of the `metadata` of the whole a schema may say only what names look like.
fn object_meta(schema: &Schema, level: Level, path: &str, errors: &mut Vec<FieldError>) {
    for name in ["kind", "apiVersion"] {
        if let Some(property) = schema.properties.get(name)
            && property.type_ != Some(Type::String)
        {
            let place = child(&key(&child(path, "properties"), name), "type");
            let type_ = property.type_.map_or("", Type::name);
            errors.push(FieldError::invalid(place, type_, "must be string"));
        }
    }
    let Some(metadata) = schema.properties.get("metadata") else { return };
    let place = key(&child(path, "properties"), "metadata");
    if metadata.type_ != Some(Type::Object) {
        let type_ = metadata.type_.map_or("", Type::name);
        errors.push(FieldError::invalid(child(&place, "type"), type_, "must be object"));
    }
    if level == Level::Root && says_more(metadata) {
        errors.push(FieldError::forbidden(
            place,
            "must not specify anything other than name and generateName, but metadata is \
             implicitly specified",
        ));
    }
}

/// Whether anything is said of metadata but its type, a default, and what names look like. That there may be no default
/// is told elsewhere.
fn says_more(metadata: &Schema) -> bool {
    if metadata.properties.keys().any(|name| name != "name" && name != "generateName") {
        return true;
    }
    let mut rest =
        Schema { type_: None, default: None, properties: BTreeMap::new(), ..metadata.clone() };
    // An empty text says nothing.
    let texts = [&mut rest.title, &mut rest.description, &mut rest.format, &mut rest.pattern];
    for text in texts {
        *text = text.take().filter(|text| !text.is_empty());
    }
    rest.example = rest.example.filter(|example| !example.is_null());
    rest != Schema::default()
}

fn extensions(schema: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    let flags = [
        ("x-kubernetes-preserve-unknown-fields", schema.preserve_unknown),
        ("x-kubernetes-embedded-resource", schema.embedded_resource),
    ];
    for (name, _) in flags.into_iter().filter(|(_, set)| *set && schema.int_or_string) {
        let detail = "must be false if x-kubernetes-int-or-string is true";
        errors.push(FieldError::invalid(child(path, name), true, detail));
    }
}

/// Int-or-string fields may spell out their two types once.
fn exempt_from_types(schema: &Schema) -> bool {
    let spelled = |any_of: &[Schema]| {
        let types: Vec<_> = any_of.iter().map(|s| s.type_).collect();
        types == [Some(Type::Integer), Some(Type::String)]
    };
    schema.int_or_string
        && (spelled(&schema.any_of) || schema.all_of.first().is_some_and(|s| spelled(&s.any_of)))
}

/// The schemas under `allOf`, `anyOf`, `oneOf` and `not`, with their places, and whether they may
/// name types.
pub(crate) fn nested_values<'a>(
    schema: &'a Schema,
    path: &str,
    exempt: bool,
) -> Vec<(String, &'a Schema, bool)> {
    let mut nested = Vec::new();
    let lists = [("allOf", &schema.all_of), ("anyOf", &schema.any_of), ("oneOf", &schema.one_of)];
    for (name, schemas) in lists {
        for (index, of) in schemas.iter().enumerate() {
            let may_have_type = exempt && (name == "anyOf" || (name == "allOf" && index == 0));
            nested.push((item(&child(path, name), index), of, may_have_type));
        }
    }
    if let Some(not) = &schema.not {
        nested.push((child(path, "not"), not, false));
    }
    nested
}

/// Value validations say nothing that belongs outside of them.
fn value_validation(schema: &Schema, exempt: bool, path: &str, errors: &mut Vec<FieldError>) {
    let mut forbid = |set: bool, name: &str, rule: &str| {
        if set {
            let detail = format!("must be {rule} to be structural");
            errors.push(FieldError::forbidden(child(path, name), detail));
        }
    };
    forbid(schema.type_.is_some() && !exempt, "type", "empty");
    forbid(schema.additional.is_some(), "additionalProperties", "undefined");
    forbid(schema.default.is_some(), "default", "undefined");
    forbid(schema.title.is_some(), "title", "empty");
    forbid(schema.description.is_some(), "description", "empty");
    forbid(schema.nullable, "nullable", "false");
    forbid(schema.preserve_unknown, "x-kubernetes-preserve-unknown-fields", "false");
    forbid(schema.embedded_resource, "x-kubernetes-embedded-resource", "false");
    forbid(schema.int_or_string, "x-kubernetes-int-or-string", "false");
    forbid(!schema.list_keys.is_empty(), "x-kubernetes-list-map-keys", "empty");
    forbid(schema.list_type.is_some(), "x-kubernetes-list-type", "undefined");
    forbid(schema.map_type.is_some(), "x-kubernetes-map-type", "undefined");
    forbid(!schema.validations.is_empty(), "x-kubernetes-validations", "empty");
    pattern(schema, path, errors);
    if schema.properties.contains_key("metadata") {
        errors.push(FieldError::forbidden(
            key(&child(path, "properties"), "metadata"),
            "must not be specified in a nested context",
        ));
    }
    for (name, property) in &schema.properties {
        value_validation(property, false, &key(&child(path, "properties"), name), errors);
    }
    if let Some(items) = &schema.items {
        value_validation(items, false, &child(path, "items"), errors);
    }
    for (place, nested, nested_exempt) in nested_values(schema, path, exempt) {
        value_validation(nested, nested_exempt, &place, errors);
    }
}

/// What the value validations of the root mention is specified outside of them, too: `outer` at `place`.
fn complete(
    nested: &Schema,
    outer: &Schema,
    place: &str,
    path: &str,
    errors: &mut Vec<FieldError>,
) {
    for (path, nested, _) in nested_values(nested, path, false) {
        complete(nested, outer, place, &path, errors);
    }
    let mut part = |nested: &Schema, outer: Option<&Schema>, place: &str, path: &str| {
        if let Some(outer) = outer {
            complete(nested, outer, place, path, errors);
        } else {
            let detail = format!("because it is defined in {path}");
            errors.push(FieldError::required(place, detail));
        }
    };
    for (name, property) in &nested.properties {
        let [place, path] = [place, path].map(|at| key(&child(at, "properties"), name));
        part(property, outer.properties.get(name), &place, &path);
    }
    if let Some(items) = &nested.items {
        let [place, path] = [place, path].map(|at| child(at, "items"));
        part(items, outer.items.as_deref(), &place, &path);
    }
}
