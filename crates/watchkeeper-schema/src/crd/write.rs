//! [`Schema`] to JSON.

use serde_json::{Map, Value};

use crate::node::{Bounds, PatchStrategy, Schema, Validation};

impl Schema {
    /// The schema as a CRD holds it.
    #[must_use]
    pub fn to_crd_json(&self) -> Value {
        write(self, "")
    }

    /// The schema as an OpenAPI v3 document holds it: references lead to `#/components/schemas/`.
    #[must_use]
    pub fn to_openapi(&self) -> Value {
        write(self, "#/components/schemas/")
    }
}

/// `references` is what stands before a name in `$ref`.
fn write(schema: &Schema, references: &str) -> Value {
    let mut out = Members(Map::new());
    let nested = |schema: &Schema| write(schema, references);
    if let Some(name) = &schema.reference {
        write_reference(&mut out, schema, &format!("{references}{name}"));
    }
    out.text("title", schema.title.as_deref());
    out.text("description", schema.description.as_deref());
    out.text("type", schema.type_.map(crate::Type::name));
    out.text("format", schema.format.as_deref());
    out.text("pattern", schema.pattern.as_deref());
    if !schema.properties.is_empty() {
        let members = schema.properties.iter().map(|(name, p)| (name.clone(), nested(p)));
        out.set("properties", Value::Object(members.collect()));
    }
    if let Some(additional) = &schema.additional {
        let written = if additional.unspecified { true.into() } else { nested(additional) };
        out.set("additionalProperties", written);
    }
    if let Some(items) = &schema.items {
        out.set("items", nested(items));
    }
    out.texts("required", &schema.required);
    out.flag("nullable", schema.nullable);
    if let Some(default) = &schema.default {
        out.set("default", default.clone());
    }
    if let Some(example) = &schema.example {
        out.set("example", example.clone());
    }
    if let Some(docs) = &schema.external_docs {
        let mut inner = Members(Map::new());
        inner.text("description", docs.description.as_deref());
        inner.text("url", docs.url.as_deref());
        out.set("externalDocs", Value::Object(inner.0));
    }
    out.list("enum", schema.enum_values.clone());
    out.bounds(&schema.bounds);
    out.list("allOf", schema.all_of.iter().map(nested).collect());
    out.list("anyOf", schema.any_of.iter().map(nested).collect());
    out.list("oneOf", schema.one_of.iter().map(nested).collect());
    if let Some(not) = &schema.not {
        out.set("not", nested(not));
    }
    out.extensions(schema);
    Value::Object(out.0)
}

/// `$ref` allows nothing beside it, so what the place of use says goes around it.
fn write_reference(out: &mut Members, schema: &Schema, target: &str) {
    let reference = Value::Object(Map::from_iter([("$ref".to_owned(), Value::from(target))]));
    let has_more = schema.default.is_some()
        || schema.description.is_some()
        || schema.map_type.is_some()
        || schema.patch != PatchStrategy::default();
    if has_more {
        out.list("allOf", vec![reference]);
    } else {
        out.set("$ref", Value::from(target));
    }
}

struct Members(Map<String, Value>);

impl Members {
    fn set(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    fn text(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.set(name, Value::from(text));
        }
    }

    fn flag(&mut self, name: &str, flag: bool) {
        if flag {
            self.set(name, Value::Bool(true));
        }
    }

    fn list(&mut self, name: &str, values: Vec<Value>) {
        if !values.is_empty() {
            self.set(name, Value::Array(values));
        }
    }

    fn texts(&mut self, name: &str, texts: &[String]) {
        self.list(name, texts.iter().map(|text| Value::from(text.as_str())).collect());
    }

    fn number(&mut self, name: &str, number: Option<f64>) {
        if let Some(number) = number {
            self.set(name, number_value(number));
        }
    }

    fn count(&mut self, name: &str, count: Option<u64>) {
        if let Some(count) = count {
            self.set(name, Value::from(count));
        }
    }

    fn bounds(&mut self, bounds: &Bounds) {
        self.number("minimum", bounds.minimum);
        self.number("maximum", bounds.maximum);
        self.flag("exclusiveMinimum", bounds.exclusive_minimum);
        self.flag("exclusiveMaximum", bounds.exclusive_maximum);
        self.number("multipleOf", bounds.multiple_of);
        self.count("minLength", bounds.min_length);
        self.count("maxLength", bounds.max_length);
        self.count("minItems", bounds.min_items);
        self.count("maxItems", bounds.max_items);
        self.count("minProperties", bounds.min_properties);
        self.count("maxProperties", bounds.max_properties);
        self.flag("uniqueItems", bounds.unique_items);
    }

    fn extensions(&mut self, schema: &Schema) {
        self.flag("x-kubernetes-preserve-unknown-fields", schema.preserve_unknown);
        self.flag("x-kubernetes-embedded-resource", schema.embedded_resource);
        self.flag("x-kubernetes-int-or-string", schema.int_or_string);
        self.text("x-kubernetes-list-type", schema.list_type.map(crate::ListType::name));
        self.texts("x-kubernetes-list-map-keys", &schema.list_keys);
        self.text("x-kubernetes-map-type", schema.map_type.map(crate::MapType::name));
        self.text("x-kubernetes-patch-strategy", patch_strategy(schema.patch));
        self.text("x-kubernetes-patch-merge-key", schema.merge_key.as_deref());
        let validations = schema.validations.iter().map(validation).collect();
        self.list("x-kubernetes-validations", validations);
    }
}

fn patch_strategy(patch: PatchStrategy) -> Option<&'static str> {
    match patch {
        PatchStrategy { merge: true, retain_keys: true, .. } => Some("merge,retainKeys"),
        PatchStrategy { merge: true, .. } => Some("merge"),
        PatchStrategy { retain_keys: true, .. } => Some("retainKeys"),
        PatchStrategy { replace: true, .. } => Some("replace"),
        _ => None,
    }
}

fn validation(validation: &Validation) -> Value {
    let mut out = Members(Map::new());
    out.text("rule", Some(&validation.rule));
    out.text("message", validation.message.as_deref());
    out.text("messageExpression", validation.message_expression.as_deref());
    out.text("reason", validation.reason.as_deref());
    out.text("fieldPath", validation.field_path.as_deref());
    if let Some(optional) = validation.optional_old_self {
        out.set("optionalOldSelf", Value::Bool(optional));
    }
    Value::Object(out.0)
}

/// Whole numbers are written without a fraction, as Go does.
fn number_value(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
        let whole = number as i64;
        return Value::from(whole);
    }
    Value::from(number)
}
