//! What is refused of quotas, classes and priorities, and of what containers run and have.

use super::*;

#[test]
fn flow_schemas() {
    let rules = json!([
        {"subjects": [{"kind": "User", "group": {"name": "g"}}, {"kind": "Robot"}]},
        {
            "subjects": [{"kind": "ServiceAccount", "serviceAccount": {"name": "*", "namespace": ""}}],
            "resourceRules": [{"verbs": ["get", "*"], "apiGroups": [], "resources": ["*", "a"]}],
            "nonResourceRules": [{"verbs": ["fly"], "nonResourceURLs": ["/a/*", "/a*", "a", "/a//b"]}],
        },
    ]);
    check(
        "flowcontrol.apiserver.k8s.io",
        "FlowSchema",
        json!({"metadata": {"name": "a"}, "spec": {"matchingPrecedence": 1, "rules": rules}}),
        expect![[r#"
            spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1
            spec.priorityLevelConfiguration.name: Required value: must reference a priority level
            spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'
            spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'
            spec.rules[0].subjects[1].kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User"
            spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty
            spec.rules[1].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account
            spec.rules[1].resourceRules[0].verbs: Invalid value: ["get","*"]: if '*' is present, must not specify other verbs
            spec.rules[1].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group
            spec.rules[1].resourceRules[0].resources: Invalid value: ["*","a"]: if '*' is present, must not specify other resources
            spec.rules[1].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace
            spec.rules[1].nonResourceRules[0].verbs: Unsupported value: ["fly"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"
            spec.rules[1].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "/a*": wildcard can only do suffix matching
            spec.rules[1].nonResourceRules[0].nonResourceURLs[2]: Invalid value: "a": must start with slash
            spec.rules[1].nonResourceRules[0].nonResourceURLs[3]: Invalid value: "/a//b": must not contain double slash"#]],
    );
}

#[test]
fn priority_levels() {
    let level = |spec: Value, expected: Expect| {
        let level = json!({"metadata": {"name": "a"}, "spec": spec});
        check("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", level, expected);
    };
    level(
        json!({"type": "Exempt", "limited": {}}),
        expect![[r#"
        spec.type: Invalid value: "Exempt": must be 'Exempt' if and only if `name` is 'exempt'
        spec.limited: Forbidden: must be nil if the type is not Limited"#]],
    );
    level(
        json!({"type": "Limited", "exempt": {}}),
        expect![[r#"
        spec.exempt: Forbidden: must be nil if the type is Limited
        spec.limited: Required value: must not be empty when type is Limited"#]],
    );
    level(
        json!({"type": "Limited", "limited": {"limitResponse": {"type": "Queue"}, "lendablePercent": 101}}),
        expect![[r#"
            spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited
            spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive"#]],
    );
    let queuing = |queues: u32, hand: u32| {
        let queuing = json!({"queues": queues, "handSize": hand, "queueLengthLimit": 0});
        json!({"type": "Limited", "limited": {"limitResponse": {"type": "Queue", "queuing": queuing}}})
    };
    level(queuing(64, 8), expect![[""]]);
    level(
        queuing(64, 65),
        expect![
            "spec.limited.limitResponse.queuing.handSize: Invalid value: 65: should not be greater than queues (64)"
        ],
    );
    level(
        queuing(64, 11),
        expect![
            "spec.limited.limitResponse.queuing.handSize: Invalid value: 11: required entropy bits of deckSize 64 and handSize 11 should not be greater than 60"
        ],
    );
    level(
        json!({"type": "Limited", "limited": {"limitResponse": {"type": "Reject"}}}),
        expect![[""]],
    );
}

#[test]
fn scopes_of_quotas_and_handlers_of_classes() {
    let quota = |scopes: &[&str]| json!({"spec": {"scopes": scopes, "hard": {"pods": "1", "cpu": "1", "count/x": "1"}}});
    check(
        "",
        "ResourceQuota",
        quota(&["BestEffort", "NotBestEffort", "Blue"]),
        expect![[r#"
        spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Blue"]: unsupported scope applied to resource
        spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Blue"]: unsupported scope
        spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Blue"]: conflicting scopes"#]],
    );
    let old = Some(quota(&["Terminating"]));
    check_update(
        "",
        "ResourceQuota",
        quota(&["NotTerminating"]),
        old,
        expect![[r#"spec.scopes: Invalid value: ["NotTerminating"]: field is immutable"#]],
    );
    let class = |handler: &str| json!({"handler": handler});
    check_update(
        "node.k8s.io",
        "RuntimeClass",
        class(""),
        Some(class("a")),
        expect![[r#"
        handler: Required value
        handler: Invalid value: "": field is immutable"#]],
    );
    let group = "admissionregistration.k8s.io";
    check(
        group,
        "MutatingAdmissionPolicyBinding",
        json!({"spec": {}}),
        expect!["spec.policyName: Required value"],
    );
    let basic = json!({"type": "kubernetes.io/basic-auth", "data": {"x": "aGk="}});
    check_update(
        "",
        "Secret",
        basic,
        Some(json!({"type": "Opaque"})),
        expect![[r#"
        type: Invalid value: "kubernetes.io/basic-auth": field is immutable
        data[username]: Required value
        data[password]: Required value"#]],
    );
    let set = json!({"spec": {"template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", "image": "i"}]}}}});
    check(
        "apps",
        "DaemonSet",
        set,
        expect![[
            r#"spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`"#
        ]],
    );
}

#[test]
fn handlers_variables_and_profiles() {
    let container = json!({
        "name": "a", "image": "i",
        "envFrom": [{}, {"configMapRef": {}, "secretRef": {"name": "s"}}, {"prefix": "=", "secretRef": {"name": "S"}}],
        "livenessProbe": {"httpGet": {"port": 0, "path": "/", "scheme": "FTP"}, "terminationGracePeriodSeconds": 0},
        "readinessProbe": {"tcpSocket": {"port": "-5%"}},
        "startupProbe": {"exec": {}, "grpc": {"port": 1}},
        "securityContext": {"seccompProfile": {"type": "Localhost"}},
    });
    let pod = json!({"spec": {
        "containers": [container], "securityContext": {"seccompProfile": {"localhostProfile": "a"}},
    }});
    check(
        "",
        "Pod",
        pod,
        expect![[r#"
            spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`
            spec.containers[0].envFrom[1].configMapRef.name: Required value
            spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time
            spec.containers[0].envFrom[2].prefix: Invalid value: "=": a valid environment variable name must consist only of printable ASCII characters other than '='
            spec.containers[0].envFrom[2].secretRef.name: Invalid value: "S": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            spec.containers[0].securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost
            spec.containers[0].livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive
            spec.containers[0].livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"
            spec.containers[0].livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0
            spec.containers[0].readinessProbe.tcpSocket.port: Invalid value: "-5%": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)
            spec.containers[0].readinessProbe.tcpSocket.port: Invalid value: "-5%": must contain at least one letter (a-z)
            spec.containers[0].readinessProbe.tcpSocket.port: Invalid value: "-5%": must not begin or end with a hyphen
            spec.containers[0].startupProbe.exec.command: Required value
            spec.containers[0].startupProbe.grpc: Forbidden: may not specify more than 1 handler type
            spec.securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set
            spec.securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"","LocalhostProfile":"a"}: can only be set when seccomp type is Localhost"#]],
    );
}

#[test]
fn gates_and_policies_of_nodes() {
    let pod = json!({"spec": {
        "containers": [{"name": "a", "image": "i"}],
        "readinessGates": [{"conditionType": "-"}],
        "schedulingGates": [{"name": "g"}, {"name": "g"}],
        "topologySpreadConstraints": [
            {"topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "maxSkew": 1, "nodeTaintsPolicy": "x"},
        ],
    }});
    check(
        "",
        "Pod",
        pod,
        expect![[r#"
        spec.readinessGates[0].conditionType: Invalid value: "-": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
        spec.schedulingGates[1]: Duplicate value: "g"
        spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "x": supported values: "Honor", "Ignore""#]],
    );
    let volume = |value: &str| {
        let terms =
            json!([{"matchExpressions": [{"key": "zone", "operator": "In", "values": [value]}]}]);
        let required = json!({"nodeSelectorTerms": terms});
        json!({"spec": {
            "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/p"},
            "nodeAffinity": {"required": required},
        }})
    };
    check_update(
        "",
        "PersistentVolume",
        volume("a"),
        Some(volume("b")),
        expect![[
            r#"nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"zone","Operator":"In","Values":["a"]}],"MatchFields":null}]}}: field is immutable, except for updating from beta label to GA"#
        ]],
    );
}

#[test]
fn autoscalers_budgets_revisions_and_controllers() {
    let metric = json!({"type": "Pods", "resource": {"name": "", "target": {"type": "x"}}});
    let spec = json!({"scaleTargetRef": {"apiVersion": "v1", "name": "a"}, "minReplicas": 2, "maxReplicas": 1, "metrics": [metric]});
    check(
        "autoscaling",
        "HorizontalPodAutoscaler",
        json!({"spec": spec}),
        expect![[r#"
        spec.maxReplicas: Invalid value: 1: must be greater than or equal to `minReplicas`
        spec.scaleTargetRef.kind: Required value
        spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group
        spec.metrics[0].resource.name: Required value: must specify a resource name
        spec.metrics[0].resource.target.type: Invalid value: "x": must be either Utilization, Value, or AverageValue
        spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization
        spec.metrics[0].pods: Required value: must populate information for the given metric source"#]],
    );
    check(
        "policy",
        "PodDisruptionBudget",
        json!({"spec": {"minAvailable": "101%", "maxUnavailable": -1}}),
        expect![[r#"
            spec: Invalid value: {"MinAvailable":"101%","Selector":null,"MaxUnavailable":-1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set
            spec.minAvailable: Invalid value: "101%": must not be greater than 100%
            spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0"#]],
    );
    check(
        "apps",
        "ControllerRevision",
        json!({"revision": -1}),
        expect![[r#"
        revision: Invalid value: -1: must be greater than or equal to 0
        data: Required value: data is mandatory"#]],
    );
    check(
        "",
        "ReplicationController",
        json!({"spec": {"replicas": -1}}),
        expect![[r#"
        spec.selector: Required value
        spec.replicas: Invalid value: -1: must be greater than or equal to 0
        spec.template: Required value"#]],
    );
}

/// What may be is not refused: names that something is written behind, data that is there and empty.
#[test]
fn what_a_real_server_takes_is_taken() {
    let container = json!({
        "name": "a", "image": "i", "envFrom": [{"configMapRef": {"name": "settings-"}}, {"secretRef": {"name": "a-"}}],
        "livenessProbe": {"httpGet": {"port": 80}}, "readinessProbe": {"grpc": {"port": 1}, "successThreshold": 3},
    });
    let aside = json!({"name": "b", "image": "i", "restartPolicy": "Always", "startupProbe": {"exec": {"command": ["x"]}}});
    let pod = json!({"spec": {"containers": [container], "initContainers": [aside]}});
    check("", "Pod", pod, expect![[""]]);
    let basic = json!({"type": "kubernetes.io/basic-auth", "data": {"username": null}});
    check("", "Secret", basic, expect![[""]]);
    let quota =
        json!({"spec": {"scopes": ["NotBestEffort"], "hard": {"cpu": "1", "count/x": "1"}}});
    check("", "ResourceQuota", quota, expect![[""]]);
}

#[test]
fn probes_before_others_and_actions_of_bindings() {
    let first = json!({"name": "f", "image": "i", "lifecycle": {}, "startupProbe": {}});
    let container = json!({
        "name": "a", "image": "i",
        "livenessProbe": {"httpGet": {"port": 80}, "successThreshold": 2},
        "readinessProbe": {"httpGet": {"port": 80}, "terminationGracePeriodSeconds": 3},
    });
    let pod = json!({"spec": {"containers": [container], "initContainers": [first]}});
    check(
        "",
        "Pod",
        pod,
        expect![[r#"
        spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1
        spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 3: must not be set for readinessProbes
        spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always
        spec.initContainers[0].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always"#]],
    );
    let group = "admissionregistration.k8s.io";
    let binding =
        |actions: Value| json!({"spec": {"policyName": "p", "validationActions": actions}});
    let kind = "ValidatingAdmissionPolicyBinding";
    check(
        group,
        kind,
        binding(json!([])),
        expect![
            "spec.validationActions: Required value: at least one validation action is required"
        ],
    );
    check(
        group,
        kind,
        binding(json!(["Deny", "Warn", "Deny", "Sing"])),
        expect![[r#"
        spec.validationActions[2]: Duplicate value: "Deny"
        spec.validationActions[3]: Unsupported value: "Sing": supported values: "Audit", "Deny", "Warn"
        spec.validationActions: Invalid value: ["Deny","Warn","Deny","Sing"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)"#]],
    );
    let pages = json!({"spec": {"scopes": ["BestEffort"], "hard": {"hugepages-2Mi": "1"}}});
    check(
        "",
        "ResourceQuota",
        pages,
        expect![[
            r#"spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource"#
        ]],
    );
}
