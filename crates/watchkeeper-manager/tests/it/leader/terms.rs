//! What bounds a leader's time: its own calls, and what will not end.

use std::sync::mpsc;

use tokio::sync::Notify;
use watchkeeper_api::core::v1::Event;
use watchkeeper_client::{DeleteOptions, RateLimit};
use watchkeeper_controller::Normal;

use super::*;

/// A client whose calls are counted, with when they were sent; the first `hanging` are never answered.
fn hanging(client: &Client, hanging: usize) -> (Client, Diary) {
    let (diary, start, calls) = (Diary::default(), Instant::now(), Arc::new(AtomicUsize::new(0)));
    let told = diary.clone();
    let client = client.clone().intercept(move |request, next| {
        told.note(start, request.method().to_string());
        let hangs = calls.fetch_add(1, Ordering::SeqCst) < hanging;
        async move {
            if hangs {
                pending::<()>().await;
            }
            next.send(request).await
        }
    });
    (client, diary)
}

/// L-10: a call that hangs costs half of the time there is, not all of it.
#[tokio::test(start_paused = true)]
async fn l_10_a_candidate_whose_call_hangs_looks_again() {
    let world = World::new();
    let (client, calls) = hanging(&world.client(), 1);
    let elector = elector(&client);
    let led = timeout(secs(10), elector.lead(pending(), async || world.start.elapsed())).await;
    let Ok(Ended::Finished(after)) = led else { panic!("{led:?}") };
    assert!((7..=9).contains(&after.as_secs()), "five seconds, and a wait: {after:?}");
    assert_eq!(calls.words()[..2], ["GET", "GET"]);
}

/// How long the first call of a candidate may take that is not answered.
async fn first_call(lease: Duration, renew: Duration, retry: Duration) -> Duration {
    struct Sent(Instant, Arc<Mutex<Vec<Duration>>>);
    impl Drop for Sent {
        fn drop(&mut self) {
            self.1.lock().expect("no panic").push(self.0.elapsed());
        }
    }
    let (took, world) = (Arc::new(Mutex::new(Vec::new())), World::new());
    let calls = Arc::clone(&took);
    let client = world.client().intercept(move |_request, _next| {
        let sent = Sent(Instant::now(), Arc::clone(&calls));
        async move {
            let _sent = sent;
            pending().await
        }
    });
    let election = LeaderElection::new("l").namespace("default").times(lease, renew, retry);
    let elector = LeaderElector::with_clock(&client, election, World::clock(), 1).expect("times");
    let ended = elector.lead(sleep(secs(60)), async || unreachable!("nobody answers")).await;
    assert!(matches!(ended, Ended::<()>::Shutdown));
    let took = took.lock().expect("no panic");
    took[0]
}

/// L-10: half of the time there is, and never less than a second, as a call over a network takes what it takes.
#[tokio::test(start_paused = true)]
async fn l_10_a_call_may_take_half_of_the_deadline_and_a_second_at_least() {
    let millis = Duration::from_millis;
    assert_eq!(first_call(secs(15), secs(10), secs(2)).await, secs(5));
    assert_eq!(first_call(secs(4), secs(3), secs(1)).await, millis(1500));
    assert_eq!(first_call(secs(2), millis(1500), millis(300)).await, secs(1));
    assert_eq!(first_call(secs(1), millis(500), millis(100)).await, secs(1));
}

/// L-10: and a leader has another try within its deadline.
#[tokio::test(start_paused = true)]
async fn l_10_a_leader_whose_call_hangs_tries_again_in_time() {
    let world = World::new();
    let (client, cut) = cable(&world.client());
    let elector = elector(&client);
    let led = elector.lead(pending(), async || {
        sleep(secs(1)).await;
        cut.store(true, Ordering::SeqCst);
        // The renewal of the second second hangs, and the look after it is answered.
        sleep(secs(3)).await;
        cut.store(false, Ordering::SeqCst);
        sleep(secs(60)).await;
    });
    assert_eq!(timeout(secs(90), led).await.unwrap(), Ended::Finished(()));
    assert_eq!(elector.slow_renewals(), 1);
}

/// A program that has used up its own limit of requests renews all the same.
#[tokio::test(start_paused = true)]
async fn renewals_do_not_wait_for_the_limit_of_the_program() {
    let world = World::new();
    let client = world.client().rate_limit(RateLimit::new(0.01, 1));
    let elector = elector(&client);
    let maps = client.api::<ConfigMap>().namespace("default");
    maps.create(&map("first"), &CreateOptions::default()).await.unwrap();
    let led = elector.lead(pending(), async || sleep(secs(60)).await);
    assert_eq!(timeout(secs(90), led).await.expect("elected"), Ended::Finished(()));
}

/// Two who lead by one elector are one candidate: they take turns.
#[tokio::test(start_paused = true)]
async fn one_elector_leads_once_at_a_time() {
    let world = World::new();
    let elector = elector(&world.client());
    let diary = Diary::default();
    let term = async |name: &str| {
        let work = async || {
            diary.note(world.start, format!("{name} leads"));
            sleep(secs(20)).await;
            assert!(elector.is_leader() && elector.fence().is_open());
            diary.note(world.start, format!("{name} ended"));
        };
        assert_eq!(elector.lead(pending(), work).await, Ended::Finished(()));
    };
    let stopped = async {
        let ended = elector.lead(sleep(secs(5)), async || unreachable!("it is another's turn"));
        assert!(matches!(ended.await, Ended::<()>::Shutdown));
    };
    tokio::join!(biased; term("first"), term("second"), stopped);
    assert_eq!(diary.words(), ["first leads", "first ended", "second leads", "second ended"]);
}

