//! Structural schemas, and what is none.

use serde_json::{Map, Value, json};

use super::super::Dice;
use super::values;

/// The schema of an object with named members.
pub(crate) fn object(dice: &mut Dice, depth: u64) -> Value {
    let mut properties = Map::new();
    for name in ["a", "b", "c", "d"].iter().take(1 + dice.below(4) as usize) {
        properties.insert((*name).to_owned(), any(dice, depth.saturating_sub(1)));
    }
    let mut schema = json!({"type": "object"});
    let names: Vec<Value> =
        properties.keys().filter(|_| dice.chance(30)).map(|name| name.as_str().into()).collect();
    if !names.is_empty() {
        schema["required"] = names.into();
    }
    schema["properties"] = Value::Object(properties);
    sometimes(dice, 10, &mut schema, "maxProperties", json!(3));
    sometimes(dice, 10, &mut schema, "minProperties", json!(1));
    sometimes(dice, 12, &mut schema, "x-kubernetes-preserve-unknown-fields", json!(true));
    sometimes(dice, 8, &mut schema, "x-kubernetes-map-type", json!("atomic"));
    if dice.chance(15) {
        let rules = [
            json!({"rule": "has(self.a)", "message": "a must be there"}),
            json!({"rule": "!has(self.a) || has(self.b)", "reason": "FieldValueRequired", "fieldPath": ".b"}),
            json!({"rule": "self == oldSelf"}),
            json!({"rule": "size(self) < 3"}),
        ];
        schema["x-kubernetes-validations"] = json!([dice.one(&rules)]);
    }
    schema
}

fn any(dice: &mut Dice, depth: u64) -> Value {
    let mut schema = match dice.below(if depth == 0 { 6 } else { 11 }) {
        0 | 1 => string(dice),
        2 => whole(dice),
        3 => number(dice),
        4 => json!({"type": "boolean"}),
        5 => json!({"x-kubernetes-int-or-string": true}),
        6 | 7 => list(dice, depth - 1),
        8 => map(dice, depth - 1),
        9 if dice.chance(15) => {
            json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true})
        }
        9 if dice.chance(15) => json!({"x-kubernetes-preserve-unknown-fields": true}),
        _ => object(dice, depth),
    };
    sometimes(dice, 12, &mut schema, "nullable", json!(true));
    if dice.chance(8) {
        combine(&mut schema, dice);
    }
    if dice.chance(15) && schema.get("x-kubernetes-embedded-resource").is_none() {
        // Of a good default and a bad one the server says which is which.
        schema["default"] = values::value(&schema, dice, 0);
    }
    schema
}

fn sometimes(dice: &mut Dice, percent: u64, schema: &mut Value, name: &str, value: Value) {
    if dice.chance(percent) {
        schema[name] = value;
    }
}

fn string(dice: &mut Dice) -> Value {
    let mut schema = json!({"type": "string"});
    sometimes(dice, 20, &mut schema, "minLength", json!(2));
    sometimes(dice, 20, &mut schema, "maxLength", json!(3));
    sometimes(dice, 15, &mut schema, "pattern", json!("^[a-z]+$"));
    sometimes(dice, 15, &mut schema, "enum", json!(["a", "abc", "x"]));
    let formats = [
        "date-time",
        "date",
        "uuid",
        "ipv4",
        "ipv6",
        "cidr",
        "byte",
        "duration",
        "email",
        "hostname",
        "uri",
        "password",
        "mac",
        "unheard-of",
        "k8s-short-name",
        "int32",
    ];
    if dice.chance(20) {
        schema["format"] = (*dice.one(&formats)).into();
    }
    if dice.chance(12) {
        let rules = [
            json!({"rule": "self.size() < 4"}),
            json!({"rule": "self.startsWith('a')", "messageExpression": "'not ' + self"}),
            json!({"rule": "self == oldSelf", "message": "stays"}),
        ];
        schema["x-kubernetes-validations"] = json!([dice.one(&rules)]);
        schema["maxLength"] = json!(20);
    }
    schema
}

fn whole(dice: &mut Dice) -> Value {
    let mut schema = json!({"type": "integer"});
    sometimes(dice, 25, &mut schema, "minimum", json!(1));
    sometimes(dice, 25, &mut schema, "maximum", json!(7));
    sometimes(dice, 8, &mut schema, "exclusiveMinimum", json!(true));
    sometimes(dice, 8, &mut schema, "exclusiveMaximum", json!(true));
    sometimes(dice, 10, &mut schema, "multipleOf", json!(2));
    sometimes(dice, 10, &mut schema, "enum", json!([1, 2, 4]));
    sometimes(dice, 20, &mut schema, "format", json!(dice.clone().one(&["int32", "int64"])));
    if dice.chance(12) {
        let rules = [
            json!({"rule": "self >= 2"}),
            json!({"rule": "self >= oldSelf", "message": "only up", "reason": "FieldValueForbidden"}),
            json!({"rule": "self % 2 == 0"}),
        ];
        schema["x-kubernetes-validations"] = json!([dice.one(&rules)]);
    }
    schema
}

fn number(dice: &mut Dice) -> Value {
    let mut schema = json!({"type": "number"});
    sometimes(dice, 25, &mut schema, "minimum", json!(0.5));
    sometimes(dice, 25, &mut schema, "maximum", json!(7.25));
    sometimes(dice, 10, &mut schema, "multipleOf", json!(0.25));
    sometimes(dice, 15, &mut schema, "format", json!(dice.clone().one(&["float", "double"])));
    schema
}

