//! Who owns what, and what becomes of objects.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use serde_json::json;
use watchkeeper_schema::Schema;

use super::*;

mod laws;
mod values;

/// A kind that has one version.
pub(crate) struct OneVersion<'a> {
    api_version: &'a str,
    schema: SchemaRef<'a>,
    none: FieldSet,
}

impl<'a> OneVersion<'a> {
    pub(crate) fn new(api_version: &'a str, schema: SchemaRef<'a>) -> Self {
        Self { api_version, schema, none: FieldSet::default() }
    }
}

impl Versions for OneVersion<'_> {
    fn convert(&mut self, object: &Value, api_version: &str) -> Result<Value, VersionError> {
        let is = api_version == self.api_version || object["apiVersion"] == *api_version;
        if is { Ok(object.clone()) } else { Err(VersionError::Missing) }
    }

    fn schema(&self, _: &str) -> SchemaRef<'_> {
        self.schema
    }

    fn reset(&self, _: &str) -> &FieldSet {
        &self.none
    }
}

fn schema() -> Schema {
    Schema::from_crd_json(&json!({"type": "object", "properties": {
        "apiVersion": {"type": "string"}, "kind": {"type": "string"},
        "metadata": {"type": "object", "properties": {
            "name": {"type": "string"}, "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
            "finalizers": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            "managedFields": {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}},
        "spec": {"type": "object", "properties": {
            "replicas": {"type": "integer"},
            "image": {"type": "string"},
            "ports": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"],
                "items": {"type": "object", "properties": {"port": {"type": "integer"},
                    "protocol": {"type": "string", "default": "TCP"}, "name": {"type": "string"}}}},
            "args": {"type": "array", "items": {"type": "string"}},
            "selector": {"type": "object", "additionalProperties": {"type": "string"}, "x-kubernetes-map-type": "atomic"}}},
        "status": {"type": "object", "properties": {"phase": {"type": "string"}}},
    }}))
    .expect("a schema")
}

/// A scripted object: each line of the script is a write, its outcome is what is stored.
#[derive(Default)]
struct World {
    live: Option<Value>,
    clock: u32,
    log: String,
}

impl World {
    fn now(&mut self) -> String {
        self.clock += 1;
        format!("2026-01-01T00:00:{:02}Z", self.clock)
    }

    fn empty() -> Value {
        json!({"apiVersion": "g/v1", "kind": "Foo"})
    }

    fn object(body: Value) -> Value {
        let mut object = json!({"apiVersion": "g/v1", "kind": "Foo", "metadata": {"name": "x"}});
        if let (Value::Object(into), Value::Object(body)) = (&mut object, body) {
            into.extend(body);
        }
        object
    }

    fn apply_as(&mut self, manager: &str, force: bool, body: Value) {
        let (schema, now, empty) = (schema(), self.now(), Self::empty());
        let applied = Self::object(body);
        let writer = Writer { manager, api_version: "g/v1", subresource: "", now: &now };
        let reset = reset_fields("g", "Foo", true, true, "");
        let mut versions = OneVersion::new("g/v1", schema.alone());
        let input = ApplyInput {
            live: self.live.as_ref(),
            empty: &empty,
            applied: &applied,
            schema: schema.alone(),
            writer,
            force,
            reset: &reset,
            told_version: None,
        };
        match apply(input, &mut versions) {
            Ok(object) => {
                self.live = Some(object);
                self.record(&format!("{manager} applies"));
            }
            Err(error) => {
                let _ = writeln!(self.log, "{manager} is refused: {error}");
            }
        }
    }

    fn apply(&mut self, manager: &str, body: Value) {
        self.apply_as(manager, false, body);
    }

    fn update(&mut self, manager: &str, subresource: &str, body: Value) {
        let (schema, now, empty) = (schema(), self.now(), Self::empty());
        let mut new = Self::object(body);
        let writer = Writer { manager, api_version: "g/v1", subresource, now: &now };
        let reset = reset_fields("g", "Foo", true, true, subresource);
        let live = self.live.as_ref().unwrap_or(&empty);
        let (schema, creates) = (schema.alone(), self.live.is_none());
        let mut versions = OneVersion::new("g/v1", schema);
        track_update(live, &mut new, creates, schema, writer, &reset, &mut versions)
            .expect("one version needs no conversion");
        self.live = Some(new);
        self.record(&format!("{manager} updates"));
    }

