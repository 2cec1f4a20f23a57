use std::pin::pin;

use futures_util::FutureExt;

use super::*;

/// Whoever stops it waits for a run that goes on, and would for ever.
#[test]
fn a_stop_that_is_taken_back_before_it_is_seen_is_over() {
    let switch = Switch::default();
    let run = switch.enter();
    run.is(ControllerPhase::Working);
    let mut stop = pin!(switch.off());
    assert!(stop.as_mut().now_or_never().is_none());
    switch.on();
    assert!(stop.now_or_never().is_some());
}

#[test]
fn a_stop_is_over_though_the_next_run_has_begun_before_it_looks() {
    let switch = Switch::default();
    let run = switch.enter();
    run.is(ControllerPhase::Working);
    let (first, mut second) = (switch.off(), pin!(switch.off()));
    assert!(second.as_mut().now_or_never().is_none());
    run.is(ControllerPhase::Stopping);
    assert!(second.as_mut().now_or_never().is_none());
    run.is(ControllerPhase::Stopped);
    assert!(first.now_or_never().is_some());
    switch.on();
    run.is(ControllerPhase::Waiting);
    // Somebody stops it once more: neither phase nor wish tells that the first stop is over.
    drop(switch.off());
    assert!(second.now_or_never().is_some());
}

/// Not only when it is waited for.
#[test]
fn a_stop_is_asked_for_at_once() {
    let switch = Switch::default();
    drop(switch.off());
    assert!(!switch.is_wanted());
}
