use serde_json::{Map, Value, json};
use watchkeeper_api::pb;
use watchkeeper_schema::builtin::facts;
use watchkeeper_schema::facts::{Presence, Scalar, Type};

use super::*;

/// An object of that model with every field filled in, some levels deep.
fn full(model: &str, depth: usize) -> Value {
    let mut members = Map::new();
    fill(&mut members, model, depth);
    Value::Object(members)
}

fn fill(members: &mut Map<String, Value>, model: &str, depth: usize) {
    for field in &facts().structs[model].fields {
        if field.pb.is_none() {
            // JSON alone has it: kind and version of what is inside something else.
        } else if field.presence == Presence::Inline {
            fill(members, field.ty.model().expect("a struct"), depth);
        } else if !(depth == 0 && field.ty.model().is_some()) {
            members.insert(field.json.clone(), filled(&field.ty, depth));
        }
    }
}

fn filled(ty: &Type, depth: usize) -> Value {
    match ty {
        Type::List(of) if depth > 3 => json!([filled(of, depth), filled(of, depth)]),
        Type::List(of) => json!([filled(of, depth)]),
        Type::Map(of) => json!({"a": filled(of, depth), "b": filled(of, depth)}),
        Type::Struct(model) => full(model, depth.saturating_sub(1)),
        Type::Scalar(of) | Type::Named(of, _) => match of {
            Scalar::String => "text".into(),
            Scalar::Bool => true.into(),
            Scalar::Int32 => (-7).into(),
            Scalar::Int64 => (1_i64 << 40).into(),
            Scalar::Float64 => 1.5.into(),
            Scalar::Bytes => "AAH/".into(),
            Scalar::Time => "2026-11-21T06:15:49Z".into(),
            Scalar::MicroTime => "2026-11-21T06:15:49.123456Z".into(),
            Scalar::Quantity => "100m".into(),
            Scalar::IntOrString => "http".into(),
            Scalar::Raw | Scalar::Json | Scalar::FieldsV1 => json!({"f:a": {"b": [1, null]}}),
            Scalar::SchemaOrBool => false.into(),
            Scalar::SchemaOrArray => json!([{"type": "string"}, {"type": "null"}]),
            Scalar::SchemaOrStringArray => json!(["a", "b"]),
            Scalar::Duration => panic!("no kind has a duration"),
        },
    }
}

fn of_kind(kind: &watchkeeper_schema::facts::KindFacts) -> Value {
    let mut value = full(&kind.model, 5);
    value["apiVersion"] = crate::resource::api_version(&kind.group, &kind.version).into();
    value["kind"] = kind.kind.as_str().into();
    value
}

#[test]
fn every_kind_comes_back_with_every_field() {
    let mut kinds = 0;
    for kind in &facts().kinds {
        // Tables hold cells of any type and have no protobuf.
        if kind.kind == "Table" || fields(&kind.model).is_empty() {
            continue;
        }
        let mut value = of_kind(kind);
        let body = body(&value).expect("a body");
        // Structs by value are there even where the example stops.
        shape::normalize(&mut value, Schemas::builtin().by_name(&kind.model).expect("a schema"));
        let back = super::value(&body, ("", "")).expect("a value");
        assert!(back == value, "{}\n{back}\n{value}", kind.model);
        kinds += 1;
    }
    assert!(kinds > 150, "{kinds}");
}

#[test]
fn every_kind_is_written_as_the_lean_types_write_it() {
    let mut kinds = 0;
    for kind in &facts().kinds {
        let value = of_kind(kind);
        let version = value["apiVersion"].as_str().expect("a version");
        if kind.kind == "Table" || !pb::is_known(version, &kind.kind) {
            continue;
        }
        let theirs = pb::body_from_json(&value.to_string()).expect("a body");
        assert_eq!(body(&value).expect("a body"), theirs, "{}", kind.model);
        let empty = json!({"apiVersion": version, "kind": kind.kind});
        let theirs = pb::body_from_json(&empty.to_string()).expect("a body");
        assert_eq!(body(&empty).expect("a body"), theirs, "{} without members", kind.model);
        kinds += 1;
    }
    assert!(kinds > 50, "{kinds}");
}

