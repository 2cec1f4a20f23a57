//! Rules as upstream's `rule_test.go` has them.

use http::Method;
use serde_json::{Value, json};

use super::rules::matches;
use crate::access::Attributes;
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
