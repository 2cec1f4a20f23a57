//! Data, amounts, and kinds that have few rules.

use super::*;

const SECRET: Kind = ("", "Secret");
const CONFIG_MAP: Kind = ("", "ConfigMap");
const LIMITS: Kind = ("", "LimitRange");
const QUOTA: Kind = ("", "ResourceQuota");
const BUDGET: Kind = ("policy", "PodDisruptionBudget");
const REVISION: Kind = ("apps", "ControllerRevision");
const PRIORITY: Kind = ("scheduling.k8s.io", "PriorityClass");
const LEASE: Kind = ("coordination.k8s.io", "Lease");

#[test]
fn secrets_of_a_type_have_what_it_asks_for() {
    for (of, names) in [
        ("kubernetes.io/dockercfg", &[".dockercfg"][..]),
        ("kubernetes.io/dockerconfigjson", &[".dockerconfigjson"]),
        ("kubernetes.io/ssh-auth", &["ssh-privatekey"]),
        ("kubernetes.io/tls", &["tls.crt", "tls.key"]),
    ] {
        let told: Vec<String> = names.iter().map(|name| format!("data[{name}] Required")).collect();
        assert_eq!(wrong(SECRET, json!({"type": of, "data": {"x": "YQ=="}})), told.join("; "));
        let data: Value = names.iter().map(|name| ((*name).to_owned(), json!("e30="))).collect();
        assert_eq!(wrong(SECRET, json!({"type": of, "data": data})), "");
    }
    let basic =
        |data: Value| wrong(SECRET, json!({"type": "kubernetes.io/basic-auth", "data": data}));
    let both = "data[username] Required; data[password] Required";
    assert_eq!([basic(json!({"x": ""})), basic(Value::Null)], [both; 2]);
    assert_eq!([basic(json!({"username": ""})), basic(json!({"password": ""}))], [""; 2]);
}

#[test]
fn data_have_a_mebibyte_at_most() {
    let map = |length: usize| json!({"data": {"a": "x".repeat(length)}});
    assert_eq!(wrong(CONFIG_MAP, map(1 << 20)), "");
    assert_eq!(wrong(CONFIG_MAP, map((1 << 20) + 1)), "[] TooLong");
    let mut both = map(1 << 20);
    both["binaryData"] = json!({"b": "YQ=="});
    assert_eq!(wrong(CONFIG_MAP, both), "[] TooLong");
    let two = json!({"data": {"a": "x".repeat(1 << 19), "b": "x".repeat((1 << 19) + 1)}});
    assert_eq!(wrong(CONFIG_MAP, two), "[] TooLong");
    let twice = json!({"data": {"a": "x", "c": "x"}, "binaryData": {"a": "YQ==", "b": "YQ=="}});
    assert_eq!(wrong(CONFIG_MAP, twice), "data[a] Invalid");
    // Of what is in base64 the bytes count: three for four letters, and fewer at the end.
    let most = "YWFh".repeat((1 << 20) / 3);
    for (end, expected) in [("YQ==", ""), ("YWE=", "data TooLong"), ("YWFh", "data TooLong")] {
        let data = json!({"data": {"a": format!("{most}{end}")}});
        assert_eq!(wrong(SECRET, data), expected, "{end}");
        let data = json!({"binaryData": {"a": format!("{most}{end}")}});
        assert_eq!(wrong(CONFIG_MAP, data), expected.replace("data", "[]"), "{end}");
    }
}

#[test]
fn keys_of_a_secret_are_there_and_configurations_are_objects() {
    let told =
        |of: &str, name: &str, text: &str| wrong(SECRET, json!({"type": of, "data": {name: text}}));
    assert_eq!(
        told("kubernetes.io/ssh-auth", "ssh-privatekey", ""),
        "data[ssh-privatekey] Required"
    );
    assert_eq!(told("kubernetes.io/ssh-auth", "ssh-privatekey", "YQ=="), "");
    for (of, name) in [
        ("kubernetes.io/dockercfg", ".dockercfg"),
        ("kubernetes.io/dockerconfigjson", ".dockerconfigjson"),
    ] {
        // `{}`, ` {}` and `null`; nothing, `[]`, `""`, `1`, `true` and `{`.
        for good in ["e30=", "IHt9", "bnVsbA=="] {
            assert_eq!(told(of, name, good), "", "{good}");
        }
        for bad in ["", "W10=", "IiI=", "MQ==", "dHJ1ZQ==", "ew=="] {
            assert_eq!(told(of, name, bad), format!("data[{name}] Invalid"), "{bad}");
        }
    }
}

