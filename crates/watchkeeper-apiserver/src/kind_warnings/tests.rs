use serde_json::{Value, json};

use super::{of, of_pod, service};
use crate::registry;

mod amounts;

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

/// Warnings of a new object of this kind.
fn told(group: &str, kind: &str, new: &Value) -> Vec<String> {
    of(&registry::builtin(group, "v1", kind).expect("a built-in kind"), None, new)
}

#[test]
fn each_kind_with_a_template_is_warned_of_its_pods() {
    let spec = json!({"terminationGracePeriodSeconds": -1});
    let (template, apps) = (json!({"template": {"spec": spec}}), "apps");
    for (group, kind, object, place) in [
        ("", "Pod", json!({"spec": spec}), "spec"),
        ("", "PodTemplate", template.clone(), "template.spec"),
        ("", "ReplicationController", json!({"spec": template}), "spec.template.spec"),
        (apps, "Deployment", json!({"spec": template}), "spec.template.spec"),
        (apps, "ReplicaSet", json!({"spec": template}), "spec.template.spec"),
        (apps, "StatefulSet", json!({"spec": template}), "spec.template.spec"),
        (apps, "DaemonSet", json!({"spec": template}), "spec.template.spec"),
        ("batch", "Job", json!({"spec": template}), "spec.template.spec"),
        (
            "batch",
            "CronJob",
            json!({"spec": {"jobTemplate": {"spec": template}}}),
            "spec.jobTemplate.spec.template.spec",
        ),
    ] {
        let mut object = object;
        object["metadata"] = json!({"name": "a"});
        let why = "must be >= 0; negative values are invalid and will be treated as 1";
        let expected = format!("{place}.terminationGracePeriodSeconds: {why}");
        assert_eq!(told(group, kind, &object), [expected], "{kind}");
    }
    assert!(told("", "ConfigMap", &json!({"spec": spec})).is_empty());
}

#[test]
fn an_external_id_of_a_node_is_of_no_use() {
    let node = |id: Value| told("", "Node", &json!({"spec": {"externalID": id}}));
    let why = "spec.externalID: this field is deprecated, and is unused by Kubernetes";
    assert_eq!(node(json!("a")), [why]);
    assert!(node(json!("")).is_empty() && node(Value::Null).is_empty());
}

#[test]
fn drivers_are_warned_of_tokens_in_attributes() {
    let driver = registry::builtin("storage.k8s.io", "v1", "CSIDriver").expect("a kind");
    let of_spec = |spec: Value| json!({"metadata": {"name": "a"}, "spec": spec});
    let asks = of_spec(json!({"tokenRequests": [{"audience": "a"}]}));
    let other = of_spec(json!({"tokenRequests": [{"audience": "b"}]}));
    let says = of_spec(
        json!({"tokenRequests": [{"audience": "a"}], "serviceAccountTokenInSecrets": false}),
    );
    let none = of_spec(json!({"tokenRequests": []}));
    let count = |old: Option<&Value>, new: &Value| of(&driver, old, new).len();
    assert_eq!([&asks, &says, &none].map(|new| count(None, new)), [1, 0, 0]);
    assert_eq!([&asks, &other].map(|old| count(Some(old), &asks)), [0, 1]);
}

#[test]
fn formats_that_nobody_knows_are_told_once_and_when_they_are_new() {
    let kind = ("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let resource = registry::builtin(kind.0, kind.1, kind.2).expect("a kind");
    let version = |format: &str| {
        let text = json!({"type": "string", "format": format});
        json!({"schema": {"openAPIV3Schema": {"type": "object", "properties": {"a": text}}}})
    };
    let definition = |formats: &[&str]| {
        let versions: Vec<Value> = formats.iter().map(|format| version(format)).collect();
        json!({"spec": {"versions": versions}})
    };
    let told = |old: Option<&[&str]>, new: &[&str]| {
        of(&resource, old.map(definition).as_ref(), &definition(new))
    };
    let (x, y) = ("unrecognized format \"x\"", "unrecognized format \"y\"");
    assert_eq!(told(None, &["x"]), [x]);
    assert_eq!(told(None, &["x", "x"]), [x], "a schema that all versions share is one");
    assert_eq!(told(None, &["x", "y"]), [x, y]);
    assert!(told(None, &["date-time"]).is_empty());
    assert!(told(Some(&["x"]), &["x"]).is_empty());
    assert_eq!(told(Some(&["x"]), &["x", "y"]), [y]);
    assert_eq!(told(Some(&["date"]), &["x"]), [x]);
}

#[test]
fn ports_that_are_there_twice_are_told_with_where() {
    let told = |ports: Value| of_pod(&json!({"containers": [{"ports": ports}]}), "spec");
    let port = |host: Value| {
        let mut port = json!({"containerPort": 80, "protocol": "TCP"});
        port.as_object_mut().expect("members").extend(host.as_object().expect("members").clone());
        port
    };
    let at = |port: usize, what: &str, other: usize| {
        let place = |index: usize| format!("spec.containers[0].ports[{index}]");
        format!("{}: {what} port definition with {}", place(port), place(other))
    };
    let (bare, one) = (port(json!({})), port(json!({"hostPort": 1})));
    let (two, here) = (port(json!({"hostPort": 2})), port(json!({"hostPort": 1, "hostIP": "::1"})));
    for (ports, expected) in [
        (json!([bare, bare]), vec![at(1, "duplicate", 0)]),
        (json!([one, one]), vec![at(1, "duplicate", 0)]),
        (json!([bare, one]), vec![at(1, "overlapping", 0)]),
        (json!([one, bare]), vec![at(1, "overlapping", 0)]),
        (json!([one, two]), vec![]),
        (json!([one, here]), vec![at(1, "dangerously ambiguous", 0)]),
        (json!([here, one]), vec![at(1, "dangerously ambiguous", 0)]),
        (json!([two, here]), vec![]),
        (
            json!([bare, bare, bare]),
            vec![at(1, "duplicate", 0), at(2, "duplicate", 0), at(2, "duplicate", 1)],
        ),
    ] {
        assert_eq!(told(ports.clone()), expected, "{ports}");
    }
    let other = json!([bare, {"containerPort": 80, "protocol": "UDP"}, {"containerPort": 81, "protocol": "TCP"}]);
    assert!(told(other).is_empty());
}

#[test]
fn a_variable_hides_the_one_before_it_unless_it_is_made_of_it() {
    let count = |second: Value| {
        let env = json!([{"name": "A", "value": "1"}, second]);
        of_pod(&json!({"containers": [{"env": env}]}), "spec").len()
    };
    for (second, hides) in [
        (json!({"name": "A", "value": "2"}), 1),
        (json!({"name": "A"}), 1),
        (json!({"name": "A", "value": "$(A)"}), 1),
        (json!({"name": "A", "value": "$(A):2"}), 0),
        (json!({"name": "A", "value": "$(A):2", "valueFrom": {"fieldRef": {}}}), 1),
        (json!({"name": "B", "value": "2"}), 0),
    ] {
        assert_eq!(count(second.clone()), hides, "{second}");
    }
}
