//! Where what is allowed ends, and what an update of something wrong need not make right.

use super::*;

/// What is said of an update, without the values.
fn told(kind: (&str, &str), old: &Value, new: &Value) -> Vec<String> {
    let (old, new) =
        (completed(kind.0, kind.1, old.clone()), completed(kind.0, kind.1, new.clone()));
    let errors = validate(kind.0, kind.1, &new, Some(&old));
    errors.iter().map(|error| format!("{}: {}", error.field, error.detail)).collect()
}

#[test]
fn a_deadline_is_a_second_at_least_and_fits_into_32_bits() {
    let pod = |seconds: i64| {
        let containers = json!([{"name": "a", "image": "x"}]);
        json!({"spec": {"activeDeadlineSeconds": seconds, "containers": containers}})
    };
    for seconds in [1, 2_147_483_647] {
        check("", "Pod", pod(seconds), expect![[""]]);
    }
    check(
        "",
        "Pod",
        pod(0),
        expect![
            "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive"
        ],
    );
    check(
        "",
        "Pod",
        pod(2_147_483_648),
        expect![
            "spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive"
        ],
    );
}

#[test]
fn names_of_pools_and_drivers_have_so_many_letters_and_no_more() {
    let slice = |driver: &str, pool: &str| {
        json!({"spec": {"driver": driver, "nodeName": "n", "devices": [{"name": "x"}],
            "pool": {"name": pool, "generation": 0, "resourceSliceCount": 1}}})
    };
    let say = |driver: &str, pool: &str, expected: Expect| {
        check("resource.k8s.io", "ResourceSlice", slice(driver, pool), expected);
    };
    let longest = format!("{}/{}", "a".repeat(126), "b".repeat(126));
    say(&"d".repeat(63), &longest, expect![[""]]);
    say(
        &"d".repeat(64),
        &format!("{longest}b"),
        expect![[r#"
            spec.driver: Too long: may not be more than 63 bytes
            spec.pool.name: Too long: may not be more than 253 bytes"#]],
    );
}

#[test]
fn a_level_has_ten_million_queues_at_most() {
    let level = |queues: u32, hand: u32, expected: Expect| {
        let queuing = json!({"queues": queues, "handSize": hand, "queueLengthLimit": 1});
        let response = json!({"type": "Queue", "queuing": queuing});
        let spec = json!({"type": "Limited", "limited": {"limitResponse": response}});
        let level = json!({"metadata": {"name": "a"}, "spec": spec});
        check("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", level, expected);
    };
    level(10_000_000, 2, expect![[""]]);
    level(1, 1, expect![[""]]);
    level(
        10_000_001,
        2,
        expect![
            "spec.limited.limitResponse.queuing.queues: Invalid value: 10000001: must not be greater than 10000000"
        ],
    );
}

#[test]
fn percentages_and_precedences_reach_from_end_to_end() {
    let level = |percent: i64, expected: Expect| {
        let limited = json!({"lendablePercent": percent, "borrowingLimitPercent": 0,
            "limitResponse": {"type": "Reject"}});
        let level =
            json!({"metadata": {"name": "a"}, "spec": {"type": "Limited", "limited": limited}});
        check("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", level, expected);
    };
    level(0, expect![[""]]);
    level(100, expect![[""]]);
    level(
        -1,
        expect![
            "spec.limited.lendablePercent: Invalid value: -1: must be between 0 and 100, inclusive"
        ],
    );
    let schema = |precedence: i64, expected: Expect| {
        let spec = json!({"matchingPrecedence": precedence,
            "priorityLevelConfiguration": {"name": "a"}, "distinguisherMethod": {"type": "ByUser"}});
        let schema = json!({"metadata": {"name": "a"}, "spec": spec});
        check("flowcontrol.apiserver.k8s.io", "FlowSchema", schema, expected);
    };
    schema(2, expect![[""]]);
    schema(10_000, expect![[""]]);
    schema(
        10_001,
        expect!["spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000"],
    );
}

#[test]
fn review_versions_that_nobody_knew_may_become_others_that_nobody_knows() {
    let kind = ("apiextensions.k8s.io", "CustomResourceDefinition");
    let crd = |versions: Value| {
        json!({"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Namespaced",
            "names": {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"},
            "versions": [{"name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object"}}}],
            "conversion": {"strategy": "Webhook", "webhook": {
                "clientConfig": {"url": "https://a.b"}, "conversionReviewVersions": versions}}}})
    };
    let wrong =
        "spec.conversion.conversionReviewVersions: must include at least one of v1, v1beta1";
    let unknown = crd(json!(["v8"]));
    assert!(told(kind, &crd(json!(["v9"])), &unknown).is_empty());
    for known in [json!(["v1"]), json!(["v9", "v1beta1"]), json!([])] {
        assert_eq!(told(kind, &crd(known.clone()), &unknown), [wrong], "{known}");
    }
    assert!(told(kind, &crd(json!(["v1"])), &crd(json!(["v8", "v1beta1"]))).is_empty());
}

