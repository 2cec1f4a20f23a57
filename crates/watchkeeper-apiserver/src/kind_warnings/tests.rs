use serde_json::{Value, json};

use super::{of, of_pod, service};
use crate::registry;

#[test]
fn what_selects_nothing_or_is_there_twice_is_told() {
    let term = json!({"topologyKey": "z"});
    let spec = json!({
        "topologySpreadConstraints": [{"labelSelector": {}}, {"maxSkew": 1}],
        "hostAliases": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.1"}],
        "imagePullSecrets": [{}],
        "terminationGracePeriodSeconds": -1,
        "affinity": {"podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [term],
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": term}],
        }},
        "containers": [
            {"ports": [{"name": "a", "containerPort": 1}], "resources": {"requests": {"memory": "1500m"}}},
            {"ports": [{"name": "a", "containerPort": 2}]},
        ],
    });
    let nothing = "a null labelSelector results in matching no pod";
    let anti = "spec.affinity.podAntiAffinity";
    let during = "DuringSchedulingIgnoredDuringExecution[0]";
    assert_eq!(
        of_pod(&spec, "spec"),
        [
            format!("spec.topologySpreadConstraints[1].labelSelector: {nothing}"),
            "spec.hostAliases[1].ip: duplicate ip \"10.0.0.1\"".to_owned(),
            "spec.imagePullSecrets[0].name: invalid empty name \"\"".to_owned(),
            "spec.containers[0].resources.requests[memory]: fractional byte value \"1500m\" is invalid, must be \
             an integer"
                .to_owned(),
            "spec.containers[1].ports[0]: duplicate port name \"a\" with spec.containers[0].ports[0], services \
             and probes that select ports by name will use spec.containers[0].ports[0]"
                .to_owned(),
            "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated \
             as 1"
                .to_owned(),
            format!("{anti}.required{during}.labelSelector: {nothing}"),
            format!("{anti}.preferred{during}.podAffinityTerm.labelSelector: {nothing}"),
        ]
    );
}

#[test]
fn parts_of_a_service_that_nobody_looks_at_are_told() {
    let told = |spec: Value| service::warnings(&json!({"spec": spec}));
    let headless = json!({"type": "ClusterIP", "clusterIP": "None", "sessionAffinity": "None", "externalIPs": ["1.2.3.4"]});
    assert_eq!(told(headless), ["spec.externalIPs is ignored for headless services"]);
    let named = json!({"type": "ClusterIP", "externalName": "a.example.com", "trafficDistribution": "PreferClose"});
    assert_eq!(told(named).len(), 2);
    assert!(told(json!({"type": "ExternalName", "externalName": "a.example.com"})).is_empty());
}

#[test]
fn volumes_on_their_way_out_and_files_at_one_place_are_told() {
    let spec = json!({"volumes": [
        {"name": "r", "rbd": {}},
        {"name": "s", "storageos": {}},
        {"name": "c", "configMap": {"name": "m", "items": [{"key": "a", "path": "x"}, {"key": "b", "path": "x/y/"}]}},
        {"name": "p", "projected": {"sources": [
            {},
            {"secret": {"name": "t", "items": [{"key": "a", "path": "token"}]}},
            {"serviceAccountToken": {"path": "token"}},
            {"serviceAccountToken": {"path": "other"}},
        ]}},
    ]});
    assert_eq!(
        of_pod(&spec, "spec"),
        [
            "spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+",
            "spec.volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+",
            r#"volume "c" (ConfigMap "m"): overlapping paths: "x/y" with "x""#,
            r#"volume "p" (Projected) has no sources provided"#,
            r#"volume "p" (Projected): overlapping paths: "token" (ServiceAccountToken) with "token" (Secret "t")"#,
        ]
    );
}

#[test]
fn updates_are_warned_of_what_upstream_takes_for_new() {
    let resource =
        |group: &str, kind: &str| registry::builtin(group, "v1", kind).expect("a built-in kind");
    let object = |generation: i64, spread: Value| {
        json!({
            "metadata": {"generation": generation, "annotations": {"deprecated.daemonset.template.generation": "1"}},
            "spec": {"template": {"spec": {"topologySpreadConstraints": spread}}},
        })
    };
    let (bad, good) = (object(1, json!([{"maxSkew": 1}])), object(2, json!([])));
    let told = |group: &str, kind: &str, old: &Value, new: &Value| {
        of(&resource(group, kind), Some(old), new).len()
    };
    assert_eq!(told("", "ReplicationController", &bad, &good), 1);
    assert_eq!(told("", "ReplicationController", &good, &bad), 0);
    assert_eq!(told("apps", "ReplicaSet", &good, &bad), 1);
    assert_eq!(told("apps", "DaemonSet", &good, &bad), 0);
}

#[test]
fn names_that_hosts_get_are_labels() {
    let told = |kind: &str, name: &str, old: bool| {
        let resource =
            registry::builtin(if kind == "Pod" { "" } else { "apps" }, "v1", kind).expect("a kind");
        let object = json!({"metadata": {"name": name}});
        of(&resource, old.then_some(&object), &object).join("; ")
    };
    let before = "metadata.name: this is used in";
    let after = "which can result in surprising behavior; a DNS label is recommended: [must not contain dots]";
    assert_eq!(told("Pod", "a.b", false), format!("{before} the Pod's hostname, {after}"));
    assert_eq!(
        told("Deployment", "a.b", false),
        format!("{before} Pod names and hostnames, {after}")
    );
    assert_eq!(told("Deployment", "a-b", false), "");
    assert_eq!(told("Deployment", "a.b", true), "");
    assert_eq!(told("DaemonSet", "a.b", false), "");
    assert!(told("Pod", &"a".repeat(64), false).ends_with("[must be no more than 63 characters]"));
}