    fn record(&mut self, what: &str) {
        let Some(live) = &self.live else { return };
        let _ = writeln!(self.log, "{what}: {} {}", live["spec"], live["status"]);
        for (id, owned) in Managers::of(live).0 {
            let time = owned.time.as_deref().map_or("-", |time| &time[17..19]);
            let fields: Vec<String> =
                owned.fields.paths().iter().map(|path| crate::fields::show(path)).collect();
            let _ = writeln!(
                self.log,
                "  {} {:?} {} {time} {}",
                id.name,
                id.operation,
                id.subresource,
                fields.join(" ")
            );
        }
    }
}

fn check(script: impl FnOnce(&mut World), expected: Expect) {
    let mut world = World::default();
    script(&mut world);
    expected.assert_eq(&world.log);
}

#[test]
fn an_applier_owns_what_it_applies_and_loses_what_it_leaves_out() {
    check(
        |world| {
            world.apply("a", json!({"spec": {"replicas": 1, "image": "x"}}));
            world.apply("a", json!({"spec": {"replicas": 1, "image": "x"}}));
            world.apply("a", json!({"spec": {"image": "y"}}));
        },
        expect![[r#"
            a applies: {"image":"x","replicas":1} null
              a Apply  01 .spec.image .spec.replicas
            a applies: {"image":"x","replicas":1} null
              a Apply  01 .spec.image .spec.replicas
            a applies: {"image":"y"} null
              a Apply  03 .spec.image
        "#]],
    );
}

#[test]
fn a_field_with_two_owners_stays_when_one_leaves() {
    check(
        |world| {
            world.apply("a", json!({"spec": {"replicas": 1, "image": "x"}}));
            world.apply("b", json!({"spec": {"replicas": 1}}));
            world.apply("a", json!({"spec": {"image": "x"}}));
            world.apply("b", json!({"spec": {}}));
        },
        expect![[r#"
            a applies: {"image":"x","replicas":1} null
              a Apply  01 .spec.image .spec.replicas
            b applies: {"image":"x","replicas":1} null
              a Apply  01 .spec.image .spec.replicas
              b Apply  - .spec.replicas
            a applies: {"image":"x","replicas":1} null
              a Apply  01 .spec.image
              b Apply  - .spec.replicas
            b applies: {"image":"x"} null
              a Apply  01 .spec.image
              b Apply  04 .spec
        "#]],
    );
}

#[test]
fn conflicts_are_named_and_force_takes_over() {
    check(
        |world| {
            world.apply("a", json!({"spec": {"replicas": 1, "image": "x"}}));
            world.apply("b", json!({"spec": {"replicas": 2}}));
            world.update("kubectl", "", json!({"spec": {"replicas": 3, "image": "z"}}));
            world.apply("a", json!({"spec": {"replicas": 1, "image": "x"}}));
            world.apply_as("a", true, json!({"spec": {"replicas": 1, "image": "x"}}));
        },
        expect![[r#"
            a applies: {"image":"x","replicas":1} null
              a Apply  01 .spec.image .spec.replicas
            b is refused: Apply failed with 1 conflict: conflict with "a": .spec.replicas
            kubectl updates: {"image":"z","replicas":3} null
              kubectl Update  03 .spec.image .spec.replicas
            a is refused: Apply failed with 2 conflicts: conflicts with "kubectl" using g/v1:
            - .spec.image
            - .spec.replicas
            a applies: {"image":"x","replicas":1} null
              a Apply  05 .spec.image .spec.replicas
        "#]],
    );
}

#[test]
fn lists_by_key_sets_and_atomic_values() {
    check(
        |world| {
            world.apply(
                "a",
                json!({"metadata": {"name": "x", "finalizers": ["f/a"]}, "spec": {
                "ports": [{"port": 80, "name": "http"}, {"port": 53, "protocol": "UDP"}],
                "args": ["1", "2"], "selector": {"k": "v"}}}),
            );
            world.apply(
                "b",
                json!({"metadata": {"name": "x", "finalizers": ["f/b"]},
                "spec": {"ports": [{"port": 443}, {"port": 80, "protocol": "TCP"}]}}),
            );
            world.apply(
                "a",
                json!({"spec": {"ports": [{"port": 53, "protocol": "UDP"}], "args": ["3"]}}),
            );
        },
        expect![[r#"
            a applies: {"args":["1","2"],"ports":[{"name":"http","port":80},{"port":53,"protocol":"UDP"}],"selector":{"k":"v"}} null
              a Apply  01 .metadata.finalizers[="f/a"] .spec.args .spec.ports[port=53,protocol="UDP"] .spec.ports[port=53,protocol="UDP"].port .spec.ports[port=53,protocol="UDP"].protocol .spec.ports[port=80,protocol="TCP"] .spec.ports[port=80,protocol="TCP"].name .spec.ports[port=80,protocol="TCP"].port .spec.selector
            b applies: {"args":["1","2"],"ports":[{"port":443},{"name":"http","port":80,"protocol":"TCP"},{"port":53,"protocol":"UDP"}],"selector":{"k":"v"}} null
              a Apply  01 .metadata.finalizers[="f/a"] .spec.args .spec.ports[port=53,protocol="UDP"] .spec.ports[port=53,protocol="UDP"].port .spec.ports[port=53,protocol="UDP"].protocol .spec.ports[port=80,protocol="TCP"] .spec.ports[port=80,protocol="TCP"].name .spec.ports[port=80,protocol="TCP"].port .spec.selector
              b Apply  02 .metadata.finalizers[="f/b"] .spec.ports[port=80,protocol="TCP"] .spec.ports[port=80,protocol="TCP"].port .spec.ports[port=80,protocol="TCP"].protocol .spec.ports[port=443,protocol="TCP"] .spec.ports[port=443,protocol="TCP"].port
            a applies: {"args":["3"],"ports":[{"port":443},{"port":80,"protocol":"TCP"},{"port":53,"protocol":"UDP"}]} null
              a Apply  03 .spec.args .spec.ports[port=53,protocol="UDP"] .spec.ports[port=53,protocol="UDP"].port .spec.ports[port=53,protocol="UDP"].protocol
              b Apply  02 .metadata.finalizers[="f/b"] .spec.ports[port=80,protocol="TCP"] .spec.ports[port=80,protocol="TCP"].port .spec.ports[port=80,protocol="TCP"].protocol .spec.ports[port=443,protocol="TCP"] .spec.ports[port=443,protocol="TCP"].port
        "#]],
    );
}

#[test]
fn updates_are_tracked_per_subresource_and_removals_belong_to_nobody() {
    check(
        |world| {
            world.update(
                "m",
                "",
                json!({"spec": {"replicas": 1, "image": "x"}, "status": {"phase": "New"}}),
            );
            world.update(
                "m",
                "status",
                json!({"spec": {"replicas": 1, "image": "x"}, "status": {"phase": "Done"}}),
            );
            world.update("n", "", json!({"spec": {"replicas": 1}, "status": {"phase": "Done"}}));
        },
        expect![[r#"
            m updates: {"image":"x","replicas":1} {"phase":"New"}
              m Update  01 .spec .spec.image .spec.replicas
            m updates: {"image":"x","replicas":1} {"phase":"Done"}
              m Update  01 .spec .spec.image .spec.replicas
              m Update status 02 .status.phase
            n updates: {"replicas":1} {"phase":"Done"}
              m Update  01 .spec .spec.replicas
              m Update status 02 .status.phase
        "#]],
    );
}

#[test]
fn what_was_there_before_the_first_apply_has_an_owner() {
    check(
        |world| {
            world.live = Some(World::object(json!({"spec": {"replicas": 1}})));
            world.apply("a", json!({"spec": {"replicas": 2}}));
            world.apply_as("a", true, json!({"spec": {"replicas": 2}}));
        },
        expect![[r#"
            a is refused: Apply failed with 1 conflict: conflict with "before-first-apply" using g/v1: .spec.replicas
            a applies: {"replicas":2} null
              a Apply  02 .spec.replicas
              before-first-apply Update  02 .spec
        "#]],
    );
}

#[test]
fn kubectl_takes_over_what_it_applied_from_the_client() {
    let annotated = |replicas: i32, image: &str| {
        let applied = json!({"apiVersion": "g/v1", "kind": "Foo", "metadata": {"name": "x"},
            "spec": {"replicas": 1, "image": "x"}});
        json!({"metadata": {"name": "x", "annotations": {
            "kubectl.kubernetes.io/last-applied-configuration": applied.to_string()}},
            "spec": {"replicas": replicas, "image": image}})
    };
    check(
        |world| {
            world.update("kubectl-client-side-apply", "", annotated(1, "x"));
            world.apply("other", json!({"spec": {"replicas": 2}}));
            world.apply("kubectl", json!({"spec": {"replicas": 2}}));
            world.update("someone", "", annotated(2, "y"));
            world.apply("kubectl", json!({"spec": {"replicas": 2, "image": "z"}}));
        },
        expect![[r#"
            kubectl-client-side-apply updates: {"image":"x","replicas":1} null
              kubectl-client-side-apply Update  01 .metadata.annotations .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration .spec .spec.image .spec.replicas
            other is refused: Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using g/v1: .spec.replicas
            kubectl applies: {"image":"x","replicas":2} null
              kubectl Apply  03 .spec.replicas
              kubectl-client-side-apply Update  01 .metadata.annotations .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration .spec .spec.image
            someone updates: {"image":"y","replicas":2} null
              kubectl Apply  03 .spec.replicas
              kubectl-client-side-apply Update  01 .metadata.annotations .spec
              someone Update  04 .metadata.annotations.kubectl.kubernetes.io/last-applied-configuration .spec.image
            kubectl is refused: Apply failed with 1 conflict: conflict with "someone" using g/v1: .spec.image
        "#]],
    );
}

#[test]
fn what_may_not_be_applied() {
    check(
        |world| {
            world.apply("a", json!({"metadata": {"name": "x", "managedFields": []}}));
            world.apply("a", json!({"spec": {"nope": 1}}));
            world.apply(
                "a",
                json!({"spec": {"ports": [{"port": 80}, {"port": 80, "protocol": "TCP"}]}}),
            );
            world.apply("a", json!({"spec": {"ports": ["x"]}}));
        },
        expect![[r#"
            a is refused: metadata.managedFields must be nil
            a is refused: failed to create typed patch object (/x; g/v1, Kind=Foo): .spec.nope: field not declared in schema
            a is refused: failed to create typed patch object (/x; g/v1, Kind=Foo): .spec.ports: duplicate entries for key [port=80,protocol="TCP"]
            a is refused: failed to create typed patch object (/x; g/v1, Kind=Foo): .spec.ports: element 0: associative list with keys may not have non-map elements
        "#]],
    );
}

#[test]
fn the_oldest_updaters_are_merged() {
    let mut world = World::default();
    for i in 0..14 {
        world.update(
            &format!("m{i:02}"),
            "",
            json!({"metadata": {"name": "x", "labels":
            (0..=i).map(|l| (format!("l{l:02}"), json!(""))).collect::<Map<_, _>>()}}),
        );
    }
    let managers = Managers::of(world.live.as_ref().expect("stored"));
    let names: Vec<&str> = managers.0.keys().map(|id| id.name.as_str()).collect();
    expect!["ancient-changes m05 m06 m07 m08 m09 m10 m11 m12 m13"].assert_eq(&names.join(" "));
    let all =
        managers.0.values().fold(FieldSet::default(), |all, owned| all.union(owned.fields.clone()));
    assert_eq!(all.paths().len(), 15, "labels and the map itself");
}

#[test]
fn a_change_of_times_only_is_no_change() {
    let mut world = World::default();
    world.update("m", "", json!({"spec": {"replicas": 1}}));
    let live = world.live.clone().expect("stored");
    let mut new = live.clone();
    new["metadata"]["managedFields"][0]["time"] = json!("2030-01-01T00:00:00Z");
    forget_time_only_change(&live, &mut new);
    assert_eq!(new, live);
}

#[test]
fn an_empty_list_resets_the_managed_fields() {
    let mut world = World::default();
    world.update("m", "", json!({"spec": {"replicas": 1}}));
    world.update(
        "m",
        "",
        json!({"metadata": {"name": "x", "managedFields": []}, "spec": {"replicas": 1}}),
    );
    assert_eq!(world.live.expect("stored")["metadata"].get("managedFields"), None);
}

/// Each of these steps once looked through the whole list for every item of it: with as many items
/// as a body can hold that took minutes.
#[test]
fn large_lists_are_applied_in_time() {
    let schema = schema();
    let ports: Vec<Value> = (0..8_000).map(|port| json!({"port": port})).collect();
    let object = json!({"apiVersion": "v1", "kind": "Foo", "metadata": {"name": "a"}, "spec": {"ports": ports}});
    let writer =
        Writer { manager: "m", api_version: "v1", subresource: "", now: "2026-01-01T00:00:00Z" };
    let empty = json!({"apiVersion": "v1", "kind": "Foo", "metadata": {}});
    let input = ApplyInput {
        live: None,
        empty: &empty,
        applied: &object,
        schema: schema.alone(),
        writer,
        force: false,
        reset: &FieldSet::default(),
        told_version: None,
    };
    let mut versions = OneVersion::new("v1", schema.alone());
    let made = apply(input, &mut versions).expect("it applies");
    let again = ApplyInput { live: Some(&made), ..input };
    let again = apply(again, &mut versions).expect("it applies again");
    assert_eq!(made, again);
}
