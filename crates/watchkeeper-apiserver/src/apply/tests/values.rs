//! What is a change and what is none, and whose entries are read.

use super::*;

/// The fields that differ, of an object whose list and map are replaced as a whole.
fn changed(old: &Value, new: &Value) -> Vec<String> {
    let schema = Schema::from_crd_json(&json!({"type": "object", "properties": {
        "number": {"type": "number"},
        "list": {"type": "array", "items": {"type": "number"}},
        "map": {"type": "object", "additionalProperties": {"type": "number"},
            "x-kubernetes-map-type": "atomic"},
    }}))
    .expect("a schema");
    let changed = compare::compare(old, new, Some(schema.alone())).changed();
    changed.paths().iter().map(|path| crate::fields::show(path)).collect()
}

#[test]
fn a_float_without_a_fraction_is_the_same_as_a_whole_number() {
    for (old, new) in [
        (json!({"number": 1.0}), json!({"number": 1})),
        (json!({"list": [1.0, 2.5]}), json!({"list": [1, 2.5]})),
        (json!({"list": [1, 2]}), json!({"list": [1, 2.0]})),
        (json!({"map": {"a": 1}}), json!({"map": {"a": 1.0}})),
    ] {
        assert!(changed(&old, &new).is_empty(), "{old} {new}");
    }
}

#[test]
fn lists_and_maps_differ_by_their_lengths_their_names_and_each_value() {
    for (old, new, path) in [
        (json!({"number": 1.5}), json!({"number": 1}), ".number"),
        (json!({"list": [1.0]}), json!({"list": [1, 1]}), ".list"),
        (json!({"list": [1, 1]}), json!({"list": [1.0]}), ".list"),
        (json!({"list": [1.0, 2]}), json!({"list": [1, 3]}), ".list"),
        (json!({"map": {"a": 1.0}}), json!({"map": {"a": 1, "b": 1}}), ".map"),
        (json!({"map": {"a": 1}}), json!({"map": {"b": 1}}), ".map"),
        (json!({"map": {"a": 1.0}}), json!({"map": {"a": 2}}), ".map"),
    ] {
        assert_eq!(changed(&old, &new), [path], "{old} {new}");
    }
}

#[test]
fn applying_null_takes_nothing_from_what_is_merged() {
    let schema = schema();
    let merged = |live: Value, applied: Value| {
        let (live, applied) = (json!({"spec": live}), json!({"spec": applied}));
        merge::merge(&live, &applied, Some(schema.alone())).expect("it merges")["spec"].clone()
    };
    let ports = json!({"ports": [{"port": 1}]});
    assert_eq!(merged(ports.clone(), json!({"ports": null})), ports);
    assert_eq!(merged(ports.clone(), Value::Null), ports);
    assert_eq!(merged(json!({"ports": []}), json!({"ports": null})), json!({"ports": null}));
    assert_eq!(merged(json!({"args": ["a"]}), json!({"args": null})), json!({"args": null}));
    let selector = json!({"selector": {"a": "b"}});
    assert_eq!(merged(selector, json!({"selector": null})), json!({"selector": null}));
}

#[test]
fn entries_count_all_or_none_and_appliers_once_whatever_their_version() {
    let entry = |operation: &str, version: &str| {
        json!({"manager": "m", "operation": operation, "apiVersion": version,
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {}}})
    };
    let count =
        |entries: &[Value]| Managers::of(&json!({"metadata": {"managedFields": entries}})).0.len();
    assert_eq!(count(&[entry("Apply", "g/v1"), entry("Update", "g/v1")]), 2);
    assert_eq!(count(&[entry("Update", "g/v1"), entry("Update", "g/v2")]), 2);
    assert_eq!(count(&[entry("Apply", "g/v1"), entry("Apply", "g/v2")]), 1);
    assert_eq!(count(&[entry("Apply", "g/v1"), entry("Create", "g/v1")]), 0);
    assert_eq!(ManagerId::new(Operation::Update, "", "g/v1", "").name, "unknown");
}

