//! Objects that a kube-apiserver refuses, and what it says.

use expect_test::{Expect, expect};
use serde_json::json;
use watchkeeper_schema::Schemas;

use super::names::NameForm;
use super::*;

mod annotations;
mod bounds;
mod definitions;
mod edges;
mod expressions;
mod forms;
mod held;
mod kinds;
mod metadata_again;
mod of_metadata;
mod of_pods;
mod of_storage;
mod policies;
mod sent;
mod statuses;
mod updates;
mod workload_edges;
mod workloads;

fn text(errors: &[FieldError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// An object with defaults, and with a name: metadata has its own tests.
fn completed(group: &str, kind: &str, mut value: Value) -> Value {
    for (name, text) in [("name", "x"), ("uid", "u")] {
        if value["metadata"][name].is_null() {
            value["metadata"][name] = text.into();
        }
    }
    let facts = watchkeeper_schema::builtin::facts();
    let model = &facts.kind(group, "v1", kind).expect("a built-in kind").model;
    let schema = Schemas::builtin().by_name(model).expect("its schema");
    crate::kind_defaults::complete(&mut value, schema);
    if kind == "Job" {
        crate::kind_defaults::select_by_uid(&mut value);
    }
    value
}

fn check_update(group: &str, kind: &str, new: Value, old: Option<Value>, expected: Expect) {
    let new = completed(group, kind, new);
    let old = old.map(|old| completed(group, kind, old));
    expected.assert_eq(&text(&validate(group, kind, &new, old.as_ref())));
}

fn check(group: &str, kind: &str, new: Value, expected: Expect) {
    check_update(group, kind, new, None, expected);
}

fn check_metadata(new: Value, old: Option<Value>, form: NameForm, expected: Expect) {
    let look = Look { form, ..Look::of_custom() };
    let told = metadata(&json!({"metadata": new}), old.as_ref(), look);
    expected.assert_eq(&text(&told));
}

#[test]
fn names_and_labels() {
    check_metadata(json!({"name": "ok.name"}), None, NameForm::Subdomain, expect![[""]]);
    check_metadata(
        json!({}),
        None,
        NameForm::Subdomain,
        expect!["metadata.name: Required value: name or generateName is required"],
    );
    check_metadata(
        json!({"name": "Not_OK"}),
        None,
        NameForm::Subdomain,
        expect![[
            r#"metadata.name: Invalid value: "Not_OK": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"#
        ]],
    );
    check_metadata(
        json!({"name": "a.b"}),
        None,
        NameForm::Label,
        expect![[r#"metadata.name: Invalid value: "a.b": must not contain dots"#]],
    );
    check_metadata(
        json!({"name": "a/b%"}),
        None,
        NameForm::PathSegment,
        expect![[r#"
        metadata.name: Invalid value: "a/b%": may not contain '/'
        metadata.name: Invalid value: "a/b%": may not contain '%'"#]],
    );
    check_metadata(
        json!({"name": "x", "generateName": "x-"}),
        None,
        NameForm::Label,
        expect![[""]],
    );
    check_metadata(
        json!({"name": "x", "labels": {"a/b/c": "ok", "-x": "y", "k": "-bad-"}, "annotations": {"Good/Key": "", "bad key": ""}}),
        None,
        NameForm::Subdomain,
        expect![[r#"
            metadata.labels: Invalid value: "-x": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            metadata.labels: Invalid value: "a/b/c": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')
            metadata.labels: Invalid value: "-bad-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')
            metadata.annotations: Invalid value: "bad key": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"#]],
    );
}

#[test]
fn owners_finalizers_and_size() {
    check_metadata(
        json!({"name": "x", "finalizers": ["bad finalizer", "orphan", "foregroundDeletion"], "ownerReferences": [
            {"apiVersion": "v1", "kind": "A", "name": "a", "uid": "1", "controller": true},
            {"apiVersion": "v1", "kind": "B", "name": "b", "uid": "", "controller": true}],
            "annotations": {"big": "x".repeat(262_144)}}),
        None,
        NameForm::Subdomain,
        expect![[r#"
            metadata.annotations: Too long: may not be more than 262144 bytes
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"A","name":"a","uid":"1","controller":true},{"apiVersion":"v1","kind":"B","name":"b","uid":"","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for A/a and B/b
            metadata.finalizers: Invalid value: "bad finalizer": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            metadata.finalizers: Invalid value: ["bad finalizer","orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set"#]],
    );
    let old = json!({"metadata": {"name": "x", "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["a/b"]}});
    check_metadata(
        json!({"name": "x", "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["a/b", "c/d"]}),
        Some(old),
        NameForm::Subdomain,
        expect![[r#"
            metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d"}
            metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d"}"#]],
    );
}

fn deployment(spec: Value) -> Value {
    let mut value = json!({"metadata": {"name": "web"}, "spec": {
        "selector": {"matchLabels": {"app": "web"}},
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "a", "image": "x"}]}}}});
    value = crate::patch::merge(&value, &json!({"spec": spec}));
    value
}

#[test]
fn deployments() {
    check("apps", "Deployment", deployment(json!({})), expect![[""]]);
    check(
        "apps",
        "Deployment",
        deployment(json!({"replicas": -1, "template": {"metadata": {"labels": {"app": "other"}}},
            "strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "0%"}}})),
        expect![[r#"
            spec.replicas: Invalid value: -1: must be greater than or equal to 0
            spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does not match template `labels`
            spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0"#]],
    );
    check(
        "apps",
        "Deployment",
        json!({"metadata": {"name": "x"}, "spec": {}}),
        expect![[r#"
        spec.selector: Required value
        spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`
        spec.template.spec.containers: Required value"#]],
    );
    check(
        "apps",
        "Deployment",
        deployment(
            json!({"selector": {"matchLabels": {"app": null}}, "strategy": {"type": "Frob"}}),
        ),
        expect![[r#"
            spec.selector: Invalid value: {}: empty selector is invalid for deployment
            spec.strategy: Unsupported value: {"Type":"Frob","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate""#]],
    );
    check_update(
        "apps",
        "Deployment",
        deployment(json!({"selector": {"matchLabels": {"app": "web", "tier": "x"}},
            "template": {"metadata": {"labels": {"tier": "x"}}}})),
        Some(deployment(json!({}))),
        expect![[
            r#"spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"x"}}: field is immutable"#
        ]],
    );
}

#[test]
fn pods() {
    check(
        "",
        "Pod",
        json!({"metadata": {"name": "p"}, "spec": {"restartPolicy": "Sometimes", "volumes": [{"name": "v"}, {"name": "v"}], "containers": [
            {"name": "A", "ports": [{"containerPort": 0}, {"containerPort": 70_000, "name": "UPPER"}]},
            {"name": "b", "image": "x", "imagePullPolicy": "Perhaps", "volumeMounts": [{"name": "w", "mountPath": "/x"}]},
            {"name": "b", "image": "x", "env": [{"name": ""}]}]}}),
        expect![[r#"
            spec.volumes[1].name: Duplicate value: "v"
            spec.containers[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            spec.containers[0].image: Required value
            spec.containers[0].ports[0].containerPort: Required value
            spec.containers[0].ports[1].name: Invalid value: "UPPER": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)
            spec.containers[0].ports[1].name: Invalid value: "UPPER": must contain at least one letter (a-z)
            spec.containers[0].ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive
            spec.containers[1].volumeMounts[0].name: Not found: "w"
            spec.containers[1].imagePullPolicy: Unsupported value: "Perhaps": supported values: "Always", "IfNotPresent", "Never"
            spec.containers[2].env[0].name: Required value
            spec.containers[2].name: Duplicate value: "b"
            spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never""#]],
    );
    check(
        "",
        "Pod",
        json!({"metadata": {"name": "p"}, "spec": {"containers": [{"name": "a", "image": "x",
            "resources": {"limits": {"cpu": "1", "memory": "-1"}, "requests": {"cpu": "1500m"}}}]}}),
        expect![[r#"
            spec.containers[0].resources.limits[memory]: Invalid value: "-1": must be greater than or equal to 0
            spec.containers[0].resources.requests: Invalid value: "1500m": must be less than or equal to cpu limit of 1
            spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0"#]],
    );
    let pod = |image: &str, node: &str| {
        json!({"metadata": {"name": "p"}, "spec": {"nodeName": node,
        "containers": [{"name": "a", "image": image}]}})
    };
    check_update("", "Pod", pod("y:1", "n"), Some(pod("x:1", "n")), expect![[""]]);
    check_update(
        "",
        "Pod",
        pod("x:1", "m"),
        Some(pod("x:1", "n")),
        expect![[r#"
            spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)
            @@ -42,7 +42,7 @@
              "NodeSelector": null,
              "ServiceAccountName": "",
              "AutomountServiceAccountToken": null,
            - "NodeName": "n",
            + "NodeName": "m",
              "SecurityContext": {
               "HostNetwork": false,
               "HostPID": false,
        "#]],
    );
}

#[test]
fn services() {
    check(
        "",
        "Service",
        json!({"metadata": {"name": "s"}, "spec": {"ports": [{"port": 0}, {"name": "a", "port": 80, "protocol": "X"}, {"name": "a", "port": 80}]}}),
        expect![[r#"
            spec.ports[0].name: Required value
            spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive
            spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive
            spec.ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"
            spec.ports[2].name: Duplicate value: "a""#]],
    );
    check(
        "",
        "Service",
        json!({"metadata": {"name": "s"}, "spec": {}}),
        expect!["spec.ports: Required value"],
    );
    check(
        "",
        "Service",
        json!({"metadata": {"name": "s"}, "spec": {"type": "ExternalName"}}),
        expect!["spec.externalName: Required value"],
    );
    let service = |ip: &str| json!({"metadata": {"name": "s"}, "spec": {"clusterIP": ip, "ports": [{"port": 80}]}});
    check_update(
        "",
        "Service",
        service("10.0.0.2"),
        Some(service("10.0.0.1")),
        expect![[r#"spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set"#]],
    );
}

#[test]
fn jobs_and_data() {
    check(
        "batch",
        "Job",
        json!({"metadata": {"name": "j"}, "spec": {"parallelism": -1, "template": {"spec": {"containers": [{"name": "a", "image": "x"}]}}}}),
        expect![[r#"
            spec.parallelism: Invalid value: -1: must be greater than or equal to 0
            spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never""#]],
    );
    check(
        "",
        "ConfigMap",
        json!({"metadata": {"name": "c"}, "data": {"bad key": "", "..x": "", "ok.key": ""}}),
        expect![[r#"
            data[..x]: Invalid value: "..x": must not start with '..'
            data[bad key]: Invalid value: "bad key": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"#]],
    );
    check(
        "",
        "Secret",
        json!({"metadata": {"name": "s"}, "type": "kubernetes.io/tls"}),
        expect![[r#"
            data[tls.crt]: Required value
            data[tls.key]: Required value"#]],
    );
    let map =
        |value: &str| json!({"metadata": {"name": "c"}, "immutable": true, "data": {"k": value}});
    check_update(
        "",
        "ConfigMap",
        map("b"),
        Some(map("a")),
        expect!["data: Forbidden: field is immutable when `immutable` is set"],
    );
}

#[test]
fn leases_and_rbac() {
    check(
        "coordination.k8s.io",
        "Lease",
        json!({"metadata": {"name": "l"}, "spec": {"leaseDurationSeconds": 0}}),
        expect!["spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"],
    );
    check(
        "rbac.authorization.k8s.io",
        "RoleBinding",
        json!({"metadata": {"name": "r"}, "roleRef": {"kind": "X", "name": ""}, "subjects": [{"kind": "ServiceAccount", "name": "s"}, {"kind": "Y", "name": "z"}]}),
        expect![[r#"
            roleRef.kind: Unsupported value: "X": supported values: "Role", "ClusterRole"
            roleRef.name: Required value
            subjects[1].kind: Unsupported value: "Y": supported values: "ServiceAccount", "User", "Group""#]],
    );
    check(
        "rbac.authorization.k8s.io",
        "ClusterRole",
        json!({"metadata": {"name": "r"}, "rules": [{"verbs": []}]}),
        expect![[r#"
            rules[0].verbs: Required value: verbs must contain at least one value
            rules[0].apiGroups: Required value: resource rules must supply at least one api group
            rules[0].resources: Required value: resource rules must supply at least one resource"#]],
    );
}

#[test]
fn ingresses_and_network_policies() {
    let group = "networking.k8s.io";
    check(
        group,
        "Ingress",
        json!({"spec": {}}),
        expect!["spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"],
    );
    let both = json!({"service": {"name": "s", "port": {"number": 80}}, "resource": {"kind": "B", "name": "b"}});
    let paths = json!([{"pathType": "Prefix", "path": "a//b", "backend": {}}]);
    let rules = json!([{"host": "A", "http": {"paths": paths}}]);
    check(
        group,
        "Ingress",
        json!({"spec": {"defaultBackend": both, "rules": rules}}),
        expect![[r#"
        spec.defaultBackend: Invalid value: "": cannot set both resource and service backends
        spec.rules[0].host: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
        spec.rules[0].http.paths[0].path: Invalid value: "a//b": must be an absolute path
        spec.rules[0].http.paths[0].path: Invalid value: "a//b": must not contain '//'
        spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required"#]],
    );
    let rule = json!({"ports": [{"port": 9, "endPort": 8}], "from": [{}, {"ipBlock": {"cidr": ""}, "podSelector": {}}]});
    check(
        group,
        "NetworkPolicy",
        json!({"spec": {"ingress": [rule]}}),
        expect![[r#"
        spec.ingress[0].ports[0].endPort: Invalid value: 9: must be greater than or equal to `port`
        spec.ingress[0].from[0]: Required value: must specify a peer
        spec.ingress[0].from[1].ipBlock.cidr: Required value
        spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock and another peer"#]],
    );
}

#[test]
fn where_pods_may_be_and_what_they_ask_for() {
    let pod = json!({"spec": {
        "nodeName": "n", "schedulingGates": [{"name": "g"}], "terminationGracePeriodSeconds": 0,
        "topologySpreadConstraints": [{"topologyKey": "", "whenUnsatisfiable": "ScheduleAnyway", "maxSkew": 0, "minDomains": 1}],
        "affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": ""}]}},
        "volumes": [{"name": "v", "emptyDir": {}, "secret": {"secretName": "s"}}],
        "containers": [
            {"name": "a", "image": "i", "resources": {"requests": {"example.com/gpu": "1"}}, "lifecycle": {"preStop": {"sleep": {"seconds": 5}}}},
            {"name": "b", "image": "i", "ports": [{"containerPort": 1, "hostPort": 9}, {"containerPort": 2, "hostPort": 9}]},
        ],
    }});
    check(
        "",
        "Pod",
        pod,
        expect![[r#"
        spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type
        spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources
        spec.containers[0].lifecycle.preStop.sleep: Invalid value: 5: must be non-negative and less than terminationGracePeriodSeconds (0)
        spec.containers[1].ports[1].hostPort: Duplicate value: "TCP//9"
        spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty
        spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty
        spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
        spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero
        spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty
        spec.topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway
        spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"#]],
    );
}
