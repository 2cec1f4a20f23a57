//! The classic queues: one wait for all of them.

use std::sync::Arc;

use loom::future::block_on;
use loom::thread::spawn;

use super::cache::Tiny;
use super::ended;
use crate::classic::{DeltaFifo, Fifo, Heap, Popped, Queue, ReflectorStore};
use crate::delta::Delta;

fn updated(version: &'static str) -> Delta<Tiny> {
    Delta::Updated(Arc::new(Tiny(version)))
}

/// What is pushed into a full queue is popped after what was there.
pub fn a_full_delta_fifo_hands_over_in_order() {
    let queue = Arc::new(DeltaFifo::new().capacity(1));
    queue.add(Arc::new(Tiny("1"))).expect("open");
    let pushing = Arc::clone(&queue);
    let pushing = spawn(move || block_on(pushing.push(updated("2"))).expect("open"));
    for version in ["1", "2"] {
        let deltas = block_on(queue.pop()).expect("open");
        let versions = deltas.list.iter().filter_map(|delta| delta.object());
        assert_eq!(versions.map(|object| object.0).collect::<Vec<_>>(), [version]);
    }
    ended(pushing);
}

/// An informer hears of how far the queue has come, also when nothing is left to pop.
pub fn a_delta_fifo_tells_how_far_it_is() {
    let queue = Arc::new(DeltaFifo::<Tiny>::new());
    let pushing = Arc::clone(&queue);
    let pushing = spawn(move || {
        block_on(pushing.push(Delta::Bookmark("7".to_owned()))).expect("open");
    });
    let next = block_on(queue.next());
    let told = matches!(next, Some(Popped::Delta { delta: Delta::Bookmark(version), .. }) if version == "7");
    assert!(told);
    ended(pushing);
}

/// Closing ends the wait of who pushes into a full queue, and of who pops from an empty one.
pub fn a_closed_delta_fifo_lets_everybody_go() {
    let (full, empty) =
        (Arc::new(DeltaFifo::new().capacity(1)), Arc::new(DeltaFifo::<Tiny>::new()));
    full.add(Arc::new(Tiny("1"))).expect("open");
    let (pushing, popping) = (Arc::clone(&full), Arc::clone(&empty));
    let pushing = spawn(move || block_on(pushing.push(updated("2"))).is_err());
    let popping = spawn(move || block_on(popping.pop()).is_none());
    full.close();
    empty.close();
    assert!(ended(pushing), "refused");
    assert!(ended(popping), "over");
}

/// Each of two who wait gets one of two objects; the last hears of the end.
pub fn everybody_who_waits_for_a_fifo_is_woken() {
    let queue = Arc::new(Fifo::new());
    let popping = || {
        let queue = Arc::clone(&queue);
        spawn(move || block_on(queue.pop()).is_some())
    };
    let popping = [popping(), popping()];
    queue.add(Arc::new(Tiny("1"))).expect("open");
    queue.close();
    let mut got = popping.map(ended);
    got.sort_unstable();
    assert_eq!(got, [false, true]);
}

/// Each of two who wait gets one of two elements that come as one step.
pub fn everybody_who_waits_for_a_heap_is_woken() {
    let heap = Arc::new(Heap::new(|element: &u32| *element, |a, b| a < b));
    let popping = || {
        let heap = Arc::clone(&heap);
        spawn(move || block_on(heap.pop()))
    };
    let popping = [popping(), popping()];
    heap.bulk_add([2, 1]).expect("open");
    let mut got = popping.map(ended);
    got.sort_unstable();
    assert_eq!(got, [Some(1), Some(2)]);
}
