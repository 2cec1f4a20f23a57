use http::Method;
use serde_json::json;

use super::{Plan, after_grace, bump, check_preconditions, collector_finalizers};
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::request::Call;
use crate::request::options::{DeleteOptions, Propagation};
use crate::storage::{Stored, key};

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
        (None, "orphan a/b", "a/b orphan"),
        (None, "foregroundDeletion", "foregroundDeletion"),
        (None, "orphan foregroundDeletion", "orphan foregroundDeletion"),
        (Some(Propagation::Orphan), "a/b foregroundDeletion", "a/b orphan"),
        (Some(Propagation::Foreground), "orphan a/b", "a/b foregroundDeletion"),
        (Some(Propagation::Background), "orphan a/b foregroundDeletion", "a/b"),
    ] {
        assert_eq!(told(&maps, propagation, existing), expected, "{existing}");
    }
    assert_eq!(told(&call("batch", "Job"), None, ""), "orphan");
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
fn a_pod_without_time_left_that_nobody_holds_goes_at_once() {
    let waits = |grace, held| matches!(after_grace(grace, held), Plan::Mark);
    assert_eq!([waits(1, false), waits(0, true), waits(1, true)], [true; 3]);
    assert!(matches!(after_grace(0, false), Plan::MarkAndRemove));
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
