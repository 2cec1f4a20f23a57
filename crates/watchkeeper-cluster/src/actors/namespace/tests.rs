//! What a namespace that is going says of itself.

use expect_test::expect;
use watchkeeper_api::core::v1::{Namespace, NamespaceCondition};
use watchkeeper_api::{Kind, Object, Scope, Time, Unstructured};

use super::Swept;
use super::conditions::merge;
use super::remaining::Remaining;

/// Those that are true, and those that are `more`.
fn text(conditions: &[NamespaceCondition], more: &[&str]) -> String {
    let told = |condition: &&NamespaceCondition| {
        condition.status == "True" || more.contains(&condition.type_.as_str())
    };
    let line = |condition: &NamespaceCondition| {
        let since = condition.last_transition_time.map_or(0, |time| time.unix());
        let NamespaceCondition { type_, status, reason, message, .. } = condition;
        format!("{type_}={status} @{since} {reason}: {message}\n")
    };
    conditions.iter().filter(told).map(line).collect()
}

fn pods() -> Kind {
    Kind::new("", "v1", "Pod", "pods", Scope::Namespaced)
}

/// A namespace that was asked to go at 0.
fn shop() -> Namespace {
    let mut shop = Namespace::default();
    shop.metadata.name = "shop".into();
    shop.metadata.deletion_timestamp = Some(Time::from_unix(0));
    shop
}

/// One pod that was there and is.
fn left(finalizers: &str, spec: &str) -> Swept {
    let text = format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"a","finalizers":{finalizers}}},"spec":{spec}}}"#
    );
    let pod: Unstructured = watchkeeper_api::json::from_slice(text.as_bytes()).expect("a pod");
    Swept { found: vec![pod.clone()], left: vec![pod] }
}

fn noted(swept: &Swept, now: i64) -> Remaining {
    let mut remaining = Remaining::default();
    remaining.note(&pods(), &shop(), swept, Time::from_unix(now));
    remaining
}

#[test]
fn what_remains_is_named_and_times_move_with_the_value() {
    let remaining = noted(&left(r#"["example.com/hold"]"#, "{}"), 1);
    let first = merge(&[], &remaining, Time::from_unix(1));
    assert_eq!(first.len(), 5);
    expect![[r#"
        NamespaceContentRemaining=True @1 SomeResourcesRemain: Some resources are remaining: pods. has 1 resource instances
        NamespaceFinalizersRemaining=True @1 SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances
    "#]]
    .assert_eq(&text(&first, &[]));
    let second = merge(&first, &remaining, Time::from_unix(2));
    assert_eq!(first, second);
    let third = merge(&second, &Remaining::default(), Time::from_unix(3));
    let both = ["NamespaceContentRemaining", "NamespaceFinalizersRemaining"];
    expect![[r#"
        NamespaceContentRemaining=False @3 ContentRemoved: All content successfully removed
        NamespaceFinalizersRemaining=False @3 ContentHasNoFinalizers: All content-preserving finalizers finished
    "#]]
    .assert_eq(&text(&third, &both));
}

#[test]
fn conditions_of_others_stay_where_they_are() {
    let theirs = NamespaceCondition { type_: "Theirs".into(), ..NamespaceCondition::default() };
    let first = merge(std::slice::from_ref(&theirs), &Remaining::default(), Time::from_unix(1));
    assert_eq!((first.len(), &first[0]), (6, &theirs));
}

#[test]
fn what_went_wrong_is_told() {
    let mut remaining = Remaining::default();
    assert_eq!(remaining.failure(), None);
    remaining.not_discovered("the server is away".to_owned());
    remaining.failed("forbidden".to_owned());
    remaining.failed("a conflict".to_owned());
    expect![[r#"
        NamespaceDeletionDiscoveryFailure=True @1 DiscoveryFailed: the server is away
        NamespaceDeletionContentFailure=True @1 ContentDeletionFailed: Failed to delete all resource types, 2 remaining: a conflict, forbidden
    "#]]
    .assert_eq(&text(&merge(&[], &remaining, Time::from_unix(1)), &[]));
    assert!(!remaining.has_content());
    assert!(remaining.failure().is_some(), "it is looked at again");
}

#[test]
fn a_pod_may_take_its_time_and_then_is_unexpected() {
    let swept = left("[]", r#"{"terminationGracePeriodSeconds":30}"#);
    assert_eq!(noted(&swept, 29).failure(), None);
    expect!["unexpected items still remain in namespace: shop for gvr: /v1, Resource=pods"]
        .assert_eq(&noted(&swept, 30).failure().expect("a failure"));
    let held = left(r#"["example.com/hold"]"#, "{}");
    assert_eq!(noted(&held, 3_600).failure(), None, "somebody holds it");
    assert!(held.left.iter().all(|pod| pod.finalizers().count() == 1));
}
