//! Drivers, classes, claims and volumes at the edges of their rules.

use super::*;

const GROUP: &str = "storage.k8s.io";
const NONE: [&str; 0] = [];

fn each(errors: &[FieldError]) -> Vec<String> {
    errors.iter().map(|error| format!("{}: {}", error.field, error.detail)).collect()
}

/// What is said of a new object, without the values.
fn told(kind: &str, object: Value) -> Vec<String> {
    let group = if kind.starts_with("Persistent") { "" } else { GROUP };
    each(&validate(group, kind, &completed(group, kind, object), None))
}

/// Where an update is refused.
fn refused(kind: &str, old: Value, new: Value) -> Vec<String> {
    let group = if kind.starts_with("Persistent") { "" } else { GROUP };
    let [old, new] = [old, new].map(|object| completed(group, kind, object));
    validate(group, kind, &new, Some(&old)).into_iter().map(|error| error.field).collect()
}

#[test]
fn tokens_of_drivers_live_from_ten_minutes_to_two_to_the_power_of_32_seconds() {
    let driver = |requests: Value| told("CSIDriver", json!({"spec": {"tokenRequests": requests}}));
    let lives = |seconds: i64| driver(json!([{"audience": "a", "expirationSeconds": seconds}]));
    for seconds in [600, 0x1_0000_0000] {
        assert_eq!(lives(seconds), NONE);
    }
    let wrong = |why: &str| format!("spec.tokenRequests[0].expirationSeconds: {why}");
    assert_eq!(lives(599), [wrong("may not specify a duration less than 10 minutes")]);
    let long = wrong("may not specify a duration larger than 2^32 seconds");
    assert_eq!(lives(0x1_0000_0001), [long]);
    let twice = json!([{"audience": "a"}, {"audience": "b"}, {"audience": "a"}]);
    assert_eq!(driver(twice), ["spec.tokenRequests[2].audience: "]);
}

#[test]
fn drivers_tell_again_after_ten_seconds_and_live_in_known_ways() {
    let driver = |spec: Value| told("CSIDriver", json!({"spec": spec}));
    assert_eq!(driver(json!({"nodeAllocatableUpdatePeriodSeconds": 10})), NONE);
    assert_eq!(
        driver(json!({"nodeAllocatableUpdatePeriodSeconds": 9})),
        ["spec.nodeAllocatableUpdatePeriodSeconds: must be greater than or equal to 10 seconds"]
    );
    let modes = r#"spec.volumeLifecycleModes: supported values: "Persistent", "Ephemeral""#;
    assert_eq!(driver(json!({"volumeLifecycleModes": ["Ephemeral", "x", "Persistent"]})), [modes]);
}

#[test]
fn drivers_of_a_node_stay_but_for_how_much_they_take() {
    let node = |drivers: Value| json!({"spec": {"drivers": drivers}});
    let driver = |name: &str, id: &str, count: i64| json!({"name": name, "nodeID": id, "allocatable": {"count": count}});
    let told = |driver: Value| told("CSINode", node(json!([driver])));
    assert_eq!(told(driver("a", &"n".repeat(256), 0)), NONE);
    let long = "spec.drivers[0].nodeID: must be 256 characters or less";
    assert_eq!(told(driver("a", &"n".repeat(257), 0)), [long]);
    assert_eq!(told(driver("a", "", 0)), ["spec.drivers[0].nodeID: "]);
    let count = "spec.drivers[0].allocatable.count: must be greater than or equal to 0";
    assert_eq!(told(driver("a", "n", -1)), [count]);
    let old = node(json!([driver("a", "n", 1), driver("b", "n", 1)]));
    let refused = |new: Value| refused("CSINode", old.clone(), node(new));
    for new in [
        json!([driver("a", "n", 2), driver("b", "n", 1)]),
        json!([driver("b", "n", 1), driver("c", "n", 1)]),
        json!([]),
    ] {
        assert_eq!(refused(new.clone()), NONE, "{new}");
    }
    assert_eq!(refused(json!([driver("b", "m", 1)])), ["spec.drivers"]);
    let twice = json!([driver("a", "n", 1), driver("a", "n", 1)]);
    assert_eq!(refused(twice), ["spec.drivers[1].name"]);
}

