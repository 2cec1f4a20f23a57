//! Replicas of a manager that share the objects, on the embedded server.

use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep};
use watchkeeper_api::coordination::v1::Lease;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, Result, Time, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, CreateOptions, DeleteOptions, ListOptions};
use watchkeeper_controller::{Action, Clock, Context, Share, Trigger};
use watchkeeper_manager::{Manager, Sharding};

use crate::leader::cable;

const SHARDS: u32 = 8;
const OBJECTS: usize = 60;

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// Who reconciles what, now and so far.
#[derive(Clone, Default)]
struct Book(Arc<Mutex<Entries>>);

#[derive(Default)]
struct Entries {
    under_way: BTreeMap<String, &'static str>,
    /// Who did it last, of each object.
    last: BTreeMap<String, &'static str>,
    /// Two at once.
    clashes: Vec<String>,
}

impl Book {
    fn begin(&self, name: &str, who: &'static str) -> Entry {
        let mut entries = self.0.lock().expect("no panic");
        if let Some(other) = entries.under_way.insert(name.to_owned(), who) {
            entries.clashes.push(format!("{name}: {other} and {who}"));
        }
        entries.last.insert(name.to_owned(), who);
        Entry(self.clone(), name.to_owned())
    }

    /// How many objects each reconciled last.
    fn counts(&self) -> BTreeMap<&'static str, usize> {
        let entries = self.0.lock().expect("no panic");
        let mut counts = BTreeMap::new();
        for who in entries.last.values() {
            *counts.entry(*who).or_default() += 1;
        }
        counts
    }

    fn forget(&self) {
        self.0.lock().expect("no panic").last.clear();
    }

    fn clashes(&self) -> Vec<String> {
        self.0.lock().expect("no panic").clashes.clone()
    }
}

/// A reconcile under way, however it ends.
struct Entry(Book, String);

impl Drop for Entry {
    fn drop(&mut self) {
        self.0.0.lock().expect("no panic").under_way.remove(&self.1);
    }
}

struct World {
    server: ApiServer,
    book: Book,
    replicas: JoinSet<Result<()>>,
}

/// One that runs.
struct Replica {
    manager: Manager,
    stop: watch::Sender<bool>,
    task: AbortHandle,
}

impl Replica {
    fn share(&self) -> &Share {
        self.manager.share().expect("it shares")
    }
}

impl World {
    fn new() -> Self {
        let server = ApiServer::builder().seed(7).build();
        Self { server, book: Book::default(), replicas: JoinSet::new() }
    }

    fn client(&self) -> Client {
        Client::new(self.server.clone())
    }

    fn manager(name: &'static str, client: &Client) -> Manager {
        let clock = Clock::starting_at(Time::from_unix(1_767_225_600));
        let sharding = Sharding::new("op", SHARDS).namespace("default").identity(name);
        Manager::new(client).seed(1).clock(clock).sharding(sharding)
    }

    /// A replica whose reconciles take a second.
    fn start(&mut self, name: &'static str, client: &Client) -> Replica {
        let manager = Self::manager(name, client);
        let maps = manager.watch::<ConfigMap>();
        let state = (maps.clone(), self.book.clone(), name);
        manager.controller("maps", &maps).workers(8).with(state).reconcile(
            async |(maps, book, name), request, _ctx| {
                let _entry = book.begin(request.name(), name);
                let _map = maps.get(&request).await?;
                sleep(secs(1)).await;
                Ok(Action::done())
            },
        );
        self.run(manager)
    }

    fn run(&mut self, manager: Manager) -> Replica {
        let (stop, mut stopped) = watch::channel(false);
        let shutdown = async move { drop(stopped.wait_for(|stop| *stop).await) };
        let task = self.replicas.spawn(manager.clone().run(shutdown));
        Replica { manager, stop, task }
    }

    async fn create(&self, name: &str) {
        let map = object!(ConfigMap { metadata: { name: name, namespace: "default" } });
        let created = self.client().api_for(&map).create(&map, &CreateOptions::default()).await;
        created.expect("a map");
    }

    async fn fill(&self) {
        for number in 0..OBJECTS {
            self.create(&format!("map-{number}")).await;
        }
    }

    async fn leases(&self) -> Vec<Lease> {
        let leases = self.client().api::<Lease>().namespace("default");
        leases.list_all(&ListOptions::default()).await.expect("leases").items.to_vec()
    }
}

/// The sizes of their shares, after it was seen that these are all shards, and none twice.
fn sizes<const N: usize>(replicas: [&Replica; N]) -> [usize; N] {
    let held = replicas.map(|replica| replica.share().held());
    let all: BTreeSet<u32> = held.iter().flatten().copied().collect();
    assert_eq!(all.len(), held.iter().map(BTreeSet::len).sum::<usize>(), "none twice: {held:?}");
    assert_eq!(all, (0..SHARDS).collect(), "all of them: {held:?}");
    held.map(|held| held.len())
}

