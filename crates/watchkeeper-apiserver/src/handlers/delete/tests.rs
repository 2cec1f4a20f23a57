use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::grace::plan_pod;
use super::{Plan, bump, check_preconditions, collector_finalizers, mark_deleting, plan};
use crate::clock::Now;
use crate::config::Config;
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::request::Call;
use crate::request::options::{DeleteOptions, Propagation};
use crate::rng::Rng;
use crate::step::{Core, Ticket};
use crate::storage::{Stored, key};
use crate::turn::Turn;

fn call(group: &str, kind: &str) -> Call {
    own_call(Method::DELETE, builtin(group, "v1", kind).expect("a kind"), "a", "x")
}

/// `deletionFinalizersForGarbageCollection` of upstream.
#[test]
fn finalizers_tell_the_collector_what_becomes_of_dependents() {
    let told = |call: &Call, propagation: Option<Propagation>, existing: &str| {
        let options = DeleteOptions { propagation, ..DeleteOptions::default() };
        let existing: Vec<String> = existing.split_whitespace().map(str::to_owned).collect();
        collector_finalizers(call, &existing, &options).join(" ")
    };
    let maps = call("", "ConfigMap");
    for (propagation, existing, expected) in [
        (None, "a/b", "a/b"),
        (None, "orphan a/b", "orphan a/b"),
        (None, "foregroundDeletion", "foregroundDeletion"),
        (None, "orphan foregroundDeletion", "orphan"),
        (None, "foregroundDeletion a/b orphan", "a/b foregroundDeletion"),
        (Some(Propagation::Orphan), "a/b foregroundDeletion", "a/b orphan"),
        (Some(Propagation::Foreground), "orphan a/b", "a/b foregroundDeletion"),
        (Some(Propagation::Background), "orphan a/b foregroundDeletion", "a/b"),
    ] {
        assert_eq!(told(&maps, propagation, existing), expected, "{existing}");
    }
    assert_eq!(told(&call("batch", "Job"), None, ""), "orphan");
    assert_eq!(told(&call("batch", "Job"), None, "foregroundDeletion"), "foregroundDeletion");
    assert_eq!(told(&call("batch", "Job"), Some(Propagation::Background), ""), "");
}

#[test]
fn preconditions_are_about_what_is_stored() {
    let value = json!({"metadata": {"name": "x", "uid": "u", "resourceVersion": "7"}});
    let stored = Stored::new(key("a", "x"), 7, value);
    let told = |uid: Option<&str>, version: Option<&str>| {
        let (uid, resource_version) = (uid.map(str::to_owned), version.map(str::to_owned));
        let options = DeleteOptions { uid, resource_version, ..DeleteOptions::default() };
        let refused = check_preconditions(&call("", "ConfigMap"), &stored, &options).err();
        refused.map_or_else(String::new, |error| error.message)
    };
    assert_eq!(told(None, None), "");
    assert_eq!(told(Some("u"), Some("7")), "");
    let uid = told(Some("v"), Some("7"));
    let why = "the UID in the precondition (v) does not match the UID in record (u). The object \
               might have been deleted and then recreated";
    assert!(uid.ends_with(why), "{uid}");
    let version = told(Some("u"), Some("8"));
    let why = "the ResourceVersion in the precondition (8) does not match the ResourceVersion in \
               record (7). The object might have been modified";
    assert!(version.ends_with(why), "{version}");
}

#[test]
fn a_generation_that_is_counted_is_counted_on() {
    for (before, after) in [(json!(1), json!(2)), (json!(0), json!(0)), (json!(null), json!(null))]
    {
        let mut value = json!({"metadata": {"generation": before}});
        bump(&mut value);
        assert_eq!(value["metadata"]["generation"], after);
    }
}

/// Does something a minute after the beginning of all time.
fn in_a_turn<T>(what: impl FnOnce(&Turn<'_>) -> T) -> T {
    let mut rng = Rng::new(0);
    let mut core = Core::new(Config::default(), Now::default(), &mut rng);
    what(&Turn::new(&mut core, Now(Duration::from_secs(60)), &mut rng, Ticket(1)))
}

const fn name(plan: &Plan) -> &'static str {
    match plan {
        Plan::Nothing => "nothing",
        Plan::Mark => "mark",
        Plan::MarkAndRemove => "mark and remove",
        Plan::Remove => "remove",
    }
}

/// The plan, and when the pod is to end.
fn told(turn: &Turn<'_>, mut pod: Value, asked: Option<i64>, held: bool) -> String {
    let plan = plan_pod(turn, &mut pod, asked, held);
    let text = |name: &str| pod["metadata"][name].to_string();
    let (seconds, end) = (text("deletionGracePeriodSeconds"), text("deletionTimestamp"));
    format!("{}: {seconds} {end} {}", name(&plan), pod["metadata"]["generation"])
}

