//! Work queues, dropped while keys lie in them, are held and are waited for.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::timeout;
use watchkeeper_queue::{RateLimitingQueue, default_controller_rate_limiter};

use crate::usage::{left, until};

/// So long a wait is left in its middle.
const MOMENT: Duration = Duration::from_millis(10);
/// Later than anybody waits.
const LATER: Duration = Duration::from_secs(3600);

/// What is dropped first.
#[derive(Clone, Copy, Debug)]
enum Dropped {
    /// Who waits for a key that never comes.
    Waiting,
    /// The queue, with keys that nobody took.
    Full,
    /// The queue, beside keys that are held and come back later.
    Held,
    /// Who waits for the last key to come back.
    Draining,
}

impl Dropped {
    const ALL: [Self; 4] = [Self::Waiting, Self::Full, Self::Held, Self::Draining];
}

pub(crate) fn nothing_is_left_of_queues() {
    for dropped in Dropped::ALL {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        let left = runtime.unwrap().block_on(left(|| round(dropped)));
        assert!(left.is_nothing(), "{dropped:?}: {left:?}");
    }
}

type Queue = RateLimitingQueue<Arc<str>>;

async fn round(dropped: Dropped) {
    let queue = Queue::named("leaks", default_controller_rate_limiter());
    // A key that is left behind keeps this.
    let witness: Arc<str> = Arc::from("x".repeat(300));
    match dropped {
        Dropped::Waiting => waited_for(&queue).await,
        Dropped::Full => fill(&queue, &witness),
        Dropped::Held => held(&queue, &witness).await,
        Dropped::Draining => draining(&queue, &witness).await,
    }
    drop(queue);
    assert_eq!(Arc::strong_count(&witness), 1, "the queue is gone with its keys");
}

/// Waits that are left, by themselves and with the tasks that they are in.
async fn waited_for(queue: &Queue) {
    assert!(timeout(MOMENT, queue.get()).await.is_err());
    assert!(timeout(MOMENT, queue.next_batch(NonZeroUsize::MIN)).await.is_err());
    let mut workers = JoinSet::new();
    for _ in 0..4 {
        let queue = queue.clone();
        workers.spawn(async move { drop(queue.next().await) });
    }
    until("the workers wait", || workers.len() == 4).await;
    tokio::task::yield_now().await;
    workers.shutdown().await;
}

fn fill(queue: &Queue, key: &Arc<str>) {
    queue.add(Arc::clone(key));
    for number in 0..100 {
        queue.add(format!("{number}").into());
        queue.add_after(format!("{number} later").into(), LATER);
        queue.add_rate_limited(format!("{number} again").into());
    }
    queue.add_after(Arc::clone(key), LATER);
}

async fn held(queue: &Queue, key: &Arc<str>) {
    fill(queue, key);
    let job = queue.next().await.unwrap();
    let taken = queue.get().await.unwrap();
    queue.add(Arc::clone(job.key()));
    queue.add(taken);
    job.after(LATER);
    let kept = queue.keep(Arc::clone(key));
    kept.add();
}

async fn draining(queue: &Queue, key: &Arc<str>) {
    queue.add(Arc::clone(key));
    let job = queue.next().await.unwrap();
    assert!(timeout(MOMENT, queue.shut_down_with_drain()).await.is_err(), "a key is held");
    job.retry();
}
