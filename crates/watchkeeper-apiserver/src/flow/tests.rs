//! Rules as upstream's `rule_test.go` has them.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::order::Order;
use super::rules::matches;
use super::{Flows, begin};
use crate::access::Attributes;
use crate::clock::Now;
use crate::step::Ticket;
use crate::storage::{Store, TableName, key};
use crate::user::User;

fn spec(subject: &Value, rules: &str, rule: &Value) -> Value {
    json!({"rules": [{"subjects": [subject], rules: [rule]}]})
}

fn asked(method: Method, path: &str) -> Attributes {
    Attributes::of(&method, path, "")
}

#[test]
fn subjects_are_users_groups_and_accounts() {
    let anything = json!({"verbs": ["*"], "nonResourceURLs": ["*"]});
    let is = |subject: Value, user: &User| {
        let asked = asked(Method::GET, "/version");
        matches(&spec(&subject, "nonResourceRules", &anything), user, &asked)
    };
    let alice = User::new("alice").in_group("devs");
    let bot = User::service_account("ns", "bot");
    for (name, fits) in [("alice", true), ("*", true), ("bob", false)] {
        assert_eq!(is(json!({"kind": "User", "user": {"name": name}}), &alice), fits, "{name}");
    }
    for (name, fits) in [("devs", true), ("*", true), ("ops", false)] {
        assert_eq!(is(json!({"kind": "Group", "group": {"name": name}}), &alice), fits, "{name}");
    }
    for (namespace, name, fits) in
        [("ns", "bot", true), ("ns", "*", true), ("n", "*", false), ("ns", "other", false)]
    {
        let account = json!({"namespace": namespace, "name": name});
        let subject = json!({"kind": "ServiceAccount", "serviceAccount": account});
        assert_eq!(is(subject, &bot), fits, "{namespace} {name}");
    }
    assert!(!is(json!({"kind": "User"}), &alice), "one that says nothing");
    assert!(!is(json!({}), &alice));
}

#[test]
fn resources_are_told_apart_by_verb_group_name_and_place() {
    let everybody = json!({"kind": "User", "user": {"name": "*"}});
    let is = |rule: &Value, asked: &Attributes| {
        matches(&spec(&everybody, "resourceRules", rule), &User::new("alice"), asked)
    };
    let rule = |members: Value| {
        let mut rule = json!({"verbs": ["get"], "apiGroups": ["apps"],
            "resources": ["deployments", "deployments/scale"], "namespaces": ["a"]});
        for (name, value) in members.as_object().into_iter().flatten() {
            rule[name] = value.clone();
        }
        rule
    };
    let base = rule(json!({}));
    let path = "/apis/apps/v1/namespaces/a/deployments/web";
    assert!(is(&base, &asked(Method::GET, path)));
    assert!(is(&base, &asked(Method::GET, &format!("{path}/scale"))));
    assert!(!is(&base, &asked(Method::GET, &format!("{path}/status"))));
    assert!(!is(&base, &asked(Method::DELETE, path)));
    assert!(!is(&base, &asked(Method::GET, "/apis/apps/v1/namespaces/b/deployments/web")));
    assert!(!is(&base, &asked(Method::GET, "/apis/batch/v1/namespaces/a/deployments/web")));
    assert!(is(&rule(json!({"resources": ["*"]})), &asked(Method::GET, &format!("{path}/status"))));
    let cluster = rule(json!({"verbs": ["*"], "clusterScope": true}));
    assert!(is(&cluster, &asked(Method::GET, "/apis/apps/v1/deployments")));
    assert!(!is(&base, &asked(Method::GET, "/apis/apps/v1/deployments")));
    assert!(!is(&cluster, &asked(Method::GET, "/version")), "a path is no resource");
}

#[test]
fn paths_are_those_of_a_rule_and_below() {
    let everybody = json!({"kind": "Group", "group": {"name": "*"}});
    let is = |url: &str, path: &str| {
        let rule = json!({"verbs": ["get"], "nonResourceURLs": [url]});
        let asked = asked(Method::GET, path);
        matches(&spec(&everybody, "nonResourceRules", &rule), &User::new("alice"), &asked)
    };
    for url in ["*", "/healthz", "/healthz/*", "/healthz/"] {
        assert!(is(url, "/healthz/ping"), "{url}");
    }
    assert!(is("/healthz", "/healthz"));
    assert!(!is("/healthz/*", "/healthz"));
    assert!(!is("/healthz", "/healthzy"));
    assert!(!is("/livez", "/healthz"));
}

