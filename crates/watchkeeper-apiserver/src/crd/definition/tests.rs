use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::{
    accept_names, clash_of_names, condition, is_established, note_stored_version, resources,
    set_condition, storage_resource, table, waits_for_names,
};
use crate::clock::Now;
use crate::storage::{Stored, Table, key};

fn definition(name: &str, group: &str, names: &Value) -> Value {
    json!({"metadata": {"name": name}, "spec": {"group": group, "names": names}, "status": {}})
}

/// The definitions that are there, with the names that they were given.
fn others(names: &[(&str, &str, Value)]) -> Table {
    let stored = names.iter().map(|(name, group, names)| {
        let mut crd = definition(name, group, &json!({}));
        crd["status"]["acceptedNames"] = names.clone();
        (key("", name), Arc::new(Stored::new(key("", name), 1, crd)))
    });
    stored.collect()
}

fn clash(names: &Value, others: &Table) -> String {
    let mut crd = definition("own", "a.b", names);
    accept_names(&mut crd, Some(others), Now::default());
    assert_eq!(is_established(&crd), clash_of_names(&crd).is_none());
    assert_eq!(waits_for_names(&crd), clash_of_names(&crd).is_some());
    clash_of_names(&crd).unwrap_or_default()
}

#[test]
fn names_are_those_of_no_other_definition_of_the_group() {
    let given = json!({
        "plural": "ships", "singular": "ship", "shortNames": ["sh"], "kind": "Ship",
        "listKind": "ShipList",
    });
    let taken = others(&[
        ("one", "a.b", given.clone()),
        ("own", "a.b", json!({"plural": "boats"})),
        ("far", "c.d", json!({"plural": "boats", "kind": "Boat"})),
    ]);
    for (names, expected) in [
        (json!({"plural": "boats", "kind": "Boat", "singular": "", "listKind": "BoatList"}), ""),
        (json!({"plural": "ships"}), r#"PluralConflict: "ships" is already in use"#),
        (json!({"plural": "ship"}), r#"PluralConflict: "ship" is already in use"#),
        (json!({"singular": "sh"}), r#"SingularConflict: "sh" is already in use"#),
        (json!({"shortNames": ["a", "ships"]}), r#"ShortNamesConflict: "ships" is already in use"#),
        (json!({"kind": "ShipList"}), r#"KindConflict: "ShipList" is already in use"#),
        (json!({"listKind": "Ship"}), r#"ListKindConflict: "Ship" is already in use"#),
        (json!({"kind": "ships", "plural": "Ship"}), ""),
        (given, r#"ListKindConflict: "ShipList" is already in use"#),
    ] {
        assert_eq!(clash(&names, &taken), expected, "{names}");
    }
}

#[test]
fn a_definition_that_goes_waits_for_no_names() {
    let taken = others(&[("one", "a.b", json!({"plural": "ships"}))]);
    let mut crd = definition("own", "a.b", &json!({"plural": "ships"}));
    accept_names(&mut crd, Some(&taken), Now::default());
    assert!(waits_for_names(&crd));
    crd["metadata"]["deletionTimestamp"] = "2020-01-01T00:00:00Z".into();
    assert!(!waits_for_names(&crd));
}

/// Who has been established stays so, whatever its names become.
#[test]
fn what_is_established_stays_so() {
    let mut crd = definition("own", "a.b", &json!({"plural": "ships"}));
    accept_names(&mut crd, None, Now::default());
    let taken = others(&[("one", "a.b", json!({"plural": "ships"}))]);
    accept_names(&mut crd, Some(&taken), Now(Duration::from_secs(60)));
    assert!(is_established(&crd) && waits_for_names(&crd));
}

#[test]
fn a_condition_is_as_old_as_its_status() {
    let mut crd = json!({});
    let of = |status: &str, reason: &str, second: u64| {
        condition("A", status, reason, "", Now(Duration::from_secs(second)))
    };
    for (condition, reason, time) in [
        (of("True", "One", 1), "One", "1970-01-01T00:00:01Z"),
        (of("True", "Two", 2), "Two", "1970-01-01T00:00:01Z"),
        (of("False", "Three", 3), "Three", "1970-01-01T00:00:03Z"),
    ] {
        set_condition(&mut crd, condition);
        let all = crd["status"]["conditions"].as_array().expect("conditions");
        assert_eq!(all.len(), 1);
        let told = (&all[0]["reason"], &all[0]["lastTransitionTime"]);
        assert_eq!(told, (&json!(reason), &json!(time)));
    }
    set_condition(&mut crd, condition("B", "True", "", "", Now::default()));
    assert_eq!(crd["status"]["conditions"].as_array().map(Vec::len), Some(2));
}

fn served() -> Value {
    json!({
        "metadata": {"name": "ships.a.b"},
        "spec": {
            "group": "a.b", "scope": "Cluster", "names": {"plural": "ships", "kind": "Ship"},
            "versions": [
                {"name": "v1", "served": true, "storage": false, "deprecated": true},
                {"name": "v2", "served": false, "storage": true},
                {
                    "name": "v3", "served": true, "storage": false,
                    "deprecated": true, "deprecationWarning": "old",
                    "subresources": {"status": {}, "scale": {
                        "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.count",
                    }},
                    "selectableFields": [{"jsonPath": ".spec.color"}],
                },
            ],
        },
        "status": {"acceptedNames": {"plural": "ships", "kind": "Ship", "listKind": "Ships"}},
    })
}

#[test]
fn versions_that_are_served_are_resources() {
    let crd = served();
    let all = resources(&crd);
    let versions: Vec<&str> = all.iter().map(|one| &*one.version).collect();
    assert_eq!(versions, ["v1", "v3"]);
    assert_eq!((&*table(&crd), &*all[0].table), ("ships.a.b", "ships.a.b"));
    assert_eq!(
        (all[0].namespaced, &*all[0].list_kind, all[0].subresources.len()),
        (false, "Ships", 0)
    );
    let below: Vec<String> = all[1]
        .subresources
        .iter()
        .map(|one| format!("{} {}/{} {}", one.name, one.group, one.version, one.kind))
        .collect();
    assert_eq!(below, ["status a.b/v3 Ship", "scale autoscaling/v1 Scale"]);
    let custom = [0, 1].map(|index: usize| all[index].custom.clone().expect("it is custom"));
    let told = custom.clone().map(|one| one.deprecation.clone().unwrap_or_default());
    assert_eq!(told, ["a.b/v1 Ship is deprecated", "old"]);
    assert_eq!((&*custom[0].storage_version, custom[0].terminating), ("v2", false));
    let scale = custom[1].scale.clone().expect("a scale");
    let paths = [scale.spec, scale.status].map(|path| path.join("/"));
    assert_eq!(paths, ["spec/replicas", "status/count"]);
    assert_eq!((scale.selector, &*custom[1].selectable), (None, &["spec.color".to_owned()][..]));
    assert_eq!(storage_resource(&crd).expect("a version is stored").version, "v2");
}

#[test]
fn the_version_that_is_stored_is_noted_once() {
    let mut crd = served();
    for _ in 0..2 {
        note_stored_version(&mut crd);
        assert_eq!(crd["status"]["storedVersions"], json!(["v2"]));
    }
    crd["status"]["storedVersions"] = json!(["v0"]);
    note_stored_version(&mut crd);
    assert_eq!(crd["status"]["storedVersions"], json!(["v0", "v2"]));
}
