use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::delta::Replacement;
use crate::store::Store;
use crate::testing::{Tiny, tiny};

mod naive;

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

fn added(text: &str) -> Delta<Tiny> {
    Delta::Added(Arc::new(tiny(text)))
}

fn list() -> Delta<Tiny> {
    list_of(&[])
}

fn list_of(items: &[&str]) -> Delta<Tiny> {
    let items = items.iter().map(|item| Arc::new(tiny(item))).collect();
    Delta::Replaced(Replacement {
        items,
        unreadable: Vec::new(),
        nameless: false,
        version: "1".into(),
    })
}

/// `a@1`, `list`, `at 2`, `sync`: without what a batch does not depend on.
fn show(delta: &Delta<Tiny>) -> String {
    match delta {
        Delta::Added(object) | Delta::Updated(object) | Delta::Deleted(object) => {
            object.to_string()
        }
        Delta::Vanished { key, .. } => format!("{} gone", key.name),
        Delta::Unreadable { key, .. } => format!("{} unreadable", key.name),
        Delta::Replaced(list) => {
            let items: Vec<String> = list.items.iter().map(ToString::to_string).collect();
            format!("list {}", items.join(" "))
        }
        Delta::Bookmark(version) => format!("at {version}"),
        Delta::Sync => "sync".to_owned(),
    }
}

fn name(delta: Option<Delta<Tiny>>) -> String {
    match delta {
        Some(Delta::Added(object)) => object.name.clone(),
        other => format!("{other:?}"),
    }
}

/// Upstream's `TestRealFIFO_basic`, `_addUpdate`, `_detectLineJumpers`, `TestRealFIFO_PopShouldUnblockWhenClosed`.
#[tokio::test]
async fn c_30_deltas_leave_in_the_order_in_which_they_came() {
    let queue = DeltaQueue::new(8);
    for text in ["b@1", "a@2", "b@3"] {
        queue.push(added(text)).await.unwrap();
    }
    queue.close();
    assert!(queue.push(added("late@9")).await.is_err());
    assert_eq!(name(queue.pop().await), "b");
    assert_eq!(name(queue.pop().await), "a");
    assert_eq!(name(queue.pop().await), "b");
    assert!(queue.pop().await.is_none());
}

#[tokio::test]
async fn a_full_queue_makes_its_producer_wait() {
    let queue = DeltaQueue::new(1);
    queue.push(added("a@1")).await.unwrap();
    let mut second = Box::pin(queue.push(added("b@2")));
    assert!(poll(second.as_mut()).is_pending());
    assert_eq!(name(queue.pop().await), "a");
    assert!(second.await.is_ok());
    let mut third = Box::pin(queue.push(added("c@3")));
    assert!(poll(third.as_mut()).is_pending());
    queue.close();
    assert!(third.await.is_err());
}

#[tokio::test]
async fn a_pop_that_was_given_up_takes_nothing() {
    let queue = DeltaQueue::new(1);
    {
        let mut pop = Box::pin(queue.pop());
        assert!(poll(pop.as_mut()).is_pending());
        queue.push(added("a@1")).await.unwrap();
    }
    assert_eq!(name(queue.pop().await), "a");
}

/// C-31: popped is not applied.
#[tokio::test]
async fn c_31_it_has_synced_when_the_first_list_was_applied() {
    let queue = DeltaQueue::new(8);
    queue.push(list()).await.unwrap();
    assert!(!queue.has_synced());
    assert!(matches!(queue.pop().await, Some(Delta::Replaced(_))));
    assert!(!queue.has_synced());
    assert!(poll(Box::pin(queue.pop()).as_mut()).is_pending());
    assert!(queue.has_synced());
}

/// Upstream's `TestRealFIFO_HasSynced`, as far as there is no list.
#[tokio::test]
async fn c_31_it_has_synced_at_once_when_an_object_comes_before_any_list() {
    let queue = DeltaQueue::new(8);
    queue.push(Delta::Bookmark("1".into())).await.unwrap();
    assert!(!queue.has_synced());
    queue.push(added("a@1")).await.unwrap();
    assert!(queue.has_synced());
    let other = DeltaQueue::new(8);
    other.push(list()).await.unwrap();
    other.push(added("a@2")).await.unwrap();
    assert!(!other.has_synced(), "the list is to be applied first");
}

/// Upstream's `TestRealFIFO_ReplaceAtomic`, `_ReplaceAtomicPop`, `_ResyncAtomic`: a list, a resync and a
/// bookmark are one delta each, whatever is known.
#[tokio::test]
async fn c_33_a_list_is_one_delta() {
    let queue = DeltaQueue::new(8);
    for delta in [list_of(&["a@1", "b@2"]), Delta::Sync, Delta::Bookmark("3".into())] {
        queue.push(delta).await.unwrap();
    }
    assert_eq!(queue.len(), 3);
    assert_eq!(show(&queue.pop().await.unwrap()), "list a@1 b@2");
    assert_eq!(show(&queue.pop().await.unwrap()), "sync");
    assert_eq!(show(&queue.pop().await.unwrap()), "at 3");
}

