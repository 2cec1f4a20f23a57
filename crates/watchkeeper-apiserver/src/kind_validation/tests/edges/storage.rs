//! What is refused of drivers, classes and volumes, each beside what is still taken.

use super::*;

#[test]
fn drivers_and_capacities() {
    let group = "storage.k8s.io";
    let node = |name: &str, key: &str| json!({"spec": {"drivers": [{"name": name, "nodeID": "n", "topologyKeys": [key]}]}});
    check(
        group,
        "CSINode",
        node(&"a".repeat(64), "/"),
        expect![[r#"
            spec.drivers[0].name: Too long: may not be more than 63 bytes
            spec.drivers[0]: Invalid value: "/": prefix part must be non-empty
            spec.drivers[0]: Invalid value: "/": name part must be non-empty
            spec.drivers[0]: Invalid value: "/": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"#]],
    );
    check(group, "CSINode", node(&"a".repeat(63), "a/b"), expect![[""]]);
    let capacity = |amount: &str| json!({"storageClassName": "a", "capacity": amount});
    check(
        group,
        "CSIStorageCapacity",
        capacity("-1"),
        expect![[r#"capacity: Invalid value: "-1": must be greater than or equal to 0"#]],
    );
    check(group, "CSIStorageCapacity", capacity("0"), expect![[""]]);
    let attachment = |attacher: &str, source: Value| json!({"spec": {"attacher": attacher, "nodeName": "n", "source": source}});
    let inline = |source: Value| json!({"inlineVolumeSpec": source});
    check(
        group,
        "VolumeAttachment",
        attachment(
            &"a".repeat(64),
            inline(json!({"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}})),
        ),
        expect![[r#"
            spec.attacher: Too long: may not be more than 63 bytes
            spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes
            spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes
            spec.source.inlineVolumeSpec: Required value: must specify a volume type"#]],
    );
    let csi =
        json!({"accessModes": ["ReadWriteOnce"], "csi": {"driver": "d", "volumeHandle": "h"}});
    let attached = attachment(&"a".repeat(63), inline(csi));
    check(group, "VolumeAttachment", attached, expect![[""]]);
    let driver = |audiences: Value| json!({"spec": {"serviceAccountTokenInSecrets": true, "tokenRequests": audiences}});
    check(
        group,
        "CSIDriver",
        driver(json!([])),
        expect![
            "spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified"
        ],
    );
    check(group, "CSIDriver", driver(json!([{"audience": "a"}])), expect![[""]]);
}

#[test]
fn classes_of_storage() {
    let group = "storage.k8s.io";
    let class = |policy: &str, mode: &str, topologies: Value| {
        json!({
            "provisioner": "a", "reclaimPolicy": policy, "volumeBindingMode": mode,
            "allowedTopologies": topologies,
        })
    };
    let term =
        |values: Value| json!({"matchLabelExpressions": [{"key": "zone", "values": values}]});
    check(
        group,
        "StorageClass",
        class("Recycle", "x", json!([term(json!(["a"])), term(json!(["a"])), term(json!([]))])),
        expect![[r#"
            reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"
            volumeBindingMode: Unsupported value: "x": supported values: "Immediate", "WaitForFirstConsumer"
            allowedTopologies[1].matchLabelExpressions: Duplicate value: ""
            allowedTopologies[2].matchLabelExpressions[0].values: Required value"#]],
    );
    let topologies = json!([term(json!(["a"])), term(json!(["b"]))]);
    let taken = class("Retain", "WaitForFirstConsumer", topologies);
    check(group, "StorageClass", taken, expect![[""]]);
}

#[test]
fn volumes() {
    let volume = |amount: &str, rest: Value| {
        let spec =
            json!({"spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": amount}}});
        crate::patch::merge(&spec, &json!({"spec": rest}))
    };
    let csi = |driver: &str| json!({"csi": {"driver": driver, "volumeHandle": "h"}});
    check(
        "",
        "PersistentVolume",
        volume("-1", csi(&"a".repeat(64))),
        expect![[r#"
            spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity
            spec.capacity[storage]: Invalid value: "-1": must be greater than zero
            spec.csi.driver: Too long: may not be more than 63 bytes"#]],
    );
    check("", "PersistentVolume", volume("1", csi(&"a".repeat(63))), expect![[""]]);
    let host = |path: &str, of: &str| json!({"hostPath": {"path": path, "type": of}, "persistentVolumeReclaimPolicy": "Recycle"});
    check(
        "",
        "PersistentVolume",
        volume("1", host("/a/..", "x")),
        expect![[r#"
            spec.hostPath.path: Invalid value: "/a/..": must not contain '..'
            spec.hostPath.type: Unsupported value: "x": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"
            spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"#]],
    );
    check("", "PersistentVolume", volume("1", host("/a/..b", "Directory")), expect![[""]]);
}
