//! Replicas of a manager and one lease, on the embedded server.

mod names;
mod release;
mod terms;

use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use watchkeeper_api::coordination::v1::Lease;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Result, Time, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{BoxError, Client, CreateOptions, ListOptions};
use watchkeeper_controller::{Action, Clock, Stop};
use watchkeeper_manager::{Ended, LeaderElection, LeaderElector, Manager};

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// What happened, and when.
#[derive(Clone, Default)]
struct Diary(Arc<Mutex<Vec<(u64, String)>>>);

impl Diary {
    fn note(&self, start: Instant, what: String) {
        self.0.lock().expect("no panic").push((start.elapsed().as_secs(), what));
    }

    fn told(&self) -> Vec<(u64, String)> {
        self.0.lock().expect("no panic").clone()
    }

    fn words(&self) -> Vec<String> {
        self.told().into_iter().map(|(_, what)| what).collect()
    }
}

/// A server, and the moment it began.
struct World {
    server: ApiServer,
    start: Instant,
    diary: Diary,
}

impl World {
    fn new() -> Self {
        let server = ApiServer::builder().seed(7).build();
        Self { server, start: Instant::now(), diary: Diary::default() }
    }

    fn client(&self) -> Client {
        Client::new(self.server.clone())
    }

    fn clock() -> Clock {
        Clock::starting_at(Time::from_unix(1_767_225_600))
    }

    /// A replica whose only work is to say that it works.
    fn replica(&self, name: &'static str, client: &Client, step_down: bool) -> Manager {
        let mut election = LeaderElection::new("l").identity(name);
        election.step_down = step_down;
        let manager = Manager::new(client).seed(1).clock(Self::clock()).leader_election(election);
        let (start, diary) = (self.start, self.diary.clone());
        manager.add_restartable("work", move |stop: Stop| {
            let diary = diary.clone();
            async move {
                diary.note(start, format!("{name} leads"));
                let _ended = Said(diary.clone(), start, format!("{name} ended"));
                stop.requested().await;
                Ok::<_, BoxError>(())
            }
        });
        manager
    }

    async fn lease(&self) -> Lease {
        self.client().api::<Lease>().namespace("default").get("l").await.expect("a lease")
    }
}

/// Tells of its end, however it comes.
struct Said(Diary, Instant, String);

impl Drop for Said {
    fn drop(&mut self) {
        self.0.note(self.1, std::mem::take(&mut self.2));
    }
}

/// A client that reaches the server while the cable is in.
pub(crate) fn cable(client: &Client) -> (Client, Arc<AtomicBool>) {
    let cut = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&cut);
    let client = client.clone().intercept(move |request, next| {
        let cut = Arc::clone(&seen);
        async move {
            if cut.load(Ordering::SeqCst) {
                pending::<()>().await;
            }
            next.send(request).await
        }
    });
    (client, cut)
}

/// A candidate without a manager.
fn elector(client: &Client) -> LeaderElector {
    let election = LeaderElection::new("l").namespace("default").identity("a");
    LeaderElector::with_clock(client, election, World::clock(), 1).expect("times that make sense")
}

fn map(name: &str) -> ConfigMap {
    object!(ConfigMap { metadata: { name: name, namespace: "default" } })
}

#[tokio::test(start_paused = true)]
async fn one_of_two_works_and_gives_the_lease_up_when_it_has_ended() {
    let world = World::new();
    let first = world.replica("a", &world.client(), false);
    let second = world.replica("b", &world.client(), false);
    let asked = second.elector().unwrap().clone();
    let mut replicas = JoinSet::new();
    replicas.spawn(first.run(sleep(secs(30))));
    sleep(secs(1)).await;
    replicas.spawn(second.run(sleep(secs(60))));
    sleep(secs(20)).await;
    assert_eq!(world.diary.words(), ["a leads"]);
    assert_eq!(asked.leader().as_deref(), Some("a"));
    assert!(!asked.is_leader());

    while let Some(ended) = replicas.join_next().await {
        ended.unwrap().unwrap();
    }
    assert_eq!(world.diary.words(), ["a leads", "a ended", "b leads", "b ended"]);
    let (ended, followed) = (world.diary.told()[1].0, world.diary.told()[2].0);
    assert!(
        ended == 30 && followed <= 35,
        "nobody waits for a lease that was given up: {followed}"
    );
    let spec = world.lease().await.spec;
    assert_eq!(spec.holder_identity.as_deref(), Some(""), "L-08");
    assert_eq!((spec.lease_duration_seconds, spec.lease_transitions), (Some(1), Some(1)));
}

