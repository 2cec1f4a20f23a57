//! Disks and shares that a pod names itself.

use super::*;

fn check(source: &Value, expected: &[&str]) {
    assert_eq!(told_of_volume(source), expected, "{source}");
}

#[test]
fn a_target_of_iscsi_is_named_in_one_of_three_forms() {
    let form = "iscsi.iqn: must be valid format starting with iqn, eui, or naa";
    let wrong = "iscsi.iqn: must be valid format";
    let check = |name: &str, expected: &[&str]| {
        check(&json!({"iscsi": {"targetPortal": "p", "iqn": name}}), expected);
    };
    for name in [
        "iqn.2026-11.com.example:disk",
        "iqn.2026-11.c:d",
        "iqn.2026-11.a-b.com:d:e",
        "iqn.2026-11.x.iqn.2026-12.y:d",
        // Nobody looks at how it begins, but for three letters.
        "iqn, iqn.2026-11.com:d",
        "eui.0123456789abcdef",
        "naa.0123456789abcdef0123456789ABCDEF",
    ] {
        check(name, &[]);
    }
    for name in ["x", "iq", "IQN.2026-11.com:d"] {
        check(name, &[form]);
    }
    for name in [
        "iqn.2026-11.com.example",
        "iqn.2026/11.com:d",
        "iqn.202x-11.com:d",
        "iqn.2026-1.com:d",
        "iqn.2026-11:d",
        "iqn.2026-11.:d",
        "iqn.2026-11.com:",
        "iqn.2026-11.com: d",
        "iqn.2026-11.com:d;e",
        "iqn.2026-11.c_m:d",
        "eui",
        "eui.0",
        "eui.0123456789abcde",
        "eui.0123456789abcdef0",
        "eui.0123456789abcde_",
        "naa.0123456789abcdef",
        "naa.0123456789abcdef0123456789abcde-",
    ] {
        check(name, &[wrong]);
    }
}

#[test]
fn an_initiator_of_iscsi_has_a_form_and_a_bound_on_where_it_goes() {
    let source = |initiator: Value, portal: usize| {
        let portal = "p".repeat(portal);
        json!({"iscsi": {"iqn": "iqn.2026-11.c:d", "initiatorName": initiator, "targetPortal": portal}})
    };
    let long = "name: Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters \
                if iscsi.initiatorName is specified.";
    check(&source(json!("iqn.2026-11.c:d"), 62), &[]);
    check(&source(json!("iqn.2026-11.c:d"), 63), &[long]);
    check(&source(json!("iqn.2026-11.c:d"), 64), &[long]);
    check(&source(Value::Null, 64), &[]);
    let form = "iscsi.initiatorname: must be valid format starting with iqn, eui, or naa";
    check(&source(json!("x"), 1), &[form]);
}

#[test]
fn a_target_of_iscsi_has_a_unit_of_eight_bits_and_a_secret_where_it_asks_for_one() {
    let source = |more: Value| {
        let source = json!({"targetPortal": "p", "iqn": "iqn.2026-11.c:d"});
        json!({"iscsi": crate::patch::merge(&source, &more)})
    };
    for unit in [0, 255] {
        check(&source(json!({"lun": unit})), &[]);
    }
    for unit in [-1, 256] {
        check(&source(json!({"lun": unit})), &["iscsi.lun: must be between 0 and 255, inclusive"]);
    }
    for asks in ["chapAuthDiscovery", "chapAuthSession"] {
        check(&source(json!({asks: true})), &["iscsi.secretRef: "]);
        check(&source(json!({asks: false})), &[]);
        check(&source(json!({asks: true, "secretRef": {"name": "s"}})), &[]);
    }
}

#[test]
fn disks_of_clouds() {
    let range = "must be between 1 and 255, inclusive";
    for (kind, told, id) in [
        ("gcePersistentDisk", "persistentDisk", "pdName"),
        ("awsElasticBlockStore", "awsElasticBlockStore", "volumeID"),
    ] {
        for partition in [0, 255] {
            check(&json!({kind: {id: "d", "partition": partition}}), &[]);
        }
        let wrong = format!("{told}.partition: {range}");
        for partition in [-1, 256] {
            check(&json!({kind: {id: "d", "partition": partition}}), &[&wrong]);
        }
    }
    let azure = |kind: &str, uri: &str| json!({"azureDisk": {"diskName": "d", "diskURI": uri, "kind": kind}});
    check(&azure("Managed", "/subscriptions/x"), &[]);
    check(&azure("Shared", "https://x"), &[]);
    check(
        &azure("Managed", "https://x"),
        &[
            r#"azureDisk.diskURI: supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}""#,
        ],
    );
    check(
        &azure("Dedicated", "/subscriptions/x"),
        &[
            r#"azureDisk.diskURI: supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd""#,
        ],
    );
    check(&json!({"cinder": {"volumeID": "v", "secretRef": {}}}), &["cinder.secretRef.name: "]);
    check(&json!({"cinder": {"volumeID": "v", "secretRef": {"name": "s"}}}), &[]);
    check(&json!({"cinder": {"volumeID": "v"}}), &[]);
}