#[test]
fn a_star_stands_for_everything_where_it_is_alone() {
    let everybody = json!({"kind": "User", "user": {"name": "*"}});
    let is = |verbs: &[&str]| {
        let rule = json!({"verbs": verbs, "nonResourceURLs": ["/version"]});
        let asked = asked(Method::GET, "/version");
        matches(&spec(&everybody, "nonResourceRules", &rule), &User::new("alice"), &asked)
    };
    assert!(is(&["*"]) && is(&["put", "get"]) && is(&["*", "get"]));
    assert!(!is(&["*", "put"]) && !is(&[]));
}

fn put(store: &mut Store, plural: &str, name: &str, object: Value) {
    let table = TableName::from(format!("{plural}.{}", super::GROUP));
    store.put(&table, &key("", name), object);
}

/// A flow schema that every request is of.
fn flow_schema(uid: &str, level: &str, precedence: u32) -> Value {
    let everybody = json!({"kind": "User", "user": {"name": "*"}});
    let all = json!(["*"]);
    let mut spec = spec(
        &everybody,
        "resourceRules",
        &json!({"verbs": all, "apiGroups": all, "resources": all, "namespaces": all}),
    );
    spec["matchingPrecedence"] = precedence.into();
    spec["priorityLevelConfiguration"] = json!({"name": level});
    json!({"metadata": {"uid": uid}, "spec": spec})
}

const POD: &str = "/api/v1/namespaces/a/pods/x";

#[test]
fn the_first_schema_by_precedence_and_name_is_asked_if_its_level_is_there() {
    let (mut store, mut order) = (Store::new(10), Order::default());
    let mut first = |store: &Store| {
        order.follow(store);
        let matched = order.first(&User::new("alice"), &asked(Method::GET, POD));
        matched.map(|matched| matched.schema.to_str().expect("text").to_owned())
    };
    let levels = "prioritylevelconfigurations";
    put(&mut store, levels, "low", json!({"metadata": {"uid": "low"}}));
    assert_eq!(first(&store), None);
    put(&mut store, "flowschemas", "b", flow_schema("b", "low", 2));
    put(&mut store, "flowschemas", "a", flow_schema("a", "low", 2));
    put(&mut store, "flowschemas", "z", flow_schema("z", "none", 1));
    assert_eq!(first(&store).as_deref(), Some("a"));
    put(&mut store, levels, "none", json!({"metadata": {"uid": "none"}}));
    assert_eq!(first(&store).as_deref(), Some("z"));
    let schemas = TableName::from(format!("flowschemas.{}", super::GROUP));
    store.remove(&schemas, &key("", "z"), json!({"metadata": {}}));
    assert_eq!(first(&store).as_deref(), Some("a"));
    put(&mut store, "flowschemas", "b", flow_schema("b", "low", 1));
    assert_eq!(first(&store).as_deref(), Some("b"));
}

#[test]
fn streams_are_of_no_schema_and_who_leaves_is_forgotten() {
    let mut store = Store::new(10);
    put(&mut store, "prioritylevelconfigurations", "low", json!({"metadata": {"uid": "low"}}));
    put(&mut store, "flowschemas", "a", flow_schema("a", "low", 2));
    let mut flows = Flows::default();
    let proxied = "/api/v1/proxy/nodes/n".to_owned();
    for path in [format!("{POD}/log"), format!("{POD}/exec"), proxied] {
        flows.note(Ticket(1), &store, &User::new("alice"), &asked(Method::GET, &path));
        assert!(flows.open.is_empty(), "{path}");
    }
    flows.note(Ticket(1), &store, &User::new("alice"), &asked(Method::GET, POD));
    assert_eq!(flows.open.len(), 1);
    flows.forget(Ticket(1));
    assert!(flows.open.is_empty());
}

#[test]
fn what_is_there_from_the_first_moment_has_a_status() {
    let begun = |kind: &str| {
        let spec = json!({"priorityLevelConfiguration": {"name": "low"}});
        let mut object = json!({"kind": kind, "metadata": {}, "spec": spec});
        begin(&mut object, Now(Duration::ZERO));
        object
    };
    let level = begun("PriorityLevelConfiguration");
    assert_eq!((&level["metadata"], &level["status"]), (&json!({"generation": 1}), &json!({})));
    let schema = begun("FlowSchema");
    let condition = &schema["status"]["conditions"][0];
    assert_eq!((&condition["type"], &condition["status"]), (&json!("Dangling"), &json!("False")));
    assert!(condition["message"].as_str().is_some_and(|text| text.contains("\"low\"")));
}
