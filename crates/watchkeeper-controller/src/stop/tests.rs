//! Stops are heard by all, in order, however they are said.

use std::sync::Mutex;

use tokio::task::JoinSet;

use super::*;

#[tokio::test]
async fn all_hear_of_it_in_the_order_in_which_they_asked() {
    let ((stopper, stop), order) = (Stop::channel(), Arc::new(Mutex::new(Vec::new())));
    let mut runnables = JoinSet::new();
    for runnable in 0..50 {
        let (stop, order) = (stop.clone(), order.clone());
        runnables.spawn(async move {
            stop.requested().await;
            order.lock().unwrap().push(runnable);
        });
    }
    tokio::task::yield_now().await;
    assert!(!stop.is_requested());
    stopper.stop();
    while runnables.join_next().await.is_some() {}
    assert_eq!(*order.lock().unwrap(), (0..50).collect::<Vec<_>>());
    stop.requested().await;
}

#[tokio::test]
async fn a_stopper_that_is_gone_has_said_it() {
    let (stopper, stop) = Stop::channel();
    drop(stopper);
    assert!(stop.is_requested());
    stop.requested().await;
}
