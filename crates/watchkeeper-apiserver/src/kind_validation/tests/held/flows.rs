//! Flow schemas and priority levels.

use super::*;

const SCHEMA: Kind = ("flowcontrol.apiserver.k8s.io", "FlowSchema");
const LEVEL: Kind = ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration");

/// A schema of one rule for one user and one path, with more in the rule.
fn rule(more: Value) -> Value {
    let rule = json!({
        "subjects": [{"kind": "User", "user": {"name": "u"}}],
        "nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": ["/a"]}],
    });
    let rule = crate::patch::merge(&rule, &more);
    json!({"spec": {"matchingPrecedence": 900, "priorityLevelConfiguration": {"name": "a"},
        "rules": [rule]}})
}

#[test]
fn paths_that_are_none() {
    let told = |path: &str| {
        let urls = json!({"nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": [path]}]});
        let schema = completed(SCHEMA.0, SCHEMA.1, rule(urls));
        let errors = validate(SCHEMA.0, SCHEMA.1, &schema, None);
        errors.iter().map(|error| error.detail.clone()).collect::<Vec<_>>().join("; ")
    };
    for (path, why) in [
        ("/", ""),
        ("/a", ""),
        ("/a/", ""),
        ("/*", ""),
        ("/a/*", ""),
        ("*", ""),
        ("", "must not be empty"),
        ("a", "must start with slash"),
        ("/a b", "must not contain white-space"),
        ("/a//b", "must not contain double slash"),
        ("/a*", "wildcard can only do suffix matching"),
        ("/*/a", "wildcard can only do suffix matching"),
        ("/*/*", "wildcard can only do suffix matching"),
    ] {
        assert_eq!(told(path), why, "{path}");
    }
}

#[test]
fn rules_are_for_somebody_and_for_something() {
    let at = "spec.rules[0]";
    let paths = |verbs: Value, urls: Value| json!({"nonResourceRules": [{"verbs": verbs, "nonResourceURLs": urls}]});
    for (more, expected) in [
        (json!({}), String::new()),
        (json!({"subjects": []}), format!("{at}.subjects Required")),
        (json!({"nonResourceRules": []}), format!("{at} Required")),
        (paths(json!(["*"]), json!(["*"])), String::new()),
        (paths(json!([]), json!(["*"])), format!("{at}.nonResourceRules[0].verbs Required")),
        (
            paths(json!(["*", "get"]), json!(["*"])),
            format!("{at}.nonResourceRules[0].verbs Invalid"),
        ),
        (
            paths(json!(["get", "x"]), json!(["*"])),
            format!("{at}.nonResourceRules[0].verbs NotSupported"),
        ),
        (
            paths(json!(["get"]), json!([])),
            format!("{at}.nonResourceRules[0].nonResourceURLs Required"),
        ),
        (
            paths(json!(["get"]), json!(["*", "a"])),
            format!("{at}.nonResourceRules[0].nonResourceURLs Invalid"),
        ),
    ] {
        assert_eq!(wrong(SCHEMA, rule(more.clone())), expected, "{more}");
    }
}

