use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::{LIMIT, TooMany, looks, missing};
use crate::access::rule::path_covers;
use crate::access::{Attributes, Rule, Target};

fn rules(rules: &[Value]) -> Vec<Rule> {
    rules.iter().map(Rule::read).collect()
}

fn of(group: &str, resource: &str, verbs: &[&str]) -> Value {
    json!({"apiGroups": [group], "resources": [resource], "verbs": verbs})
}

#[track_caller]
fn check(held: &[Value], wanted: &[Value], missing_lines: &[&str]) {
    let wanted = rules(wanted);
    let missing = missing(&rules(held), &wanted).expect("few parts");
    assert_eq!(missing.told(), missing_lines);
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
        if !missing(&held, &wanted).expect("few parts").is_empty() {
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
        prop_assert_eq!(parts(&held, &held), []);
        let before = parts(&held, &wanted);
        let all: Vec<Rule> = held.iter().cloned().chain([more]).collect();
        let after = parts(&all, &wanted);
        prop_assert!(after.iter().all(|part| before.contains(part)), "{after:?} of {before:?}");
    }

    /// Part by part, as the rule that allows requests reads them.
    #[test]
    fn what_is_missing_is_what_no_rule_has(
        held in vec(any_rule(), 0..70),
        wanted in vec(any_rule(), 1..3),
    ) {
        let slow: Vec<Rule> = wanted
            .iter()
            .flat_map(taken_apart)
            .filter(|part| !held.iter().any(|rule| has(rule, part)))
            .collect();
        let fast = parts(&held, &wanted);
        prop_assert!(slow.iter().all(|part| fast.contains(part)), "{slow:?} of {fast:?}");
        prop_assert!(fast.iter().all(|part| slow.contains(part)), "{fast:?} of {slow:?}");
    }
}

/// What is missing, a verb each.
fn parts(held: &[Rule], wanted: &[Rule]) -> Vec<Rule> {
    let missing = missing(held, wanted).expect("few parts");
    missing.rules().flat_map(|rule| taken_apart(&rule)).collect()
}

/// One verb on one thing each.
fn taken_apart(rule: &Rule) -> Vec<Rule> {
    let mut parts = Vec::new();
    let one = |text: &String| vec![text.clone()];
    let names: Vec<Vec<String>> = rule.names.iter().map(one).collect();
    let names = if names.is_empty() { vec![Vec::new()] } else { names };
    for verb in &rule.verbs {
        let verbs = one(verb);
        for (group, resource) in
            rule.groups.iter().flat_map(|group| rule.resources.iter().map(move |of| (group, of)))
        {
            parts.extend(names.iter().cloned().map(|names| Rule {
                verbs: verbs.clone(),
                groups: one(group),
                resources: one(resource),
                names,
                paths: Vec::new(),
            }));
        }
        let of_path = |path| Rule { verbs: verbs.clone(), paths: one(path), ..Rule::default() };
        parts.extend(rule.paths.iter().map(of_path));
    }
    parts
}

/// Whether a rule gives a part, text by text.
fn has(rule: &Rule, part: &Rule) -> bool {
    let list = |list: &[String], wanted: &[String]| {
        list.iter().any(|one| one == "*") || wanted.iter().all(|one| list.contains(one))
    };
    let everywhere = |wanted: &String| wanted.split_once('/').map(|(_, sub)| format!("*/{sub}"));
    let resource = |wanted: &String| {
        let of_all = everywhere(wanted);
        rule.resources.iter().any(|one| one == "*" || one == wanted || Some(one) == of_all.as_ref())
    };
    let path = |wanted: &String| rule.paths.iter().any(|one| path_covers(one, wanted));
    let names = rule.names.is_empty()
        || !part.names.is_empty() && part.names.iter().all(|name| rule.names.contains(name));
    list(&rule.verbs, &part.verbs)
        && list(&rule.groups, &part.groups)
        && part.resources.iter().all(resource)
        && names
        && part.paths.iter().all(path)
}

/// One rule of so many groups, resources and verbs.
fn large(groups: usize, resources: usize, verbs: usize) -> [Rule; 1] {
    let many = |prefix: &str, count| (0..count).map(|at| format!("{prefix}{at}")).collect();
    [Rule {
        groups: many("g", groups),
        resources: many("r", resources),
        verbs: many("v", verbs),
        ..Rule::default()
    }]
}

#[test]
fn a_role_of_a_kilobyte_is_compared_part_by_part_and_no_oftener() {
    let (held, wanted) = ([], large(100, 100, 10));
    assert_eq!(looks(&wanted[0], 1, 0), 100_000 + 10_000 + 210, "parts, pairs and texts");
    let missing = missing(&held, &wanted).expect("not too many");
    assert_eq!(missing.rules().count(), 10_000);
    let lines = missing.told();
    assert_eq!(lines.len(), 10_000);
    let verbs = r#""v0" "v1" "v2" "v3" "v4" "v5" "v6" "v7" "v8" "v9""#;
    assert_eq!(lines[0], format!(r#"{{APIGroups:["g0"], Resources:["r0"], Verbs:[{verbs}]}}"#));
}

#[test]
fn what_stands_for_too_much_is_not_walked() {
    assert_eq!(missing(&[], &large(1_000, 1_000, 100)).err(), Some(TooMany));
    let everything = Rule::everything();
    assert_eq!(missing(&everything, &large(1_000, 1_000, 100)).err(), Some(TooMany));
    assert!(missing(&everything, &large(900, 1_000, 0)).is_ok_and(|missing| missing.is_empty()));
    let names = Rule {
        names: (0..100_000).map(|name| name.to_string()).collect(),
        ..large(2, 2, 3)[0].clone()
    };
    assert!(looks(&names, 1, 0) > LIMIT);
    let huge = Rule { paths: vec![String::new(); 99], ..large(99, 99, 99)[0].clone() };
    assert_eq!(looks(&huge, u64::MAX, u64::MAX), u64::MAX, "no number runs over");
    // The more rules are held, the longer each look.
    let many = vec![Rule::default(); 6_400];
    assert_eq!(missing(&many, &large(100, 100, 10)).err(), Some(TooMany));
}

#[test]
fn a_refusal_is_no_longer_than_it_helps() {
    let long = "x".repeat(600_000);
    let rule = Rule { groups: vec![long], ..large(1, 100, 3)[0].clone() };
    let wanted = [rule];
    let lines = missing(&[], &wanted).expect("not too many").told();
    assert_eq!((lines.len(), &*lines[2]), (3, "… and 98 more"));
    let rule = Rule { verbs: vec!["v".repeat(1 << 10); 1 << 14], ..large(1, 1, 0)[0].clone() };
    let wanted = [rule];
    let lines = missing(&[], &wanted).expect("not too many").told();
    assert!(lines[0].len() < 2 << 20, "{}", lines[0].len());
}
