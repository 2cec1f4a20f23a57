//! What a namespace that is going says of itself.

use expect_test::expect;
use watchkeeper_api::core::v1::NamespaceCondition;
use watchkeeper_api::{Kind, Scope, Time, Unstructured};

use super::conditions::{Remaining, merge};

fn text(conditions: &[NamespaceCondition]) -> String {
    let line = |condition: &NamespaceCondition| {
        let since = condition.last_transition_time.map_or(0, |time| time.unix());
        format!("{}={} @{since}: {}\n", condition.type_, condition.status, condition.message)
    };
    conditions.iter().skip(3).map(line).collect()
}

#[test]
fn what_remains_is_named_and_times_move_with_the_value() {
    let pods = Kind::new("", "v1", "Pod", "pods", Scope::Namespaced);
    let pod: Unstructured = watchkeeper_api::json::from_slice(
        br#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","finalizers":["example.com/hold"]}}"#,
    )
    .expect("a pod");
    let mut remaining = Remaining::default();
    remaining.note(&pods, &[pod]);
    let first = merge(&[], &remaining, Time::from_unix(1));
    expect![[r#"
        NamespaceContentRemaining=True @1: Some resources are remaining: pods. has 1 resource instances
        NamespaceFinalizersRemaining=True @1: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances
    "#]]
    .assert_eq(&text(&first));
    let second = merge(&first, &remaining, Time::from_unix(2));
    assert_eq!(first, second);
    let third = merge(&second, &Remaining::default(), Time::from_unix(3));
    expect![[r#"
        NamespaceContentRemaining=False @3: All content successfully removed
        NamespaceFinalizersRemaining=False @3: All content-preserving finalizers finished
    "#]]
    .assert_eq(&text(&third));
}
