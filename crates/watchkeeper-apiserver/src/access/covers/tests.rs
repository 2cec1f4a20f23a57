use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::{missing, told};
use crate::access::{Attributes, Rule, Target};

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

/// Rules over few words, so that they meet.
fn any_rule() -> impl Strategy<Value = Rule> {
    let some = |words: &'static [&'static str]| {
        let words = subsequence(words, 1..=words.len().min(3));
        words.prop_map(|words| words.into_iter().map(str::to_owned).collect::<Vec<String>>())
    };
    let of_objects = (
        some(&["get", "list", "*"]),
        some(&["", "apps", "*"]),
        some(&["pods", "pods/log", "*/log", "nodes", "*"]),
        prop_oneof![Just(Vec::new()), some(&["x", "y"])],
    );
    let of_objects = of_objects.prop_map(|(verbs, groups, resources, names)| Rule {
        verbs,
        groups,
        resources,
        names,
        paths: Vec::new(),
    });
    let of_paths = (some(&["get", "*"]), some(&["/a", "/a/*", "/a/b*", "/b", "*"]));
    let of_paths = of_paths.prop_map(|(verbs, paths)| Rule { verbs, paths, ..Rule::default() });
    prop_oneof![3 => of_objects, 1 => of_paths]
}

fn any_request() -> impl Strategy<Value = Attributes> {
    let verb = select(vec!["get", "list", "watch"]);
    let group = select(vec!["", "apps", "batch"]);
    let resource = select(vec!["pods", "nodes", "secrets"]);
    let (sub, name) = (select(vec!["", "log", "exec"]), select(vec!["", "x", "z"]));
    let of_objects = (verb, group, resource, sub, name).prop_map(|(verb, group, of, sub, name)| {
        let mut target = Target::resource(group, of);
        if let Target::Resource { subresource, name: asked, .. } = &mut target {
            sub.clone_into(subresource);
            name.clone_into(asked);
        }
        Attributes { verb: verb.to_owned(), target }
    });
    let of_paths = select(vec!["/a", "/a/b", "/a/bc", "/b", "/c"]).prop_map(|path| Attributes {
        verb: "get".to_owned(),
        target: Target::Path(path.to_owned()),
    });
    prop_oneof![3 => of_objects, 1 => of_paths]
}

proptest! {
    /// What the check is for: who passes it could do everything before that can be done after.
    #[test]
    fn who_has_all_of_the_rules_may_do_all_that_they_allow(
        held in vec(any_rule(), 0..4),
        wanted in vec(any_rule(), 1..3),
        requests in vec(any_request(), 20),
    ) {
        if !missing(&held, &wanted).is_empty() {
            return Ok(());
        }
        for asked in &requests {
            let allows = |rules: &[Rule]| rules.iter().any(|rule| rule.allows(asked));
            prop_assert!(!allows(&wanted) || allows(&held), "{asked:?}");
        }
    }

    #[test]
    fn everybody_has_what_they_have_and_more_is_never_less(
        held in vec(any_rule(), 1..4),
        more in any_rule(),
        wanted in vec(any_rule(), 1..3),
    ) {
        prop_assert_eq!(missing(&held, &held), []);
        let before = missing(&held, &wanted);
        let all: Vec<Rule> = held.iter().cloned().chain([more]).collect();
        let after = missing(&all, &wanted);
        prop_assert!(after.iter().all(|part| before.contains(part)), "{after:?} of {before:?}");
    }
}
