//! What is found right, and what is told where it is not.

use super::*;

/// After these writes, of which so many came before the second one took the lease; and a loss or none.
fn after(writes: &[Replica], taken: Option<usize>, lost: Option<&str>) -> LeaderLoss {
    let loss = LeaderLoss::never();
    let mut state = loss.state();
    state.writes = writes.to_vec();
    state.taken = taken;
    state.begun = lost.map(|place| (Instant::now(), place.to_owned()));
    drop(state);
    loss
}

const HERE: Option<&str> = Some("pods default/a");

#[tokio::test(start_paused = true)]
async fn replicas_that_write_one_after_the_other_are_right() {
    use Replica::{First, Second};
    for (writes, taken, lost) in [
        (&[][..], None, None),
        (&[First, First], None, None),
        (&[First], None, HERE),
        (&[First], Some(1), HERE),
        (&[First, First, Second, Second], Some(2), HERE),
        (&[Second], Some(0), HERE),
    ] {
        let loss = after(writes, taken, lost);
        assert_eq!(loss.handed_over_once(), Ok(()), "{writes:?} {taken:?}");
        assert_eq!(loss.is_taken_over(), taken.is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn who_writes_out_of_turn_is_told() {
    use Replica::{First, Second};
    let error = |loss: &LeaderLoss| loss.handed_over_once().unwrap_err().to_string();
    assert_eq!(
        error(&after(&[First, First, Second, First], Some(2), HERE)),
        "the leader was cut off from its lease at \"pods default/a\", and wrote in turn: first 2 second 1 first 1; \
         the last 2 after the second one took the lease"
    );
    // Written before the second one wrote, but after the lease was its own.
    assert_eq!(
        error(&after(&[First, Second], Some(0), HERE)),
        "the leader was cut off from its lease at \"pods default/a\", and wrote in turn: first 1 second 1; \
         the last 2 after the second one took the lease"
    );
    assert_eq!(
        error(&after(&[First, Second], Some(1), None)),
        "the leader was not cut off from its lease, and wrote in turn: first 1 second 1; \
         the last 1 after the second one took the lease"
    );
    assert!(after(&[First, Second], None, HERE).handed_over_once().is_err(), "without the lease");
}

#[test]
fn leases_of_others_are_no_lease() {
    let about = |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path).body(Body::empty());
        let About { is_lease, is_deed, .. } = About::of(&request.expect("a request"), "foos");
        (is_lease, is_deed)
    };
    const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    assert_eq!(about("GET", &format!("{LEASES}/foos")), (true, false));
    assert_eq!(about("PUT", &format!("{LEASES}/foos")), (true, false));
    assert_eq!(about("POST", LEASES), (true, false));
    assert_eq!(about("PUT", &format!("{LEASES}/bars")), (false, false));
    let nodes = LEASES.replace("default", "kube-node-lease");
    assert_eq!(about("POST", &nodes), (false, false));
    assert_eq!(about("PUT", &format!("{nodes}/node-0")), (false, false));
    assert_eq!(about("PUT", "/api/v1/namespaces/leases/pods/leases"), (false, true));
    assert_eq!(about("GET", "/api/v1/namespaces/leases/pods/leases"), (false, false));
}

#[tokio::test(start_paused = true)]
async fn it_is_lost_once_and_for_a_while() {
    let loss = LeaderLoss::at_await(2);
    let place = || "here".to_owned();
    assert!(!loss.is_here(place) && !loss.is_cut() && loss.place().is_none());
    assert!(loss.is_here(place) && loss.is_cut());
    assert!(!loss.is_here(place));
    assert_eq!(loss.place().as_deref(), Some("here"));
    sleep(CUT).await;
    assert!(!loss.is_cut());
}
