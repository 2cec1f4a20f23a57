//! What is left of listeners.

use super::*;
use crate::store::Store;
use crate::testing::Tiny;

fn listen(hub: &mut Hub<Tiny>, options: &HandlerOptions) -> Arc<Post<Tiny>> {
    hub.subscribe(options, Duration::from_secs(5), &Store::new().snapshot(), true, None)
}

#[test]
fn listeners_that_come_and_go_leave_nothing_behind_though_nothing_happens() {
    let mut hub = Hub::new();
    for _ in 0..100 {
        listen(&mut hub, &HandlerOptions::default()).control.close();
    }
    assert!(hub.posts.len() <= 1, "{}", hub.posts.len());
}

#[test]
fn who_comes_after_the_end_is_told_that_it_is_over() {
    let mut hub = Hub::new();
    hub.close();
    assert!(listen(&mut hub, &HandlerOptions::default()).control.is_closed());
}

/// `Duration::MAX` is how one says never.
#[test]
fn a_resync_may_be_as_far_away_as_can_be() {
    let mut hub = Hub::new();
    let options = HandlerOptions { resync: Some(Duration::MAX), ..HandlerOptions::default() };
    let _post = listen(&mut hub, &options);
    assert_eq!(hub.next_resync(), Some(Duration::MAX));
}

#[test]
fn c_71_a_slow_handler_is_told_of_when_many_changes_wait() {
    let (short, long) = (Duration::from_millis(100), Duration::from_millis(101));
    assert!(is_slow(long, MANY + 1));
    assert!(!is_slow(short, MANY + 1));
    assert!(!is_slow(long, MANY));
}

/// A period of zero is upstream's word for never.
#[test]
fn c_66_a_period_of_zero_is_never_and_others_are_a_second_at_least() {
    let due = |resync| {
        let mut hub = Hub::new();
        let options = HandlerOptions { resync, ..HandlerOptions::default() };
        let _post = listen(&mut hub, &options);
        hub.next_resync()
    };
    assert_eq!(due(None), None);
    assert_eq!(due(Some(Duration::ZERO)), None);
    assert_eq!(due(Some(Duration::from_millis(1))), Some(Duration::from_secs(6)), "from five on");
    assert_eq!(due(Some(Duration::from_secs(7))), Some(Duration::from_secs(12)));
}