#[test]
fn volumes_of_flocker_and_of_repositories() {
    let neither = "flocker: one of datasetName and datasetUUID is required";
    let both = "flocker: datasetName and datasetUUID can not be specified simultaneously";
    check(&json!({"flocker": {}}), &[neither]);
    check(&json!({"flocker": {"datasetName": "a", "datasetUUID": "b"}}), &[both]);
    check(&json!({"flocker": {"datasetName": "a"}}), &[]);
    check(&json!({"flocker": {"datasetUUID": "b"}}), &[]);
    check(
        &json!({"flocker": {"datasetName": "a/b"}}),
        &["flocker.datasetName: must not contain '/'"],
    );
    let repository =
        |directory: &str| json!({"gitRepo": {"repository": "r", "directory": directory}});
    check(&repository("a/..b"), &[]);
    check(&repository("/a"), &["gitRepo.directory: must be a relative path"]);
    check(&repository("a/../b"), &["gitRepo.directory: must not contain '..'"]);
}

#[test]
fn registries_of_quobyte_are_hosts_with_ports() {
    let wrong = "quobyte.registry: must be a host:port pair or multiple pairs separated by commas";
    let check = |registry: &str, expected: &[&str]| {
        check(&json!({"quobyte": {"registry": registry, "volume": "v"}}), expected);
    };
    for registry in ["a:1", "a:1,b:2", "[::1]:1", ":", "[]:"] {
        check(registry, &[]);
    }
    for registry in
        ["a", "::1:1", "a]:1", "[a:1", "[::1:1", "a:1]", "a:[1", "[::1]:1]", "[a[b]:1", "[a]b]:1"]
    {
        check(registry, &[wrong]);
    }
    check("a,b:1,c", &[wrong, wrong]);
    check("", &[wrong]);
}

#[test]
fn tenants_of_quobyte_have_so_many_letters_and_no_more() {
    let source = |tenant: usize, volume: &str| {
        let tenant = "t".repeat(tenant);
        json!({"quobyte": {"registry": "a:1", "tenant": tenant, "volume": volume}})
    };
    check(&source(64, "v"), &[]);
    let long = "quobyte.tenant: must be a UUID and may not exceed a length of 64 characters";
    check(&source(65, ""), &[long, "quobyte.volume: "]);
}

#[test]
fn fibre_channels_have_ports_or_identifiers() {
    let wrong = "fc.targetWWNs: must specify either targetWWNs or wwids, but not both";
    check(&json!({"fc": {}}), &[wrong]);
    check(
        &json!({"fc": {"targetWWNs": ["a"], "wwids": ["b"], "lun": 1}}),
        &["fc.targetWWNs: targetWWNs and wwids can not be specified simultaneously"],
    );
    check(&json!({"fc": {"wwids": ["b"]}}), &[]);
    check(&json!({"fc": {"targetWWNs": ["a"], "lun": 255}}), &[]);
    check(
        &json!({"fc": {"targetWWNs": ["a"]}}),
        &["fc.lun: lun is required if targetWWNs is specified"],
    );
    check(
        &json!({"fc": {"targetWWNs": ["a"], "lun": 256}}),
        &["fc.lun: must be between 0 and 255, inclusive"],
    );
}

#[test]
fn options_of_drivers_are_not_of_kubernetes() {
    let wrong = |name: &str| {
        let reserved = "kubernetes.io and k8s.io namespaces are reserved";
        format!("flexVolume.options[{name}]: {reserved}")
    };
    let source = |name: &str| json!({"flexVolume": {"driver": "d", "options": {name: "x"}}});
    for name in ["a", "example.com/kubernetes.io", "xkubernetes.io/a", "k8s.io.example.com"] {
        check(&source(name), &[]);
    }
    for name in ["kubernetes.io/a", "k8s.io", "a.K8s.io/b", "x.kubernetes.io/a/b"] {
        check(&source(name), &[&wrong(name)]);
    }
}

#[test]
fn volumes_of_storageos_and_of_drivers() {
    let dots = "must not contain dots";
    check(
        &json!({"storageos": {"volumeName": "a.b", "volumeNamespace": "c.d", "secretRef": {}}}),
        &[
            &format!("storageos.volumeName: {dots}"),
            &format!("storageos.volumeNamespace: {dots}"),
            "storageos.secretRef.name: ",
        ],
    );
    check(&json!({"storageos": {}}), &["storageos.volumeName: "]);
    check(&json!({"storageos": {"volumeName": "a", "volumeNamespace": "b"}}), &[]);
    let csi = |name: &str| json!({"csi": {"driver": "d", "nodePublishSecretRef": {"name": name}}});
    check(&csi("s.t"), &[]);
    check(&csi(""), &["csi.nodePublishSecretRef.name: "]);
    check(&csi("S"), &[&format!("csi.name: {}", names::subdomain("S")[0])]);
    check(&json!({"csi": {"driver": ""}}), &["csi.driver: "]);
}

#[test]
fn an_image_is_named_in_a_pod_and_need_not_be_in_a_template() {
    let image = |reference: &str, policy: &str| json!({"image": {"reference": reference, "pullPolicy": policy}});
    check(&image("i:1", "Always"), &[]);
    check(&image("", "Always"), &["image.reference: "]);
    let policies = r#"image.pullPolicy: supported values: "Always", "IfNotPresent", "Never""#;
    check(&image("i:1", "Sometimes"), &[policies]);
    let mut volume = image("", "Never");
    volume["name"] = "v".into();
    let template = json!({"metadata": {"labels": {"app": "a"}},
        "spec": {"volumes": [volume], "containers": [{"name": "a", "image": "x"}]}});
    let set = json!({"spec": {"selector": {"matchLabels": {"app": "a"}}, "template": template}});
    super::super::check("apps", "ReplicaSet", set, expect![[""]]);
}
