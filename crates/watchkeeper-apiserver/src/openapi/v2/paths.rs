//! Paths: parameters without schemas, bodies among the parameters.

use serde_json::{Map, Value, json};

use super::schema;

/// A path with its operations.
pub(super) fn item(of: &Value) -> Value {
    let of = of.as_object().into_iter().flatten();
    let part = |(name, value): (&String, &Value)| {
        let value = if name == "parameters" { parameters(value) } else { operation(value) };
        (name.clone(), value)
    };
    Value::Object(of.map(part).collect())
}

fn operation(of: &Value) -> Value {
    let mut out = Map::new();
    for (name, value) in of.as_object().into_iter().flatten() {
        match name.as_str() {
            "requestBody" => drop(out.insert("consumes".to_owned(), media_types(value))),
            "responses" => drop(out.insert(name.clone(), responses(value))),
            "parameters" => {}
            _ => drop(out.insert(name.clone(), value.clone())),
        }
    }
    let own = parameters(&of["parameters"]);
    let all =
        body(&of["requestBody"]).into_iter().chain(own.as_array().into_iter().flatten().cloned());
    out.insert("parameters".to_owned(), all.collect());
    out.insert("produces".to_owned(), media_types(&of["responses"]["200"]));
    Value::Object(out)
}

fn media_types(of: &Value) -> Value {
    of["content"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

/// The schema of a body; all its media types have the same.
fn content(of: &Value) -> Option<Value> {
    let (_, first) = of["content"].as_object()?.iter().next()?;
    Some(schema(first.get("schema")?))
}

fn body(of: &Value) -> Option<Value> {
    let mut body = json!({"name": "body", "in": "body", "schema": content(of)?});
    if of["required"] == true {
        body["required"] = Value::Bool(true);
    }
    Some(body)
}

fn responses(of: &Value) -> Value {
    let of = of.as_object().into_iter().flatten();
    let response = |(code, value): (&String, &Value)| {
        let mut response = json!({"description": value["description"]});
        if let Some(schema) = content(value) {
            response["schema"] = schema;
        }
        (code.clone(), response)
    };
    Value::Object(of.map(response).collect())
}

/// What stands in the schema of a parameter in v3 stands beside its name in v2.
fn parameters(of: &Value) -> Value {
    let parameter = |of: &Value| {
        let mut out = Map::new();
        for (name, value) in of.as_object().into_iter().flatten() {
            match (name.as_str(), value) {
                ("schema", Value::Object(schema)) => out.extend(schema.clone()),
                _ => drop(out.insert(name.clone(), value.clone())),
            }
        }
        Value::Object(out)
    };
    of.as_array().into_iter().flatten().map(parameter).collect()
}
