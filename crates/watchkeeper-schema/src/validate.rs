//! Whether a value fits its schema, said in the words of a kube-apiserver.
//!
//! The checks and their messages are those that CRDs get upstream (kube-openapi
//! `pkg/validation/validate`, apiextensions `pkg/apiserver/validation` and `schema/listtype`).
//! Updates ratchet (KEP-4008): what has not changed is not complained about.
//!
//! What is done is counted: a schema and a value of some megabytes could make for more work than anybody
//! would wait for, and more mistakes than fit into memory. Beyond the bound that itself is the mistake.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::crd::OBJECT_META;
use crate::error::{FieldError, Reason, child, item};
use crate::node::Schema;
use crate::registry::SchemaRef;
use effort::Effort;
use path::Path;
use patterns::Patterns;
use told::Told;

mod combine;
mod embedded;
mod effort;
mod format;
mod lists;
mod path;
mod patterns;
mod scalar;
mod told;

#[cfg(test)]
mod tests;

pub use embedded::{each_embedded, find_embedded, object_types};

/// Everything that is wrong with `value`, in the order of its fields, and then with its lists. What the whole objects
/// within say of themselves is for [`each_embedded`].
///
/// `old` is the value before an update: parts that are equal in both pass.
#[must_use]
pub fn validate(value: &Value, old: Option<&Value>, schema: SchemaRef<'_>) -> Vec<FieldError> {
    let Judged { mut errors, is_whole } = validate_parts(value, old, schema);
    if is_whole {
        errors.extend(repeats(value, old, schema));
    }
    errors
}

/// What is wrong with the parts of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The mistakes, in the order of the fields.
    pub errors: Vec<FieldError>,
    /// Whether all parts have been looked at. Where that would have been too much, nothing else is looked at either.
    pub is_whole: bool,
}

/// What is wrong with the parts of a value, each by itself: of [`validate`] what comes before [`repeats`].
#[must_use]
pub fn validate_parts(value: &Value, old: Option<&Value>, schema: SchemaRef<'_>) -> Judged {
    let mut check = Check::default();
    check.value(value, old, schema, "");
    check.tell_once();
    let is_whole = !check.effort.is_spent();
    Judged { errors: check.finish(), is_whole }
}

/// What is in the lists of a value twice that may be there once. It stays allowed where something was.
#[must_use]
pub fn repeats(value: &Value, old: Option<&Value>, schema: SchemaRef<'_>) -> Vec<FieldError> {
    let of = |value: &Value| {
        let mut told = Told::default();
        lists::unique(value, schema, &Path::Root, &mut told);
        told.into_errors()
    };
    let twice = of(value);
    if twice.is_empty() || old.is_some_and(|old| !of(old).is_empty()) { Vec::new() } else { twice }
}

/// The formats in a schema that servers do not know, in the order in which they are found: a server warns of them
/// (apiextensions, `pkg/apiserver/validation/formats.go`).
#[must_use]
pub fn unknown_formats(schema: &Schema) -> Vec<&str> {
    let mut found = Vec::new();
    collect_formats(schema, &mut found);
    found
}

fn collect_formats<'a>(schema: &'a Schema, found: &mut Vec<&'a str>) {
    let format = schema.format.as_deref().filter(|format| !format.is_empty());
    found.extend(format.filter(|_| format::known(schema).is_none()));
    let nested = schema.all_of.iter().chain(&schema.any_of).chain(&schema.one_of);
    let parts = schema.items.as_deref().into_iter().chain(nested).chain(schema.not.as_deref());
    let parts = parts.chain(schema.properties.values()).chain(schema.additional.as_deref());
    parts.for_each(|part| collect_formats(part, found));
}

/// As [`validate`], of a value that stands in a schema as a default: its lists are not looked at for what is there
/// twice, nor what may be a number or a text for being one (apiextensions, `pkg/apiserver/schema/defaulting`). What the
/// whole objects within say of themselves is for [`each_embedded`].
#[must_use]
pub fn validate_default(value: &Value, schema: SchemaRef<'_>) -> Vec<FieldError> {
    let mut check = Check { is_default: true, ..Check::default() };
    check.value(value, None, schema, "");
    check.tell_once();
    check.finish()
}

/// So many parts of two values that are compared are as much work as one schema.
const COMPARED: u64 = 16;

/// The mistakes found so far, and how many checks were made, which picks the alternative of an
/// `anyOf` to complain about.
#[derive(Default)]
struct Check {
    errors: Vec<FieldError>,
    made: usize,
    /// How many of the errors have been counted.
    counted: usize,
    patterns: Rc<Patterns>,
    effort: Rc<Effort>,
    /// The value stands in a schema.
    is_default: bool,
}

impl Check {
    /// Two schemas of a value may say the same of it.
    fn tell_once(&mut self) {
        let mut told = BTreeSet::new();
        self.errors.retain(|error| told.insert(error.to_string()));
    }

