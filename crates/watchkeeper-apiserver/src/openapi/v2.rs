//! OpenAPI v2 (Swagger 2.0): one document for all that is served, as old clients want it.
//!
//! It says what the documents of v3 say, so it is made of them. What v2 has no words for is left out as
//! upstream leaves it out: defaults (kube-openapi's `PruneDefaults`), and in schemas of custom resources
//! what kubectl would misread (apiextensions' `controller/openapi/v2/conversion.go`).

use serde_json::{Map, Value, json};
use watchkeeper_schema::builtin::{INT_OR_STRING, QUANTITY};

mod paths;
mod proto;

#[cfg(test)]
mod tests;

pub use proto::encode;

/// Where models are in a document of v3.
const V3: &str = "#/components/schemas/";
/// Where they are in one of v2.
const V2: &str = "#/definitions/";
/// What says that anything may be there.
const KEEPS: &str = "x-kubernetes-preserve-unknown-fields";

/// The document of v2 that says what one of v3 says.
///
/// ```
/// use serde_json::json;
/// use watchkeeper_apiserver::openapi::v2;
///
/// let size = json!({"type": "integer", "nullable": true, "default": 1, "description": "How many."});
/// let v3 = json!({"components": {"schemas": {"com.example.Foo": {"properties": {"size": size}}}}});
/// let v2 = v2::of(&v3);
/// assert_eq!(v2["swagger"], "2.0");
/// let size = &v2["definitions"]["com.example.Foo"]["properties"]["size"];
/// assert_eq!(*size, json!({"description": "How many."}));
/// ```
#[must_use]
pub fn of(document: &Value) -> Value {
    let models = document["components"]["schemas"].as_object();
    let models = models.into_iter().flatten().map(|(name, of)| (name.clone(), model(name, of)));
    let own = document["paths"].as_object();
    let own = own.into_iter().flatten().map(|(path, item)| (path.clone(), paths::item(item)));
    json!({
        "swagger": "2.0",
        "info": document["info"],
        "paths": own.collect::<Map<_, _>>(),
        "definitions": models.collect::<Map<_, _>>(),
        "securityDefinitions": {"BearerToken": {
            "description": "Bearer Token authentication",
            "type": "apiKey",
            "name": "authorization",
            "in": "header",
        }},
        "security": [{"BearerToken": []}],
    })
}

/// A model. Of one that may hold anything nothing is told but that (`buildKubeNative` in apiextensions'
/// `controller/openapi/builder`), and what is written in several ways is a string.
fn model(name: &str, of: &Value) -> Value {
    match name {
        QUANTITY => return json!({"type": "string"}),
        INT_OR_STRING => return json!({"type": "string", "format": "int-or-string"}),
        _ => {}
    }
    let Some(members) = of.as_object().filter(|_| of[KEEPS] == true) else { return schema(of) };
    let told = ["description", "type", "x-kubernetes-group-version-kind"];
    let told = members.iter().filter(|(name, _)| told.contains(&name.as_str()));
    Value::Object(told.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// A schema in the words of v2.
fn schema(of: &Value) -> Value {
    let Some(members) = of.as_object() else { return of.clone() };
    let is = |name: &str| members.get(name).is_some_and(|value| value == true);
    let (nullable, keeps) = (is("nullable"), is(KEEPS));
    let mut out = Map::new();
    for (name, value) in members {
        let value = match name.as_str() {
            "default" | "nullable" | "oneOf" | "anyOf" | "not" => continue,
            "properties" | "items" if nullable || keeps => continue,
            "type" if nullable || is_untyped(members, keeps) => continue,
            "$ref" => reference(value),
            // `$ref` bears nothing beside it in v3, in v2 it does.
            "allOf" => match value.pointer("/0/$ref") {
                Some(target) => {
                    out.insert("$ref".to_owned(), reference(target));
                    continue;
                }
                None => continue,
            },
            "properties" => each(value),
            "items" | "additionalProperties" => schema(value),
            "required" => match required(members) {
                Some(required) => required,
                None => continue,
            },
            _ => value.clone(),
        };
        out.insert(name.clone(), value);
    }
    Value::Object(out)
}

/// kubectl takes an array without items, and an object that may hold anything, for wrong.
fn is_untyped(members: &Map<String, Value>, keeps: bool) -> bool {
    match members.get("type").and_then(Value::as_str) {
        Some("array") => keeps || !members.contains_key("items"),
        Some("object") => keeps,
        _ => false,
    }
}

fn each(schemas: &Value) -> Value {
    let schemas = schemas.as_object().into_iter().flatten();
    Value::Object(schemas.map(|(name, of)| (name.clone(), schema(of))).collect())
}

fn reference(target: &Value) -> Value {
    let target = target.as_str().unwrap_or_default();
    Value::from(format!("{V2}{}", target.strip_prefix(V3).unwrap_or(target)))
}

/// What may be null need not be there.
fn required(members: &Map<String, Value>) -> Option<Value> {
    let nullable = |schema: Option<&Value>| schema.is_some_and(|schema| schema["nullable"] == true);
    if nullable(members.get("additionalProperties")) {
        return None;
    }
    let may_be_null = |name: &str| {
        nullable(members.get("properties").and_then(|properties| properties.get(name)))
    };
    let names = members.get("required")?.as_array()?.iter();
    let left: Vec<&Value> = names.filter(|name| !name.as_str().is_some_and(may_be_null)).collect();
    if left.is_empty() { None } else { Some(json!(left)) }
}