#[test]
fn parameters_of_classes_are_so_many_and_so_large_at_most() {
    let class = |parameters: Value| {
        told("StorageClass", json!({"provisioner": "a", "parameters": parameters}))
    };
    let many = |count: usize| {
        let names = (0..count).map(|index| (format!("k{index}"), json!("v")));
        Value::Object(names.collect())
    };
    assert_eq!(class(many(512)), NONE);
    assert_eq!(class(many(513)), ["parameters: may not be more than 512 bytes"]);
    let large = |size: usize| json!({"key": "v".repeat(size), "k": ""});
    assert_eq!(class(large((256 << 10) - 4)), NONE);
    assert_eq!(class(large((256 << 10) - 3)), ["parameters: may not be more than 262144 bytes"]);
    assert_eq!(class(json!({"": "v"})), ["parameters: field can not be empty."]);
    assert_eq!(class(json!({})), NONE);
    let attributes = |parameters: Value| json!({"driverName": "d", "parameters": parameters});
    let none = "parameters: must contain at least one key/value pair";
    assert_eq!(told("VolumeAttributesClass", attributes(json!({}))), [none]);
    assert_eq!(told("VolumeAttributesClass", attributes(json!({"a": "b"}))), NONE);
}

#[test]
fn places_of_a_class_are_told_once() {
    let class = |terms: Value| {
        told("StorageClass", json!({"provisioner": "a", "allowedTopologies": terms}))
    };
    let term = |requirements: &[(&str, &[&str])]| {
        let one = |(key, values): &(&str, &[&str])| json!({"key": key, "values": values});
        json!({"matchLabelExpressions": requirements.iter().map(one).collect::<Vec<_>>()})
    };
    let a = term(&[("k", &["1", "2"]), ("l", &["1"])]);
    let turned = term(&[("l", &["1"]), ("k", &["2", "1"])]);
    let place = "allowedTopologies[0].matchLabelExpressions";
    assert_eq!(class(json!([a, term(&[("k", &["1", "2"])])])), NONE);
    assert_eq!(class(json!([a, turned])), ["allowedTopologies[1].matchLabelExpressions: "]);
    assert_eq!(class(json!([term(&[("k", &["1", "1"])])])), [format!("{place}[0].values[1]: ")]);
    assert_eq!(
        class(json!([term(&[("k", &["1"]), ("k", &["2"])])])),
        [format!("{place}[1].key: ")]
    );
    // An empty term is told of as often as there are terms.
    assert_eq!(class(json!([{}])), [format!("{place}: ")]);
}

#[test]
fn what_a_driver_tells_of_an_attachment_has_bounds() {
    let attachment = |status: Value| {
        let spec =
            json!({"attacher": "a", "nodeName": "n", "source": {"persistentVolumeName": "v"}});
        told("VolumeAttachment", json!({"spec": spec, "status": status}))
    };
    let error = |letters: usize, code: i64| json!({"attached": false, "detachError": {"message": "m".repeat(letters), "errorCode": code}});
    assert_eq!(attachment(error(1024, 0)), NONE);
    let place = "status.detachError";
    assert_eq!(
        attachment(error(1025, 0)),
        [format!("{place}.message: may not be more than 262144 bytes")]
    );
    assert_eq!(
        attachment(error(0, -1)),
        [format!("{place}.errorCode: must be between 0 and 2147483647, inclusive")]
    );
    let facts =
        |size: usize| json!({"attached": true, "attachmentMetadata": {"key": "v".repeat(size)}});
    assert_eq!(attachment(facts((256 << 10) - 3)), NONE);
    assert_eq!(
        attachment(facts((256 << 10) - 2)),
        ["status.attachmentMetadata: may not be more than 262144 bytes"]
    );
}

