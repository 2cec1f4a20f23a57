//! Several clusters in one process: they come, go, fail and change their credentials.

#[cfg(feature = "kubeconfig")]
mod kubeconfigs;
mod led;
mod namespaces;

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Error, Result, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, CreateOptions, DeleteOptions};
use watchkeeper_controller::{Action, Trigger};
use watchkeeper_manager::Manager;
use watchkeeper_manager::clusters::{ClusterPhase, Clusters, Provider, Roster, Static};

fn server() -> Client {
    Client::new(ApiServer::builder().seed(7).build())
}

async fn create(client: &Client, name: &str) {
    create_in(client, "default", name).await;
}

async fn create_in(client: &Client, namespace: &str, name: &str) {
    let map = object!(ConfigMap { metadata: { name: name, namespace: namespace } });
    client.api_for(&map).create(&map, &CreateOptions::default()).await.expect("made");
}

/// What the map says; empty if it was not greeted.
async fn greeting(client: &Client, name: &str) -> String {
    greeting_in(client, "default", name).await
}

async fn greeting_in(client: &Client, namespace: &str, name: &str) -> String {
    let map = client.api::<ConfigMap>().namespace(namespace).get(name).await.expect("there");
    map.data.get("greeting").map(|text| text.to_string()).unwrap_or_default()
}

/// What a program sets up in one cluster, or in many.
fn greeter(manager: &Manager) {
    let maps = manager.watch::<ConfigMap>();
    manager.controller("greeter", &maps).with(maps).reconcile(async |maps, request, ctx| {
        let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
        let greeting = format!("hello from {}", ctx.cluster());
        ctx.edit(&map, |map| drop(map.data.insert("greeting", greeting))).await?;
        Ok(Action::done())
    });
}

async fn second() {
    sleep(Duration::from_secs(1)).await;
}

/// Runs a manager of these clusters beside a script.
fn run<'a>(
    provider: impl Provider,
    setup: fn(&Manager),
    script: impl AsyncFnOnce(Clusters) + 'a,
) -> Pin<Box<impl Future<Output = ()> + 'a>> {
    let manager = Manager::new(&server()).seed(3);
    let clusters = manager.clusters("fleet", provider, move |cluster| setup(cluster));
    scripted(manager, async move { script(clusters).await })
}

fn scripted<'a>(
    manager: Manager,
    script: impl Future<Output = ()> + 'a,
) -> Pin<Box<impl Future<Output = ()> + 'a>> {
    Box::pin(async move {
        let (done, over) = oneshot::channel::<()>();
        let script = async move {
            script.await;
            drop(done);
        };
        // It is never sent, and dropped at the end.
        let shutdown = async move { _ = over.await };
        let (ended, ()) = tokio::join!(manager.run(shutdown), script);
        ended.expect("a clean stop");
    })
}

fn phases(clusters: &Clusters) -> Vec<(String, ClusterPhase)> {
    clusters.status().into_iter().map(|status| (status.name, status.phase)).collect()
}

#[tokio::test(start_paused = true)]
async fn one_function_reconciles_in_every_cluster() {
    let (north, south) = (server(), server());
    create(&north, "a").await;
    create(&south, "b").await;
    let both = Static::new([("north", north.clone()), ("south", south.clone())]);
    run(both, greeter, async |clusters| {
        clusters.working("north").await;
        clusters.working("south").await;
        create(&north, "c").await;
        second().await;
        assert_eq!(greeting(&north, "a").await, "hello from north");
        assert_eq!(greeting(&north, "c").await, "hello from north");
        assert_eq!(greeting(&south, "b").await, "hello from south");
        let told: Vec<_> = clusters.status().iter().map(ToString::to_string).collect();
        assert_eq!(told, ["north: works", "south: works"]);
        assert_eq!(clusters.status()[0].controllers[0].figures.succeeded, 4);
        clusters.all_work()().await.expect("all work");
        assert!(north.api::<ConfigMap>().namespace("default").get("b").await.is_err());
    })
    .await;
}

/// The same function sets up the one cluster of a manager; no name is told there.
#[tokio::test(start_paused = true)]
async fn the_setup_of_one_cluster_is_that_of_many() {
    let only = server();
    create(&only, "a").await;
    let manager = Manager::new(&only);
    greeter(&manager);
    manager.run(second()).await.expect("a clean stop");
    assert_eq!(greeting(&only, "a").await, "hello from ");
}

/// A client of whose clones it is known whether one is left.
fn counted(client: Client, token: &Arc<()>) -> Client {
    let token = Arc::clone(token);
    client.intercept(move |request, next| {
        let held = Arc::clone(&token);
        async move {
            let answer = next.send(request).await;
            drop(held);
            answer
        }
    })
}

