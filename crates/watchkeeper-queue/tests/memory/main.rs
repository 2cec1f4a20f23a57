//! What the queue allocates.
//!
//! A binary of its own, because its allocator counts what everything in it allocates: there is one
//! test, so that nothing runs beside it.

use std::alloc::System;

use cap::Cap;
use watchkeeper_queue::{AddOptions, RateLimitingQueue, per_item_rate_limiter};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes asked for by `work`, counting also what it gave back meanwhile. The harness has a thread
/// that allocates, too, at times: the least of several runs is the work's own.
fn taken(mut work: impl FnMut()) -> usize {
    let once = || {
        let before = ALLOCATOR.total_allocated();
        work();
        ALLOCATOR.total_allocated() - before
    };
    std::iter::repeat_with(once).take(10).min().unwrap_or_default()
}

#[test]
fn a_queue_allocates_only_where_it_grows() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let queue = RateLimitingQueue::new(per_item_rate_limiter());
    let kept = queue.keep(0);
    let add_all = || (0..1000).for_each(|key| queue.add(key));
    let allocate = || drop(std::hint::black_box(vec![0_u8; 100]));
    assert!(taken(allocate) >= 100, "the counter counts");
    add_all();
    assert_eq!(taken(add_all), 0, "keys that are queued");
    let raised = AddOptions { priority: 1, ..AddOptions::default() };
    queue.add_with(u64::MAX, raised);
    let raise_all = || (0..1000).for_each(|key| queue.add_with(key, raised));
    assert_eq!(taken(raise_all), 0, "keys of a priority that is there");
    assert_eq!(taken(|| kept.add()), 0, "a key that is kept");
    let cycle = || {
        add_all();
        runtime.block_on(async {
            while !queue.is_empty() {
                queue.next().await.expect("a key").done();
            }
        });
    };
    assert_eq!(taken(cycle), 0, "adding, taking and giving back");
}
