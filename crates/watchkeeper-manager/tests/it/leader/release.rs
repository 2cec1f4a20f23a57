//! A lease is given up when nothing of its holder can be stored any more.

use http::Method;
use tokio::sync::Notify;

use super::*;

/// Longer than any of these tests may take.
const LONG: Duration = Duration::from_mins(5);

/// A client whose creates the server takes, and carries out a second and a half later; nobody is answered.
fn late(client: &Client) -> Client {
    let taken = Arc::new(Mutex::new(JoinSet::new()));
    client.clone().intercept(move |request, next| {
        let taken = Arc::clone(&taken);
        async move {
            if request.method() == Method::POST && !request.uri().path().contains("leases") {
                taken.lock().expect("no panic").spawn(async move {
                    sleep(Duration::from_millis(1500)).await;
                    next.send(request).await
                });
                pending::<()>().await;
                unreachable!("it is pending")
            }
            next.send(request).await
        }
    })
}

async fn holder(world: &World) -> String {
    world.lease().await.spec.holder_identity.unwrap_or_default().to_string()
}

/// A write that was given up may be stored after the work has ended: the lease is kept until it cannot.
#[tokio::test(start_paused = true)]
async fn a_lease_is_not_given_up_while_a_write_may_still_arrive() {
    let world = World::new();
    let client = late(&world.client());
    let elector = elector(&client);
    let maps = elector.fence().guard(&client).api::<ConfigMap>().namespace("default");
    let led = elector.lead(pending(), async || {
        let map = map("late");
        let write = timeout(secs(1), maps.create(&map, &CreateOptions::default())).await;
        assert!(write.is_err(), "given up: {write:?}");
    });
    assert_eq!(timeout(LONG, led).await.unwrap(), Ended::Finished(()));
    assert_eq!(holder(&world).await, "", "given up in the end");
    let plain = world.client().api::<ConfigMap>().namespace("default");
    assert!(plain.get("late").await.is_ok(), "it was stored before the lease was given up");
}

/// An answer of the server that something went wrong is no answer to whether it was stored.
#[tokio::test(start_paused = true)]
async fn an_error_of_the_server_leaves_a_write_in_doubt() {
    let world = World::new();
    for (code, waits) in [(504, secs(3)), (409, secs(0))] {
        let client = world.client().intercept(move |request, next| async move {
            if request.method() == Method::POST && !request.uri().path().contains("leases") {
                return Ok(watchkeeper_client::status_answer(code, "Said", "by the test"));
            }
            next.send(request).await
        });
        let elector = elector(&client);
        let maps = elector.fence().guard(&client).api::<ConfigMap>().namespace("default");
        let led = elector.lead(pending(), async || {
            maps.create(&map("refused"), &CreateOptions::default()).await.unwrap_err();
            Instant::now()
        });
        let Ended::Finished(wrote) = led.await else { panic!("lost") };
        assert_eq!(wrote.elapsed(), waits, "{code}");
        assert_eq!(holder(&world).await, "");
    }
}

/// Other tasks may hold the guarded client: what they wrote is given up at once when the work has ended,
/// and waited for.
#[tokio::test(start_paused = true)]
async fn writes_of_other_tasks_are_given_up_with_the_work() {
    let world = World::new();
    let client = late(&world.client());
    let elector = elector(&client);
    let maps = elector.fence().guard(&client).api::<ConfigMap>().namespace("default");
    let mut tasks = JoinSet::new();
    let led = elector.lead(pending(), async || {
        tasks.spawn(async move {
            let error = maps.create(&map("late"), &CreateOptions::default()).await.unwrap_err();
            (Instant::now(), error)
        });
        sleep(secs(1)).await;
        Instant::now()
    });
    let Ended::Finished(ended) = led.await else { panic!("lost") };
    assert_eq!(ended.elapsed(), secs(3), "the margin");
    assert_eq!(holder(&world).await, "");
    let (given_up, error) = tasks.join_next().await.unwrap().unwrap();
    assert_eq!(given_up, ended, "at once: {error}");
}