#[test]
fn an_attachment_is_of_one_volume() {
    let attachment = |source: Value| {
        let spec = json!({"attacher": "a", "nodeName": "n", "source": source});
        told("VolumeAttachment", json!({"spec": spec}))
    };
    let place = "spec.source";
    let one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
    assert_eq!(attachment(json!({})), [format!("{place}: {one}")]);
    let inline =
        json!({"accessModes": ["ReadWriteOnce"], "csi": {"driver": "d", "volumeHandle": "h"}});
    assert_eq!(attachment(json!({"inlineVolumeSpec": inline})), NONE);
    let both = json!({"inlineVolumeSpec": inline, "persistentVolumeName": "v"});
    assert_eq!(attachment(both), [format!("{place}: {one}")]);
    let with =
        |more: Value| attachment(json!({"inlineVolumeSpec": crate::patch::merge(&inline, &more)}));
    let here = "in the context of inline volumes";
    for (more, expected) in [
        (json!({"persistentVolumeReclaimPolicy": "Retain", "volumeMode": "Filesystem"}), vec![]),
        (
            json!({"persistentVolumeReclaimPolicy": "Delete"}),
            vec![format!("persistentVolumeReclaimPolicy: may only be Retain {here}")],
        ),
        (
            json!({"volumeMode": "Block"}),
            vec![format!("volumeMode: may not specify volumeMode other than Filesystem {here}")],
        ),
        (
            json!({"storageClassName": "s"}),
            vec![format!("storageClassName: may not be specified {here}")],
        ),
        (json!({"claimRef": {}}), vec![format!("claimRef: may not be specified {here}")]),
        (json!({"nodeAffinity": {}}), vec![format!("nodeAffinity: may not be specified {here}")]),
    ] {
        let inline = format!("{place}.inlineVolumeSpec");
        let expected: Vec<String> = expected.iter().map(|of| format!("{inline}.{of}")).collect();
        assert_eq!(with(more.clone()), expected, "{more}");
    }
}

