//! The queues between reflector and store, and the heap, left by those who wait at them, and dropped.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinSet, yield_now};
use tokio::time::timeout;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Map, object};
use watchkeeper_cache::DeltaQueue;
use watchkeeper_cache::classic::{DeltaFifo, Fifo, Heap};

use crate::usage::left;

mod waits;

use waits::Waits;

/// So long a wait is left in its middle.
const MOMENT: Duration = Duration::from_millis(10);

type Object = Arc<ConfigMap>;
/// Somebody who waits.
type Pending = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What is in a queue that is waited at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
    /// Nothing: who takes waits.
    Empty,
    /// As much as it takes: who adds waits.
    Full,
}

pub(crate) fn nothing_is_left_of_deltas() {
    nothing_is_left_of::<DeltaQueue<ConfigMap>>();
    nothing_is_left_of::<DeltaFifo<ConfigMap>>();
    nothing_is_left_of::<Fifo<ConfigMap>>();
    nothing_is_left_of::<Heap<u32, Object>>();
}

fn nothing_is_left_of<Q: Waits>() {
    let name = std::any::type_name::<Q>();
    for fill in [Fill::Empty, Fill::Full] {
        let dropped = paused().block_on(left(|| round::<Q>(fill)));
        assert!(dropped.is_nothing(), "{name}, dropped {fill:?}: {dropped:?}");
        let kept = paused().block_on(async {
            let (queue, object) = made::<Q>(fill).await;
            left(|| left_waiting(&queue, fill, &object)).await
        });
        assert!(kept.is_nothing(), "{name}, kept {fill:?}: {kept:?}");
    }
    // The control: a wait that is forgotten keeps its queue.
    let forgotten = paused().block_on(left(forgetful::<Q>));
    assert!(forgotten.bytes >= 64, "{name}: {forgotten:?}");
}

fn paused() -> Runtime {
    Builder::new_current_thread().enable_time().start_paused(true).build().unwrap()
}

async fn made<Q: Waits>(fill: Fill) -> (Arc<Q>, Object) {
    let text = "x".repeat(300);
    let object = object!(ConfigMap {
        metadata: { name: "o", namespace: "default", resource_version: "1" },
        data: Map::from([("text", &*text)]),
    });
    let (queue, object) = (Arc::new(Q::empty()), Arc::new(object));
    if fill == Fill::Full {
        queue.fill(&object).await;
    }
    (queue, object)
}

/// A queue and who waits at it are dropped, in one order and in the other.
async fn round<Q: Waits>(fill: Fill) {
    let (queue, object) = made::<Q>(fill).await;
    left_waiting(&queue, fill, &object).await;
    let mut last = begun(&queue, fill, &object).await;
    drop(queue);
    last.shutdown().await;
    let (queue, of_closed) = made::<Q>(fill).await;
    let woken = polled(&queue, fill, &of_closed).await;
    queue.close();
    // Nobody polls them again.
    drop((queue, woken));
    for object in [object, of_closed] {
        assert_eq!(Arc::strong_count(&object), 1, "the queue is gone with its objects");
    }
}

/// Waits that are left, by themselves and with the tasks that they are in, while the queue goes on.
async fn left_waiting<Q: Waits>(queue: &Arc<Q>, fill: Fill, object: &Object) {
    drop(polled(queue, fill, object).await);
    begun(queue, fill, object).await.shutdown().await;
    assert_eq!(Arc::strong_count(queue), 1, "nobody waits any more");
}

/// Waits in their middle.
async fn polled<Q: Waits>(queue: &Arc<Q>, fill: Fill, object: &Object) -> Vec<Pending> {
    let mut waits = queue.waits(fill, object);
    for wait in &mut waits {
        assert!(timeout(MOMENT, wait).await.is_err(), "it waits");
    }
    waits
}

/// Tasks in the middle of their waits.
async fn begun<Q: Waits>(queue: &Arc<Q>, fill: Fill, object: &Object) -> JoinSet<()> {
    let mut tasks: JoinSet<()> = queue.waits(fill, object).into_iter().collect();
    for _ in 0..10 {
        yield_now().await;
    }
    assert!(tasks.try_join_next().is_none(), "they wait");
    tasks
}

async fn forgetful<Q: Waits>() {
    let (queue, object) = made::<Q>(Fill::Empty).await;
    Vec::leak(polled(&queue, Fill::Empty, &object).await);
}