/// A write that nobody carries on, and nobody drops, is on its way for ever: the lease runs out by itself.
#[tokio::test(start_paused = true)]
async fn a_write_that_does_not_end_keeps_the_lease() {
    let world = World::new();
    let client = late(&world.client());
    let elector = elector(&client);
    let maps = elector.fence().guard(&client).api::<ConfigMap>().namespace("default");
    let (one, options) = (map("late"), CreateOptions::default());
    let mut write = Box::pin(maps.create(&one, &options));
    let led = elector.lead(pending(), async || {
        assert!(timeout(secs(1), &mut write).await.is_err());
    });
    assert_eq!(timeout(LONG, led).await.unwrap(), Ended::Finished(()));
    assert_eq!(holder(&world).await, "a", "not given up");
}

/// A process that was stopped while a write waited for its connection sends nothing when it goes on.
#[tokio::test(start_paused = true)]
async fn a_write_that_waited_is_not_sent_when_the_fence_has_closed() {
    let world = World::new();
    let (ready, sent) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
    let (waits, counts) = (Arc::clone(&ready), Arc::clone(&sent));
    let slow = world.client().intercept(move |request, next| {
        let (ready, sent) = (Arc::clone(&waits), Arc::clone(&counts));
        async move {
            ready.notified().await;
            sent.fetch_add(1, Ordering::SeqCst);
            next.send(request).await
        }
    });
    let elector = elector(&world.client());
    let maps = elector.fence().guard(&slow).api::<ConfigMap>().namespace("default");
    let mut tasks = JoinSet::new();
    let led = elector.lead(pending(), async || {
        let late = async move { maps.create(&map("late"), &CreateOptions::default()).await };
        tasks.spawn(late);
        tokio::task::yield_now().await;
        // Nobody is polled meanwhile; on waking the connection is there before any clock has rung.
        ready.notify_one();
        tokio::time::advance(secs(12)).await;
        tasks.join_next().await.unwrap().unwrap()
    });
    let lost = led.await;
    assert_eq!(sent.load(Ordering::SeqCst), 0, "{lost:?}");
    let plain = world.client().api::<ConfigMap>().namespace("default");
    assert!(plain.get("late").await.unwrap_err().is_not_found());
}

/// A client whose every update of a lease to nobody finds that somebody else has touched it before; so
/// often, each time a second later.
fn contested(world: &World, often: usize) -> (Client, Arc<AtomicUsize>) {
    let (plain, tries) = (world.client(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&tries);
    let looked = Arc::new(AtomicBool::new(false));
    let client = world.client().intercept(move |request, next| {
        let (plain, tries) = (plain.clone(), Arc::clone(&counted));
        // The first write of this test makes the lease; any update after a look gives it up.
        let releases = looked.swap(request.method() == Method::GET, Ordering::SeqCst)
            && request.method() == Method::PUT;
        async move {
            if releases && tries.fetch_add(1, Ordering::SeqCst) < often {
                sleep(secs(1)).await;
                let leases = plain.api::<Lease>().namespace("default");
                let mut lease = leases.get("l").await.expect("a lease");
                let tries = tries.load(Ordering::SeqCst).to_string();
                lease.metadata.labels.insert("touched", tries.as_str());
                leases.update(&lease).await.expect("touched");
            }
            next.send(request).await
        }
    });
    (client, tries)
}

#[tokio::test(start_paused = true)]
async fn l_08_giving_up_is_tried_again_on_a_conflict() {
    let world = World::new();
    let (client, tries) = contested(&world, 2);
    let elector = elector(&client);
    assert_eq!(elector.lead(pending(), async || ()).await, Ended::Finished(()));
    assert_eq!((tries.load(Ordering::SeqCst), &*holder(&world).await), (3, ""));
}

#[tokio::test(start_paused = true)]
async fn l_08_giving_up_ends_with_the_deadline() {
    let world = World::new();
    let (client, tries) = contested(&world, usize::MAX);
    let elector = elector(&client);
    let led = timeout(LONG, elector.lead(pending(), async || Instant::now())).await;
    let Ok(Ended::Finished(ended)) = led else { panic!("{led:?}") };
    assert_eq!(ended.elapsed(), secs(10), "the time to renew");
    assert!(tries.load(Ordering::SeqCst) > 5);
    assert_eq!(holder(&world).await, "a");
}