#[test]
fn only_one_empty_entry_sent_to_the_object_itself_resets_the_managed_fields() {
    let left = |subresource: &str, entries: Value| {
        let mut world = World::default();
        world.update("m", "", json!({"spec": {"replicas": 1}}));
        let metadata = json!({"name": "x", "managedFields": entries});
        let body = json!({"metadata": metadata, "spec": {"replicas": 1}});
        world.update("n", subresource, body);
        let managers = Managers::of(&world.live.expect("stored"));
        managers.0.keys().map(|id| id.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(left("", json!([])), [""; 0]);
    assert_eq!(left("", json!([{}])), [""; 0]);
    assert_eq!(left("", json!([{}, {}])), ["m"]);
    assert_eq!(left("status", json!([])), ["m"]);
    assert_eq!(left("status", json!([{}])), ["m"]);
}

#[test]
fn a_change_of_anything_but_times_is_kept() {
    let mut world = World::default();
    let labels = json!({"a": "b"});
    let body = json!({"metadata": {"name": "x", "labels": labels}, "spec": {"replicas": 1}});
    world.update("m", "", body);
    let live = world.live.expect("stored");
    let kept = |change: fn(&mut Value)| {
        let mut new = live.clone();
        new["metadata"]["managedFields"][0]["time"] = "2030-01-01T00:00:00Z".into();
        change(&mut new);
        let sent = new.clone();
        forget_time_only_change(&live, &mut new);
        new == sent
    };
    assert!(!kept(|_| {}));
    assert!(kept(|new| new["metadata"]["managedFields"][0]["manager"] = "n".into()));
    assert!(kept(|new| new["metadata"]["annotations"] = json!({"a": "b"})));
    assert!(kept(|new| new["metadata"]["labels"] = json!({"a": "c"})));
    assert!(kept(|new| {
        let metadata = new["metadata"].as_object_mut().expect("an object");
        let labels = metadata.remove("labels").expect("labels");
        metadata.insert("annotations".to_owned(), labels);
    }));
    assert!(kept(|new| new["spec"]["replicas"] = 2.into()));
    assert!(kept(|new| new["status"] = json!({"phase": "New"})));
    assert!(kept(|new| new["metadata"] = json!({"name": "x", "labels": {"a": "b"}})));
}

#[test]
fn a_write_to_the_status_leaves_what_its_kind_says() {
    let spec = ["spec"];
    for (group, kind, left) in [
        ("apps", "ReplicaSet", &spec[..]),
        ("apps", "Deployment", &["spec", "metadata.labels"]),
        ("", "Pod", &["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"]),
        ("", "Node", &spec),
        ("storage.k8s.io", "VolumeAttachment", &["metadata", "spec"]),
        ("storage.k8s.io", "CSIDriver", &spec),
        ("networking.k8s.io", "ServiceCIDR", &["metadata", "spec"]),
        ("networking.k8s.io", "Ingress", &spec),
        ("resource.k8s.io", "ResourceClaim", &["metadata", "spec"]),
        ("flowcontrol.apiserver.k8s.io", "FlowSchema", &["metadata", "spec"]),
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy", &["metadata", "spec"]),
    ] {
        assert_eq!(status_reset(group, kind, false), left, "{group} {kind}");
        assert_eq!(status_reset(group, kind, true), ["metadata", "spec"], "{group} {kind}");
    }
    let status = FieldSet::of_fields(&["status"]);
    assert_eq!(reset_fields("g", "Foo", true, true, ""), status);
    assert_eq!(reset_fields("g", "Foo", true, false, ""), FieldSet::default());
    assert_eq!(reset_fields("g", "Foo", true, true, "scale"), FieldSet::default());
}

#[test]
fn what_a_client_applied_in_another_version_is_not_taken_over() {
    let applied = json!({"apiVersion": "g/v0", "kind": "Foo", "metadata": {"name": "x"},
        "spec": {"replicas": 1}});
    let annotations =
        json!({"kubectl.kubernetes.io/last-applied-configuration": applied.to_string()});
    let metadata = json!({"name": "x", "annotations": annotations});
    let mut world = World::default();
    let body = json!({"metadata": metadata, "spec": {"replicas": 1}});
    world.update("kubectl-client-side-apply", "", body);
    world.log.clear();
    world.apply("kubectl", json!({"spec": {"replicas": 2}}));
    expect![[r#"
        kubectl is refused: Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using g/v1: .spec.replicas
    "#]]
    .assert_eq(&world.log);
}

#[test]
fn managed_fields_alone_are_no_difference() {
    let object = |metadata: Value| json!({"metadata": metadata, "spec": 1});
    let live = object(json!({"name": "a", "managedFields": [1]}));
    for (other, is_same) in [
        (object(json!({"name": "a"})), true),
        (object(json!({"name": "a", "managedFields": [2]})), true),
        (object(json!({"name": "b", "managedFields": [1]})), false),
        (object(json!({"name": "a", "uid": "u"})), false),
        (object(json!({"uid": "a", "managedFields": [1]})), false),
        (object(json!({})), false),
        (object(json!(1)), false),
        (json!({"metadata": {"name": "a"}, "spec": 2}), false),
        (json!({"metadata": {"name": "a"}}), false),
        (json!({"metadata": {"name": "a"}, "spec": 1, "status": 1}), false),
        (json!({"metadata": {"name": "a"}, "status": 1}), false),
        (json!(1), false),
    ] {
        assert_eq!(is_same_but_for_managers(&live, &other), is_same, "{other}");
        assert_eq!(is_same_but_for_managers(&other, &live), is_same, "{other}");
    }
    let odd = |number: u8| json!({"metadata": number});
    for (one, other) in [(json!(1), json!(2)), (odd(1), odd(2))] {
        assert!(is_same_but_for_managers(&one, &one), "{one}");
        assert!(!is_same_but_for_managers(&one, &other), "{one}");
    }
}

#[test]
fn who_wrote_in_a_version_that_is_gone_owns_nothing_unless_it_is_who_writes() {
    let manager = |name: &str, version: &str| {
        json!({"manager": name, "operation": "Update", "apiVersion": version,
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {}}})
    };
    let entries = [manager("old", "g/v0"), manager("other", "g/v1"), manager("me", "g/v0")];
    let object = json!({"apiVersion": "g/v1", "metadata": {"managedFields": entries}});
    let mut managers = Managers::of(&object);
    let me = ManagerId::new(Operation::Update, "me", "g/v0", "");
    let schema = schema();
    let mut versions = OneVersion::new("g/v1", schema.alone());
    let none = compare::compare(&object, &object, Some(schema.alone()));
    let changes =
        Changes::of(&mut managers, &me, ("g/v1", none), (&object, &object), &mut versions)
            .expect("what is missing is left out");
    let names: Vec<&str> = managers.0.keys().map(|id| &*id.name).collect();
    assert_eq!(names, ["me", "other"]);
    assert!(changes.for_manager(&managers.0[&me]).is_none());
}
