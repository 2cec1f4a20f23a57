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
        expect![[""]],
    );
}

#[test]
fn priority_levels() {
    let level = |spec: Value, expected: Expect| {
        let level = json!({"metadata": {"name": "a"}, "spec": spec});
        check("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", level, expected);
    };
    level(json!({"type": "Exempt", "limited": {}}), expect![[""]]);
    level(json!({"type": "Limited", "exempt": {}}), expect![[""]]);
    level(
        json!({"type": "Limited", "limited": {"limitResponse": {"type": "Queue"}, "lendablePercent": 101}}),
        expect![[""]],
    );
    let queuing = |queues: u32, hand: u32| {
        let queuing = json!({"queues": queues, "handSize": hand, "queueLengthLimit": 0});
        json!({"type": "Limited", "limited": {"limitResponse": {"type": "Queue", "queuing": queuing}}})
    };
    level(queuing(64, 8), expect![[""]]);
    level(queuing(64, 65), expect![[""]]);
    level(queuing(64, 11), expect![[""]]);
    level(
        json!({"type": "Limited", "limited": {"limitResponse": {"type": "Reject"}}}),
        expect![[""]],
    );
}

#[test]
fn scopes_of_quotas_and_handlers_of_classes() {
    let quota = |scopes: &[&str]| json!({"spec": {"scopes": scopes, "hard": {"pods": "1", "cpu": "1", "count/x": "1"}}});
    check("", "ResourceQuota", quota(&["BestEffort", "NotBestEffort", "Blue"]), expect![[""]]);
    let old = Some(quota(&["Terminating"]));
    check_update("", "ResourceQuota", quota(&["NotTerminating"]), old, expect![[""]]);
    let class = |handler: &str| json!({"handler": handler});
    check_update("node.k8s.io", "RuntimeClass", class(""), Some(class("a")), expect![[""]]);
    let group = "admissionregistration.k8s.io";
    check(group, "MutatingAdmissionPolicyBinding", json!({"spec": {}}), expect![[""]]);
    let basic = json!({"type": "kubernetes.io/basic-auth", "data": {"x": "aGk="}});
    check_update("", "Secret", basic, Some(json!({"type": "Opaque"})), expect![[""]]);
    let set = json!({"spec": {"template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", "image": "i"}]}}}});
    check("apps", "DaemonSet", set, expect![[""]]);
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
    check("", "Pod", pod, expect![[""]]);
}
