//! Whatever a client sends, the rules of the API answer: objects of all built-in kinds, with every
//! field filled in and a few of them of the wrong type, go through all of them without a panic.

use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};
use watchkeeper_schema::facts::KindFacts;
use watchkeeper_schema::{Schema, SchemaRef, Schemas, Type, builtin, prune, structural, validate};

use crate::apply::{self, ApplyInput, Writer};
use crate::fields::FieldSet;
use crate::kind_validation;
use crate::table::{self, Columns, Include};
use crate::{decode_error, kind_defaults, patch, shape};

/// An object with every field filled in, down to a depth.
fn filled(of: SchemaRef<'_>, depth: usize) -> Value {
    match of.type_() {
        Some(Type::Object) if depth > 0 => {
            let members = of.properties().map(|(n, of)| (n.to_owned(), filled(of, depth - 1)));
            let mut members: Map<String, Value> = members.collect();
            if let Some(additional) = of.additional() {
                members.insert("key".to_owned(), filled(additional, depth - 1));
            }
            Value::Object(members)
        }
        Some(Type::Array) if depth > 0 => {
            of.items().map_or(json!([]), |items| json!([filled(items, depth - 1)]))
        }
        Some(Type::Object) => json!({}),
        Some(Type::Array) => json!([]),
        Some(Type::Integer) => json!(1),
        Some(Type::Number) => json!(1.5),
        Some(Type::Boolean) => json!(true),
        Some(Type::String) | None => json!("1"),
    }
}

/// Replaces the value at one place, counted through the whole tree.
fn replace(value: &mut Value, place: &mut usize, with: &Value) {
    if *place == 0 {
        *value = with.clone();
        *place = usize::MAX;
        return;
    }
    *place -= 1;
    match value {
        Value::Object(members) => members.values_mut().for_each(|v| replace(v, place, with)),
        Value::Array(items) => items.iter_mut().for_each(|v| replace(v, place, with)),
        _ => {}
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!("")),
        Just(json!("100%")),
        Just(json!(-1)),
        Just(json!(1.0e300)),
        Just(json!(u64::MAX)),
        Just(json!([])),
        Just(json!([null, 1, "x", {}, []])),
        Just(json!({})),
        Just(json!({"name": 1, "$patch": "delete", "type": [], "spec": {"containers": 3}})),
        Just(json!({"k": {"k": {"k": null}}})),
    ]
}

fn kinds() -> Vec<&'static KindFacts> {
    builtin::facts().kinds.iter().filter(|kind| kind.is_resource()).collect()
}

/// Everything that the server does with an object it was sent.
fn put_through(kind: &KindFacts, schema: SchemaRef<'_>, live: &Value, sent: &Value) {
    let _ = decode_error::find(sent, schema);
    let mut new = sent.clone();
    prune::prune(&mut new, schema, true);
    kind_defaults::complete(&mut new, schema);
    kind_defaults::admit_pod(&mut new);
    kind_defaults::select_by_uid(&mut new);
    kind_defaults::count_templates(&mut new, Some(live), true);
    let look = kind_validation::Look::of(&kind.group, &kind.kind, "");
    let _ = kind_validation::metadata(&new, Some(live), look);
    let _ = kind_validation::validate(&kind.group, &kind.kind, &new, Some(live));
    let _ = kind_validation::validate(&kind.group, &kind.kind, &new, None);
    let _ = validate::validate(&new, Some(live), schema);
    let columns = Columns::builtin(&kind.group, &kind.kind);
    let now = Timestamp::UNIX_EPOCH;
    let shown = table::render(&columns, &[sent, &new], &json!({}), Include::Object, true, now);
    let width = shown["columnDefinitions"].as_array().map(Vec::len);
    assert_eq!(shown["rows"][0]["cells"].as_array().map(Vec::len), width, "{}", kind.kind);
    let writer = Writer { manager: "m", api_version: "v1", subresource: "", now: "now" };
    let empty = shape::empty(&kind.api_version(), &kind.kind, schema);
    let none = FieldSet::default();
    let input = ApplyInput {
        live: Some(live),
        empty: &empty,
        applied: sent,
        schema,
        writer,
        force: true,
        reset: &none,
        told_version: None,
    };
    let mut versions = apply::tests::OneVersion::new("v1", schema);
    let _ = apply::apply(input, &mut versions);
    let _ = apply::track_update(live, &mut new, false, schema, writer, &none, &mut versions);
    let _ = patch::strategic(live, sent, schema);
    let _ = patch::merge(live, sent);
}

#[test]
fn objects_with_every_field_go_through() {
    for kind in kinds() {
        let schema = Schemas::builtin().by_name(&kind.model).expect("the model of a kind");
        let full = filled(schema, 9);
        put_through(kind, schema, &full, &full);
        put_through(kind, schema, &json!({}), &full);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn wrong_values_anywhere_go_through(
        kind in any::<Index>(),
        changes in prop::collection::vec((any::<Index>(), any_value()), 1..6),
    ) {
        let kind = *kind.get(&kinds());
        let schema = Schemas::builtin().by_name(&kind.model).expect("the model of a kind");
        let full = filled(schema, 9);
        let mut sent = full.clone();
        for (place, with) in changes {
            let mut place = place.index(size(&sent));
            replace(&mut sent, &mut place, &with);
        }
        put_through(kind, schema, &full, &sent);
        put_through(kind, schema, &sent, &full);
    }

    #[test]
    fn wrong_values_in_a_schema_are_refused_or_read(
        changes in prop::collection::vec((any::<Index>(), any_value()), 1..4),
    ) {
        let mut json = json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string",
            "pattern": "x", "minLength": 1, "enum": ["a"]}, "x-kubernetes-list-type": "set"}, "b": {"type": "integer",
            "minimum": 1, "anyOf": [{"maximum": 3}], "not": {"enum": [1]}}}, "required": ["a"]});
        for (place, with) in changes {
            let mut place = place.index(size(&json));
            replace(&mut json, &mut place, &with);
        }
        if let Ok(schema) = Schema::from_crd_json(&json) {
            let _ = structural::check(&schema, "s");
            let _ = validate::validate(&json!({"a": ["x", "x"], "b": 2}), None, schema.alone());
            prop_assert_eq!(Schema::from_crd_json(&schema.to_crd_json()), Ok(schema));
        }
    }
}
