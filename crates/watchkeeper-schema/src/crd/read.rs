//! JSON to [`Schema`].

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::SchemaError;
use crate::node::{
    Bounds, ExternalDocs, ListType, MapType, PatchStrategy, Schema, Type, Validation,
};

type Result<T> = std::result::Result<T, SchemaError>;

impl Schema {
    /// Reads a schema as a CRD holds it at `spec.versions[].schema.openAPIV3Schema`.
    ///
    /// # Errors
    ///
    /// The first member that has not the type that `JSONSchemaProps` gives it. Members that are
    /// unknown are passed over.
    pub fn from_crd_json(json: &Value) -> Result<Self> {
        schema(json, "")
    }
}

fn schema(json: &Value, path: &str) -> Result<Schema> {
    let Value::Object(json) = json else {
        return Err(SchemaError::new(path, "expected an object"));
    };
    let read = Members { json, path };
    Ok(Schema {
        reference: read.text("$ref")?.map(|r| r.rsplit('/').next().unwrap_or(&r).to_owned()),
        title: read.text("title")?,
        description: read.text("description")?,
        type_: read.named("type", Type::from_name)?,
        format: read.text("format")?,
        properties: read.properties()?,
        additional: read.additional()?,
        items: read.schema("items")?.map(Box::new),
        required: read.texts("required")?,
        nullable: read.flag("nullable")?,
        default: json.get("default").cloned(),
        enum_values: read.values("enum")?.to_vec(),
        example: json.get("example").cloned(),
        external_docs: read.external_docs()?,
        bounds: read.bounds()?,
        pattern: read.text("pattern")?,
        unspecified: false,
        preserve_unknown: read.flag("x-kubernetes-preserve-unknown-fields")?,
        embedded_resource: read.flag("x-kubernetes-embedded-resource")?,
        int_or_string: read.flag("x-kubernetes-int-or-string")?,
        list_type: read.named("x-kubernetes-list-type", list_type)?,
        list_keys: read.texts("x-kubernetes-list-map-keys")?,
        map_type: read.named("x-kubernetes-map-type", map_type)?,
        patch: patch_strategy(read.text("x-kubernetes-patch-strategy")?.as_deref()),
        merge_key: read.text("x-kubernetes-patch-merge-key")?,
        presence: crate::Presence::AsIs,
        all_of: read.schemas("allOf")?,
        any_of: read.schemas("anyOf")?,
        one_of: read.schemas("oneOf")?,
        not: read.schema("not")?.map(Box::new),
        validations: read.validations()?,
    })
}

fn list_type(name: &str) -> Option<ListType> {
    [ListType::Map, ListType::Set, ListType::Atomic].into_iter().find(|t| t.name() == name)
}

fn map_type(name: &str) -> Option<MapType> {
    [MapType::Atomic, MapType::Granular].into_iter().find(|t| t.name() == name)
}

fn patch_strategy(text: Option<&str>) -> PatchStrategy {
    let has = |strategy| text.is_some_and(|text| text.split(',').any(|s| s == strategy));
    PatchStrategy { merge: has("merge"), replace: has("replace"), retain_keys: has("retainKeys") }
}

/// The members of a schema and where it is.
#[derive(Clone, Copy)]
struct Members<'a> {
    json: &'a Map<String, Value>,
    path: &'a str,
}

