//! Rules in upstream's order, and roles judged as a server does.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::*;

/// `verb resource.group[/part] [name] [@namespace]`, or `verb /path`.
fn entry(line: &str) -> Value {
    let mut words = line.split_whitespace();
    let (verb, what) = (words.next().expect("a verb"), words.next().expect("a resource"));
    if what.starts_with('/') {
        return json!({ "verb": verb, "url": what, "by": ["a"], "reasons": ["why"] });
    }
    let (whole, part) = what
        .split_once('/')
        .map_or((what, String::new()), |(whole, part)| (whole, format!("/{part}")));
    let (plural, group) = whole.split_once('.').unwrap_or((whole, ""));
    let rest: Vec<&str> = words.collect();
    let namespace = rest.iter().find_map(|word| word.strip_prefix('@')).unwrap_or_default();
    let name = rest.iter().find(|word| !word.starts_with('@')).copied().unwrap_or_default();
    json!({
        "verb": verb, "group": group, "resource": format!("{plural}{part}"), "name": name,
        "namespace": namespace, "by": ["a"], "reasons": ["why"],
    })
}

fn rbac(declared: &[&str], recorded: &[&str]) -> Rbac {
    let entries = |lines: &[&str]| lines.iter().map(|line| entry(line)).collect::<Vec<_>>();
    let text = json!({ "declared": entries(declared), "recorded": entries(recorded) }).to_string();
    Rbac::new("manager-role").access("a.json", &text).expect("a document")
}

fn check(declared: &[&str], recorded: &[&str], wanted: Expect) {
    wanted.assert_eq(&rbac(declared, recorded).text());
}