/// Three share; one is stopped, one is killed, one joins. Every object is reconciled each time that its shard
/// moves, and none by two at once.
#[tokio::test(start_paused = true)]
async fn replicas_share_the_objects_and_take_over_from_each_other() {
    let mut world = World::new();
    world.fill().await;
    let client = world.client();
    let [a, b, c] = ["a", "b", "c"].map(|name| world.start(name, &client));
    sleep(secs(60)).await;
    assert_eq!(sizes([&a, &b, &c]), [3, 3, 2]);
    assert_eq!(world.book.counts().values().sum::<usize>(), OBJECTS);
    assert_eq!(world.book.counts().len(), 3, "each has some: {:?}", world.book.counts());

    // In order: nobody waits for leases to run out.
    world.book.forget();
    c.stop.send_replace(true);
    sleep(secs(12)).await;
    assert_eq!(sizes([&a, &b]), [4, 4]);
    let moved = world.book.counts();
    assert!(!moved.contains_key("c") && moved.values().sum::<usize>() >= 5, "{moved:?}");

    // Killed: after the time of a lease.
    b.task.abort();
    sleep(secs(14)).await;
    assert_eq!(a.share().held().len(), 4, "not before");
    sleep(secs(10)).await;
    assert_eq!(sizes([&a]), [8]);

    world.book.forget();
    world.create("late").await;
    let d = world.start("d", &client);
    sleep(secs(20)).await;
    assert_eq!(sizes([&a, &d]), [4, 4]);
    let moved = world.book.counts();
    assert!(moved.get("d").is_some_and(|moved| *moved > 10), "{moved:?}");
    assert!(world.book.0.lock().unwrap().last.contains_key("late"));
    assert_eq!(world.book.clashes(), [""; 0]);
}

/// Nothing is left behind but leases that nobody holds, and none of replicas that are gone.
#[tokio::test(start_paused = true)]
async fn leases_are_given_up_and_those_of_the_gone_deleted() {
    let mut world = World::new();
    let client = world.client();
    let [a, b, killed] = ["a", "b", "c"].map(|name| world.start(name, &client));
    sleep(secs(30)).await;
    let labelled = world.leases().await;
    assert_eq!(labelled.len(), 8 + 3);
    assert!(labelled.iter().all(|lease| lease.label("watchkeeper.io/sharding") == Some("op")));
    killed.task.abort();
    b.stop.send_replace(true);
    sleep(secs(60)).await;
    assert_eq!(world.leases().await.len(), 8 + 1);
    a.stop.send_replace(true);
    while let Some(ended) = world.replicas.join_next().await {
        assert!(ended.map_or_else(|error| error.is_cancelled(), |ended| ended.is_ok()));
    }
    let holders = world.leases().await.into_iter().map(|lease| lease.spec.holder_identity);
    assert!(holders.flatten().all(|holder| holder.is_empty()));
}

/// A replica that cannot renew stops before another one begins, in the middle of a reconcile; its writes are
/// refused, and it takes part again when it can.
#[tokio::test(start_paused = true)]
async fn who_is_cut_off_stops_before_another_one_begins() {
    let mut world = World::new();
    world.create("long").await;
    let (client, cut) = cable(&world.client());
    let start = Instant::now();
    let diary: Arc<Mutex<Vec<(u64, String)>>> = Arc::default();
    let mut replicas = Vec::new();
    for (name, client) in [("a", client), ("b", world.client())] {
        let manager = World::manager(name, &client);
        let maps = manager.watch::<ConfigMap>();
        let state = (diary.clone(), name, start);
        manager.controller("maps", &maps).with(state).reconcile(
            async |(diary, name, start), _request, _ctx| {
                let note = |what: &str| {
                    let what = format!("{name} {what}");
                    diary.lock().expect("no panic").push((start.elapsed().as_secs(), what));
                };
                note("begins");
                let _ends = Ends(Box::new(|| note("ends")));
                pending::<()>().await;
                Ok(Action::done())
            },
        );
        let replica = world.run(manager);
        if name == "a" {
            sleep(secs(1)).await;
        }
        replicas.push(replica);
    }
    sleep(secs(20)).await;
    let owner =
        replicas.iter().position(|replica| replica.share().has(&("default", "long").into()));
    // It is not handed over while it is reconciled, whoever of both shall have it.
    assert_eq!(owner, Some(0), "{diary:?}");
    cut.store(true, Ordering::SeqCst);
    let cut_at = start.elapsed().as_secs();
    sleep(secs(40)).await;
    let told = diary.lock().unwrap().clone();
    let words: Vec<_> = told.iter().map(|(_, what)| what.as_str()).collect();
    assert_eq!(words, ["a begins", "a ends", "b begins"]);
    assert!((8..=10).contains(&(told[1].0 - cut_at)) && told[2].0 - cut_at >= 13, "{told:?}");
    cut.store(false, Ordering::SeqCst);
    sleep(secs(30)).await;
    assert_eq!(replicas[0].share().held().len(), 4, "it takes part again");
}