    fn finish(mut self) -> Vec<FieldError> {
        self.errors.extend(self.effort.complaint());
        self.errors
    }

    fn value(&mut self, value: &Value, old: Option<&Value>, schema: SchemaRef<'_>, path: &str) {
        // What decodes metadata says what it may be.
        if !self.effort.take(1) || schema.usage.reference.as_deref() == Some(OBJECT_META) {
            return;
        }
        if old.is_some() && !self.effort.take(lists::size(value) / COMPARED) {
            return;
        }
        if lists::is_unchanged(value, old, schema) {
            self.made += 1;
            return;
        }
        let node = schema.node;
        if value.is_null() {
            self.null(node, schema.usage.nullable || node.nullable, path);
            self.enumeration(value, schema.usage, path);
            return;
        }
        self.made += 1;
        if !(self.is_default && node.int_or_string) {
            scalar::type_of(value, node, path, &mut self.errors);
        }
        combine::check(self, value, old, schema, path);
        match value {
            Value::Object(members) => self.members(members, old, schema, path),
            Value::Array(items) => self.items(items, old, schema, path),
            Value::String(text) => {
                let asked = (&*self.patterns, &*self.effort);
                scalar::text(text, node, path, asked, &mut self.errors);
            }
            Value::Number(number) => scalar::number(number, node, path, &mut self.errors),
            Value::Bool(_) | Value::Null => {}
        }
        self.enumeration(value, schema.usage, path);
        self.made += 1;
    }

    /// Whether the value is one of those that are allowed. All that was found wrong so far is counted.
    fn enumeration(&mut self, value: &Value, usage: &Schema, path: &str) {
        if self.effort.take(usage.enum_values.len() as u64) {
            scalar::enumeration(value, usage, path, &mut self.errors);
        }
        for error in &self.errors[self.counted.min(self.errors.len())..] {
            let _spent = self.effort.take_mistake(error.field.len() + error.detail.len());
        }
        self.counted = self.errors.len();
    }

    fn null(&mut self, node: &Schema, nullable: bool, path: &str) {
        if let Some(types) = type_names(node)
            && !nullable
        {
            let detail = type_message(path, &types, "null");
            self.errors.push(type_invalid(path, "null", detail));
        }
    }

    fn members(
        &mut self,
        members: &Map<String, Value>,
        old: Option<&Value>,
        schema: SchemaRef<'_>,
        path: &str,
    ) {
        let bounds = &schema.node.bounds;
        let count = members.len() as u64;
        if let Some(least) = bounds.min_properties.filter(|least| count < *least) {
            let detail = format!("{} should have at least {least} properties", body(path));
            self.errors.push(FieldError::invalid(path, count, detail));
        }
        if let Some(most) = bounds.max_properties.filter(|most| count > *most) {
            self.errors.push(FieldError::too_many(path, count, most));
        }
        for (name, value) in members {
            if let Some(of) = schema.member(name) {
                let old = old.and_then(|old| old.get(name));
                let is_declared = schema.node.properties.contains_key(name);
                let place = if is_declared { child(path, name) } else { format!("{path}.{name}") };
                self.value(value, old, of, &place);
            }
        }
        for name in schema.node.required.iter().filter(|name| !members.contains_key(*name)) {
            self.errors.push(FieldError::required(child(path, name), ""));
        }
    }

    fn items(&mut self, items: &[Value], old: Option<&Value>, schema: SchemaRef<'_>, path: &str) {
        if let Some(of) = schema.items() {
            let old = lists::Old::new(old, schema);
            for (index, value) in items.iter().enumerate() {
                self.value(value, old.of(value, schema), of, &item(path, index));
            }
        }
        let bounds = &schema.node.bounds;
        let count = items.len() as u64;
        if let Some(least) = bounds.min_items.filter(|least| count < *least) {
            let detail = format!("{} should have at least {least} items", body(path));
            self.errors.push(FieldError::invalid(path, count, detail));
        }
        if let Some(most) = bounds.max_items.filter(|most| count > *most) {
            self.errors.push(FieldError::too_many(path, count, most));
        }
        if bounds.unique_items && lists::has_duplicates(items) {
            let detail = format!("{} shouldn't contain duplicates", body(path));
            self.errors.push(FieldError::invalid(path, "", detail));
        }
    }
}

/// The place as messages name it.
fn body(path: &str) -> String {
    format!("{path} in body")
}

/// The types that a schema allows, as messages name them.
fn type_names(node: &Schema) -> Option<String> {
    if node.int_or_string {
        return Some("integer,string".to_owned());
    }
    node.type_.map(|type_| type_.name().to_owned())
}

fn type_message(path: &str, expected: &str, actual: &str) -> String {
    format!("{} must be of type {expected}: {}", body(path), crate::error::quote(actual))
}

fn type_invalid(path: &str, actual: &str, detail: String) -> FieldError {
    FieldError::new(Reason::TypeInvalid, path, Some(actual.into()), detail)
}
