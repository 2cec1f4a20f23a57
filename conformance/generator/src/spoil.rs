//! What makes a good object a bad one: a value of another type, out of its range or empty, a member that nobody knows
//! or that is there twice, one that is missing, and names that are none.

use serde_json::{Value, json};
use watchkeeper_schema::builtin::facts;
use watchkeeper_schema::facts::{Field, Presence, Scalar, Type};

use super::Dice;
use super::template::Place;

/// Begins the name of a member that is to be there twice: [`text`] takes it away.
const TWICE: &str = "@twice@";

/// A body of JSON, with members that are there twice.
pub(crate) fn text(body: &Value) -> String {
    body.to_string().replace(TWICE, "")
}

/// A part of an object, and what it is by the facts.
pub(crate) struct Part {
    pub(crate) pointer: String,
    pub(crate) ty: Type,
}

/// Spoils one part of an object, whose struct has this model name.
pub(crate) fn spoil(object: &mut Value, model: &str, place: &Place, dice: &mut Dice) {
    if dice.chance(25) {
        return metadata(object, place, dice);
    }
    let parts = parts(object, model);
    let part = dice.one(&parts);
    let Some(value) = object.pointer_mut(&part.pointer) else { return };
    match dice.below(10) {
        0..=2 => *value = other_type(value, dice),
        3 => *value = Value::Null,
        4 => *value = beyond(&part.ty, value, dice),
        5 | 6 => unknown(value, dice),
        7 => twice(value, dice),
        8 => remove(value, dice),
        _ => add(value, &part.ty, dice),
    }
}

/// The parts of an object whose types are known.
pub(crate) fn parts(object: &Value, model: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    collect(object, &Type::Struct(model.to_owned()), String::new(), &mut parts);
    parts
}

fn collect(value: &Value, ty: &Type, pointer: String, parts: &mut Vec<Part>) {
    match (ty, value) {
        (Type::Struct(model), Value::Object(members)) => {
            for field in fields(model) {
                if let Some(member) = members.get(&field.json) {
                    collect(member, &field.ty, format!("{pointer}/{}", field.json), parts);
                }
            }
        }
        (Type::List(of), Value::Array(items)) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, of, format!("{pointer}/{index}"), parts);
            }
        }
        (Type::Map(of), Value::Object(members)) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(member, of, format!("{pointer}/{name}"), parts);
            }
        }
        _ => {}
    }
    parts.push(Part { pointer, ty: ty.clone() });
}

/// The members of a struct, those of embedded ones among them.
pub(crate) fn fields(model: &str) -> Vec<&'static Field> {
    let mut found = Vec::new();
    for field in facts().get(model).into_iter().flat_map(|of| &of.fields) {
        match (field.presence, field.ty.model()) {
            (Presence::Inline, Some(inner)) => found.extend(fields(inner)),
            _ => found.push(field),
        }
    }
    found
}

fn other_type(value: &Value, dice: &mut Dice) -> Value {
    let others = [
        json!("text"),
        json!(5),
        json!(true),
        json!({}),
        json!([]),
        json!({"a": 1}),
        json!([1]),
        json!(1.5),
    ];
    let is_alike = |other: &Value| std::mem::discriminant(other) == std::mem::discriminant(value);
    let others: Vec<Value> = others.into_iter().filter(|other| !is_alike(other)).collect();
    dice.one(&others).clone()
}

/// A value of the type that cannot be, or hardly.
fn beyond(ty: &Type, value: &Value, dice: &mut Dice) -> Value {
    match ty {
        Type::Scalar(scalar) | Type::Named(scalar, _) => match scalar {
            Scalar::Int32 | Scalar::Int64 => dice
                .one(&[
                    json!(-1),
                    json!(2_147_483_648_u64),
                    json!(9_223_372_036_854_775_808_u64),
                    json!(1.5),
                    json!(1e30),
                    json!(-0.0),
                    json!(3.0),
                ])
                .clone(),
            Scalar::Quantity => dice
                .one(&[json!("1x"), json!("-1"), json!(""), json!("1.2.3"), json!("0.0000000001")])
                .clone(),
            Scalar::Time | Scalar::MicroTime => dice
                .one(&[
                    json!("yesterday"),
                    json!("2026-13-01T00:00:00Z"),
                    json!("2026-01-01T00:00:00+01:00"),
                    json!(""),
                ])
                .clone(),
            Scalar::Bytes => dice.one(&[json!("!"), json!("YQ"), json!("")]).clone(),
            Scalar::IntOrString => dice
                .one(&[json!("-5%"), json!("101%"), json!("x y"), json!(-1), json!(70000)])
                .clone(),
            Scalar::Bool => json!("true"),
            _ => dice.one(&[json!(""), json!("Wrong"), json!("a_b"), json!("A B")]).clone(),
        },
        Type::List(_) => json!([]),
        Type::Map(_) | Type::Struct(_) if value.is_object() => json!({}),
        _ => Value::Null,
    }
}

