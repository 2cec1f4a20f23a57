//! What can be waited for at each queue.

use std::sync::Arc;

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::classic::{DeltaFifo, Fifo, Heap, Queue, ReflectorStore};
use watchkeeper_cache::{Delta, DeltaQueue, Replacement, Store};

use super::{Fill, Object, Pending};

/// More waits before who adds does.
const CAPACITY: usize = 4;

/// A queue, and those who wait at it.
pub(super) trait Waits: Send + Sync + Sized + 'static {
    fn empty() -> Self;

    /// Puts in as much as it takes without a wait.
    fn fill(&self, object: &Object) -> impl Future<Output = ()>;

    /// Every call that waits as long as nobody else comes.
    fn waits(self: &Arc<Self>, fill: Fill, object: &Object) -> Vec<Pending>;

    fn close(&self);
}

impl Waits for DeltaQueue<ConfigMap> {
    fn empty() -> Self {
        Self::new(CAPACITY)
    }

    async fn fill(&self, object: &Object) {
        while self.len() < CAPACITY {
            self.push(Delta::Updated(Arc::clone(object))).await.unwrap();
        }
    }

    fn waits(self: &Arc<Self>, fill: Fill, object: &Object) -> Vec<Pending> {
        let own = || Arc::clone(self);
        let (first, second) = (own(), own());
        let mut waits = of_reflectors(self, fill, object);
        if fill == Fill::Empty {
            waits.push(wait(async move { first.pop().await }));
            waits.push(wait(async move { second.pop_batch().await }));
            waits.push(next(self));
        }
        waits
    }

    fn close(&self) {
        self.close();
    }
}

impl Waits for DeltaFifo<ConfigMap> {
    fn empty() -> Self {
        Self::new().capacity(CAPACITY)
    }

    async fn fill(&self, object: &Object) {
        self.replace(vec![Arc::clone(object)], "1").unwrap();
        while Queue::len(self) < CAPACITY {
            self.update(Arc::clone(object)).unwrap();
        }
    }

    fn waits(self: &Arc<Self>, fill: Fill, object: &Object) -> Vec<Pending> {
        let (first, second) = (Arc::clone(self), Arc::clone(self));
        let mut waits = of_reflectors(self, fill, object);
        waits.push(wait(async move { first.synced().await }));
        if fill == Fill::Empty {
            waits.push(wait(async move { second.pop().await }));
            waits.push(next(self));
        }
        waits
    }

    fn close(&self) {
        self.close();
    }
}

impl Waits for Fifo<ConfigMap> {
    fn empty() -> Self {
        Self::new()
    }

    async fn fill(&self, object: &Object) {
        self.replace(vec![Arc::clone(object)]).unwrap();
    }

    fn waits(self: &Arc<Self>, fill: Fill, _: &Object) -> Vec<Pending> {
        let (first, second) = (Arc::clone(self), Arc::clone(self));
        let mut waits = vec![closed(self), wait(async move { first.synced().await })];
        if fill == Fill::Empty {
            waits.push(wait(async move { second.pop().await }));
        }
        waits
    }

    fn close(&self) {
        self.close();
    }
}

impl Waits for Heap<u32, Object> {
    fn empty() -> Self {
        let number = |map: &Object| map.metadata.resource_version.parse().unwrap_or_default();
        Self::new(number, |a, b| a.metadata.resource_version < b.metadata.resource_version)
    }

    async fn fill(&self, object: &Object) {
        self.add(Arc::clone(object)).unwrap();
    }

    fn waits(self: &Arc<Self>, fill: Fill, _: &Object) -> Vec<Pending> {
        let own = Arc::clone(self);
        match fill {
            Fill::Empty => vec![wait(async move { own.pop().await })],
            Fill::Full => Vec::new(),
        }
    }

    fn close(&self) {
        self.close();
    }
}

fn wait<T>(end: impl Future<Output = T> + Send + 'static) -> Pending {
    Box::pin(async move { drop(end.await) })
}

fn next<Q: Queue<ConfigMap> + 'static>(queue: &Arc<Q>) -> Pending {
    let queue = Arc::clone(queue);
    wait(async move { queue.next().await })
}

fn closed<Q: ReflectorStore<ConfigMap> + 'static>(queue: &Arc<Q>) -> Pending {
    let queue = Arc::clone(queue);
    wait(async move { queue.closed().await })
}

/// The waits of who adds, where there is no room, and for the end.
fn of_reflectors<Q: Queue<ConfigMap> + 'static>(
    queue: &Arc<Q>,
    fill: Fill,
    object: &Object,
) -> Vec<Pending> {
    let mut waits = vec![closed(queue)];
    if fill == Fill::Full {
        let (one, delta) = (Arc::clone(queue), Delta::Updated(Arc::clone(object)));
        waits.push(wait(async move { one.push(delta).await }));
        let (one, items) = (Arc::clone(queue), vec![Arc::clone(object)]);
        let list = Replacement { items, version: "2".to_owned(), ..Replacement::default() };
        waits.push(wait(async move { one.push_list(list, &Store::new()).await }));
    }
    waits
}