/// Does it when dropped.
struct Ends<'a>(Box<dyn Fn() + Send + 'a>);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// What a reconcile function writes goes by the lease of its object's shard.
#[tokio::test(start_paused = true)]
async fn a_write_is_refused_when_the_shard_may_be_anothers() {
    let mut world = World::new();
    world.create("a").await;
    let (client, cut) = cable(&world.client());
    let manager = World::manager("a", &client);
    let maps = manager.watch::<ConfigMap>();
    let context: Arc<Mutex<Option<Context>>> = Arc::default();
    manager.controller("maps", &maps).with((maps, Arc::clone(&context))).reconcile(
        async |(maps, context), request, ctx| {
            let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
            ctx.edit(&map, |map| _ = map.metadata.labels.insert("first", "yes")).await?;
            context.lock().expect("no panic").get_or_insert(ctx);
            Ok(Action::done())
        },
    );
    let _replica = world.run(manager);
    sleep(secs(30)).await;
    let context = context.lock().unwrap().clone().expect("reconciled");
    let maps = context.client().clone().retries(0).api::<ConfigMap>().namespace("default");
    let map = maps.get("a").await.unwrap();
    assert_eq!(map.label("first"), Some("yes"));
    // Nobody is polled meanwhile, as when the process is stopped, nor could it take its shards again.
    cut.store(true, Ordering::SeqCst);
    tokio::time::advance(secs(12)).await;
    let late = maps.delete("a", &DeleteOptions::default()).await.unwrap_err().to_string();
    assert!(late.contains("not sent: this replica does not hold the lease default/op-"), "{late}");
}

/// What was asked for by the program, of an object that is another's, is kept until it is one's own.
#[tokio::test(start_paused = true)]
async fn a_trigger_keeps_what_is_anothers() {
    let mut world = World::new();
    let (client, book) = (world.client(), world.book.clone());
    let triggers = ["a", "b"].map(|name| {
        let manager = World::manager(name, &client);
        let (maps, trigger) = (manager.watch::<ConfigMap>(), Trigger::new("program"));
        let controller = manager.controller("maps", &maps).triggered_by(&trigger);
        controller.with((book.clone(), name)).reconcile(async |(book, name), request, _ctx| {
            drop(book.begin(request.name(), name));
            Ok(Action::done())
        });
        (world.run(manager), trigger)
    });
    sleep(secs(20)).await;
    let [(a, first), (b, _)] = &triggers;
    assert_eq!(sizes([a, b]), [4, 4]);
    for number in 0..20 {
        first.request(("default", &*format!("gone-{number}")));
    }
    sleep(secs(5)).await;
    let counts = world.book.counts();
    assert!(counts["a"] < 20 && !counts.contains_key("b"), "{counts:?}");
    b.stop.send_replace(true);
    sleep(secs(10)).await;
    assert_eq!(world.book.counts()["a"], 20);
}

/// With another number of shards objects would be in two replicas' hands.
#[tokio::test(start_paused = true)]
async fn who_counts_other_shards_takes_none() {
    let mut world = World::new();
    let client = world.client();
    let a = world.start("a", &client);
    sleep(secs(10)).await;
    assert_eq!(sizes([&a]), [8]);
    let sharding = Sharding::new("op", 16).namespace("default").identity("b");
    let other = world.run(Manager::new(&client).seed(1).sharding(sharding));
    sleep(secs(30)).await;
    assert_eq!(sizes([&a]), [8]);
    assert!(other.share().held().is_empty());
    a.stop.send_replace(true);
    sleep(secs(10)).await;
    assert_eq!(other.share().held().len(), 16);
}

/// What is whole, or runs everywhere, knows of no shard; what makes no sense fails the run.
#[tokio::test(start_paused = true)]
async fn controllers_that_share_nothing_have_every_object() {
    let mut world = World::new();
    world.fill().await;
    let client = world.client();
    let mut replicas = Vec::new();
    for name in ["a", "b"] {
        let manager = World::manager(name, &client).leader_election("lead");
        let maps = manager.watch::<ConfigMap>();
        let book = world.book.clone();
        manager.controller("whole", &maps).whole().with((book.clone(), name)).reconcile(
            async |(book, name), request, _ctx| {
                drop(book.begin(&format!("whole {request}"), name));
                Ok(Action::done())
            },
        );
        manager.controller("both", &maps).everywhere().with((book, name)).reconcile(
            async |(book, name), request, _ctx| {
                drop(book.begin(&format!("both {request} {name}"), name));
                Ok(Action::done())
            },
        );
        replicas.push(world.run(manager));
    }
    sleep(secs(30)).await;
    let counts = world.book.counts();
    let mut counts: Vec<_> = counts.into_values().collect();
    counts.sort_unstable();
    assert_eq!(counts, [OBJECTS, 2 * OBJECTS]);

    let nonsense = Manager::new(&client).sharding(Sharding::new("op", 0));
    assert!(nonsense.share().is_none());
    let error = nonsense.run(pending()).await.unwrap_err();
    assert!(error.to_string().contains("there are 0 shards"), "{error}");
}