#[test]
fn what_is_immutable_keeps_its_data_and_stays_so() {
    let map = |immutable: Value, data: &str, binary: &str| json!({"immutable": immutable, "data": {"a": data}, "binaryData": {"b": binary}});
    let old = map(json!(true), "x", "YQ==");
    for (new, expected) in [
        (old.clone(), ""),
        (map(Value::Null, "x", "YQ=="), "immutable Forbidden"),
        (map(json!(false), "y", "YQ=="), "immutable Forbidden; data Forbidden"),
        (map(json!(true), "x", "Yg=="), "binaryData Forbidden"),
    ] {
        assert_eq!(wrong_update(CONFIG_MAP, &old, &new), expected);
    }
    for before in [Value::Null, json!(false)] {
        let old = map(before, "x", "YQ==");
        assert_eq!(wrong_update(CONFIG_MAP, &old, &map(json!(true), "y", "Yg==")), "");
    }
}

#[test]
fn limits_of_a_type() {
    let limits = |limit: Value| json!({"spec": {"limits": [limit]}});
    let own = "example.com/a";
    hold(
        LIMITS,
        limits,
        [
            (
                json!({"type": "Container", "default": {own: "2"}, "defaultRequest": {own: "1"}}),
                "spec.limits[0].defaultRequest[example.com/a] Invalid",
            ),
            (
                json!({"type": "Container", "default": {own: "2"}, "defaultRequest": {own: "2000m"}}),
                "",
            ),
            (
                json!({"type": "Container", "default": {"cpu": "2"}, "defaultRequest": {"cpu": "1"}}),
                "",
            ),
            (
                json!({"type": "Container", "max": {"pods": "1"}}),
                "spec.limits[0].max[pods] Invalid; spec.limits[0].default[pods] Invalid; spec.limits[0].defaultRequest[pods] Invalid",
            ),
            (json!({"type": "PersistentVolumeClaim", "max": {"storage": "1", "pods": "1"}}), ""),
            (json!({"type": "PersistentVolumeClaim", "min": {"storage": "1"}}), ""),
            (json!({"type": "PersistentVolumeClaim"}), "spec.limits[0].limits Required"),
            (
                json!({"type": "Pod", "defaultRequest": {"cpu": "1"}}),
                "spec.limits[0].defaultRequest Forbidden",
            ),
            (json!({"type": "example.com/x"}), ""),
            (json!({"type": "x"}), "spec.limits[0].type Invalid"),
            (json!({"type": "a b"}), "spec.limits[0].type Invalid"),
        ],
    );
}

#[test]
fn what_is_limited_lies_between_the_least_and_the_most() {
    let limits = |[least, most, ratio]: [&str; 3]| {
        let limit = json!({"type": "Pod", "min": {"cpu": least}, "max": {"cpu": most},
            "maxLimitRequestRatio": {"cpu": ratio}});
        wrong(LIMITS, json!({"spec": {"limits": [limit]}}))
    };
    let ratio = "spec.limits[0].maxLimitRequestRatio[cpu] Invalid";
    assert_eq!([limits(["2", "4", "2"]), limits(["1", "1", "1"])], [""; 2]);
    assert_eq!([limits(["2", "4", "3"]), limits(["2", "4", "500m"])], [ratio; 2]);
    assert_eq!(limits(["1", "500m", "500m"]).matches(" Invalid").count(), 2);
}

#[test]
fn scopes_of_quotas_fit_what_they_limit() {
    let quota = |scopes: &[&str], name: &str| {
        wrong(QUOTA, json!({"spec": {"scopes": scopes, "hard": {name: "1"}}}))
    };
    for (scope, fits, unfit) in [
        ("VolumeAttributesClass", "persistentvolumeclaims", "pods"),
        ("VolumeAttributesClass", "requests.storage", "cpu"),
        ("BestEffort", "pods", "cpu"),
        ("Terminating", "limits.memory", "services"),
        ("PriorityClass", "pods", "persistentvolumeclaims"),
    ] {
        assert_eq!(quota(&[scope], fits), "", "{scope}");
        assert_eq!(quota(&[scope], unfit), "spec.scopes Invalid", "{scope}");
        assert_eq!(quota(&[scope], "example.com/a"), "", "{scope}");
    }
    assert_eq!(quota(&["x"], "pods"), "spec.scopes Invalid");
    assert_eq!(quota(&["BestEffort", "NotTerminating"], "pods"), "");
    assert_eq!(quota(&["BestEffort", "NotBestEffort"], "pods"), "spec.scopes Invalid");
    let scoped = |scopes: &[&str]| json!({"spec": {"scopes": scopes, "hard": {"pods": "1"}}});
    let old = scoped(&["BestEffort", "Terminating"]);
    assert_eq!(wrong_update(QUOTA, &old, &scoped(&["Terminating", "BestEffort"])), "");
    assert_eq!(wrong_update(QUOTA, &old, &scoped(&["Terminating"])), "spec.scopes Invalid");
}

