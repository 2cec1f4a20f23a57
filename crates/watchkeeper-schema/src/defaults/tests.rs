//! Defaults.

use serde_json::json;

use super::*;
use crate::Schema;

fn schema() -> Schema {
    Schema::from_crd_json(&json!({"type": "object", "properties": {
        "spec": {"type": "object", "default": {}, "properties": {
            "replicas": {"type": "integer", "default": 1},
            "mode": {"type": "string", "nullable": true, "default": "a"},
            "gone": {"type": "string"},
            "ports": {"type": "array", "items": {"type": "object", "properties": {
                "protocol": {"type": "string", "default": "TCP"}}}},
            "map": {"type": "object", "additionalProperties": {"type": "object", "properties": {
                "x": {"type": "integer", "default": 0}}}},
        }},
        "status": {"type": "object", "properties": {"phase": {"type": "string", "default": "New"}}},
    }}))
    .expect("a schema")
}

fn defaulted(mut value: Value) -> Value {
    let schema = schema();
    drop_nulls(&mut value, schema.alone());
    default_values(&mut value, schema.alone());
    value
}

#[test]
fn defaults_cascade_but_only_into_what_is_there() {
    assert_eq!(defaulted(json!({})), json!({"spec": {"replicas": 1, "mode": "a"}}));
    assert_eq!(
        defaulted(json!({"spec": {"ports": [{}, {"protocol": "UDP"}], "map": {"k": {}}}})),
        json!({"spec": {"replicas": 1, "mode": "a", "map": {"k": {"x": 0}},
            "ports": [{"protocol": "TCP"}, {"protocol": "UDP"}]}})
    );
}

#[test]
fn null_is_dropped_defaulted_or_kept() {
    assert_eq!(
        defaulted(json!({"spec": {"replicas": null, "mode": null, "gone": null}})),
        json!({"spec": {"replicas": 1, "mode": null}})
    );
}

#[test]
fn defaulting_twice_changes_nothing() {
    let once = defaulted(json!({"spec": {"ports": [{}]}, "status": {}}));
    assert_eq!(defaulted(once.clone()), once);
}
