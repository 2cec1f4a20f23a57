//! What waits beside the delta queues.

use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use super::*;
use crate::delta::{Delta, Replacement};
use crate::lock::lock;
use crate::testing::{Tiny, tiny};

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Upstream's `TestHeap_BulkAdd`, `TestHeapEmptyPop`, `TestHeap_AddOrUpdateAfterClose`,
/// `TestHeap_AddIfNotPresent`.
#[tokio::test]
async fn c_56_a_heap_waits_for_its_least_until_it_is_closed() {
    let heap = Heap::new(|pair: &(char, u8)| pair.0, |a, b| a.1 < b.1);
    let mut waiting = Box::pin(heap.pop());
    assert!(poll(waiting.as_mut()).is_pending());
    heap.bulk_add([('a', 3), ('b', 1), ('c', 2)]).unwrap();
    assert_eq!(waiting.await, Some(('b', 1)));
    heap.add_if_not_present(('a', 0)).unwrap();
    heap.update(('c', 4)).unwrap();
    assert_eq!(heap.list(), [('a', 3), ('c', 4)]);
    assert_eq!(heap.delete(&'x'), None);
    assert_eq!(heap.get(&'c'), Some(('c', 4)));
    heap.close();
    assert!(heap.is_closed());
    assert!(heap.add(('d', 1)).unwrap_err().is_closed());
    assert_eq!(heap.pop().await, Some(('a', 3)), "what is in it can still be popped");
    assert_eq!(heap.pop().await, Some(('c', 4)));
    assert_eq!(heap.pop().await, None);
}

/// Upstream's `TestFIFO_PopShouldUnblockWhenClosed`; and a reflector can run into one.
#[tokio::test]
async fn a_fifo_takes_deltas_and_waits_until_it_is_closed() {
    let fifo = Fifo::new();
    let object = |text: &str| Arc::new(tiny(text));
    let mut waiting = Box::pin(fifo.pop());
    assert!(poll(waiting.as_mut()).is_pending());
    let items = vec![object("a@1"), object("b@2"), object("c@3")];
    let list = Replacement { items, unreadable: Vec::new(), nameless: false, version: "5".into() };
    let deltas = [
        Delta::Replaced(list),
        Delta::Updated(object("b@6")),
        Delta::Deleted(object("a@7")),
        Delta::Vanished { key: ("default", "c").into(), version: "7".into() },
        Delta::Bookmark("8".into()),
        Delta::Sync,
    ];
    for delta in deltas {
        fifo.push(delta).await.unwrap();
    }
    assert_eq!(fifo.get(&("default", "b").into()).unwrap().version, "6");
    assert!(!fifo.has_synced());
    assert_eq!(waiting.await.unwrap().to_string(), "b@6");
    assert!(fifo.has_synced());
    fifo.close();
    assert!(fifo.push(Delta::<Tiny>::Sync).await.unwrap_err().is_closed());
    assert!(fifo.pop().await.is_none());
}

/// Upstream's `IsClosed`, of each queue.
#[test]
fn a_queue_says_that_it_is_closed() {
    let (deltas, fifo) = (DeltaFifo::<Tiny>::new(), Fifo::<Tiny>::new());
    let in_order = crate::DeltaQueue::<Tiny>::new(1);
    assert!(!deltas.is_closed() && !fifo.is_closed() && !in_order.is_closed());
    deltas.close();
    fifo.close();
    in_order.close();
    assert!(deltas.is_closed() && fifo.is_closed() && in_order.is_closed());
}

/// Upstream's `ListKeys` and `Resync` of a `FIFO`.
#[test]
fn a_fifo_tells_its_keys_in_order_and_a_resync_adds_nothing() {
    let fifo = Fifo::new();
    for text in ["b@1", "a@2", "b@3"] {
        fifo.add(Arc::new(tiny(text))).unwrap();
    }
    fifo.resync().unwrap();
    assert_eq!(fifo.list_keys(), [("default", "b").into(), ("default", "a").into()]);
    fifo.close();
    assert!(fifo.resync().unwrap_err().is_closed());
}

/// Upstream's `HasSyncedChecker`, of the queues whose first list has come when its last object is popped.
#[tokio::test]
async fn who_waits_for_a_first_list_is_woken_when_its_last_object_is_popped() {
    let objects = || ["a@1", "b@1"].map(|text| Arc::new(tiny(text))).to_vec();
    let (deltas, fifo) = (DeltaFifo::new(), Fifo::new());
    deltas.replace(objects(), "1").unwrap();
    fifo.replace(objects()).unwrap();
    let (mut of_deltas, mut of_fifo) = (Box::pin(deltas.synced()), Box::pin(fifo.synced()));
    for _ in 0..2 {
        assert!(poll(of_deltas.as_mut()).is_pending() && poll(of_fifo.as_mut()).is_pending());
        deltas.pop().await.unwrap();
        fifo.pop().await.unwrap();
    }
    assert!(of_deltas.await && of_fifo.await);
}

#[tokio::test]
async fn who_waits_for_a_first_list_that_never_comes_is_told_so() {
    let (deltas, fifo) = (DeltaFifo::<Tiny>::new(), Fifo::<Tiny>::new());
    let (mut of_deltas, mut of_fifo) = (Box::pin(deltas.synced()), Box::pin(fifo.synced()));
    assert!(poll(of_deltas.as_mut()).is_pending() && poll(of_fifo.as_mut()).is_pending());
    deltas.close();
    fifo.close();
    assert!(!of_deltas.await && !of_fifo.await);
}

/// Upstream's `Bookmark`, `LastStoreSyncResourceVersion` and `Resync` of a store.
#[test]
fn a_store_tells_how_far_it_has_come() {
    let told: Arc<Mutex<Vec<usize>>> = Arc::default();
    let telling = Arc::clone(&told);
    let store = UndeltaStore::new(move |all: Vec<Arc<Tiny>>| lock(&telling).push(all.len()));
    assert_eq!(store.last_store_sync_resource_version(), "");
    store.replace(vec![Arc::new(tiny("a@3"))], "5");
    assert_eq!(store.last_store_sync_resource_version(), "5");
    store.bookmark("8");
    store.resync();
    assert_eq!(store.last_store_sync_resource_version(), "8");
    assert_eq!(*lock(&told), [1], "neither a bookmark nor a resync is a change");
}