fn unknown(value: &mut Value, dice: &mut Dice) {
    let Some(members) = value.as_object_mut() else { return };
    let first = members.keys().next().cloned().unwrap_or_default();
    let mut letters = first.chars();
    let upper: String =
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let name = dice.one(&["unheardOf".to_owned(), "a.b".to_owned(), upper]).clone();
    let value = dice.one(&[json!(1), json!({"a": {"b": 1}}), json!(null), json!(["x"])]).clone();
    members.entry(name).or_insert(value);
}

fn twice(value: &mut Value, dice: &mut Dice) {
    let Some(members) = value.as_object_mut() else { return };
    let names: Vec<String> = members.keys().cloned().collect();
    if names.is_empty() {
        return;
    }
    let name = dice.one(&names);
    let member = members[name].clone();
    members.insert(format!("{TWICE}{name}"), member);
}

fn remove(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let names: Vec<String> = members.keys().cloned().collect();
            members.remove(dice.one(&names));
        }
        Value::Array(items) if !items.is_empty() => {
            let index = dice.below(items.len() as u64) as usize;
            if dice.chance(50) {
                items.remove(index);
            } else {
                items.push(items[index].clone());
            }
        }
        _ => {}
    }
}

/// A member that the struct has, with a value that its type allows.
fn add(value: &mut Value, ty: &Type, dice: &mut Dice) {
    let (Type::Struct(model), Some(members)) = (ty, value.as_object_mut()) else { return };
    let fields: Vec<&Field> =
        fields(model).into_iter().filter(|field| !members.contains_key(&field.json)).collect();
    if !fields.is_empty() {
        let field = *dice.one(&fields);
        members.insert(field.json.clone(), plain(&field.ty, 0, dice));
    }
}

/// A value of a type.
fn plain(ty: &Type, depth: usize, dice: &mut Dice) -> Value {
    match ty {
        Type::Scalar(scalar) | Type::Named(scalar, _) => match scalar {
            Scalar::Bool => json!(dice.chance(50)),
            Scalar::Int32 | Scalar::Int64 => json!(dice.below(9)),
            Scalar::Float64 => json!(0.5),
            Scalar::Quantity => json!("1"),
            Scalar::Time => json!("2026-01-02T03:04:05Z"),
            Scalar::MicroTime => json!("2026-01-02T03:04:05.000006Z"),
            Scalar::Duration => json!("1m0s"),
            Scalar::Bytes => json!("YQ=="),
            Scalar::IntOrString => json!(1),
            Scalar::String => json!(dice.one(&["a", "", "x.y"])),
            _ => json!({}),
        },
        Type::List(of) if depth < 3 && dice.chance(50) => json!([plain(of, depth + 1, dice)]),
        Type::Map(of) if depth < 3 && dice.chance(50) => json!({"k": plain(of, depth + 1, dice)}),
        Type::Struct(model) if depth < 3 => {
            let chosen = fields(model).into_iter().filter(|_| dice.chance(30)).collect::<Vec<_>>();
            let members = chosen
                .into_iter()
                .map(|field| (field.json.clone(), plain(&field.ty, depth + 1, dice)));
            Value::Object(members.collect())
        }
        Type::List(_) => json!([]),
        Type::Map(_) | Type::Struct(_) => json!({}),
    }
}