/// `BeforeDelete` of upstream's `registry/rest`.
#[test]
fn a_pod_on_its_way_out_may_get_less_time_and_never_more() {
    let going = |end: &str, seconds: Option<i64>| {
        json!({"metadata": {"generation": 2, "deletionGracePeriodSeconds": seconds,
            "deletionTimestamp": format!("1970-01-01T00:0{end}Z")}})
    };
    in_a_turn(|turn| {
        for (end, seconds, asked, held, expected) in [
            ("1:20", Some(30), None, false, r#"nothing: 30 "1970-01-01T00:01:20Z" 2"#),
            ("1:20", Some(30), Some(30), false, r#"nothing: 30 "1970-01-01T00:01:20Z" 2"#),
            ("1:20", Some(30), Some(31), false, r#"nothing: 30 "1970-01-01T00:01:20Z" 2"#),
            ("1:20", Some(30), Some(29), false, r#"mark: 29 "1970-01-01T00:01:19Z" 2"#),
            ("1:20", Some(30), Some(10), false, r#"mark: 10 "1970-01-01T00:01:00Z" 2"#),
            ("1:20", Some(30), Some(9), false, r#"mark: 1 "1970-01-01T00:01:00Z" 2"#),
            ("1:20", Some(30), Some(0), true, r#"mark: 0 "1970-01-01T00:01:00Z" 2"#),
            ("1:20", Some(30), Some(0), false, r#"mark and remove: 0 "1970-01-01T00:01:00Z" 2"#),
            ("0:30", Some(0), None, true, r#"mark: 0 "1970-01-01T00:00:30Z" 2"#),
            ("0:30", Some(0), Some(5), true, r#"mark: 0 "1970-01-01T00:00:30Z" 2"#),
            ("0:30", None, None, true, r#"mark: 0 "1970-01-01T00:00:30Z" 2"#),
            ("1:20", Some(0), None, true, r#"mark: 0 "1970-01-01T00:01:00Z" 2"#),
            ("0:30", Some(0), None, false, r#"remove: 0 "1970-01-01T00:00:30Z" 2"#),
            ("0:30", Some(0), Some(5), false, r#"remove: 0 "1970-01-01T00:00:30Z" 2"#),
        ] {
            let told = told(turn, going(end, seconds), asked, held);
            assert_eq!(told, expected, "{end} {asked:?} {held}");
        }
    });
}

#[test]
fn a_pod_that_begins_to_go_has_the_time_that_is_asked_for_or_its_own() {
    let running = |node: &str| {
        json!({"metadata": {"generation": 1},
            "spec": {"nodeName": node, "terminationGracePeriodSeconds": 7}})
    };
    in_a_turn(|turn| {
        for (node, asked, held, expected) in [
            ("n", None, false, r#"mark: 7 "1970-01-01T00:01:07Z" 2"#),
            ("n", Some(9), true, r#"mark: 9 "1970-01-01T00:01:09Z" 2"#),
            ("n", Some(0), true, r#"mark: 0 "1970-01-01T00:01:00Z" 2"#),
            ("n", Some(9), false, r#"mark: 9 "1970-01-01T00:01:09Z" 2"#),
            ("n", Some(0), false, r#"mark and remove: 0 "1970-01-01T00:01:00Z" 2"#),
            ("", Some(9), false, r#"mark and remove: 0 "1970-01-01T00:01:00Z" 2"#),
            ("", None, true, r#"mark: 0 "1970-01-01T00:01:00Z" 2"#),
        ] {
            assert_eq!(told(turn, running(node), asked, held), expected, "{node} {asked:?}");
        }
    });
}

#[test]
fn less_than_no_time_is_a_second_for_pods_and_others_have_none() {
    let plan_of = |turn: &Turn<'_>, kind: &str, seconds, held| {
        let options = DeleteOptions { grace_period_seconds: Some(seconds), ..Default::default() };
        let mut value = json!({"metadata": {}, "spec": {"nodeName": "n"}});
        let plan = plan(turn, &call("", kind), &mut value, &options, held);
        format!("{} {}", name(&plan), value["metadata"]["deletionGracePeriodSeconds"])
    };
    in_a_turn(|turn| {
        for (kind, seconds, held, expected) in [
            ("Pod", -5, false, "mark 1"),
            ("Pod", 0, false, "mark and remove 0"),
            ("Pod", 1, false, "mark 1"),
            ("ConfigMap", 5, false, "remove null"),
            ("ConfigMap", 5, true, "mark 0"),
        ] {
            assert_eq!(plan_of(turn, kind, seconds, held), expected, "{kind} {seconds}");
        }
    });
}

#[test]
fn what_is_held_is_marked_once_and_each_kind_in_its_way() {
    let marked = |turn: &Turn<'_>, group: &str, kind: &str, metadata: Value| {
        let mut value = json!({ "metadata": metadata });
        mark_deleting(turn, &call(group, kind), &mut value);
        value
    };
    let (new, now) = (json!({"generation": 1}), "1970-01-01T00:01:00Z");
    in_a_turn(|turn| {
        assert_eq!(
            marked(turn, "apps", "Deployment", new.clone()),
            json!({"metadata": {"generation": 2, "deletionTimestamp": now,
                "deletionGracePeriodSeconds": 0}})
        );
        let early = json!({"generation": 1, "deletionTimestamp": "1970-01-01T00:00:01Z"});
        let mut kept = early.clone();
        kept["deletionGracePeriodSeconds"] = 0.into();
        assert_eq!(marked(turn, "apps", "Deployment", early), json!({ "metadata": kept }));
        let late = json!({"generation": 1, "deletionTimestamp": "1970-01-01T00:02:00Z"});
        assert_eq!(
            marked(turn, "apps", "Deployment", late.clone()),
            json!({"metadata": {"generation": 1, "deletionTimestamp": now,
                "deletionGracePeriodSeconds": 0}})
        );
        let definition = "CustomResourceDefinition";
        assert_eq!(
            marked(turn, "apiextensions.k8s.io", definition, late.clone()),
            json!({ "metadata": late })
        );
        assert_eq!(
            marked(turn, "apiextensions.k8s.io", definition, new.clone()),
            json!({"metadata": {"generation": 1, "deletionTimestamp": now}})
        );
        assert_eq!(
            marked(turn, "", "Namespace", new.clone()),
            json!({"metadata": {"generation": 2, "deletionTimestamp": now},
                "status": {"phase": "Terminating"}})
        );
    });
}
