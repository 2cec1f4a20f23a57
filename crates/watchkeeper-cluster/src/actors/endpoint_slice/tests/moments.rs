//! When that happened which is told.

use std::sync::Arc;

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::discovery::v1::EndpointSlice;
use watchkeeper_api::{Object, ObjectKey, Time};

use super::super::moments::{ANNOTATION, Moments, Seen};
use super::{Changes, SPEC, apply, arranged, group, made, pod, service};

/// What is seen of a service that was made at 100 with pods that became ready at these moments.
fn seen(pods: &[i64]) -> Seen {
    let mut web = service(SPEC);
    web.metadata.creation_timestamp = Some(Time::from_unix(100));
    let pods = pods.iter().enumerate().map(|(number, at)| {
        let mut pod = pod(number, 8080);
        pod.status.conditions[0].last_transition_time = Some(Time::from_unix(*at));
        Arc::new(pod)
    });
    Seen::of(&web, &pods.collect::<Vec<Arc<Pod>>>())
}

fn told(slices: &[Arc<EndpointSlice>]) -> Vec<Option<&str>> {
    slices.iter().map(|slice| slice.annotation(ANNOTATION)).collect()
}

#[test]
fn the_first_moment_that_is_new_is_told() {
    let (moments, web) = (Moments::default(), ObjectKey::new("default", "web"));
    let look = |pods: &[i64]| {
        let seen = seen(pods);
        let first = moments.first_new(&web, &seen);
        assert_eq!(moments.first_new(&web, &seen), first, "until it is kept");
        moments.keep(&web, seen);
        first.map(Time::unix)
    };
    assert_eq!(look(&[120, 110]), Some(100), "when the service was made");
    assert_eq!(look(&[120, 110]), None);
    assert_eq!(look(&[140, 130]), Some(130));
    assert_eq!(look(&[140, 135, 150]), Some(135));
    assert_eq!(look(&[140]), None, "pods that go tell no moment");
    moments.forget(&web);
    assert_eq!(look(&[140]), Some(100));
}

#[test]
fn a_service_that_was_made_anew_is_news() {
    let (before, after) = (Seen::of(&service(SPEC), &[]), seen(&[]));
    assert_eq!(after.first_since(Some(&before)), Some(Time::from_unix(100)));
    assert_eq!(after.first_since(Some(&seen(&[]))), None);
}

#[test]
fn only_what_is_written_tells_its_moment() {
    let at = |seconds| Some(Time::from_unix(seconds));
    let slices = apply(&[], arranged(&[], vec![group(0..150)]).dated(at(0)));
    assert_eq!(told(&slices), [Some("1970-01-01T00:00:00Z"); 2]);
    let slices = apply(&slices, arranged(&slices, vec![group(0..160)]).dated(at(60)));
    assert_eq!(told(&slices), [Some("1970-01-01T00:00:00Z"), Some("1970-01-01T00:01:00Z")]);
    let slices = apply(&slices, arranged(&slices, vec![group(1..160)]).dated(None));
    assert_eq!(told(&slices), [None, Some("1970-01-01T00:01:00Z")]);
}

#[test]
fn what_would_be_written_as_it_is_is_not() {
    let slice = made(0..2)[0].clone();
    let update = vec![(slice.clone(), (*slice).clone())];
    let changes = Changes { update, ..Changes::default() };
    assert_eq!(changes.dated(Some(Time::from_unix(0))), Changes::default());
}