/// Spoils what every object has. A name that is one has that of the case in it, so that cases do not meet.
fn metadata(object: &mut Value, place: &Place, dice: &mut Dice) {
    match dice.below(9) {
        0 | 1 => set(object, "name", dice.one(&names(&place.name)).clone()),
        2 | 3 => set(object, "labels", dice.one(&labels()).clone()),
        4 => set(object, "annotations", dice.one(&annotations()).clone()),
        5 => set(object, "finalizers", dice.one(&finalizers()).clone()),
        6 => set(object, "ownerReferences", dice.one(&owners()).clone()),
        7 => {
            let (member, value) = dice.one(&own()).clone();
            set(object, member, value);
        }
        _ => {
            let (member, value) = dice.one(&heads()).clone();
            if let Some(members) = object.as_object_mut() {
                members.insert(member.to_owned(), value);
            }
        }
    }
}

fn names(name: &str) -> Vec<Value> {
    let long = "a".repeat(64);
    vec![
        json!(""),
        json!(format!("{name}.B")),
        json!(format!("{name}_x")),
        json!(format!("-{name}")),
        json!(format!("{name}..x")),
        json!(format!("{name}/x")),
        json!(format!("{name}{}", "a".repeat(250))),
        json!(7),
        Value::Null,
        json!(format!("{name}-{long}")),
        json!("."),
        json!(format!("{name}%x")),
    ]
}

fn labels() -> Vec<Value> {
    let long = "a".repeat(64);
    vec![
        json!({"a b": "c"}),
        json!({"a": "-x"}),
        json!({"a/b/c": "d"}),
        json!({"": "x"}),
        json!({long.clone(): "x"}),
        json!({"a": long}),
        json!({"a": 1}),
        json!({"A_.b": "C-d"}),
        json!({"Upper.com/a": "x"}),
        json!([]),
        json!({"a": null}),
        json!({"b!": "!"}),
    ]
}

fn annotations() -> [Value; 6] {
    [
        json!({"a b": "c"}),
        json!({"/a": "x"}),
        json!({"a": true}),
        json!({"A": ""}),
        json!({"a/b/c": "d"}),
        json!({"a": {"b": "c"}}),
    ]
}

fn finalizers() -> [Value; 6] {
    [
        json!(["x"]),
        json!(["a/b/c"]),
        json!([""]),
        json!(["example.com/a", "example.com/a"]),
        json!(["orphan", "foregroundDeletion"]),
        json!("example.com/a"),
    ]
}

fn owners() -> [Value; 6] {
    let owner = |uid: &str, name: &str, kind: &str| json!({"apiVersion": "v1", "kind": kind, "name": name, "uid": uid, "controller": true});
    [
        json!([owner("u", "o", "Pod"), owner("v", "p", "Pod")]),
        json!([owner("", "o", "Pod")]),
        json!([owner("u", "", "Pod")]),
        json!([owner("u", "o", "")]),
        json!([owner("u", "o", "Pod"), owner("u", "o", "Pod")]),
        json!([{"kind": "Event", "apiVersion": "v1", "name": "e", "uid": "u"}]),
    ]
}

/// What a client does not set.
fn own() -> [(&'static str, Value); 9] {
    [
        ("namespace", json!("elsewhere")),
        ("uid", json!("u")),
        ("resourceVersion", json!("1")),
        ("generation", json!(7)),
        ("creationTimestamp", json!("2020-01-01T00:00:00Z")),
        ("deletionGracePeriodSeconds", json!(3)),
        ("selfLink", json!("/x")),
        ("managedFields", json!([{"manager": "x"}])),
        ("managedFields", json!([])),
    ]
}

/// Kinds and versions that are none, and metadata.
fn heads() -> [(&'static str, Value); 8] {
    [
        ("kind", json!("Wrong")),
        ("apiVersion", json!("example.com/v1")),
        ("kind", json!("")),
        ("apiVersion", json!("")),
        ("kind", json!(1)),
        ("metadata", json!("x")),
        ("metadata", Value::Null),
        ("metadata", json!({})),
    ]
}

/// A member of the metadata, if there is one.
pub(crate) fn set(object: &mut Value, member: &str, value: Value) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        metadata.insert(member.to_owned(), value);
    }
}