#[test]
fn rules_of_resources_are_of_namespaces_or_of_the_cluster() {
    let at = "spec.rules[0].resourceRules[0]";
    let resources = |more: Value| {
        let of = json!({"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]});
        rule(json!({"nonResourceRules": null, "resourceRules": [crate::patch::merge(&of, &more)]}))
    };
    for (more, expected) in [
        (json!({"namespaces": ["a", "b"]}), String::new()),
        (json!({"namespaces": ["*"]}), String::new()),
        (json!({"clusterScope": true}), String::new()),
        (json!({"clusterScope": true, "namespaces": ["a"]}), String::new()),
        (json!({}), format!("{at}.namespaces Required")),
        (json!({"clusterScope": false}), format!("{at}.namespaces Required")),
        (
            json!({"clusterScope": true, "namespaces": ["*", "a"]}),
            format!("{at}.namespaces Invalid"),
        ),
        (json!({"namespaces": ["A"]}), format!("{at}.namespaces[0] Invalid")),
        (json!({"namespaces": ["a"], "apiGroups": []}), format!("{at}.apiGroups Required")),
        (json!({"namespaces": ["a"], "resources": ["*", "a"]}), format!("{at}.resources Invalid")),
    ] {
        assert_eq!(wrong(SCHEMA, resources(more.clone())), expected, "{more}");
    }
}

#[test]
fn subjects_are_told_by_their_kind() {
    let at = "spec.rules[0].subjects[0]";
    let account = |name: &str, namespace: &str| json!({"kind": "ServiceAccount", "serviceAccount": {"name": name, "namespace": namespace}});
    for (subject, expected) in [
        (json!({"kind": "Group", "group": {"name": "g"}}), String::new()),
        (json!({"kind": "Group", "group": {"name": ""}}), format!("{at}.group.name Required")),
        (json!({"kind": "Group"}), format!("{at}.group Required")),
        (json!({"kind": "x"}), format!("{at}.kind NotSupported")),
        (account("*", "n"), String::new()),
        (account("a.b", "n"), String::new()),
        (account("A", "n"), format!("{at}.serviceAccount.name Invalid")),
        (account("", "n"), format!("{at}.serviceAccount.name Required")),
        (account("a", ""), format!("{at}.serviceAccount.namespace Required")),
        (account("a", "b.c"), format!("{at}.serviceAccount.namespace Invalid")),
        (
            json!({"kind": "User", "user": {"name": "u"}, "group": {"name": "g"}}),
            format!("{at}.group Forbidden"),
        ),
    ] {
        assert_eq!(
            wrong(SCHEMA, rule(json!({"subjects": [subject.clone()]}))),
            expected,
            "{subject}"
        );
    }
    let user = json!({"kind": "User", "user": {"name": "u"}, "group": {"name": "g"}});
    let schema = rule(json!({"subjects": [user]}));
    let told = &validate(SCHEMA.0, SCHEMA.1, &schema, None)[0].detail;
    assert_eq!(told, "group is forbidden when subject kind is not 'Group'");
}

#[test]
fn a_precedence_of_one_is_of_the_exempt() {
    let schema = |name: &str, precedence: i64| {
        json!({"metadata": {"name": name}, "spec": {"matchingPrecedence": precedence,
            "priorityLevelConfiguration": {"name": "a"}}})
    };
    let told = |name: &str, precedence: i64| wrong_bare(SCHEMA, &schema(name, precedence));
    assert_eq!(told("exempt", 1), "");
    assert_eq!([told("a", 1), told("a", 0)], ["spec.matchingPrecedence Invalid"; 2]);
}

#[test]
fn the_exempt_level_is_the_one_of_that_name() {
    let level = |name: &str, spec: Value| {
        wrong_bare(LEVEL, &json!({"metadata": {"name": name}, "spec": spec}))
    };
    let limited = json!({"limitResponse": {"type": "Reject"}});
    for (name, spec, expected) in [
        ("exempt", json!({"type": "Exempt"}), ""),
        ("exempt", json!({"type": "Exempt", "exempt": {"lendablePercent": 100}}), ""),
        ("a", json!({"type": "Exempt"}), "spec.type Invalid"),
        ("exempt", json!({"type": "Limited", "limited": limited}), "spec.type Invalid"),
        ("exempt", json!({"type": "Exempt", "limited": limited}), "spec.limited Forbidden"),
        (
            "exempt",
            json!({"type": "Exempt", "exempt": {"lendablePercent": 101, "nominalConcurrencyShares": -1}}),
            "spec.exempt.nominalConcurrencyShares Invalid; spec.exempt.lendablePercent Invalid",
        ),
        ("a", json!({"type": "Limited", "limited": limited}), ""),
        ("a", json!({"type": "Limited"}), "spec.limited Required"),
        (
            "a",
            json!({"type": "Limited", "limited": limited, "exempt": {}}),
            "spec.exempt Forbidden",
        ),
        ("a", json!({"type": "x"}), "spec.type NotSupported"),
        ("a", json!({}), "spec.type Required"),
    ] {
        assert_eq!(level(name, spec.clone()), expected, "{name} {spec}");
    }
}

#[test]
fn levels_reject_or_queue() {
    let level = |limited: Value| {
        let spec = json!({"type": "Limited", "limited": limited});
        wrong_bare(LEVEL, &json!({"metadata": {"name": "a"}, "spec": spec}))
    };
    let response = |response: Value| level(json!({ "limitResponse": response }));
    let at = "spec.limited.limitResponse";
    assert_eq!(response(json!({"type": "Queue"})), format!("{at}.queuing Required"));
    assert_eq!(response(json!({"type": "x"})), format!("{at}.type NotSupported"));
    let queuing = json!({"type": "Reject", "queuing": {}});
    assert_eq!(response(queuing), format!("{at}.queuing Forbidden"));
    let of =
        |name: &str, number: i64| level(json!({"limitResponse": {"type": "Reject"}, name: number}));
    for name in ["nominalConcurrencyShares", "borrowingLimitPercent", "lendablePercent"] {
        assert_eq!(of(name, -1), format!("spec.limited.{name} Invalid"));
        assert_eq!(of(name, 0), "");
    }
    let queue = |length: i64, queues: i64, hand: i64| {
        let queuing = json!({"queueLengthLimit": length, "queues": queues, "handSize": hand});
        let told = response(json!({"type": "Queue", "queuing": queuing}));
        told.replace("spec.limited.limitResponse.queuing.", "")
    };
    let hand = "handSize Invalid";
    assert_eq!([queue(1, 1, 1), queue(1, 2, 2)], [""; 2]);
    assert_eq!(queue(0, 1, 1), "queueLengthLimit Invalid");
    assert_eq!(queue(1, 0, 1), format!("queues Invalid; {hand}"));
    assert_eq!([queue(1, 1, 0), queue(1, 1, 2)], [hand; 2]);
    // Six numbers of ten bits are sixty bits.
    assert_eq!(queue(1, 1024, 6), "");
    assert_eq!([queue(1, 1025, 6), queue(1, 1024, 7), queue(1, 100, 100)], [hand; 3]);
}