#[test]
fn lists_are_written_as_the_lean_types_write_them() {
    let pod = json!({"metadata": {"name": "a"}, "spec": {"containers": [{"name": "b"}]}});
    let meta = json!({"resourceVersion": "7", "remainingItemCount": 3});
    let list =
        json!({"apiVersion": "v1", "kind": "PodList", "metadata": meta, "items": [pod, pod]});
    let theirs = pb::body_from_json(&list.to_string()).expect("a body");
    let message = message("io.k8s.api.core.v1.Pod", &pod);
    assert_eq!(super::list("v1", "PodList", &meta, &[message.clone(), message]), theirs);
    assert_eq!(body(&list).expect("a body"), theirs);
}

#[test]
fn malformed_messages_are_errors() {
    let good = body(&of_kind(facts().kind("apps", "v1", "Deployment").expect("it"))).expect("it");
    for end in 0..good.len() {
        let _ = value(&good[..end], ("apps/v1", "Deployment"));
    }
    let mut rng = crate::rng::Rng::new(7);
    for _ in 0..2_000 {
        let mut bad = good.to_vec();
        for _ in 0..3 {
            let at = usize::try_from(rng.below(bad.len() as u64)).expect("small");
            bad[at] = rng.below(256).to_le_bytes()[0];
        }
        let _ = value(&bad, ("apps/v1", "Deployment"));
    }
    let why = |bytes: &[u8]| value(bytes, ("v1", "ConfigMap")).expect_err("an error");
    assert_eq!(why(b"k8s\0"), Unread::Envelope("empty body".to_owned()));
    let Unread::Message { why, .. } = why(b"k8s\0\x12\x03\x0a\x09a") else { panic!("a message") };
    assert_eq!(why, "unexpected EOF");
}

#[test]
fn only_schemas_hold_themselves() {
    for (kind, may) in [
        ("", true),
        ("CustomResourceDefinition", true),
        ("CustomResourceDefinitionList", true),
        ("ConversionReview", true),
        ("ConfigMap", false),
        ("Pod", false),
    ] {
        assert_eq!(may_nest(&seal("v1", kind, b"")), may, "{kind}");
    }
    assert!(!may_nest(b"{}"), "no envelope");
}

/// `JSONSchemaPropsOrArray`, `JSONSchemaPropsOrBool` and `JSONSchemaPropsOrStringArray`, each as either.
#[test]
fn a_schema_may_stand_where_something_simpler_may() {
    let text = json!({"type": "string"});
    for schema in [
        json!({"items": text}),
        json!({"items": [text, {"type": "integer"}]}),
        json!({"additionalProperties": text}),
        json!({"additionalProperties": true}),
        json!({"additionalProperties": false}),
        json!({"additionalItems": text, "items": {"items": text}}),
        json!({"dependencies": {"a": text, "b": ["c", "d"]}}),
    ] {
        let back = read::message(SCHEMA, &message(SCHEMA, &schema)).expect("a schema");
        assert_eq!(Value::Object(back), schema);
    }
}

#[test]
fn kinds_of_any_group_and_lists_have_a_message() {
    let meta = |kind: &str| Some(format!("{META}.{kind}"));
    for (version, kind, expected) in [
        ("apps/v1", "DeleteOptions", meta("DeleteOptions")),
        ("v1", "Status", meta("Status")),
        ("v1", "PodList", Some("io.k8s.api.core.v1.PodList".to_owned())),
        ("v1", "Pod", Some("io.k8s.api.core.v1.Pod".to_owned())),
        ("v2", "PodList", None),
        ("v1", "Foo", None),
        ("v1", "FooList", None),
    ] {
        assert_eq!(model(version, kind).map(str::to_owned), expected, "{version} {kind}");
    }
}

#[test]
fn what_the_envelope_leaves_out_is_what_was_expected() {
    let expected = ("v1", "ConfigMap");
    let named = |version: &str, kind: &str| value(&seal(version, kind, b""), expected);
    for (version, kind, told) in [
        ("", "", ("v1", "ConfigMap")),
        ("", "Secret", ("v1", "Secret")),
        ("x.io/v1", "Foo", ("x.io/v1", "Foo")),
    ] {
        let value = named(version, kind).expect("a value");
        assert_eq!((&value["apiVersion"], &value["kind"]), (&json!(told.0), &json!(told.1)));
    }
    let foo = json!({"apiVersion": "x.io/v1", "kind": "Foo"});
    assert_eq!(named("x.io/v1", "Foo"), Ok(foo), "of that nothing else is known");
}
