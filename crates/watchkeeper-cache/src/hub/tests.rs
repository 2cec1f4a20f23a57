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

/// A handler that does not come back is not sent everything again and again.
#[test]
fn a_resync_is_left_out_while_the_last_one_was_not_told() {
    let store = Store::new();
    for object in ["a@1", "b@2", "c@3"] {
        store.apply(crate::delta::Delta::Added(Arc::new(crate::testing::tiny(object))));
    }
    for overflow in [Overflow::Coalesce, Overflow::Block, Overflow::Disconnect] {
        let mut hub = Hub::new();
        let resync = Some(Duration::from_secs(1));
        let options = HandlerOptions { buffer: 1, overflow, resync, ..HandlerOptions::default() };
        let now = Duration::from_secs(5);
        let post = hub.subscribe(&options, now, &Store::new().snapshot(), false, None);
        for second in 6..100 {
            hub.resync(Duration::from_secs(second), &store.snapshot());
            assert_eq!(post.control.pending(), 3, "{overflow:?}");
        }
        assert!(!post.control.is_lagged() && !lock(&post.mailbox).is_blocking());
        (0..3).for_each(|_| assert!(post.take().is_some()));
        hub.resync(Duration::from_secs(100), &store.snapshot());
        assert_eq!(post.control.pending(), 3, "all of it was told");
    }
}
