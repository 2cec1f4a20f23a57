//! What is found right, and what is told where it is not.

use super::*;

/// After these writes, and a loss or none.
fn after(writes: &[Replica], lost: Option<&str>) -> LeaderLoss {
    let loss = LeaderLoss::never();
    let mut state = loss.state();
    state.writes = writes.to_vec();
    state.begun = lost.map(|place| (Instant::now(), place.to_owned()));
    drop(state);
    loss
}

#[tokio::test(start_paused = true)]
async fn replicas_that_write_one_after_the_other_are_right() {
    use Replica::{First, Second};
    for right in [&[][..], &[First], &[First, First, Second, Second], &[Second]] {
        assert_eq!(after(right, Some("pods default/a")).handed_over_once(), Ok(()), "{right:?}");
    }
    for right in [&[][..], &[First, First]] {
        assert_eq!(after(right, None).handed_over_once(), Ok(()), "{right:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn who_writes_out_of_turn_is_told() {
    use Replica::{First, Second};
    let error = after(&[First, First, Second, First], Some("pods default/a")).handed_over_once();
    assert_eq!(
        error.map_err(|error| error.to_string()),
        Err("the leader was cut off from its lease at \"pods default/a\", and wrote in turn: first 2 second 1 first 1".to_owned())
    );
    let error = after(&[First, Second], None).handed_over_once();
    assert_eq!(
        error.map_err(|error| error.to_string()),
        Err("the leader was not cut off from its lease, and wrote in turn: first 1 second 1"
            .to_owned())
    );
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
