use http::Method;
use serde_json::json;

use super::Rule;
use crate::access::Attributes;

fn rule(value: serde_json::Value) -> Rule {
    Rule::read(&value)
}

fn get(path: &str) -> Attributes {
    Attributes::of(&Method::GET, path, "")
}

const POD: &str = "/api/v1/namespaces/a/pods/x";
const LOG: &str = "/api/v1/namespaces/a/pods/x/log";
const SCALE: &str = "/apis/apps/v1/namespaces/a/deployments/x/scale";

#[test]
fn a_resource_rule_names_group_resource_and_verb() {
    let pods = rule(json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}));
    assert!(pods.allows(&get(POD)));
    assert!(!pods.allows(&get(LOG)), "a subresource is not its object");
    assert!(!pods.allows(&get("/api/v1/pods")), "a list is not a get");
    assert!(!pods.allows(&get("/apis/x/v1/pods/x")), "another group");
    let logs = rule(json!({"apiGroups": [""], "resources": ["pods/log"], "verbs": ["get"]}));
    assert!(logs.allows(&get(LOG)) && !logs.allows(&get(POD)));
}

#[test]
fn stars_stand_for_everything() {
    let all = rule(json!({"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}));
    for path in [POD, LOG, SCALE, "/api/v1/pods"] {
        assert!(all.allows(&get(path)), "{path}");
    }
    assert!(!all.allows(&get("/healthz")), "objects are no paths");
    let scales = rule(json!({"apiGroups": ["*"], "resources": ["*/scale"], "verbs": ["get"]}));
    assert!(scales.allows(&get(SCALE)) && !scales.allows(&get(LOG)) && !scales.allows(&get(POD)));
}

#[test]
fn names_narrow_a_rule() {
    let one = json!({
        "apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"], "resourceNames": ["x"],
    });
    let one = rule(one);
    assert!(one.allows(&get(POD)) && !one.allows(&get("/api/v1/namespaces/a/pods/y")));
    let list = |query| Attributes::of(&Method::GET, "/api/v1/pods", query);
    assert!(!one.allows(&list("")));
    assert!(one.allows(&list("fieldSelector=metadata.name%3Dx")));
}

#[test]
fn paths_end_in_a_star_or_are_meant_exactly() {
    let paths = rule(json!({"nonResourceURLs": ["/healthz", "/apis/*"], "verbs": ["get"]}));
    for (path, allowed) in
        [("/healthz", true), ("/healthz/ping", false), ("/apis/apps", true), ("/apis", false)]
    {
        assert_eq!(paths.allows(&get(path)), allowed, "{path}");
    }
    assert!(!paths.allows(&Attributes::of(&Method::POST, "/healthz", "")));
}

#[test]
fn a_rule_is_told_in_a_line() {
    let told = rule(json!({
        "verbs": ["get", "list"], "apiGroups": ["", "apps"], "resources": ["pods"],
        "resourceNames": ["x"],
    }));
    let line =
        r#"{APIGroups:["" "apps"], Resources:["pods"], ResourceNames:["x"], Verbs:["get" "list"]}"#;
    assert_eq!(told.to_string(), line);
}
