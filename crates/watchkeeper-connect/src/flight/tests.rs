//! Who comes, who goes, and what goes on.

use tokio::sync::Notify;

use super::*;

/// Work that waits for `done`; `begun` counts the times that it began, and holds a share while it is under way.
fn work(begun: &Arc<Mutex<u32>>, done: &Arc<Notify>) -> impl Future<Output = u32> + use<> {
    let (begun, done) = (Arc::clone(begun), Arc::clone(done));
    let number = {
        let mut begun = begun.lock().unwrap();
        *begun += 1;
        *begun
    };
    async move {
        done.notified().await;
        drop(begun);
        number
    }
}

/// Polls the call until it waits.
async fn waits(call: &mut (impl Future<Output = Option<u32>> + Unpin)) {
    tokio::select! {
        biased;
        answer = call => panic!("{answer:?}"),
        () = tokio::task::yield_now() => {}
    }
}

async fn has_ended(begun: &Arc<Mutex<u32>>) {
    while Arc::strong_count(begun) > 1 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn all_who_wait_get_one_answer_and_who_comes_later_another() {
    let (begun, done) = (Arc::default(), Arc::new(Notify::new()));
    let flights = SingleFlight::new();
    done.notify_one();
    let (one, two) = tokio::join!(
        flights.run(EndsWith::LastCaller, || work(&begun, &done)),
        flights.run(EndsWith::LastCaller, || work(&begun, &done)),
    );
    assert_eq!((one, two), (Some(1), Some(1)));
    done.notify_one();
    assert_eq!(flights.run(EndsWith::LastCaller, || work(&begun, &done)).await, Some(2));
}

#[tokio::test]
async fn work_goes_on_without_callers_and_ends_with_its_owner() {
    let (begun, done) = (Arc::default(), Arc::new(Notify::new()));
    let flights = SingleFlight::new();
    waits(&mut Box::pin(flights.run(EndsWith::Owner, || work(&begun, &done)))).await;
    let mut later = Box::pin(flights.run(EndsWith::Owner, || work(&begun, &done)));
    waits(&mut later).await;
    done.notify_one();
    assert_eq!(later.await, Some(1));

    waits(&mut Box::pin(flights.run(EndsWith::Owner, || work(&begun, &done)))).await;
    drop(flights);
    has_ended(&begun).await;
}

#[tokio::test]
async fn work_ends_with_the_last_of_its_callers() {
    let (begun, done) = (Arc::default(), Arc::new(Notify::new()));
    let flights = SingleFlight::new();
    let mut first = Box::pin(flights.run(EndsWith::LastCaller, || work(&begun, &done)));
    let mut second = Box::pin(flights.run(EndsWith::LastCaller, || work(&begun, &done)));
    waits(&mut first).await;
    waits(&mut second).await;
    drop(first);
    waits(&mut second).await;
    assert_eq!(Arc::strong_count(&begun), 2);
    drop(second);
    has_ended(&begun).await;
}

#[tokio::test]
async fn work_that_breaks_off_is_told() {
    let flights = SingleFlight::<u32>::new();
    let begun = Mutex::new(0);
    let breaks = || {
        *begun.lock().unwrap() += 1;
        async { panic!("a test's own") }
    };
    let broken =
        tokio::join!(flights.run(EndsWith::Owner, breaks), flights.run(EndsWith::Owner, breaks));
    assert_eq!(broken, (None, None));
    assert_eq!(*begun.lock().unwrap(), 1, "what panics is not tried by each who waits");
    assert_eq!(flights.run(EndsWith::Owner, || async { 1 }).await, Some(1));
}

/// A runtime, as each test has one, and each of a program's may end before the others.
fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

#[test]
fn work_whose_runtime_ends_is_begun_again_by_who_waits() {
    for ends in [EndsWith::Owner, EndsWith::LastCaller] {
        let (begun, done) = (Arc::default(), Arc::new(Notify::new()));
        let flights = SingleFlight::new();
        let (one, two) = (runtime(), runtime());
        let call = || Box::pin(flights.run(ends, || work(&begun, &done)));
        let (mut first, mut second, mut third) = (call(), call(), call());
        one.block_on(waits(&mut first));
        two.block_on(async {
            waits(&mut second).await;
            waits(&mut third).await;
        });
        assert_eq!(*begun.lock().unwrap(), 1);
        drop(one);
        done.notify_one();
        let answers = two.block_on(async { tokio::join!(second, third) });
        assert_eq!(answers, (Some(2), Some(2)), "and once for all of them");
    }
}

/// Who is told so by a runtime that ends must not try for ever.
#[test]
fn work_cannot_begin_where_the_runtime_has_ended() {
    let (begun, done) = (Arc::default(), Arc::new(Notify::new()));
    let flights = SingleFlight::new();
    let ended = runtime().handle().clone();
    let _entered = ended.enter();
    let mut call = Box::pin(flights.run(EndsWith::Owner, || work(&begun, &done)));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    assert_eq!(call.as_mut().poll(&mut cx), Poll::Ready(None));
}
