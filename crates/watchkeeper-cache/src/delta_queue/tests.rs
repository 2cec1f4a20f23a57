use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::delta::Replacement;
use crate::testing::{Tiny, tiny};

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

fn added(text: &str) -> Delta<Tiny> {
    Delta::Added(Arc::new(tiny(text)))
}

fn list() -> Delta<Tiny> {
    Delta::Replaced(Replacement { items: Vec::new(), unreadable: Vec::new(), version: "1".into() })
}

fn name(delta: Option<Delta<Tiny>>) -> String {
    match delta {
        Some(Delta::Added(object)) => object.name.clone(),
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn deltas_leave_in_the_order_in_which_they_came() {
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
async fn it_has_synced_when_the_first_list_was_applied() {
    let queue = DeltaQueue::new(8);
    queue.push(list()).await.unwrap();
    assert!(!queue.has_synced());
    assert!(matches!(queue.pop().await, Some(Delta::Replaced(_))));
    assert!(!queue.has_synced());
    assert!(poll(Box::pin(queue.pop()).as_mut()).is_pending());
    assert!(queue.has_synced());
}
