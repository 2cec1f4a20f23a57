//! Values of a schema, mostly good ones.

use serde_json::{Map, Value, json};

use super::super::Dice;

/// A value; about every tenth part of it is of another kind than the schema says, or null.
pub(crate) fn value(schema: &Value, dice: &mut Dice, depth: u64) -> Value {
    if depth > 0 && dice.chance(5) {
        let others = [
            Value::Null,
            json!("text"),
            json!(3),
            json!(true),
            json!({}),
            json!([]),
            json!(1.5),
            json!({"zzz": 1}),
        ];
        return dice.one(&others).clone();
    }
    let values = schema.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty());
    if let Some(values) = values.filter(|_| dice.chance(80)) {
        return dice.one(values).clone();
    }
    match schema["type"].as_str() {
        Some("object") => object(schema, dice, depth),
        Some("array") => list(schema, dice, depth),
        Some("string") => text(schema, dice),
        Some("integer") => dice
            .one(&[
                json!(1),
                json!(2),
                json!(4),
                json!(6),
                json!(0),
                json!(-1),
                json!(7),
                json!(8),
                json!(2.0),
                json!(3_000_000_000_u64),
            ])
            .clone(),
        Some("number") => dice
            .one(&[
                json!(0.5),
                json!(1),
                json!(2.25),
                json!(7.25),
                json!(0),
                json!(8),
                json!(1e3),
                json!(0.1),
                json!(3.0),
            ])
            .clone(),
        Some("boolean") => json!(dice.chance(50)),
        _ => dice.one(&[json!(1), json!("10%"), json!("a"), json!({"a": 1})]).clone(),
    }
}

fn object(schema: &Value, dice: &mut Dice, depth: u64) -> Value {
    let mut members = Map::new();
    if schema["x-kubernetes-embedded-resource"] == true {
        let whole = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "labels": {"a": "b"}}, "x": 1});
        let bad = [
            json!({}),
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "A"}}),
            json!({"apiVersion": "v1", "kind": ""}),
            json!({"kind": "Pod", "metadata": {"unheardOf": 1}}),
        ];
        return if dice.chance(60) { whole } else { dice.one(&bad).clone() };
    }
    let required = schema["required"].as_array();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let must = required.is_some_and(|names| names.iter().any(|n| n.as_str() == Some(name)));
        if dice.chance(if must { 95 } else { 60 }) {
            members.insert(name.clone(), value(member, dice, depth + 1));
        }
    }
    if schema["additionalProperties"].is_object() {
        for name in ["k", "l", "m"].iter().take(dice.below(4) as usize) {
            members.insert(
                (*name).to_owned(),
                value(&schema["additionalProperties"], dice, depth + 1),
            );
        }
    }
    if dice.chance(8) {
        members.insert("unheardOf".to_owned(), json!({"x": [1, null]}));
    }
    Value::Object(members)
}

fn list(schema: &Value, dice: &mut Dice, depth: u64) -> Value {
    (0..dice.below(4)).map(|_| value(&schema["items"], dice, depth + 1)).collect()
}

fn text(schema: &Value, dice: &mut Dice) -> Value {
    let good = match schema["format"].as_str().unwrap_or_default() {
        "date-time" => "2026-01-02T03:04:05Z",
        "date" => "2026-01-02",
        "uuid" => "00000000-0000-4000-8000-000000000000",
        "ipv4" => "10.0.0.1",
        "ipv6" => "fd00::1",
        "cidr" => "10.0.0.0/8",
        "byte" => "YWJj",
        "duration" => "1h30m",
        "email" => "a@example.com",
        "hostname" => "a.example.com",
        "uri" => "https://example.com/a",
        "mac" => "00:00:5e:00:53:01",
        _ => "abc",
    };
    let others = [
        "",
        "a",
        "ab",
        "abc",
        "abcd",
        "A",
        "ü",
        "x y",
        "1h",
        "10.0.0.1",
        "300.0.0.1",
        "2026-13-01",
        "YQ",
        "not-a-uuid",
        "1d",
        "-",
    ];
    if dice.chance(70) { good.into() } else { (*dice.one(&others)).into() }
}

/// The value again, with one member changed, if it has members.
pub(crate) fn changed(old: &Value, schema: &Value, dice: &mut Dice) -> Value {
    let mut new = old.clone();
    let names: Vec<String> =
        old.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    if names.is_empty() {
        return value(schema, dice, 0);
    }
    let name = dice.one(&names);
    let of_member = &schema["properties"][name];
    new[name] = if dice.chance(40) {
        changed(&old[name], of_member, dice)
    } else {
        value(of_member, dice, 1)
    };
    new
}
