//! What may be written in a schema, node by node, wherever it stands
//! (`ValidateCustomResourceDefinitionOpenAPISchema`).

use serde_json::{Map, Value};
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::{child, item, key};

use super::super::Check;
use super::lists;

const KEEPS: &str = "x-kubernetes-preserve-unknown-fields";
const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// Tells what is wrong with the schema at `path`, apart from its rules.
pub(super) fn check(check: &mut Check<'_>, json: &Value, path: &str) {
    Node { json, path: path.to_owned(), meta: Meta::Outside, is_root: true }.check(check);
}

/// Why a schema cannot be looked at as a structural one, wherever in it.
pub(super) fn unread(json: &Value) -> Option<String> {
    let node = Node { json, path: String::new(), meta: Meta::Outside, is_root: true };
    let of = |name: &str| node.get(name).is_some();
    let filled = |name: &str| node.get(name).is_some_and(|value| !is_empty(value));
    if node.get("items").is_some_and(Value::is_array) {
        return Some("OpenAPIV3Schema 'items' must be a schema, but is an array".to_owned());
    }
    let names = ["id", "$schema", "$ref", "patternProperties", "dependencies", "definitions"];
    let name = names.into_iter().find(|name| filled(name));
    if let Some(name) = name.or_else(|| of("additionalItems").then_some("additionalItems")) {
        let name = if name == "$schema" { "schema" } else { name };
        return Some(format!("OpenAPIV3Schema '{name}' is not supported"));
    }
    if node.get(KEEPS) == Some(&Value::Bool(false)) {
        return Some(format!("internal error: '{KEEPS}' must be true or undefined"));
    }
    node.parts().iter().find_map(|part| unread(part.json))
}

/// The schema with names that are known in place of those that are not, which are told elsewhere.
pub(super) fn readable(json: &Value) -> Value {
    let mut json = json.clone();
    make_readable(&mut json);
    json
}