#[test]
fn resources_of_quotas_are_known_or_have_a_domain() {
    let quota = |name: &str, amount: &str| {
        let told = wrong(QUOTA, json!({"spec": {"hard": {name: amount}}}));
        told.matches(" Invalid").count()
    };
    for (name, amount, count) in [
        ("cpu", "1500m", 0),
        ("example.com/a", "1", 0),
        ("requests.hugepages-2Mi", "2Mi", 0),
        ("storage", "1", 1),
        ("x", "1", 2),
        ("a b", "1", 2),
        ("a b/c", "1", 1),
        ("cpu", "-1", 1),
        ("cpu", "0", 0),
        ("pods", "1500m", 1),
        ("example.com/a", "1500m", 1),
        ("kubernetes.io/a", "1500m", 0),
        ("pods", "2000m", 0),
    ] {
        assert_eq!(quota(name, amount), count, "{name}: {amount}");
    }
}

#[test]
fn classes_of_runtimes_keep_their_handler() {
    let kind = ("node.k8s.io", "RuntimeClass");
    let class = |handler: &str| json!({ "handler": handler });
    assert_eq!(wrong(kind, class("")), "handler Required");
    assert_eq!(wrong(kind, class("a.b")), "handler Invalid");
    assert_eq!(wrong_update(kind, &class("a"), &class("a")), "");
    assert_eq!(wrong_update(kind, &class("a"), &class("b")), "handler Invalid");
}

#[test]
fn budgets_are_numbers_or_shares() {
    let budget = |spec: Value| json!({ "spec": spec });
    hold(
        BUDGET,
        budget,
        [
            (json!({"minAvailable": 0}), ""),
            (json!({"minAvailable": "0%"}), ""),
            (json!({"maxUnavailable": "100%"}), ""),
            (json!({"maxUnavailable": "101%"}), "spec.maxUnavailable Invalid"),
            (json!({"maxUnavailable": "%"}), "spec.maxUnavailable Invalid"),
            (json!({"maxUnavailable": "30"}), "spec.maxUnavailable Invalid"),
            (json!({"minAvailable": "+3%"}), "spec.minAvailable Invalid"),
            (json!({"minAvailable": -1}), "spec.minAvailable Invalid"),
            (json!({"minAvailable": 1, "maxUnavailable": 1}), "spec Invalid"),
            (json!({"unhealthyPodEvictionPolicy": "AlwaysAllow"}), ""),
            (
                json!({"unhealthyPodEvictionPolicy": "x"}),
                "spec.unhealthyPodEvictionPolicy NotSupported",
            ),
        ],
    );
}

#[test]
fn revisions_keep_their_data() {
    let revision = |revision: i64, data: Value| json!({"revision": revision, "data": data});
    let (one, other) = (revision(1, json!({"a": 1})), revision(1, json!({"a": 2})));
    assert_eq!(wrong(REVISION, one.clone()), "");
    assert_eq!(wrong(REVISION, revision(-1, json!({}))), "revision Invalid");
    assert_eq!(wrong(REVISION, revision(0, Value::Null)), "data Required");
    assert_eq!(wrong(REVISION, revision(0, json!([1]))), "data Required");
    assert_eq!(wrong_update(REVISION, &one, &one), "");
    assert_eq!(wrong_update(REVISION, &one, &other), "data Invalid");
}

#[test]
fn priorities_leave_room_for_those_of_the_system() {
    let class = |name: &str, value: i64| json!({"metadata": {"name": name}, "value": value});
    let most = 1_000_000_000;
    assert_eq!(wrong(PRIORITY, class("a", most)), "");
    assert_eq!(wrong(PRIORITY, class("a", most + 1)), "value Forbidden");
    assert_eq!(wrong(PRIORITY, class("system-a", most + 1)), "");
    let policy = json!({"value": 1, "preemptionPolicy": "x"});
    assert_eq!(wrong(PRIORITY, policy.clone()), "preemptionPolicy NotSupported");
    assert_eq!(wrong_update(PRIORITY, &policy, &policy), "");
    assert_eq!(wrong_update(PRIORITY, &class("a", 1), &class("a", 2)), "value Forbidden");
}

#[test]
fn leases_last_a_second_at_least() {
    let lease = |spec: Value| json!({ "spec": spec });
    hold(
        LEASE,
        lease,
        [
            (json!({"leaseDurationSeconds": 1, "leaseTransitions": 0}), ""),
            (json!({"leaseDurationSeconds": -1}), "spec.leaseDurationSeconds Invalid"),
            (json!({"leaseTransitions": -1}), "spec.leaseTransitions Invalid"),
        ],
    );
}

#[test]
fn what_holds_a_namespace_is_judged_once() {
    let kind = ("", "Namespace");
    let of = |finalizer: &str| json!({"spec": {"finalizers": [finalizer]}});
    assert_eq!(wrong(kind, of("a")), "spec.finalizers Invalid");
    assert_eq!(wrong(kind, of("kubernetes")), "");
    assert_eq!(wrong_update(kind, &of("kubernetes"), &of("a")), "");
}