/// Who leads is not told of a replica that has ended its time.
#[tokio::test(start_paused = true)]
async fn who_has_given_the_lease_up_is_not_the_leader() {
    let world = World::new();
    let (client, cut) = cable(&world.client());
    let elector = elector(&client);
    let led = elector.lead(pending(), async || elector.leader()).await;
    assert_eq!(led, Ended::Finished(Some("a".to_owned())));
    assert_eq!(elector.leader(), None);
    let lost = elector.lead(pending(), async || {
        cut.store(true, Ordering::SeqCst);
        pending::<()>().await;
    });
    assert_eq!(lost.await, Ended::Lost);
    assert_eq!(elector.leader(), None);
}

/// What blocks a thread cannot be ended: the manager says so, rather than wait for it. The clock is the
/// machine's, as a blocked thread stops a paused one; a lease that a busy machine loses early ends the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_lease_does_not_wait_for_what_blocks() {
    let world = World::new();
    let (client, cut) = cable(&world.client());
    let fifth = Duration::from_millis(200);
    let mut election = LeaderElection::new("l").times(secs(1), 3 * fifth, fifth);
    election.step_down = true;
    let manager = Manager::new(&client).leader_election(election);
    let (release, blocked) = mpsc::channel::<()>();
    let blocked = Arc::new(Mutex::new(blocked));
    let begun = Arc::new(Notify::new());
    let begins = Arc::clone(&begun);
    manager.add_restartable("stuck", move |_stop| {
        let (begins, blocked) = (Arc::clone(&begins), Arc::clone(&blocked));
        async move {
            begins.notify_one();
            // It is not asked again before it returns; the runtime's other tasks go on.
            tokio::task::block_in_place(|| _ = blocked.lock().expect("no panic").recv());
            Ok::<_, BoxError>(())
        }
    });
    let mut replica = JoinSet::new();
    replica.spawn(manager.run(pending()));
    begun.notified().await;
    cut.store(true, Ordering::SeqCst);
    let ended = timeout(secs(60), replica.join_next()).await;
    drop(release);
    let error = ended.expect("the run ends").unwrap().unwrap().unwrap_err();
    let expected = "leader election lost, and what ran does not end: stuck";
    assert_eq!(error.to_string(), expected);
}

/// What was done for good long ago is not asked to be done again.
#[tokio::test(start_paused = true)]
async fn what_ended_well_before_does_not_keep_a_replica_from_another_term() {
    let world = World::new();
    let (client, cut) = cable(&world.client());
    let manager = world.replica("a", &client, true);
    manager.add("migrate", async |_stop: Stop| Ok::<_, BoxError>(()));
    let mut replicas = JoinSet::new();
    replicas.spawn(manager.run(sleep(secs(100))));
    sleep(secs(5)).await;
    cut.store(true, Ordering::SeqCst);
    sleep(secs(20)).await;
    cut.store(false, Ordering::SeqCst);
    replicas.join_next().await.unwrap().unwrap().unwrap();
    assert_eq!(world.diary.words(), ["a leads", "a ended", "a leads", "a ended"]);
}

/// A controller that leads twice: what came while another led, or nobody, is reconciled in the second term.
#[tokio::test(start_paused = true)]
async fn a_controller_works_in_every_term() {
    let world = World::new();
    let (client, cut) = cable(&world.client());
    let manager = world.replica("a", &client, true);
    let maps = manager.watch::<ConfigMap>();
    manager.controller("copies", &maps).with(maps).reconcile(async |_maps, request, ctx| {
        if !request.name().starts_with("copy") {
            let copy = ctx.apply(&map(&format!("copy-of-{}", request.name()))).await?;
            ctx.event(&copy, Normal, "Copied", "as it was");
        }
        Ok(Action::done())
    });
    let plain = world.client().api::<ConfigMap>().namespace("default");
    plain.create(&map("one"), &CreateOptions::default()).await.unwrap();
    let mut replicas = JoinSet::new();
    replicas.spawn(manager.run(sleep(secs(100))));
    sleep(secs(5)).await;
    assert!(plain.get("copy-of-one").await.is_ok(), "the first term");
    cut.store(true, Ordering::SeqCst);
    sleep(secs(20)).await;
    assert_eq!(world.diary.words(), ["a leads", "a ended"]);
    plain.create(&map("two"), &CreateOptions::default()).await.unwrap();
    plain.delete("copy-of-one", &DeleteOptions::default()).await.unwrap();
    cut.store(false, Ordering::SeqCst);
    sleep(secs(60)).await;
    for name in ["copy-of-one", "copy-of-two"] {
        assert!(plain.get(name).await.is_ok(), "the second term: {name}");
    }
    // One of the first term and two of the second, which draws other names from the same seed.
    let events = world.client().api::<Event>().namespace("default");
    let events = events.list_all(&ListOptions::default()).await.unwrap().items;
    let about: Vec<_> = events.iter().map(|event| &*event.involved_object.name).collect();
    assert_eq!(about.len(), 3, "{about:?}");
    replicas.join_next().await.unwrap().unwrap().unwrap();
}
