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

#[test]
fn everything_is_every_verb_on_all_objects_and_all_paths() {
    let all = Rule::everything();
    let allowed = |path: &str| all.each_ref().map(|rule| rule.allows(&get(path)));
    for path in [POD, LOG, SCALE, "/api/v1/pods"] {
        assert_eq!(allowed(path), [true, false], "{path}");
    }
    for path in ["/healthz", "/api", "/"] {
        assert_eq!(allowed(path), [false, true], "{path}");
    }
    let [objects, paths] = all;
    assert_eq!(objects.to_string(), r#"{APIGroups:["*"], Resources:["*"], Verbs:["*"]}"#);
    assert_eq!(paths.to_string(), r#"{NonResourceURLs:["*"], Verbs:["*"]}"#);
}

#[test]
fn a_subresource_is_that_of_its_resource() {
    let of = |resource: &str| {
        rule(json!({"apiGroups": ["", "apps"], "resources": [resource], "verbs": ["get"]}))
    };
    for (resource, log, scale) in [
        ("pods/log", true, false),
        ("deployments/log", false, false),
        ("pods/scale", false, false),
        ("deployments/scale", false, true),
        ("*/log", true, false),
        ("*/*", false, false),
        ("*", true, true),
    ] {
        assert_eq!(of(resource).allows(&get(LOG)), log, "{resource}");
        assert_eq!(of(resource).allows(&get(SCALE)), scale, "{resource}");
    }
}

#[test]
fn a_review_tells_rules_of_objects_and_of_paths_apart() {
    let pods = rule(json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}));
    let told = json!({"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]});
    assert_eq!((pods.resource_review(), pods.path_review()), (Some(told.clone()), None));
    let mut named = pods;
    named.names = vec!["x".to_owned()];
    let mut of_one = told;
    of_one["resourceNames"] = json!(["x"]);
    assert_eq!(named.resource_review(), Some(of_one));
    let paths = rule(json!({"nonResourceURLs": ["/healthz"], "verbs": ["get"]}));
    let told = json!({"verbs": ["get"], "nonResourceURLs": ["/healthz"]});
    assert_eq!((paths.resource_review(), paths.path_review()), (None, Some(told)));
}

#[test]
fn a_role_has_the_rules_that_it_lists() {
    let pods = json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]});
    let paths = json!({"nonResourceURLs": ["/a"], "verbs": ["get"]});
    let rules = Rule::of_role(&json!({"rules": [pods, paths]}));
    assert_eq!(rules, [rule(pods), rule(paths)]);
    assert!(Rule::of_role(&json!({"rules": null})).is_empty());
}