fn list(dice: &mut Dice, depth: u64) -> Value {
    let mut schema = json!({"type": "array"});
    sometimes(dice, 20, &mut schema, "minItems", json!(1));
    sometimes(dice, 20, &mut schema, "maxItems", json!(3));
    match dice.below(6) {
        0 => {
            schema["items"] = string(dice);
            schema["x-kubernetes-list-type"] = "set".into();
        }
        1 | 2 => {
            let mut item = json!({"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "v": any(dice, depth)}});
            if dice.chance(30) {
                item["properties"]["l"] = json!({"type": "integer", "default": 1});
                schema["x-kubernetes-list-map-keys"] = json!(["k", "l"]);
            } else {
                schema["x-kubernetes-list-map-keys"] = json!(["k"]);
            }
            schema["items"] = item;
            schema["x-kubernetes-list-type"] = "map".into();
        }
        3 => {
            schema["items"] = any(dice, depth);
            schema["x-kubernetes-list-type"] = "atomic".into();
        }
        _ => schema["items"] = any(dice, depth),
    }
    schema
}

fn map(dice: &mut Dice, depth: u64) -> Value {
    let mut schema = json!({"type": "object", "additionalProperties": any(dice, depth)});
    sometimes(dice, 15, &mut schema, "maxProperties", json!(2));
    schema
}

fn combine(schema: &mut Value, dice: &mut Dice) {
    let parts = [
        json!({"minLength": 2}),
        json!({"maximum": 3}),
        json!({"enum": ["a", 1, true]}),
        json!({"pattern": "^a"}),
        json!({"required": ["a"]}),
        json!({"required": ["b"]}),
        json!({"minItems": 1}),
        json!({"format": "ipv4"}),
    ];
    let name = *dice.one(&["anyOf", "oneOf", "allOf", "not"]);
    let (one, other) = (dice.one(&parts).clone(), dice.one(&parts).clone());
    schema[name] = if name == "not" { one } else { json!([one, other]) };
}

/// Puts something into a schema that is not allowed there, or hardly.
pub(crate) fn spoil(schema: &mut Value, dice: &mut Dice) {
    let mut pointers = Vec::new();
    collect(schema, String::new(), &mut pointers);
    let pointer: &String = dice.one(&pointers);
    let Some(at) = schema.pointer_mut(pointer) else { return };
    let wrong = [
        ("uniqueItems", json!(true)),
        ("$ref", json!("#/x")),
        ("type", json!("text")),
        ("type", json!("")),
        ("type", Value::Null),
        ("additionalProperties", json!(false)),
        ("additionalProperties", json!({"type": "string"})),
        ("nullable", json!("x")),
        ("items", json!({})),
        ("items", json!([{"type": "string"}])),
        ("x-kubernetes-list-type", json!("x")),
        ("x-kubernetes-list-type", json!("map")),
        ("x-kubernetes-list-map-keys", json!(["x"])),
        ("x-kubernetes-map-type", json!("x")),
        ("default", json!({"zzz": 1})),
        ("default", json!("x")),
        ("pattern", json!("[")),
        ("anyOf", json!([{"type": "string"}])),
        ("allOf", json!([{"properties": {"a": {"type": "string"}}}])),
        ("not", json!({"default": 1})),
        ("x-kubernetes-int-or-string", json!(true)),
        ("x-kubernetes-embedded-resource", json!(true)),
        ("x-kubernetes-preserve-unknown-fields", json!(false)),
        ("x-kubernetes-validations", json!([{"rule": "self +"}])),
        ("x-kubernetes-validations", json!([{"rule": "self.nothing == 1"}])),
        ("x-kubernetes-validations", json!([{"rule": ""}])),
        ("x-kubernetes-validations", json!([{"rule": "true", "reason": "x"}])),
        ("x-kubernetes-validations", json!([{"rule": "1"}])),
        ("x-kubernetes-validations", json!([{"rule": "true", "fieldPath": ".zzz"}])),
        ("x-kubernetes-validations", json!([{"rule": "true", "message": "a\nb"}])),
        ("minLength", json!(-1)),
        ("required", json!([])),
        ("required", json!(["zzz"])),
        ("enum", json!([])),
        ("multipleOf", json!(0)),
        ("definitions", json!({})),
        ("patternProperties", json!({})),
        ("dependencies", json!({})),
        ("additionalItems", json!(true)),
        ("id", json!("x")),
        ("unheardOf", json!(1)),
        ("exclusiveMinimum", json!(1)),
        ("minimum", json!("x")),
        ("externalDocs", json!({"url": "x"})),
        ("example", json!(1)),
        ("title", json!("x")),
        ("description", json!("x")),
    ];
    let (name, value) = dice.one(&wrong).clone();
    at[name] = value;
}

fn collect(schema: &Value, pointer: String, pointers: &mut Vec<String>) {
    for name in schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name) {
        collect(&schema["properties"][name], format!("{pointer}/properties/{name}"), pointers);
    }
    for name in ["items", "additionalProperties"] {
        if schema.get(name).is_some_and(Value::is_object) {
            collect(&schema[name], format!("{pointer}/{name}"), pointers);
        }
    }
    pointers.push(pointer);
}
