//! What is known of a run, and how much of it.

use super::*;

fn request(name: &str) -> Request {
    ObjectKey::from(("shop", name)).into()
}

fn noted(trace: &Trace, name: &str, versions: std::ops::Range<u32>) {
    let source: Arc<str> = "pods".into();
    for version in versions {
        let about = (ObjectKey::from(("shop", "web-1")), &*version.to_string());
        let about = Some((about.0, about.1));
        trace.note(&request(name), &source, Happened::Updated, about, When::Now);
    }
}

#[tokio::test]
async fn what_happened_leads_to_the_next_run_and_is_then_the_cause_of_the_last_one() {
    let trace = Trace::default();
    assert_eq!(trace.why(&request("a")), None);
    noted(&trace, "a", 1..2);
    assert_eq!(
        trace.why(&request("a")).unwrap().to_string(),
        "last: \nnext: pods: shop/web-1 updated @1\n"
    );
    trace.take(&request("a"), false);
    trace.begin(&request("a"));
    noted(&trace, "a", 2..3);
    trace.note(&request("a"), &"maps".into(), Happened::Failed, None, When::Later);
    let why = trace.why(&request("a")).unwrap().to_string();
    assert_eq!(
        why,
        "last: pods: shop/web-1 updated @1\nnext: pods: shop/web-1 updated @2; maps: failed before\n"
    );
}

/// What waits for room was taken for what was noted before; what is noted meanwhile leads to a run of its own.
#[tokio::test]
async fn what_happens_while_an_object_waits_for_room_leads_to_the_run_after() {
    let trace = Trace::default();
    noted(&trace, "a", 1..2);
    trace.take(&request("a"), false);
    noted(&trace, "a", 2..3);
    let told = || trace.why(&request("a")).unwrap().to_string();
    assert_eq!(told(), "last: \nnext: pods: shop/web-1 updated @1; pods: shop/web-1 updated @2\n");
    trace.begin(&request("a"));
    assert_eq!(told(), "last: pods: shop/web-1 updated @1\nnext: pods: shop/web-1 updated @2\n");
}

/// A time that was asked for stays set when the object is looked at before; earlier times take it over.
#[tokio::test]
async fn what_is_to_be_looked_at_later_is_no_cause_before() {
    let trace = Trace::default();
    trace.note(&request("a"), &"maps".into(), Happened::Asked, None, When::Later);
    noted(&trace, "a", 1..2);
    let taken = |is_delayed| {
        trace.take(&request("a"), is_delayed);
        trace.begin(&request("a"));
        trace.why(&request("a")).unwrap().to_string()
    };
    assert_eq!(taken(true), "last: pods: shop/web-1 updated @1\nnext: maps: asked for it\n");
    assert_eq!(taken(false), "last: maps: asked for it\nnext: \n");
}

#[tokio::test]
async fn of_many_causes_the_last_are_kept_and_the_others_counted() {
    let trace = Trace::default();
    noted(&trace, "a", 0..100);
    let why = trace.why(&request("a")).unwrap();
    let versions: Vec<_> = why.next.iter().map(|cause| &*cause.version).collect();
    assert_eq!(versions, ["92", "93", "94", "95", "96", "97", "98", "99"]);
    assert_eq!(why.next_omitted, 92);
    assert!(why.to_string().contains("next: 92 more; pods: shop/web-1 updated @92; "));
}

#[tokio::test]
async fn of_many_objects_those_that_something_happened_to_last_are_known() {
    let trace = Trace::default();
    for name in 0..OBJECTS + 10 {
        noted(&trace, &name.to_string(), 1..2);
    }
    assert_eq!(trace.why(&request("9")), None);
    assert!(trace.why(&request("10")).is_some());
}