/// Upstream's `TestRealFIFO_transformer`.
#[tokio::test]
async fn c_34_every_object_is_transformed_once_as_it_enters() {
    let queue = DeltaQueue::new(8).transform(|object: Arc<Tiny>| {
        if object.name == "bad" {
            return Err("no luck".into());
        }
        Ok(Arc::new(Tiny { uid: format!("{}!", object.uid), ..Tiny::clone(&object) }))
    });
    queue.push(list_of(&["a@1", "bad@1", "b@1"])).await.unwrap();
    queue.push(Delta::Updated(Arc::new(tiny("a@2")))).await.unwrap();
    queue.push(Delta::Deleted(Arc::new(tiny("b@3")))).await.unwrap();
    let gone = Delta::Vanished { key: ("default", "bad").into(), version: String::new() };
    queue.push(gone).await.unwrap();
    let refused = queue.push(added("bad@4")).await.unwrap_err();
    assert_eq!(refused.to_string(), "the transform of default/bad failed: no luck");
    assert!(!refused.is_closed());
    let list = queue.pop().await.unwrap();
    assert_eq!(show(&list), "list a#a!@1 b#b!@1");
    assert!(
        matches!(list, Delta::Replaced(list) if list.unreadable == [("default", "bad").into()])
    );
    assert_eq!(show(&queue.pop().await.unwrap()), "a#a!@2");
    assert_eq!(show(&queue.pop().await.unwrap()), "b#b!@3");
    assert_eq!(show(&queue.pop().await.unwrap()), "bad gone");
}

/// Upstream's `TestRealFIFO_DeleteExistingNonPropagated`: what the store knows is the store's business.
#[tokio::test]
async fn c_35_the_deletion_of_what_nobody_knows_is_delivered() {
    let (queue, store) = (DeltaQueue::new(8), Store::new());
    queue.push(Delta::Deleted(Arc::new(tiny("a@1")))).await.unwrap();
    let changes = store.apply(queue.pop().await.unwrap());
    assert_eq!(changes[0].to_string(), "delete default/a @1");
}

/// Upstream's `TestRealFIFO_PopMultipleDeltaInBatch`.
#[tokio::test]
async fn c_36_a_batch_is_of_different_objects_and_of_nothing_else() {
    let queue = DeltaQueue::new(5000);
    let deltas = [
        list_of(&["a@1"]),
        added("a@2"),
        Delta::Deleted(Arc::new(tiny("b@3"))),
        Delta::Vanished { key: ("default", "c").into(), version: String::new() },
        Delta::Updated(Arc::new(tiny("a@4"))),
        Delta::Bookmark("5".into()),
        Delta::Sync,
    ];
    for delta in deltas {
        queue.push(delta).await.unwrap();
    }
    for number in 0..1001 {
        queue.push(added(&format!("o{number}@6"))).await.unwrap();
    }
    queue.close();
    let mut batches = Vec::new();
    while let Some(batch) = queue.pop_batch().await {
        assert!(queue.has_synced() || matches!(batch[0], Delta::Replaced(_)));
        batches.push(batch);
    }
    let sizes: Vec<usize> = batches.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 3, 1, 1, 1, 1000, 1]);
    assert_eq!(batches[1].iter().map(show).collect::<Vec<_>>(), ["a@2", "b@3", "c gone"]);
}

#[tokio::test]
async fn c_37_a_full_queue_makes_its_producer_wait() {
    let queue = DeltaQueue::new(1);
    queue.push(added("a@1")).await.unwrap();
    let mut second = Box::pin(queue.push(added("b@2")));
    assert!(poll(second.as_mut()).is_pending());
    assert_eq!(name(queue.pop().await), "a");
    assert!(second.await.is_ok());
}

#[tokio::test]
async fn c_38_a_closed_queue_is_emptied_and_takes_no_more() {
    let queue = DeltaQueue::new(8);
    let mut waiting = Box::pin(queue.pop());
    assert!(poll(waiting.as_mut()).is_pending());
    queue.push(added("a@1")).await.unwrap();
    queue.close();
    let refused = queue.push(added("b@2")).await.unwrap_err();
    assert!(refused.is_closed());
    assert_eq!(refused.to_string(), "the queue is closed");
    assert_eq!(name(waiting.await), "a");
    assert!(queue.pop().await.is_none());
}

#[tokio::test]
async fn c_39_what_leaves_before_it_has_synced_says_so() {
    let queue = DeltaQueue::new(8);
    queue.push(list_of(&["a@1"])).await.unwrap();
    queue.push(added("b@2")).await.unwrap();
    assert!(queue.next().await.unwrap().is_in_initial_list());
    assert!(!queue.next().await.unwrap().is_in_initial_list());
}
