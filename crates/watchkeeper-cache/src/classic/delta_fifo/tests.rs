//! The shell around the classic queue.

use std::task::{Context, Poll, Waker};

use super::*;
use crate::store::Store;
use crate::testing::{Tiny, tiny};

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

fn object(text: &str) -> Arc<Tiny> {
    Arc::new(tiny(text))
}

/// Upstream's `TestDeltaFIFO_PopShouldUnblockWhenClosed`.
#[tokio::test]
async fn c_38_a_closed_queue_is_emptied_and_takes_no_more() {
    let queue = DeltaFifo::new();
    queue.add(object("a@1")).unwrap();
    queue.close();
    assert!(queue.add(object("b@1")).unwrap_err().is_closed());
    assert!(queue.push(Delta::Sync).await.unwrap_err().is_closed());
    assert_eq!(queue.pop().await.unwrap().key, ("default", "a").into());
    assert!(queue.pop().await.is_none());
    let empty = DeltaFifo::<Tiny>::new();
    let mut waiting = Box::pin(empty.pop());
    assert!(poll(waiting.as_mut()).is_pending());
    empty.close();
    assert!(waiting.await.is_none());
}

#[tokio::test]
async fn c_37_a_full_queue_makes_a_reflector_wait() {
    let queue = DeltaFifo::new().capacity(2);
    queue.add(object("a@1")).unwrap();
    queue.update(object("a@2")).unwrap();
    let mut pushing = Box::pin(queue.push(Delta::Added(object("b@3"))));
    assert!(poll(pushing.as_mut()).is_pending());
    assert_eq!(queue.list_keys(), [("default", "a").into()]);
    assert_eq!(queue.pop().await.unwrap().list.len(), 2);
    pushing.await.unwrap();
    assert_eq!(queue.list_keys(), [("default", "b").into()]);
}

/// Upstream's `TestDeltaFIFO_transformer`.
#[tokio::test]
async fn c_34_objects_are_transformed_and_tombstones_and_resyncs_are_not() {
    let store = Store::new();
    store.apply(Delta::Added(object("known@1")));
    let queue = DeltaFifo::new().known_objects(store).transform(|object: Arc<Tiny>| {
        if object.name == "bad" {
            return Err("no luck".into());
        }
        Ok(Arc::new(Tiny { uid: format!("{}!", object.uid), ..Tiny::clone(&object) }))
    });
    queue.add(object("a@1")).unwrap();
    queue.update(object("a@2")).unwrap();
    queue.delete(DeletedObject::Seen(object("a@3"))).unwrap();
    queue.resync().unwrap();
    assert!(!queue.add(object("bad@1")).unwrap_err().is_closed());
    queue.replace(vec![object("b@4"), object("bad@4")], "5").unwrap();
    let mut uids = Vec::new();
    while !queue.is_empty() {
        let deltas = queue.pop().await.unwrap();
        let of = |delta: &super::super::ObjectDelta<Tiny>| delta.object().unwrap().uid.clone();
        uids.push((deltas.key.name.to_string(), deltas.list.iter().map(of).collect::<Vec<_>>()));
    }
    let expected = [("a", vec!["a!", "a!", "a!"]), ("known", vec!["known"; 2]), ("b", vec!["b!"])];
    let expected =
        expected.map(|(key, uids)| (key.to_owned(), uids.into_iter().map(str::to_owned).collect()));
    assert_eq!(uids, expected, "known is told by a resync and as vanished");
}
