use serde_json::{Value, json};

use super::{missing, told};
use crate::access::Rule;

fn rules(rules: &[Value]) -> Vec<Rule> {
    rules.iter().map(Rule::read).collect()
}

fn of(group: &str, resource: &str, verbs: &[&str]) -> Value {
    json!({"apiGroups": [group], "resources": [resource], "verbs": verbs})
}

#[track_caller]
fn check(held: &[Value], wanted: &[Value], missing_lines: &[&str]) {
    assert_eq!(told(&missing(&rules(held), &rules(wanted))), missing_lines);
}

#[test]
fn several_rules_together_give_one() {
    let held = [of("", "pods", &["get"]), of("", "pods", &["list"]), of("apps", "*", &["*"])];
    let wanted = json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]});
    check(&held, &[wanted, of("apps", "deployments/scale", &["update"])], &[]);
}

#[test]
fn what_is_missing_is_told_by_resource() {
    let held = [of("", "configmaps", &["get"])];
    let wanted = json!({
        "apiGroups": ["", "apps"], "resources": ["pods", "configmaps"], "verbs": ["get", "list"],
    });
    check(
        &held,
        &[wanted],
        &[
            r#"{APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}"#,
            r#"{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}"#,
            r#"{APIGroups:["apps"], Resources:["configmaps"], Verbs:["get" "list"]}"#,
            r#"{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "list"]}"#,
        ],
    );
}

#[test]
fn a_star_is_not_a_list_of_everything_known() {
    let held = [of("", "pods", &["get", "list", "watch", "create", "update", "patch", "delete"])];
    let line = r#"{APIGroups:[""], Resources:["pods"], Verbs:["*"]}"#;
    check(&held, &[of("", "pods", &["*"])], &[line]);
    check(&[of("*", "*", &["*"])], &[of("", "pods", &["*"])], &[]);
}

#[test]
fn a_subresource_of_everything_gives_that_of_one() {
    check(&[of("", "*/status", &["get"])], &[of("", "pods/status", &["get"])], &[]);
    let line = r#"{APIGroups:[""], Resources:["pods"], Verbs:["get"]}"#;
    check(&[of("", "*/status", &["get"])], &[of("", "pods", &["get"])], &[line]);
}

#[test]
fn names_give_names_only() {
    let named = |names: &[&str]| json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get"], "resourceNames": names});
    check(&[named(&["x", "y"])], &[named(&["x"])], &[]);
    check(&[of("", "pods", &["get"])], &[named(&["x"])], &[]);
    let all = r#"{APIGroups:[""], Resources:["pods"], Verbs:["get"]}"#;
    check(&[named(&["x"])], &[of("", "pods", &["get"])], &[all]);
    let other = r#"{APIGroups:[""], Resources:["pods"], ResourceNames:["z"], Verbs:["get"]}"#;
    check(&[named(&["x"])], &[named(&["x", "z"])], &[other]);
}

#[test]
fn paths_give_what_lies_below_a_star() {
    let paths = |paths: &[&str]| json!({"nonResourceURLs": paths, "verbs": ["get"]});
    check(&[paths(&["/a/*"])], &[paths(&["/a/b", "/a/*"])], &[]);
    let line = r#"{NonResourceURLs:["/b/*"], Verbs:["get"]}"#;
    check(&[paths(&["/b/c"])], &[paths(&["/b/*"])], &[line]);
}
