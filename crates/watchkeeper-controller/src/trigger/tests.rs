use watchkeeper_queue::{RateLimitingQueue, default_controller_rate_limiter};

use super::*;
use crate::feed::Channel;
use crate::share::Only;

fn feed() -> (Feed, Channel) {
    let queue = RateLimitingQueue::new(default_controller_rate_limiter());
    let channel = Channel { queue, trace: Arc::default(), debounce: None, only: Only::default() };
    (Feed::new("knock", channel.clone()), channel)
}

/// Who asks for the status holds it a little longer.
#[tokio::test]
async fn an_old_connection_that_goes_late_leaves_the_new_one_open() {
    let trigger = Trigger::new("knock");
    let inbox = trigger.inbox();
    let ((first, _), (second, channel)) = (feed(), feed());
    let old = Arc::clone(&inbox).open(first);
    let new = Arc::clone(&inbox).open(second);
    drop(old);
    trigger.request(("default", "a"));
    assert_eq!(channel.queue.len(), 1);
    drop(new);
    trigger.request(("default", "b"));
    assert_eq!(channel.queue.len(), 1);
}

#[tokio::test]
async fn what_no_reconcile_began_of_is_told_to_the_next_run() {
    let trigger = Trigger::new("knock");
    let inbox = trigger.inbox();
    let ((first, _), (second, channel)) = (feed(), feed());
    let run = Arc::clone(&inbox).open(first);
    trigger.request(("default", "begun"));
    trigger.request(("default", "queued"));
    inbox.began(&("default", "begun").into());
    drop(run);
    let _run = Arc::clone(&inbox).open(second);
    let job = channel.queue.next().await.expect("it is open");
    assert_eq!(job.name(), "queued");
    job.done();
    assert!(channel.queue.is_empty());
}