/// A volume of this source, with more in its spec.
fn volume(source: &Value, more: &Value) -> Value {
    let spec = json!({"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}});
    let spec = crate::patch::merge(&crate::patch::merge(&spec, source), more);
    json!({"spec": spec})
}

#[test]
fn volumes_of_one_node_and_of_other_providers() {
    let term =
        json!({"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]});
    let here = json!({"nodeAffinity": {"required": term}});
    let none = json!({});
    let local = |path: &str| json!({"local": {"path": path}});
    let affinity = "spec.nodeAffinity: Local volume requires node affinity";
    let secret = |of: &str, secret: Value| json!({of: {"volumeID": "v", "volumeName": "n", "secretRef": secret}});
    for (source, more, expected) in [
        (local("/a"), &here, vec![]),
        (local("/a"), &none, vec![affinity]),
        (local("/a/../b"), &here, vec!["spec.local.path: must not contain '..'"]),
        (local(""), &here, vec!["spec.local.path: "]),
        (json!({"cinder": {"volumeID": "v"}}), &none, vec![]),
        (secret("cinder", json!({"name": "s", "namespace": "t"})), &none, vec![]),
        (secret("cinder", json!({"name": "s"})), &none, vec!["spec.cinder.secretRef.namespace: "]),
        (
            secret("storageos", json!({"namespace": "t"})),
            &none,
            vec!["spec.storageos.secretRef.name: "],
        ),
        (
            json!({"storageos": {"volumeName": "a.b", "volumeNamespace": "c.d"}}),
            &none,
            vec![
                "spec.storageos.volumeName: must not contain dots",
                "spec.storageos.volumeNamespace: must not contain dots",
            ],
        ),
        (json!({"storageos": {}}), &none, vec!["spec.storageos.volumeName: "]),
        (
            json!({"nfs": {"server": "s", "path": "p"}}),
            &none,
            vec!["spec.nfs.path: must be an absolute path"],
        ),
        (json!({"flocker": {"datasetName": "a"}}), &none, vec![]),
        (
            json!({"hostPath": {"path": "/a"}, "flexVolume": {"driver": ""}}),
            &none,
            vec!["spec.flexVolume.driver: "],
        ),
    ] {
        assert_eq!(told("PersistentVolume", volume(&source, more)), expected, "{source}");
    }
}

#[test]
fn a_volume_of_a_driver_gets_one_secret_later_and_nothing_else() {
    let csi = |more: Value| {
        let csi = json!({"driver": "d", "volumeHandle": "h"});
        volume(&json!({"csi": crate::patch::merge(&csi, &more)}), &json!({}))
    };
    let secret = |name: &str| json!({"name": name, "namespace": "n"});
    let larger = |name: &str| csi(json!({"controllerExpandSecretRef": secret(name)}));
    let refused = |old: &Value, new: &Value| refused("PersistentVolume", old.clone(), new.clone());
    let (plain, moved) = (csi(json!({})), csi(json!({"volumeHandle": "i"})));
    let source = "spec.persistentvolumesource";
    assert_eq!(refused(&plain, &larger("s")), NONE);
    assert_eq!(refused(&larger("s"), &larger("s")), NONE);
    assert_eq!(refused(&plain, &moved), [source]);
    assert_eq!(refused(&larger("s"), &larger("t")), [source]);
    assert_eq!(refused(&larger("s"), &plain), [source]);
    let other = csi(json!({"nodeExpandSecretRef": secret("s")}));
    assert_eq!(refused(&plain, &other), [source]);
    let class = |name: Value| {
        let source = json!({"csi": {"driver": "d", "volumeHandle": "h"}});
        volume(&source, &json!({"volumeAttributesClassName": name}))
    };
    assert_eq!(refused(&class(json!("a")), &class(json!("b"))), NONE);
    assert_eq!(refused(&plain, &class(json!("b"))), NONE);
    assert_eq!(refused(&class(json!("a")), &plain), ["spec.volumeAttributesClassName"]);
}

#[test]
fn a_bound_claim_becomes_larger_and_no_smaller_than_it_is() {
    let claim = |asks: &str, has: Option<&str>, class: &str| {
        let status = match has {
            Some(has) => json!({"phase": "Bound", "capacity": {"storage": has}}),
            None => json!({"phase": "Pending"}),
        };
        json!({"status": status, "spec": {"accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": asks}}, "volumeAttributesClassName": class}})
    };
    let amount = "spec.resources.requests.storage";
    for (old, new, class, expected) in [
        (("2Gi", Some("2Gi")), "3Gi", "a", &[][..]),
        (("2Gi", Some("2Gi")), "2Gi", "b", &[]),
        (("2Gi", Some("2Gi")), "2Gi", "a", &[]),
        (("2Gi", Some("2Gi")), "1Gi", "a", &[amount]),
        // It has not become as large as was asked for, and may be asked for less, but for more than it has.
        (("4Gi", Some("2Gi")), "3Gi", "a", &[]),
        (("4Gi", Some("2Gi")), "2Gi", "a", &[amount]),
        (("2Gi", None), "3Gi", "a", &["spec"]),
        (("2Gi", None), "2Gi", "b", &["spec"]),
        (("2Gi", None), "1Gi", "a", &["spec"]),
    ] {
        let told =
            refused("PersistentVolumeClaim", claim(old.0, old.1, "a"), claim(new, old.1, class));
        assert_eq!(told, expected, "{old:?} {new} {class}");
    }
}

#[test]
fn a_mode_of_one_pod_stands_alone() {
    let claim = |modes: Value| {
        told(
            "PersistentVolumeClaim",
            json!({"spec": {"accessModes": modes, "resources": {"requests": {"storage": "1"}}}}),
        )
    };
    let alone = "spec.accessModes: may not use ReadWriteOncePod with other access modes";
    let known = r#"spec.accessModes: supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod""#;
    assert_eq!(claim(json!(["ReadWriteOncePod"])), NONE);
    assert_eq!(claim(json!(["ReadWriteOnce", "ReadOnlyMany"])), NONE);
    assert_eq!(claim(json!(["ReadWriteOnce", "ReadWriteOncePod"])), [alone]);
    assert_eq!(claim(json!(["x", "ReadWriteOncePod"])), [known]);
    assert_eq!(claim(json!([])), ["spec.accessModes: at least 1 access mode is required"]);
}
