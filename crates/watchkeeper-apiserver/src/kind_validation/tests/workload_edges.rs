//! The edges of workloads: what is refused, and beside it what is just allowed.

use super::*;

mod cron;
mod jobs;

/// A workload that selects its pods, with more in its spec.
fn workload(more: Value) -> Value {
    let spec = json!({
        "selector": {"matchLabels": {"app": "a"}},
        "template": {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "a", "image": "i"}]}},
    });
    json!({"spec": crate::patch::merge(&spec, &more)})
}

/// A job whose pods end, with more in its spec.
fn job(more: Value) -> Value {
    let pod = json!({"restartPolicy": "Never", "containers": [{"name": "a", "image": "i"}]});
    json!({"spec": crate::patch::merge(&json!({"template": {"spec": pod}}), &more)})
}

fn told(group: &str, kind: &str, new: Value) -> Vec<String> {
    let new = completed(group, kind, new);
    validate(group, kind, &new, None).iter().map(ToString::to_string).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn strategies_of_deployments() {
    let check = |strategy: Value, expected: Expect| {
        check("apps", "Deployment", workload(json!({"strategy": strategy})), expected);
    };
    check(
        json!({"type": "x"}),
        expect![[
            r#"spec.strategy: Unsupported value: {"Type":"x","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate""#
        ]],
    );
    check(
        json!({"type": "1", "rollingUpdate": {"maxSurge": "25%"}}),
        expect![[
            r#"spec.strategy: Unsupported value: {"Type":"1","RollingUpdate":{"MaxUnavailable":0,"MaxSurge":"25%"}}: supported values: "Recreate", "RollingUpdate""#
        ]],
    );
    check(json!({"type": "Recreate"}), expect![[""]]);
    check(
        json!({"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}),
        expect![
            "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"
        ],
    );
    check(
        json!({"rollingUpdate": {"maxUnavailable": "101%", "maxSurge": "+5%"}}),
        expect![[r#"
            spec.strategy.rollingUpdate.maxSurge: Invalid value: "+5%": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')
            spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%"#]],
    );
    check(json!({"rollingUpdate": {"maxUnavailable": "100%", "maxSurge": "200%"}}), expect![[""]]);
    check(
        json!({"rollingUpdate": {"maxUnavailable": "x", "maxSurge": 0}}),
        expect![[r#"
            spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "x": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')
            spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "x": may not be 0 when `maxSurge` is 0"#]],
    );
}

#[test]
fn deployments_go_back_to_a_revision() {
    let asked = |revision: &str| {
        let mut deployment = workload(json!({}));
        deployment["metadata"]["annotations"]["deprecated.deployment.rollback.to"] =
            revision.into();
        told("apps", "Deployment", deployment)
    };
    let below = "spec.rollback.version: Invalid value: -1: must be greater than or equal to 0";
    assert_eq!(asked("-1"), [below]);
    assert_eq!(asked("0"), NONE);
}

#[test]
fn strategies_of_daemon_sets() {
    let check = |strategy: Value, expected: Expect| {
        check("apps", "DaemonSet", workload(json!({"updateStrategy": strategy})), expected);
    };
    check(
        json!({"type": "x", "rollingUpdate": {"maxUnavailable": 1}}),
        expect![[
            r#"spec.updateStrategy: Unsupported value: {"Type":"x","RollingUpdate":{"MaxUnavailable":1,"MaxSurge":0}}: supported values: "RollingUpdate", "OnDelete""#
        ]],
    );
    check(json!({"type": "OnDelete"}), expect![[""]]);
    check(
        json!({"rollingUpdate": {"maxUnavailable": 0, "maxSurge": "0%"}}),
        expect![
            "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0"
        ],
    );
    check(
        json!({"rollingUpdate": {"maxUnavailable": 1, "maxSurge": "101%"}}),
        expect![[r#"
            spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "101%": must not be greater than 100%
            spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "101%": may not be set when maxUnavailable is non-zero"#]],
    );
    check(json!({"rollingUpdate": {"maxUnavailable": 0, "maxSurge": "100%"}}), expect![[""]]);
}

/// The bound on unavailable pods is behind a gate that is off, so nobody looks at it.
#[test]
fn strategies_of_stateful_sets() {
    let check = |strategy: Value, expected: Expect| {
        check("apps", "StatefulSet", workload(json!({"updateStrategy": strategy})), expected);
    };
    check(
        json!({"type": "x"}),
        expect![[
            r#"spec.updateStrategy: Invalid value: {"Type":"x","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'"#
        ]],
    );
    check(
        json!({"type": "x", "rollingUpdate": {"maxUnavailable": 2}}),
        expect![[
            r#"spec.updateStrategy: Invalid value: {"Type":"x","RollingUpdate":{"Partition":0,"MaxUnavailable":null}}: must be 'RollingUpdate' or 'OnDelete'"#
        ]],
    );
    check(
        json!({"type": "OnDelete", "rollingUpdate": {"partition": 1}}),
        expect![[
            r#"spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'"#
        ]],
    );
    check(json!({"type": "OnDelete"}), expect![[""]]);
    check(
        json!({"rollingUpdate": {"partition": -1}}),
        expect![
            "spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0"
        ],
    );
    check(json!({"rollingUpdate": {"partition": 0, "maxUnavailable": 0}}), expect![[""]]);
}

#[test]
fn selectors_are_shown_as_go_has_them() {
    let selects = json!({"key": "b", "operator": "DoesNotExist"});
    let new = workload(json!({"selector": {"matchExpressions": [selects]}}));
    for kind in ["Deployment", "ReplicaSet", "DaemonSet"] {
        check_update(
            "apps",
            kind,
            new.clone(),
            Some(workload(json!({}))),
            expect![[
                r#"spec.selector: Invalid value: {"matchLabels":{"app":"a"},"matchExpressions":[{"key":"b","operator":"DoesNotExist"}]}: field is immutable"#
            ]],
        );
        check_update("apps", kind, new.clone(), Some(new.clone()), expect![[""]]);
    }
}

fn hooks(more: Value) -> Value {
    let hook = json!({"name": "a.b.c", "sideEffects": "None", "admissionReviewVersions": ["v1"],
        "clientConfig": {"url": "https://a/"}});
    json!({"webhooks": [crate::patch::merge(&hook, &more)]})
}

/// Names that are there twice keep no expression from being looked at.
#[test]
fn conditions_of_webhooks() {
    let group = "admissionregistration.k8s.io";
    let conditions = |expressions: &[&str]| {
        let named = |text: &&str| json!({"name": "m", "expression": text});
        hooks(json!({"matchConditions": expressions.iter().map(named).collect::<Vec<Value>>()}))
    };
    for kind in ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] {
        check(
            group,
            kind,
            conditions(&["true0", "true1"]),
            expect![[r#"
                webhooks[0].matchConditions[0].expression: Invalid value: "true0": compilation failed: ERROR: <input>:1:1: undeclared reference to 'true0' (in container '')
                 | true0
                 | ^
                webhooks[0].matchConditions[1].expression: Invalid value: "true1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'true1' (in container '')
                 | true1
                 | ^
                webhooks[0].matchConditions[1].name: Duplicate value: "m""#]],
        );
        check(
            group,
            kind,
            conditions(&["request.operation == 'CREATE' && object != oldObject"]),
            expect![[""]],
        );
        let wrong = conditions(&["true0"]);
        check_update(group, kind, wrong.clone(), Some(wrong.clone()), expect![[""]]);
        let old = conditions(&["true"]);
        let new = completed(group, kind, wrong);
        let old = completed(group, kind, old);
        assert_eq!(validate(group, kind, &new, Some(&old)).len(), 1);
    }
}

#[test]
fn scopes_of_rules() {
    let scoped = |scope: Value| {
        let rule = json!({"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"], "scope": scope});
        let kind = "ValidatingWebhookConfiguration";
        told("admissionregistration.k8s.io", kind, hooks(json!({"rules": [rule]})))
    };
    let known = r#"supported values: "*", "Cluster", "Namespaced""#;
    for scope in ["", "a/b"] {
        let told = format!("webhooks[0].rules[0].scope: Unsupported value: \"{scope}\": {known}");
        assert_eq!(scoped(json!(scope)), [told]);
    }
    assert_eq!(scoped(json!("Cluster")), NONE);
    assert_eq!(scoped(Value::Null), NONE);
}
