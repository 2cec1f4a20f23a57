//! What many reconciles in flight cost.

use super::*;

/// Defect g of kube-rs: there a wake polls everything that is in flight.
#[tokio::test(start_paused = true)]
async fn defect_g_a_wake_polls_one_reconcile_and_not_all() {
    const OBJECTS: usize = 1000;
    const WAKES: usize = 10;
    let polls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&polls);
    let reconciler = Stateless(move |_: Request, _: Context| {
        let polls = Arc::clone(&counted);
        // Every wake of each at a time of its own.
        let wait = ms(u64::try_from(polls.load(Ordering::Relaxed)).unwrap() + 1);
        let mut work = Box::pin(async move {
            for _ in 0..WAKES {
                sleep(wait).await;
            }
            Ok(Action::done())
        });
        std::future::poll_fn(move |context| {
            polls.fetch_add(1, Ordering::Relaxed);
            work.as_mut().poll(context)
        })
    });
    let running = start(OBJECTS, reconciler);
    (0..OBJECTS).for_each(|number| running.queue.add(request(&number.to_string())));
    sleep(ms(1_000_000)).await;
    assert_eq!((running.queue.len(), running.queue.held()), (0, 0));
    let polls = polls.load(Ordering::Relaxed);
    assert!((OBJECTS..=2 * OBJECTS * (WAKES + 1)).contains(&polls), "{polls} polls");
}