#[tokio::test(start_paused = true)]
async fn nothing_is_left_of_a_cluster_that_leaves_and_another_one_comes() {
    let (north, south) = (server(), server());
    create(&north, "a").await;
    run(Static::new([("north", north.clone())]), greeter, async |clusters| {
        clusters.working("north").await;
        let (tasks, token) = (Handle::current().metrics().num_alive_tasks(), Arc::new(()));
        for round in 0..3 {
            let name = format!("round-{round}");
            create(&south, &name).await;
            assert!(clusters.roster().engage("south", "", &counted(south.clone(), &token)));
            clusters.working("south").await;
            second().await;
            assert_eq!(greeting(&south, &name).await, "hello from south");
            assert!(Handle::current().metrics().num_alive_tasks() > tasks);
            assert!(clusters.roster().disengage("south"));
            clusters.gone("south").await;
            assert!(clusters.get("south").is_none());
            assert_eq!(Arc::strong_count(&token), 1, "no client is left, nor its connections");
            assert_eq!(Handle::current().metrics().num_alive_tasks(), tasks, "nor a task");
            create(&south, &format!("after-{round}")).await;
            second().await;
            assert_eq!(greeting(&south, &format!("after-{round}")).await, "");
            // Later rounds begin with all there is.
            let maps = south.api::<ConfigMap>().namespace("default");
            maps.delete(&format!("after-{round}"), &DeleteOptions::default()).await.expect("gone");
        }
        assert_eq!(phases(&clusters), [("north".to_owned(), ClusterPhase::Working)]);
        assert_eq!(greeting(&north, "a").await, "hello from north");
    })
    .await;
}

/// A cluster that does not answer, and one that refuses connections, wait by themselves.
#[tokio::test(start_paused = true)]
async fn a_cluster_that_cannot_be_reached_does_not_hold_up_the_others() {
    let (north, south) = (server(), server());
    create(&north, "a").await;
    create(&south, "b").await;
    let reachable = Arc::new(AtomicBool::new(false));
    let silent = south.clone().intercept({
        let reachable = Arc::clone(&reachable);
        move |request, next| {
            let reachable = reachable.load(Ordering::Relaxed);
            async move {
                if !reachable {
                    return pending().await;
                }
                next.send(request).await
            }
        }
    });
    let three = [("east", crate::nowhere()), ("north", north.clone()), ("south", silent)];
    run(Static::new(three), greeter, async |clusters| {
        clusters.working("north").await;
        second().await;
        assert_eq!(greeting(&north, "a").await, "hello from north");
        let told: Vec<_> = clusters.status().iter().map(|status| status.phase).collect();
        let expected = [ClusterPhase::Starting, ClusterPhase::Working, ClusterPhase::Starting];
        assert_eq!(told, expected);
        let said = clusters.all_work()().await.unwrap_err().to_string();
        assert!(said.contains("east: waits for configmaps: ") && !said.contains("north"), "{said}");
        // The time of the caches is over: they are begun anew, later each time.
        sleep(Duration::from_mins(2)).await;
        let east = &clusters.status()[0];
        let begun_again =
            "east: is begun again, as it failed: the cache was not synced within 120s";
        assert!(east.to_string().starts_with(begun_again), "{east}");
        reachable.store(true, Ordering::Relaxed);
        clusters.working("south").await;
        second().await;
        assert_eq!(greeting(&south, "b").await, "hello from south");
        // Other credentials need not wait for the rest of the time.
        let other = server();
        clusters.roster().engage("east", "other credentials", &other);
        clusters.working("east").await;
        clusters.all_work()().await.expect("all work");
    })
    .await;
}

/// What was written in a cluster, and by which of its clients.
fn noting(client: Client, who: &'static str, notes: &Arc<Mutex<Vec<String>>>) -> Client {
    let notes = Arc::clone(notes);
    client.intercept(move |request, next| {
        if request.method() == http::Method::PATCH {
            notes.lock().expect("no panic").push(who.to_owned());
        }
        next.send(request)
    })
}