/// N-09: a standby has its copies before it leads, and asks for nothing when it does.
#[tokio::test(start_paused = true)]
async fn n_09_a_standby_has_its_copies_before_it_leads() {
    let world = World::new();
    world.client().api::<ConfigMap>().create(&map("a"), &CreateOptions::default()).await.unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let counts = Arc::clone(&asked);
    let client = world.client().intercept(move |request, next| {
        if request.uri().path().ends_with("/configmaps") {
            counts.fetch_add(1, Ordering::SeqCst);
        }
        next.send(request)
    });
    let (first, second) =
        (world.replica("a", &world.client(), false), world.replica("b", &client, false));
    let maps = second.watch::<ConfigMap>();
    let (copies, diary, start) = (maps.clone(), world.diary.clone(), world.start);
    second.controller("maps", &maps).with((diary, start)).reconcile(
        async |(diary, start), request, _ctx| {
            diary.note(*start, format!("b reconciles {}", request.name()));
            Ok(Action::done())
        },
    );
    let mut replicas = JoinSet::new();
    replicas.spawn(first.run(sleep(secs(30))));
    sleep(secs(1)).await;
    replicas.spawn(second.run(sleep(secs(60))));
    sleep(secs(20)).await;
    assert!(copies.has_synced() && copies.peek(("default", "a")).is_some());
    assert_eq!(world.diary.words(), ["a leads"]);
    assert_eq!(asked.load(Ordering::SeqCst), 1, "one list that goes on as a watch");
    while let Some(ended) = replicas.join_next().await {
        ended.unwrap().unwrap();
    }
    let mut words = world.diary.words();
    words[2..4].sort();
    assert_eq!(words, ["a leads", "a ended", "b leads", "b reconciles a", "b ended"]);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

/// M-06: who cannot renew ends, and another one follows when the lease has run out.
#[tokio::test(start_paused = true)]
async fn m_06_a_lost_lease_ends_the_work_before_another_one_begins() {
    let world = World::new();
    let (client, cut) = cable(&world.client());
    let first = world.replica("a", &client, false);
    let second = world.replica("b", &world.client(), false);
    let mut replicas = JoinSet::new();
    replicas.spawn(first.run(pending()));
    sleep(secs(1)).await;
    let standby = second.clone();
    replicas.spawn(second.run(pending()));
    sleep(secs(9)).await;
    cut.store(true, Ordering::SeqCst);
    let lost = replicas.join_next().await.unwrap().unwrap().unwrap_err();
    assert_eq!(lost.to_string(), "leader election lost");
    let gone = world.start.elapsed().as_secs();
    assert!((18..=20).contains(&gone), "ten seconds after the last renewal: {gone}");
    assert_eq!(world.diary.words(), ["a leads", "a ended"]);

    timeout(secs(20), standby.elected()).await.expect("M-07");
    sleep(secs(1)).await;
    assert_eq!(world.diary.words(), ["a leads", "a ended", "b leads"]);
    let took = world.diary.told()[2].0;
    assert!((23..=30).contains(&took), "not before the lease ran out: {took}");
}

#[tokio::test(start_paused = true)]
async fn m_07_without_an_election_nobody_is_waited_for() {
    let manager = Manager::new(&World::new().client());
    timeout(secs(0), manager.elected()).await.expect("M-07");
}

#[tokio::test(start_paused = true)]
async fn who_steps_down_leads_again_in_its_turn() {
    let world = World::new();
    let (client, cut) = cable(&world.client());
    let manager = world.replica("a", &client, true);
    let mut replicas = JoinSet::new();
    replicas.spawn(manager.run(sleep(secs(100))));
    sleep(secs(5)).await;
    cut.store(true, Ordering::SeqCst);
    sleep(secs(20)).await;
    assert_eq!(world.diary.words(), ["a leads", "a ended"]);
    cut.store(false, Ordering::SeqCst);
    replicas.join_next().await.unwrap().unwrap().unwrap();
    assert_eq!(world.diary.words(), ["a leads", "a ended", "a leads", "a ended"]);
    assert_eq!(world.diary.told()[3].0, 100);
}

/// What was given once cannot be started again: the process ends with the reason.
#[tokio::test(start_paused = true)]
async fn what_runs_once_cannot_step_down() {
    let world = World::new();
    let (client, cut) = cable(&world.client());
    let manager = world.replica("a", &client, true);
    manager.add("single", async |stop: Stop| {
        stop.requested().await;
        Ok::<_, BoxError>(())
    });
    let mut replicas = JoinSet::new();
    replicas.spawn(manager.run(pending()));
    sleep(secs(5)).await;
    cut.store(true, Ordering::SeqCst);
    sleep(secs(20)).await;
    cut.store(false, Ordering::SeqCst);
    let error = replicas.join_next().await.unwrap().unwrap().unwrap_err();
    assert!(error.to_string().starts_with("single can be run once"), "{error}");
    let words = world.diary.words();
    assert_eq!(words, ["a leads", "a ended"], "nothing is begun that could outlive the lease");
}

/// The writes of a replica reach the server while it leads, and reads always do.
#[tokio::test(start_paused = true)]
async fn the_fence_lets_the_leader_write_and_nobody_else() {
    let world = World::new();
    let (client, cut) = cable(&world.client());
    let manager = world.replica("a", &client, false);
    let writer = manager.client().api::<ConfigMap>().namespace("default");
    let refused = writer.create(&map("early"), &CreateOptions::default()).await.unwrap_err();
    assert!(
        refused.to_string().ends_with("not sent: this replica does not hold the lease default/l"),
        "{refused}"
    );
    assert!(writer.list_all(&ListOptions::default()).await.unwrap().items.is_empty());
    let plain = manager.unfenced_client().api::<ConfigMap>().namespace("default");
    plain.create(&map("plain"), &CreateOptions::default()).await.unwrap();

    let fence = manager.elector().unwrap().fence().clone();
    let handle = manager.clone();
    let mut replicas = JoinSet::new();
    replicas.spawn(handle.run(pending()));
    manager.elected().await;
    writer.create(&map("leader"), &CreateOptions::default()).await.unwrap();
    assert!(fence.is_open());

    // A write that is on its way when the fence closes is given up with it.
    cut.store(true, Ordering::SeqCst);
    let began = Instant::now();
    let lost = writer.create(&map("late"), &CreateOptions::default()).await.unwrap_err();
    assert!(lost.to_string().contains("may not hold the lease default/l any more"), "{lost}");
    assert!((8..=11).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
    assert!(!fence.is_open());
}

/// A process that was stopped for a while. That either clock is enough: `l_14_the_stricter_of_two_clocks_counts`.
#[tokio::test(start_paused = true)]
async fn the_fence_is_closed_for_a_leader_that_slept() {
    let world = World::new();
    let manager = world.replica("a", &world.client(), false);
    let writer = manager.client().api::<ConfigMap>().namespace("default");
    let fence = manager.elector().unwrap().fence().clone();
    let handle = manager.clone();
    let mut replicas = JoinSet::new();
    replicas.spawn(handle.run(pending()));
    manager.elected().await;
    assert!(fence.is_open());
    // Nobody is polled meanwhile, as when the process is stopped.
    tokio::time::advance(secs(12)).await;
    assert!(!fence.is_open());
    let refused = writer.create(&map("late"), &CreateOptions::default()).await.unwrap_err();
    assert!(refused.to_string().contains("not sent"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn what_runs_everywhere_knows_of_no_lease() {
    let world = World::new();
    let reconciled = Arc::new(AtomicUsize::new(0));
    let mut replicas = JoinSet::new();
    for name in ["a", "b"] {
        let manager = world.replica(name, &world.client(), false);
        let maps = manager.watch::<ConfigMap>();
        let count = Arc::clone(&reconciled);
        manager.controller("everywhere", &maps).everywhere().with((name, count)).reconcile(
            async |(name, count), request, ctx| {
                if request.name() == "seen" {
                    count.fetch_add(1, Ordering::SeqCst);
                    ctx.apply(&map(&format!("by-{name}"))).await?;
                }
                Ok(Action::done())
            },
        );
        let (start, diary) = (world.start, world.diary.clone());
        manager.add_everywhere("beside", async move |_stop| {
            diary.note(start, format!("{name} beside"));
            Ok::<_, BoxError>(())
        });
        replicas.spawn(manager.run(sleep(secs(10))));
    }
    let maps = world.client().api::<ConfigMap>().namespace("default");
    maps.create(&map("seen"), &CreateOptions::default()).await.unwrap();
    sleep(secs(5)).await;
    assert_eq!(reconciled.load(Ordering::SeqCst), 2);
    for name in ["by-a", "by-b"] {
        assert!(maps.get(name).await.is_ok(), "written whoever leads: {name}");
    }
    let words = world.diary.words();
    assert!(words.contains(&"a beside".to_owned()) && words.contains(&"b beside".to_owned()));
    assert_eq!(words.iter().filter(|word| word.ends_with("leads")).count(), 1, "{words:?}");
    while let Some(ended) = replicas.join_next().await {
        ended.unwrap().unwrap();
    }
}

/// L-05, L-09, L-13: a candidate alone, without a manager.
#[tokio::test(start_paused = true)]
async fn an_elector_alone() {
    let world = World::new();
    let election = LeaderElection::new("l").namespace("default").identity("a");
    let elector = LeaderElector::with_clock(&world.client(), election, World::clock(), 1).unwrap();
    assert!(elector.healthy(secs(0)).is_ok() && elector.leader().is_none());
    let ended = elector
        .lead(pending(), async || {
            assert!(elector.is_leader() && elector.fence().is_open());
            let mine = world.lease().await;
            sleep(secs(60)).await;
            assert!(elector.healthy(secs(0)).is_ok());
            // Somebody else touched the lease: the next renewal is refused, and the one after a look is not.
            let mut touched = world.lease().await;
            touched.metadata.labels.insert("touched", "yes");
            world.client().api::<Lease>().namespace("default").update(&touched).await.unwrap();
            sleep(secs(5)).await;
            assert_eq!(elector.slow_renewals(), 1);
            mine.spec.acquire_time == world.lease().await.spec.acquire_time
        })
        .await;
    assert_eq!(ended, Ended::Finished(true), "renewed, not taken again");
    assert!(!elector.is_leader() && !elector.fence().is_open());

    let shutdown = elector.lead(async {}, async || unreachable!("not elected")).await;
    assert!(matches!(shutdown, Ended::<()>::Shutdown));
}

/// L-13: a leader that was not polled for longer than its lease is not healthy.
#[tokio::test(start_paused = true)]
async fn l_13_a_hung_leader_is_not_healthy() {
    let world = World::new();
    let election = LeaderElection::new("l").namespace("default");
    let elector = LeaderElector::with_clock(&world.client(), election, World::clock(), 1).unwrap();
    assert!(elector.identity().contains('_'));
    let lead = elector.lead(pending(), async || {
        tokio::time::advance(secs(17)).await;
        assert!(elector.healthy(secs(5)).is_ok());
        let error = elector.healthy(secs(1)).unwrap_err();
        assert!(error.to_string().starts_with("the lease was renewed 17s ago"), "{error}");
        pending::<()>().await;
    });
    assert!(matches!(timeout(secs(60), lead).await, Ok(Ended::Lost)));
}

#[tokio::test(start_paused = true)]
async fn an_election_that_makes_no_sense_fails_the_run() -> Result<()> {
    let world = World::new();
    let election = LeaderElection::new("l").times(secs(5), secs(9), secs(1));
    let manager = Manager::new(&world.client()).leader_election(election);
    let error = manager.run(pending()).await.unwrap_err();
    assert!(error.to_string().contains("lease_duration (5s) must be longer"), "{error}");
    Ok(())
}
