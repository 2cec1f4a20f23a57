use serde_json::{Value, json};

use super::{CLEANUP, before_delete, complete, prepare};
use crate::clock::Now;
use crate::config::Config;
use crate::rng::Rng;
use crate::step::{Core, Ticket};
use crate::turn::Turn;

/// Upstream keeps a default as the text that it was sent as.
#[test]
fn numbers_are_whole_everywhere_but_in_defaults() {
    let schema = |whole: Value| {
        json!({
            "maxLength": whole, "default": {"a": [3.0]}, "enum": [whole, 1.5],
            "properties": {"a": {"minimum": whole, "default": 3.0}},
        })
    };
    let definition = |whole: Value| json!({"spec": {"versions": [{"schema": schema(whole)}]}});
    let mut crd = definition(json!(3.0));
    complete(&mut crd);
    assert_eq!(crd["spec"]["versions"], definition(json!(3))["spec"]["versions"]);
}

#[test]
fn names_and_a_conversion_follow_from_the_kind() {
    let none = json!({"strategy": "None"});
    for (spec, expected) in [
        (
            json!({"names": {"kind": "Foo"}}),
            json!({
                "names": {"kind": "Foo", "singular": "foo", "listKind": "FooList"},
                "conversion": none,
            }),
        ),
        (
            json!({"names": {"kind": "Foo", "singular": "", "listKind": "Foos"}}),
            json!({
                "names": {"kind": "Foo", "singular": "foo", "listKind": "Foos"},
                "conversion": none,
            }),
        ),
        (
            json!({"conversion": {"strategy": "Webhook"}}),
            json!({"conversion": {"strategy": "Webhook"}}),
        ),
        (json!({"names": "x"}), json!({"names": "x", "conversion": none})),
        (Value::Null, Value::Null),
    ] {
        let mut crd = json!({"spec": spec});
        complete(&mut crd);
        assert_eq!(crd["spec"], expected, "{spec}");
    }
}

#[test]
fn a_new_definition_has_accepted_nothing_and_stores_its_version() {
    let version = |name: &str, storage: bool| json!({"name": name, "storage": storage});
    let mut crd = json!({
        "spec": {"versions": [version("v1", false), version("v2", true)]},
        "status": {"storedVersions": ["v0"], "conditions": [{}]},
    });
    prepare(&mut crd);
    let expected = json!({
        "conditions": null, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": ["v2"],
    });
    assert_eq!(crd["status"], expected);
}

#[test]
fn a_definition_that_begins_to_go_is_held_once_until_its_instances_are_gone() {
    let mut rng = Rng::new(0);
    let mut core = Core::new(Config::default(), Now::default(), &mut rng);
    let turn = Turn::new(&mut core, Now::default(), &mut rng, Ticket(0));
    for (before, after) in [
        (json!([]), json!([CLEANUP])),
        (json!(["a/b"]), json!(["a/b", CLEANUP])),
        (json!([CLEANUP, "a/b"]), json!([CLEANUP, "a/b"])),
    ] {
        let mut crd = json!({"metadata": {"finalizers": before}});
        before_delete(&turn, &mut crd);
        assert_eq!(crd["metadata"]["finalizers"], after, "{before}");
        let condition = &crd["status"]["conditions"][0];
        assert_eq!(
            (&condition["type"], &condition["status"], &condition["reason"]),
            (&json!("Terminating"), &json!("True"), &json!("InstanceDeletionPending"))
        );
    }
    let going = json!({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}});
    let mut crd = going.clone();
    before_delete(&turn, &mut crd);
    assert_eq!(crd, going);
}