/// The reconciles that are under way with the old credentials end before one begins with the new.
#[tokio::test(start_paused = true)]
async fn a_cluster_that_is_replaced_has_ended_before_the_other_begins() {
    fn slow(manager: &Manager) {
        let maps = manager.watch::<ConfigMap>();
        manager.controller("slow", &maps).with(maps).reconcile(async |maps, request, ctx| {
            let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
            sleep(Duration::from_secs(10)).await;
            ctx.edit(&map, |map| drop(map.data.insert("greeting", "slow".to_owned()))).await?;
            Ok(Action::done())
        });
    }
    let (north, notes) = (server(), Arc::new(Mutex::new(Vec::new())));
    create(&north, "a").await;
    run(Static::default(), slow, async |clusters| {
        let roster = clusters.roster();
        roster.engage("north", "1", &noting(north.clone(), "old", &notes));
        clusters.working("north").await;
        second().await;
        assert!(!roster.engage("north", "1", &north), "it is known");
        roster.engage("north", "2", &noting(north.clone(), "new", &notes));
        second().await;
        assert_eq!(phases(&clusters), [("north".to_owned(), ClusterPhase::Leaving)]);
        create(&north, "b").await;
        sleep(Duration::from_secs(30)).await;
        // The new one finds the first as it shall be, and works on what came.
        assert_eq!(*notes.lock().expect("no panic"), ["old", "new"]);
        clusters.all_work()().await.expect("all work");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_setup_that_panics_is_the_failure_of_its_cluster() {
    fn picky(cluster: &watchkeeper_manager::clusters::Cluster) {
        assert_ne!(cluster.name(), "south", "not there");
        greeter(cluster);
    }
    let (north, south) = (server(), server());
    create(&north, "a").await;
    let manager = Manager::new(&server());
    let both = Static::new([("north", north.clone()), ("south", south)]);
    let clusters = manager.clusters("fleet", both, picky);
    scripted(manager, async {
        clusters.working("north").await;
        second().await;
        assert_eq!(greeting(&north, "a").await, "hello from north");
        let south = &clusters.status()[1];
        assert_eq!(south.phase, ClusterPhase::Failed);
        assert!(south.why.contains("not there"), "{south}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_fails_ends_the_manager() {
    struct Broken;
    impl Provider for Broken {
        async fn run(&self, roster: Roster) -> Result<()> {
            roster.engage("north", "", &server());
            second().await;
            Err(Error::other("the inventory is closed"))
        }
    }
    let manager = Manager::new(&server());
    let clusters = manager.clusters("fleet", Broken, |cluster| greeter(cluster));
    let error = manager.run(pending()).await.unwrap_err().to_string();
    assert_eq!(error, "the clusters of fleet: the inventory is closed");
    assert!(clusters.status().is_empty() && clusters.all().is_empty(), "nothing runs any more");
}

/// A hub's controller writes to every cluster, and hears of what changes there.
#[tokio::test(start_paused = true)]
async fn a_controller_of_the_manager_reaches_every_cluster() {
    let (hub, north, south) = (server(), server(), server());
    create(&hub, "settings").await;
    let manager = Manager::new(&hub);
    let changed_there = Trigger::new("members");
    let both = Static::new([("north", north.clone()), ("south", south.clone())]);
    let trigger = changed_there.clone();
    let clusters = manager.clusters("fleet", both, move |cluster| {
        let maps = cluster.watch::<ConfigMap>();
        cluster.controller("tell", &maps).with(trigger.clone()).reconcile(
            async |trigger, request, _ctx| {
                trigger.request(request);
                Ok(Action::done())
            },
        );
    });
    let maps = manager.watch::<ConfigMap>();
    manager
        .controller("spread", &maps)
        .triggered_by(&changed_there)
        .with((maps, clusters.clone()))
        .reconcile(async |(maps, clusters), request, _ctx| {
            if maps.get(&request).await?.is_none() {
                return Ok(Action::done());
            }
            for cluster in clusters.all() {
                let map =
                    object!(ConfigMap { metadata: { name: request.name(), namespace: "default" } });
                cluster.client().api_for(&map).create_or_update(&map, |_| {}).await?;
            }
            Ok(Action::done())
        });
    scripted(manager, async {
        clusters.working("north").await;
        clusters.working("south").await;
        create(&hub, "more").await;
        second().await;
        for client in [&north, &south] {
            assert_eq!(greeting(client, "more").await, "");
            let maps = client.api::<ConfigMap>().namespace("default");
            maps.delete("more", &DeleteOptions::default()).await.expect("gone");
            second().await;
            assert_eq!(greeting(client, "more").await, "", "it is there again");
        }
    })
    .await;
}

/// What is limited is limited over all clusters.
#[tokio::test(start_paused = true)]
async fn a_limit_of_a_kind_counts_over_all_clusters() {
    #[derive(Default)]
    struct Most {
        now: usize,
        most: usize,
    }
    let (north, south) = (server(), server());
    for name in ["a", "b", "c"] {
        create(&north, name).await;
        create(&south, name).await;
    }
    let manager = Manager::new(&server());
    manager.limit_kind::<ConfigMap>(2);
    let most: Arc<Mutex<Most>> = Arc::default();
    let (both, counted) = (Static::new([("north", north), ("south", south)]), Arc::clone(&most));
    let clusters = manager.clusters("fleet", both, move |cluster| {
        let maps = cluster.watch::<ConfigMap>();
        cluster.controller("slow", &maps).with(Arc::clone(&counted)).reconcile(
            async |counted, _request, _ctx| {
                {
                    let mut counted = counted.lock().expect("no panic");
                    counted.now += 1;
                    counted.most = counted.most.max(counted.now);
                }
                second().await;
                counted.lock().expect("no panic").now -= 1;
                Ok(Action::done())
            },
        );
    });
    scripted(manager, async {
        clusters.working("south").await;
        sleep(Duration::from_secs(10)).await;
        let done = clusters.status().into_iter().map(|s| s.controllers[0].figures.succeeded);
        assert_eq!(done.sum::<u64>(), 6);
    })
    .await;
    assert_eq!(most.lock().expect("no panic").most, 2);
}
