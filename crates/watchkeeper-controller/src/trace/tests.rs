//! What is known of a run, and how much of it.

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::object;

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

/// Of a run that waits for room and the one after it those are told together that are not kept.
#[tokio::test]
async fn what_is_left_out_is_counted_with_the_run_that_it_leads_to() {
    let trace = Trace::default();
    noted(&trace, "a", 0..11);
    trace.take(&request("a"), false);
    noted(&trace, "a", 11..21);
    let omitted = || {
        let why = trace.why(&request("a")).unwrap();
        (why.last_omitted, why.next_omitted)
    };
    assert_eq!(omitted(), (0, 5), "three and two");
    trace.take(&request("a"), false);
    assert_eq!(omitted(), (0, 13), "and as many as were kept of the first run");
    trace.begin(&request("a"));
    assert_eq!(omitted(), (13, 0));
    noted(&trace, "a", 21..22);
    trace.take(&request("a"), false);
    trace.begin(&request("a"));
    assert_eq!(omitted(), (0, 0), "each run has its own");
}

#[tokio::test(start_paused = true)]
async fn a_cause_tells_how_long_ago_it_was() {
    let trace = Trace::default();
    noted(&trace, "a", 1..2);
    tokio::time::advance(Duration::from_secs(7)).await;
    let why = trace.why(&request("a")).unwrap();
    assert_eq!(why.next[0].age, Duration::from_secs(7));
}

#[test]
fn what_is_due_at_once_is_not_later() {
    assert_eq!(When::after(None), When::Now);
    assert_eq!(When::after(Some(Duration::ZERO)), When::Now);
    assert_eq!(When::after(Some(Duration::from_nanos(1))), When::Later);
}

#[test]
fn what_happened_is_told_apart_and_in_words() {
    let pod = |version: &str| {
        let pod = object!(Pod { metadata: { name: "web-1", resource_version: version } });
        Arc::new(pod)
    };
    let added = |initial| Change::Added { new: pod("1"), initial };
    let updated = |version| Change::Updated { old: pod("1"), new: pod(version) };
    let deleted = Change::Deleted { last: pod("1"), final_state_unknown: false };
    let changes = [added(true), added(false), updated("1"), updated("2"), deleted];
    let of_changes = changes.map(|change| Happened::to(&change).to_string());
    assert_eq!(of_changes, ["was there", "added", "looked at again", "updated", "deleted"]);
    let others = [Happened::Requested, Happened::Failed, Happened::Asked];
    let others = others.map(|what| what.to_string());
    assert_eq!(others, ["requested", "failed before", "asked for it"]);
}

/// It may hold names that are nobody's business.
#[test]
fn a_trace_says_nothing_of_what_it_holds() {
    assert_eq!(format!("{:?}", Trace::default()), "Trace");
}
