//! What waits beside the delta queues.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::delta::{Delta, Replacement};
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