#[test]
fn rules_unite_verbs_then_resources_then_groups_and_are_sorted() {
    check(
        &[
            "list deployments.apps",
            "watch deployments.apps",
            "list statefulsets.apps",
            "watch statefulsets.apps",
            "patch deployments.apps/status",
            "get pods",
            "get pods.metrics.k8s.io",
            "get /metrics",
            "get /debug",
            "get pods/log",
        ],
        &[],
        expect![[r#"
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: manager-role
            rules:
            - nonResourceURLs:
              - /debug
              - /metrics
              verbs:
              - get
            - apiGroups:
              - ""
              resources:
              - pods
              - pods/log
              verbs:
              - get
            - apiGroups:
              - apps
              resources:
              - deployments
              - statefulsets
              verbs:
              - list
              - watch
            - apiGroups:
              - apps
              resources:
              - deployments/status
              verbs:
              - patch
            - apiGroups:
              - metrics.k8s.io
              resources:
              - pods
              verbs:
              - get
        "#]],
    );
}

#[test]
fn namespaces_have_roles_of_their_own_and_names_stay() {
    check(
        &[
            "list pods @zoo",
            "get leases.coordination.k8s.io leader @park",
            "get leases.coordination.k8s.io other @park",
            "update leases.coordination.k8s.io leader @park",
            "update leases.coordination.k8s.io other @park",
            "create leases.coordination.k8s.io @park",
            "list nodes",
        ],
        &["update leases.coordination.k8s.io leader @park"],
        expect![[r#"
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: manager-role
            rules:
            - apiGroups:
              - ""
              resources:
              - nodes
              verbs:
              - list
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata:
              name: manager-role
              namespace: park
            rules:
            - apiGroups:
              - coordination.k8s.io
              resources:
              - leases
              verbs:
              - create
            - apiGroups:
              - coordination.k8s.io
              resourceNames:
              - leader
              - other
              resources:
              - leases
              verbs:
              - get
              - update
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata:
              name: manager-role
              namespace: zoo
            rules:
            - apiGroups:
              - ""
              resources:
              - pods
              verbs:
              - list
        "#]],
    );
}

#[test]
fn what_was_recorded_is_granted_for_all_objects() {
    let joined = rbac(
        &["list pods", "watch pods"],
        &[
            "list pods @a",
            "patch pods web @a",
            "patch pods db @b",
            "get /version",
            "get /apis/apps/v1",
        ],
    );
    assert!(
        joined.text().contains("  verbs:\n  - list\n  - patch\n  - watch\n"),
        "{}",
        joined.text()
    );
    let told = |all: Vec<Wanted>| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(told(joined.unexercised()), ["watch pods: why"]);
    assert_eq!(told(joined.undeclared()), ["patch pods: called by a"]);
}

#[test]
fn a_program_of_one_namespace_stays_there() {
    let text = rbac(&["list pods @a", "watch pods @a"], &["patch pods web @a"]).text();
    assert!(!text.contains("ClusterRole"), "{text}");
    assert!(text.contains("  verbs:\n  - list\n  - patch\n  - watch\n"), "{text}");
}

#[test]
fn the_namespace_of_a_test_becomes_those_of_the_program() {
    let told = |all: Vec<Wanted>| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    let calls = ["list pods @test-7", "patch pods web @test-7"];
    let one = rbac(&["list pods @prod"], &calls);
    assert_eq!(told(one.undeclared()), ["patch pods in prod: called by a"]);
    assert!(one.unexercised().is_empty(), "{:?}", one.unexercised());
    assert!(
        !one.text().contains("test-7") && !one.text().contains("ClusterRole"),
        "{}",
        one.text()
    );
    let two = rbac(&["list pods @prod", "get leases.coordination.k8s.io @locks"], &calls);
    assert_eq!(
        told(two.undeclared()),
        ["patch pods in locks: called by a", "patch pods in prod: called by a"]
    );
    let own = rbac(&["list pods @prod", "list pods @locks"], &["patch pods web @prod"]);
    assert_eq!(told(own.undeclared()), ["patch pods in prod: called by a"]);
    // What is called in no namespace is not in theirs.
    let nodes = rbac(&["list pods @prod"], &["list nodes"]);
    assert_eq!(told(nodes.undeclared()), ["list nodes: called by a"]);
}

#[test]
fn a_wildcard_covers_what_was_called() {
    let declared = ["* pods", "get *.apps", "list */log", "get /logs/*"];
    let calls =
        ["patch pods web @a", "get deployments.apps/status x @a", "list pods/log", "get /logs/a"];
    let joined = rbac(&declared, &calls);
    assert!(joined.undeclared().is_empty(), "{:?}", joined.undeclared());
    assert!(joined.unexercised().is_empty(), "{:?}", joined.unexercised());
    let other = rbac(&declared, &["get deployments.batch", "list pods/exec", "get /log"]);
    assert_eq!(other.undeclared().len(), 3, "{:?}", other.undeclared());
    assert_eq!(other.unexercised().len(), 4, "{:?}", other.unexercised());
}

#[test]
fn what_everybody_may_read_is_not_granted_and_nothing_else_is_left_out() {
    let theirs = ["/api", "/api/v1", "/apis/apps", "/openapi/v3", "/version", "/version/"]
        .into_iter()
        .chain(["/healthz", "/livez", "/readyz"]);
    for path in theirs {
        assert!(rbac(&[], &[&format!("get {path}")]).undeclared().is_empty(), "{path}");
    }
    for path in ["/livez/etcd", "/readyz/ping", "/healthz/", "/version/a", "/apisx", "/metrics"] {
        let wanted = rbac(&[], &[&format!("get {path}")]);
        assert!(wanted.text().contains(path), "{path}: {}", wanted.text());
    }
    assert!(!rbac(&[], &["post /version"]).undeclared().is_empty());
}

#[test]
fn what_no_call_shows_is_not_missed() {
    let text = json!({ "declared": [
        { "verb": "update", "group": "a", "resource": "foos/finalizers", "unseen": true },
    ]});
    let rbac = Rbac::new("a").access("a.json", &text.to_string()).expect("a document");
    assert!(rbac.unexercised().is_empty());
    assert!(rbac.text().contains("- foos/finalizers"), "{}", rbac.text());
}

#[test]
fn a_list_that_is_streamed_was_called() {
    let told = |all: Vec<Wanted>| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    let declared = ["list pods", "watch pods", "list nodes"];
    let streams = rbac(&declared, &["watch pods"]);
    assert_eq!(told(streams.unexercised()), ["list nodes: why"]);
    // A list alone is no watch.
    let lists = rbac(&declared, &["list pods", "list nodes"]);
    assert_eq!(told(lists.unexercised()), ["watch pods: why"]);
}

#[test]
fn the_header_becomes_a_comment() {
    let text = rbac(&["list pods"], &[]).header("Copyright A\n\n# B\n").text();
    assert!(text.starts_with("# Copyright A\n#\n# B\n---\n"), "{text}");
}

#[test]
fn a_document_that_is_none_is_refused() {
    let error =
        |text: &str| Rbac::new("a").access("a.json", text).expect_err("no document").to_string();
    assert!(error("{").starts_with("a.json: line 1: this is no JSON: "), "{}", error("{"));
    assert_eq!(error("{}"), "a.json: it declares nothing and records nothing");
    assert_eq!(error("{\"declared\":1}"), "a.json: document 1, declared: it is no list");
    assert_eq!(error("{\"declared\":[{}]}"), "a.json: document 1, declared[0]: there is no verb");
    assert_eq!(
        error("{\"recorded\":[{\"verb\":\"get\"}]}"),
        "a.json: document 1, recorded[0]: there is neither a resource nor a url, or there are both"
    );
}

/// What a role with these rules does not grant of what is wanted.
fn missing(wanted: &[&str], rules: &str) -> Vec<String> {
    let role = format!("kind: ClusterRole\nmetadata: {{name: a}}\nrules:\n{rules}");
    let missing = rbac(wanted, &[]).missing("role.yaml", &role).expect("a role");
    missing.iter().map(|of| of.permission.to_string()).collect()
}

#[test]
fn a_role_is_judged_as_a_server_judges_it() {
    let pods = &["get pods", "get pods/log", "list pods", "get pods a"];
    let all = "- {verbs: ['*'], apiGroups: ['*'], resources: ['*']}";
    assert!(missing(pods, all).is_empty());
    let named = "- {verbs: [get, list], apiGroups: [''], resources: [pods], resourceNames: [a]}";
    assert_eq!(missing(pods, named), ["get pods", "list pods", "get pods/log"]);
    let parts = "- {verbs: [get], apiGroups: [''], resources: ['*/log', 'pods']}";
    assert_eq!(missing(pods, parts), ["list pods"]);
    let no_such_wildcard = "- {verbs: [get, list], apiGroups: [''], resources: [pods, 'pods/*']}";
    assert_eq!(missing(pods, no_such_wildcard), ["get pods/log"]);
    let other_group = "- {verbs: ['*'], apiGroups: [apps], resources: ['*']}";
    assert_eq!(missing(&["get pods"], other_group), ["get pods"]);
    let two_rules = "- {verbs: [get], apiGroups: [''], resources: ['*']}\n- {verbs: [list], apiGroups: [''], resources: [pods]}";
    assert!(missing(pods, two_rules).is_empty());
}

#[test]
fn paths_are_judged_by_how_they_begin() {
    let wanted = &["get /metrics", "get /logs/a", "get /log"];
    let rules = "- {verbs: [get], nonResourceURLs: [/metrics, '/logs/*']}";
    assert_eq!(missing(wanted, rules), ["get /log"]);
    assert!(missing(wanted, "- {verbs: ['*'], nonResourceURLs: ['*']}").is_empty());
}

#[test]
fn a_role_of_a_namespace_grants_nothing_elsewhere() {
    let wanted = rbac(&["get pods @shop", "get pods @zoo", "get nodes", "get /metrics"], &[]);
    let role = "kind: Role\nmetadata: {name: a, namespace: shop}\nrules:\n\
        - {verbs: ['*'], apiGroups: ['*'], resources: ['*']}\n- {verbs: ['*'], nonResourceURLs: ['*']}";
    let missing = wanted.missing("role.yaml", role).expect("a role");
    let missing: Vec<String> = missing.iter().map(|of| of.permission.to_string()).collect();
    assert_eq!(missing, ["get nodes", "get pods in zoo", "get /metrics"]);
}

#[test]
fn what_is_no_role_is_told() {
    let wanted = rbac(&["get pods"], &[]);
    let error = |text: &str| wanted.missing("role.yaml", text).expect_err("no role").to_string();
    assert_eq!(error("kind: Pod"), "role.yaml: there is neither a ClusterRole nor a Role");
    let nowhere = "kind: Role\nmetadata: {name: a}\n";
    assert_eq!(
        error(nowhere),
        "role.yaml: document 1, metadata.namespace: the Role \"a\" has none"
    );
}

#[test]
fn what_is_granted_suffices() {
    let declared = ["list pods", "get leases.coordination.k8s.io a @park", "get /metrics"];
    let wanted =
        rbac(&declared, &["patch foos.example.com/status a @b", "create pods/eviction a @b"]);
    assert!(wanted.missing("role.yaml", &wanted.text()).expect("roles").is_empty());
}