fn make_readable(value: &mut Value) {
    let Value::Object(members) = value else { return };
    let is_unknown = |name: &str, known: &[&str]| {
        let text = members.get(name).and_then(Value::as_str);
        text.is_some_and(|text| !text.is_empty() && !known.contains(&text))
    };
    let wrong = [
        ("type", is_unknown("type", &TYPES)),
        (lists::LIST_TYPE, is_unknown(lists::LIST_TYPE, &lists::LIST_TYPES)),
        (lists::MAP_TYPE, is_unknown(lists::MAP_TYPE, &lists::MAP_TYPES)),
    ];
    for (name, _) in wrong.into_iter().filter(|(_, is_wrong)| *is_wrong) {
        let known = if name == "type" { "string" } else { "atomic" };
        members.insert(name.to_owned(), known.into());
    }
    // Fewer than none there cannot be.
    for name in ["minLength", "minItems", "minProperties"] {
        if members.get(name).and_then(Value::as_i64).is_some_and(|least| least < 0) {
            members.remove(name);
        }
    }
    for (name, value) in members.iter_mut() {
        match (name.as_str(), value) {
            ("properties", Value::Object(parts)) => parts.values_mut().for_each(make_readable),
            ("allOf" | "anyOf" | "oneOf", Value::Array(parts)) => {
                parts.iter_mut().for_each(make_readable);
            }
            ("items" | "additionalProperties" | "not", part) => make_readable(part),
            _ => {}
        }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Whether a node says something of what every object has: its kind, version and metadata.
#[derive(Clone, Debug)]
enum Meta {
    Outside,
    Inside,
    /// Of the whole resource: there are no defaults, for this reason.
    AtTop(String),
}

/// A schema within a schema.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) json: &'a Value,
    pub(super) path: String,
    meta: Meta,
    is_root: bool,
}

impl<'a> Node<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.json.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(&self, name: &str) -> &'a str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.get(name) == Some(&Value::Bool(true))
    }

    pub(super) fn at(&self, name: &str) -> String {
        child(&self.path, name)
    }

    fn members(&self, name: &str) -> Option<&'a Map<String, Value>> {
        self.get(name)?.as_object().filter(|members| !members.is_empty())
    }

    fn check(&self, check: &mut Check<'_>) {
        if check.is_full() {
            return;
        }
        self.keywords(check);
        if self.is("uniqueItems") {
            let detail =
                "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
            check.push(FieldError::forbidden(self.at("uniqueItems"), detail));
        }
        let additional = self.get("additionalProperties");
        if self.members("properties").is_some()
            && additional.is_some_and(|value| *value != Value::Bool(true))
        {
            let detail = "additionalProperties and properties are mutual exclusive";
            check.push(FieldError::forbidden(self.at("additionalProperties"), detail));
        }
        for part in self.parts() {
            part.check(check);
        }
        if self.get(KEEPS) == Some(&Value::Bool(false)) {
            let detail = "must be true or undefined";
            check.push(FieldError::invalid(self.at(KEEPS), false, detail));
        }
        lists::check(self, check);
    }

    /// What upstream's standard for schemas forbids, though JSON schemas have it.
    fn keywords(&self, check: &mut Check<'_>) {
        let type_ = self.text("type");
        if !type_.is_empty() && !TYPES.contains(&type_) {
            check.push(FieldError::not_supported(self.at("type"), type_, TYPES));
        }
        if let (Meta::AtTop(why), Some(_)) = (&self.meta, self.get("default")) {
            check.push(FieldError::forbidden(self.at("default"), format!("must not be set {why}")));
        }
        let filled = |name: &str| self.get(name).is_some_and(|value| !is_empty(value));
        let unsupported = [
            ("id", filled("id")),
            ("additionalItems", self.get("additionalItems").is_some()),
            ("patternProperties", filled("patternProperties")),
            ("definitions", filled("definitions")),
            ("dependencies", self.get("dependencies").is_some()),
            ("$ref", self.get("$ref").is_some()),
        ];
        for (name, _) in unsupported.into_iter().filter(|(_, is_there)| *is_there) {
            let detail = format!("{name} is not supported");
            check.push(FieldError::forbidden(self.at(name), detail));
        }
        if type_ == "null" {
            let detail = "type cannot be set to null, use nullable as an alternative";
            check.push(FieldError::forbidden(self.at("type"), detail));
        }
        if self.get("items").and_then(Value::as_array).is_some_and(|items| !items.is_empty()) {
            let detail = "items must be a schema object and not an array";
            check.push(FieldError::forbidden(self.at("items"), detail));
        }
        let embedded = "x-kubernetes-embedded-resource";
        if !matches!(self.meta, Meta::Outside) && self.is(embedded) {
            let detail = "must not be used inside of resource meta";
            check.push(FieldError::forbidden(self.at(embedded), detail));
        }
    }

    /// The schemas in this one, in the order in which they are looked at.
    fn parts(&self) -> Vec<Self> {
        let part = |json: &'a Value, path: String, meta: Meta| {
            json.is_object().then_some(Node { json, path, meta, is_root: false })
        };
        let plain = |json: &'a Value, path: String| part(json, path, self.meta.clone());
        let mut parts = Vec::new();
        if let Some(of) = self.get("additionalProperties") {
            let meta = match &self.meta {
                Meta::Outside => Meta::Outside,
                _ => Meta::AtTop("inside additionalProperties applying to object metadata".into()),
            };
            parts.extend(part(of, self.at("additionalProperties"), meta));
        }
        for (name, of) in self.members("properties").into_iter().flatten() {
            parts.extend(part(of, key(&self.at("properties"), name), self.meta_of(name)));
        }
        parts.extend(self.get("not").and_then(|of| plain(of, self.at("not"))));
        for name in ["allOf", "oneOf", "anyOf"] {
            let all = self.get(name).and_then(Value::as_array).into_iter().flatten().enumerate();
            parts.extend(all.filter_map(|(index, of)| plain(of, item(&self.at(name), index))));
        }
        for (name, of) in self.members("definitions").into_iter().flatten() {
            parts.extend(plain(of, key(&self.at("definitions"), name)));
        }
        match self.get("items") {
            Some(Value::Array(all)) => {
                let all = all.iter().enumerate();
                parts.extend(all.filter_map(|(i, of)| plain(of, item(&self.at("items"), i))));
            }
            Some(of) => parts.extend(plain(of, self.at("items"))),
            None => {}
        }
        for (name, of) in self.members("dependencies").into_iter().flatten() {
            parts.extend(plain(of, key(&self.at("dependencies"), name)));
        }
        parts
    }

    fn meta_of(&self, property: &str) -> Meta {
        let is_resource = self.is_root || self.is("x-kubernetes-embedded-resource");
        match property {
            "metadata" | "kind" | "apiVersion" if self.is_root => {
                Meta::AtTop(format!("in top-level {property}"))
            }
            "metadata" | "kind" | "apiVersion" if is_resource => Meta::Inside,
            _ => self.meta.clone(),
        }
    }
}