#[test]
fn a_webhook_that_was_wrong_before_may_stay_wrong_in_the_same_way() {
    let kind = ("admissionregistration.k8s.io", "MutatingWebhookConfiguration");
    let hook = |name: &str, effects: &str, version: &str| {
        json!({"name": name, "sideEffects": effects, "admissionReviewVersions": [version],
            "clientConfig": {"url": "https://a.b"}})
    };
    let hooks = |all: &[Value]| json!({"webhooks": all});
    let good = hooks(&[hook("a.b.c", "None", "v1"), hook("d.e.f", "NoneOnDryRun", "v1beta1")]);
    for (wrong, still_wrong, said) in [
        (
            hooks(&[hook("a.b.c", "Some", "v1")]),
            hooks(&[hook("a.b.c", "Unknown", "v1")]),
            "webhooks[0].sideEffects: supported values: \"None\", \"NoneOnDryRun\"",
        ),
        (
            hooks(&[hook("a.b.c", "None", "v9")]),
            hooks(&[hook("a.b.c", "None", "v8")]),
            "webhooks[0].admissionReviewVersions: must include at least one of v1, v1beta1",
        ),
        (
            hooks(&[hook("a.b.c", "None", "v1"), hook("a.b.c", "None", "v1")]),
            hooks(&[hook("d.e.f", "None", "v1"), hook("d.e.f", "None", "v1")]),
            "webhooks[1].name: ",
        ),
    ] {
        assert!(told(kind, &wrong, &still_wrong).is_empty(), "{said}");
        assert_eq!(told(kind, &good, &still_wrong), [said]);
    }
    assert!(told(kind, &good, &good).is_empty());
}

#[test]
fn a_service_keeps_its_first_family_and_says_so_when_it_lets_the_second_go() {
    let service = |families: &[&str], policy: &str| {
        json!({"spec": {"clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"],
            "ports": [{"port": 80}], "ipFamilies": families, "ipFamilyPolicy": policy}})
    };
    let both = service(&["IPv4", "IPv6"], "PreferDualStack");
    let kept = "spec.ipFamilies[0]: may not change once set";
    let released =
        "spec.ipFamilyPolicy: must be set to 'SingleStack' when releasing the secondary ipFamily";
    let told = |old: &Value, new: &Value| told(("", "Service"), old, new);
    assert!(told(&both, &service(&["IPv4"], "SingleStack")).is_empty());
    assert_eq!(told(&both, &service(&["IPv4"], "PreferDualStack")), [released]);
    assert_eq!(told(&both, &service(&["IPv6"], "SingleStack")), [kept]);
    assert_eq!(told(&both, &service(&["IPv4", "IPv4"], "PreferDualStack")), [kept]);
    let single = |family: &str| service(&[family], "SingleStack");
    assert_eq!(told(&single("IPv4"), &single("IPv6")), [kept]);
    assert_eq!(told(&single("IPv6"), &both), [kept]);
    assert!(told(&single("IPv4"), &both).is_empty());
    assert!(told(&both, &service(&[], "PreferDualStack")).is_empty());
}

#[test]
fn a_service_that_begins_or_ends_to_be_headless_may_change_its_families() {
    let service = |address: &str, family: &str| {
        json!({"spec": {"clusterIP": address, "clusterIPs": [address], "ports": [{"port": 80}],
            "ipFamilies": [family], "ipFamilyPolicy": "SingleStack"}})
    };
    let headless = |family: &str| service("None", family);
    let addressed = |family: &str| service("10.0.0.1", family);
    let told = |old: &Value, new: &Value| told(("", "Service"), old, new);
    let changed = "spec.clusterIPs[0]: may not change once set";
    assert!(told(&headless("IPv4"), &headless("IPv6")).is_empty());
    assert_eq!(told(&headless("IPv4"), &addressed("IPv6")), [changed]);
    assert_eq!(told(&addressed("IPv4"), &headless("IPv6")), [changed]);
}

#[test]
fn the_template_of_a_suspended_job_changes_while_none_of_its_pods_has_run() {
    let job = |status: Value, selected: &str| {
        json!({"status": status, "spec": {"suspend": true, "manualSelector": true,
            "selector": {"matchLabels": {"app": "a"}},
            "template": {"metadata": {"labels": {"app": "a"}}, "spec": {"restartPolicy": "Never",
                "nodeSelector": {"on": selected}, "containers": [{"name": "a", "image": "x"}]}}}})
    };
    let suspended = |status: &str| json!([{"type": "Suspended", "status": status}]);
    let start = "2026-01-01T00:00:00Z";
    for (status, may_change) in [
        (json!({}), true),
        (json!({"active": 0}), true),
        (json!({"active": 1}), false),
        (json!({"startTime": start}), false),
        (json!({"startTime": start, "conditions": suspended("False")}), false),
        (json!({"startTime": start, "conditions": suspended("True")}), true),
        (json!({"startTime": start, "conditions": suspended("True"), "active": 1}), false),
    ] {
        let (old, new) = (job(status.clone(), "here"), job(status.clone(), "there"));
        let told = told(("batch", "Job"), &old, &new);
        let is_told = |told: &String| told.starts_with("spec.template: ");
        assert_eq!(told.is_empty(), may_change, "{status} {told:?}");
        assert!(told.iter().all(is_told), "{status} {told:?}");
    }
}