impl<'a> Members<'a> {
    fn get(self, name: &str) -> Option<&'a Value> {
        self.json.get(name).filter(|value| !value.is_null())
    }

    fn error(self, name: &str, message: impl Into<String>) -> SchemaError {
        SchemaError::new(&format!("{}.{name}", self.path), message)
    }

    fn text(self, name: &str) -> Result<Option<String>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.error(name, "expected a string")),
        }
    }

    fn named<T>(self, name: &str, from: impl Fn(&str) -> Option<T>) -> Result<Option<T>> {
        let Some(text) = self.text(name)?.filter(|text| !text.is_empty()) else { return Ok(None) };
        match from(&text) {
            Some(value) => Ok(Some(value)),
            None => Err(self.error(name, format!("unknown value {text:?}"))),
        }
    }

    fn flag(self, name: &str) -> Result<bool> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.error(name, "expected a boolean")),
        }
    }

    fn number(self, name: &str) -> Result<Option<f64>> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => {
                value.as_f64().map(Some).ok_or_else(|| self.error(name, "expected a number"))
            }
        }
    }

    fn count(self, name: &str) -> Result<Option<u64>> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => {
                value.as_u64().map(Some).ok_or_else(|| self.error(name, "expected a count"))
            }
        }
    }

    fn values(self, name: &str) -> Result<&'a [Value]> {
        match self.get(name) {
            None => Ok(&[]),
            Some(Value::Array(values)) => Ok(values),
            Some(_) => Err(self.error(name, "expected an array")),
        }
    }

    fn texts(self, name: &str) -> Result<Vec<String>> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let texts: Option<Vec<String>> = self.values(name)?.iter().map(text).collect();
        texts.ok_or_else(|| self.error(name, "expected strings"))
    }

    fn schema(self, name: &str) -> Result<Option<Schema>> {
        self.get(name).map(|value| schema(value, &format!("{}.{name}", self.path))).transpose()
    }

    fn schemas(self, name: &str) -> Result<Vec<Schema>> {
        let at = |i| format!("{}.{name}[{i}]", self.path);
        self.values(name)?.iter().enumerate().map(|(i, value)| schema(value, &at(i))).collect()
    }

    fn properties(self) -> Result<BTreeMap<String, Schema>> {
        let Some(value) = self.get("properties") else { return Ok(BTreeMap::new()) };
        let Value::Object(members) = value else {
            return Err(self.error("properties", "expected an object"));
        };
        let read = |(name, value): (&String, &Value)| {
            let read = schema(value, &format!("{}.properties[{name}]", self.path))?;
            Ok((name.clone(), read))
        };
        members.iter().map(read).collect()
    }

    /// `additionalProperties` is a schema or a boolean; `false` is as good as none.
    fn additional(self) -> Result<Option<Box<Schema>>> {
        match self.get("additionalProperties") {
            Some(Value::Bool(true)) => Ok(Some(Box::new(Schema::unspecified()))),
            Some(Value::Bool(false)) => Ok(None),
            _ => Ok(self.schema("additionalProperties")?.map(Box::new)),
        }
    }

    fn external_docs(self) -> Result<Option<ExternalDocs>> {
        let name = "externalDocs";
        let Some(value) = self.get(name) else { return Ok(None) };
        let Value::Object(json) = value else {
            return Err(self.error(name, "expected an object"));
        };
        let read = Members { json, path: &format!("{}.{name}", self.path) };
        let docs = ExternalDocs { description: read.text("description")?, url: read.text("url")? };
        Ok(Some(docs))
    }

    fn bounds(self) -> Result<Bounds> {
        Ok(Bounds {
            minimum: self.number("minimum")?,
            maximum: self.number("maximum")?,
            exclusive_minimum: self.flag("exclusiveMinimum")?,
            exclusive_maximum: self.flag("exclusiveMaximum")?,
            multiple_of: self.number("multipleOf")?,
            min_length: self.count("minLength")?,
            max_length: self.count("maxLength")?,
            min_items: self.count("minItems")?,
            max_items: self.count("maxItems")?,
            min_properties: self.count("minProperties")?,
            max_properties: self.count("maxProperties")?,
            unique_items: self.flag("uniqueItems")?,
        })
    }

    fn validations(self) -> Result<Vec<Validation>> {
        let name = "x-kubernetes-validations";
        let mut validations = Vec::new();
        for (index, value) in self.values(name)?.iter().enumerate() {
            let path = format!("{}.{name}[{index}]", self.path);
            let Value::Object(json) = value else {
                return Err(SchemaError::new(&path, "expected an object"));
            };
            let read = Members { json, path: &path };
            validations.push(Validation {
                rule: read.text("rule")?.unwrap_or_default(),
                message: read.text("message")?,
                message_expression: read.text("messageExpression")?,
                reason: read.text("reason")?,
                field_path: read.text("fieldPath")?,
                optional_old_self: read.get("optionalOldSelf").and_then(Value::as_bool),
            });
        }
        Ok(validations)
    }
}
