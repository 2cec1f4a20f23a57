//! A small controller on the embedded server: every Deployment gets one ReplicaSet.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::{sleep, timeout};
use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::core::v1::Event;
use watchkeeper_api::{Kind, Map, Object, Scope, Time, Unstructured, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{
    Client, CreateOptions, DeleteOptions, ListOptions, Patch, PatchOptions, Select,
};
use watchkeeper_controller::{Action, Clock, Normal, controlled_by};
use watchkeeper_manager::Manager;

fn sets_controller(manager: &Manager) {
    let deployments = manager.watch::<Deployment>();
    let sets = manager.watch::<ReplicaSet>();
    manager.controller("sets", &deployments).owns(&sets).workers(2).with(deployments).reconcile(
        async |deployments, request, ctx| {
            let Some(deployment) = deployments.get(&request).await? else {
                return Ok(Action::done());
            };
            let set = ctx.apply(&set_for(&deployment)).await?;
            let replicas = set.spec.replicas.unwrap_or(1);
            ctx.edit_status(&deployment, |status| status.replicas = replicas).await?;
            ctx.event(&deployment, Normal, "Synced", "the ReplicaSet is as it shall be");
            Ok(Action::done())
        },
    );
}

fn set_for(deployment: &Deployment) -> ReplicaSet {
    let labels = Map::from([("app", deployment.name())]);
    object!(ReplicaSet {
        metadata: {
            name: deployment.name(),
            namespace: deployment.namespace(),
            owner_references: [controlled_by(deployment)],
        },
        spec: {
            replicas: deployment.spec.replicas,
            selector: { match_labels: &labels },
            template: {
                metadata: { labels: &labels },
                spec: { containers: [{ name: "web", image: "nginx:latest" }] },
            },
        },
    })
}

fn deployment(name: &str, replicas: i32) -> Deployment {
    let labels = Map::from([("app", name)]);
    object!(Deployment {
        metadata: { name: name, namespace: "default" },
        spec: {
            replicas: replicas,
            selector: { match_labels: &labels },
            template: {
                metadata: { labels: &labels },
                spec: { containers: [{ name: "web", image: "nginx:latest" }] },
            },
        },
    })
}

/// Runs the controller on a server of its own until `script` has ended.
async fn world(seed: u64, script: impl AsyncFnOnce(&Client)) -> ApiServer {
    let server = ApiServer::builder().seed(7).build();
    let client = Client::new(server.clone());
    let clock = Clock::starting_at(Time::from_unix(1_767_225_600));
    let manager = Manager::new(&client).seed(seed).clock(clock);
    sets_controller(&manager);
    let (ended, stop) = tokio::sync::oneshot::channel::<()>();
    let running = manager.run(async move { drop(stop.await) });
    let scripted = async {
        script(&client.user_agent("script")).await;
        drop(ended);
    };
    let (result, ()) = tokio::join!(running, scripted);
    result.expect("the manager stops without an error");
    server
}

/// Long enough for all that follows from what was done.
async fn settled() {
    sleep(Duration::from_secs(5)).await;
}

async fn create(client: &Client, deployment: &Deployment) {
    let api = client.api_for(deployment);
    api.create(deployment, &CreateOptions::default()).await.expect("created");
}

async fn set(client: &Client, name: &str) -> ReplicaSet {
    client.api::<ReplicaSet>().namespace("default").get(name).await.expect("a ReplicaSet")
}

async fn replicas_told(client: &Client, name: &str) -> i32 {
    let api = client.api::<Deployment>().namespace("default");
    api.get(name).await.expect("a Deployment").status.replicas
}

#[tokio::test(start_paused = true)]
async fn what_is_wanted_is_made_and_told_in_the_status() {
    world(1, async |client| {
        create(client, &deployment("web", 3)).await;
        settled().await;
        let set = set(client, "web").await;
        assert_eq!(set.spec.replicas, Some(3));
        assert_eq!(set.controller().map(|owner| owner.name), Some("web"));
        assert_eq!(replicas_told(client, "web").await, 3);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_is_deleted_comes_back_and_what_is_changed_is_set_back() {
    world(1, async |client| {
        create(client, &deployment("web", 2)).await;
        settled().await;
        let sets = client.api::<ReplicaSet>().namespace("default");
        let first = set(client, "web").await;
        sets.delete("web", &DeleteOptions::default()).await.expect("deleted");
        settled().await;
        let second = set(client, "web").await;
        assert_ne!(first.uid(), second.uid());

        let nine = Patch::Merge(br#"{"spec":{"replicas":9}}"#.to_vec());
        sets.patch("web", &nine, &PatchOptions::default()).await.expect("changed");
        settled().await;
        assert_eq!(set(client, "web").await.spec.replicas, Some(2));

        let deployments = client.api::<Deployment>().namespace("default");
        let five = Patch::Merge(br#"{"spec":{"replicas":5}}"#.to_vec());
        deployments.patch("web", &five, &PatchOptions::default()).await.expect("changed");
        settled().await;
        assert_eq!(set(client, "web").await.spec.replicas, Some(5));
        assert_eq!(replicas_told(client, "web").await, 5);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn events_that_repeat_are_counted_on_the_first_one() {
    let server = world(1, async |client| {
        create(client, &deployment("web", 1)).await;
        settled().await;
        let nine = Patch::Merge(br#"{"spec":{"replicas":9}}"#.to_vec());
        let sets = client.api::<ReplicaSet>().namespace("default");
        sets.patch("web", &nine, &PatchOptions::default()).await.expect("changed");
        settled().await;
        let events = client.api::<Event>().namespace("default");
        let events = events.list(&ListOptions::default()).await.expect("events").items;
        assert_eq!(events.len(), 1, "{events:?}");
        assert!(events[0].count > 1, "{events:?}");
        assert_eq!(&*events[0].source.component, "sets");
        assert_eq!(&*events[0].involved_object.name, "web");
    })
    .await;
    let quiet = server.revision();
    settled().await;
    assert_eq!(server.revision(), quiet);
}

/// What follows from one write is known before the next reconcile: nothing is written twice.
#[tokio::test(start_paused = true)]
async fn nothing_is_written_when_all_is_well() {
    let server = world(1, async |client| {
        create(client, &deployment("web", 1)).await;
        settled().await;
    })
    .await;
    let history = server.history();
    let writes = |table: &str| history.entries().iter().filter(|e| *e.table == *table).count();
    assert_eq!(writes("replicasets.apps"), 1, "{history:#?}");
    assert_eq!(writes("deployments.apps"), 2, "{history:#?}");
    let by_sets = |table: &str| {
        let entries = history.entries().iter().filter(|entry| *entry.table == *table);
        entries.map(|entry| entry.actor.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(by_sets("replicasets.apps"), ["sets"]);
    assert_eq!(by_sets("deployments.apps"), ["script", "sets"]);
    assert!(by_sets("events").iter().all(|actor| actor == "sets"));
}

async fn five_at_once(seed: u64) -> ApiServer {
    world(seed, async |client| {
        for name in ["a", "b", "c", "d", "e"] {
            create(client, &deployment(name, 1)).await;
        }
        settled().await;
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn the_same_seed_gives_the_same_history_and_others_give_others() {
    let first = five_at_once(1).await;
    assert_eq!(first.history_hash(), five_at_once(1).await.history_hash());
    let mut hashes = vec![first.history_hash()];
    for seed in 2..6 {
        let server = five_at_once(seed).await;
        assert_eq!(server.revision(), first.revision());
        hashes.push(server.history_hash());
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert!(hashes.len() > 1, "five seeds and one history");
}

/// M-02, N-07: the controller says what it waits for, and why.
#[tokio::test(start_paused = true)]
async fn a_kind_that_the_server_does_not_have_is_waited_for_with_the_reason() {
    let client = Client::new(ApiServer::builder().seed(7).build());
    let manager = Manager::new(&client);
    let kind = Kind::dynamic("example.com/v1", "Foo", "foos", Scope::Namespaced);
    let foos = manager.watch_only::<Unstructured>(Select::kind(kind));
    let handle = manager.controller("foo", &foos).reconcile(async |_, _| Ok(Action::done()));
    let script = async {
        sleep(Duration::from_secs(600)).await;
        handle.status().to_string()
    };
    let mut told = String::new();
    manager.run(async { told = script.await }).await.expect("a clean stop");
    assert!(told.starts_with("foo: waits for foos.example.com: not synced"), "{told}");
    assert!(told.contains("is the kind example.com/v1/Foo served"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_while_the_cache_waits_is_heeded_at_once() {
    let manager = Manager::new(&crate::nowhere());
    sets_controller(&manager);
    let run = manager.run(sleep(Duration::from_secs(1)));
    timeout(Duration::from_secs(2), run).await.expect("in time").expect("no error");
}

/// An object that changes between the read and the write is not overwritten: the next try sees it.
#[tokio::test(start_paused = true)]
async fn a_stale_edit_is_refused_and_tried_again_on_the_newer_object() {
    let client = Client::new(ApiServer::builder().seed(7).build());
    let manager = Manager::new(&client).seed(1);
    let (deployments, others) = (manager.watch::<Deployment>(), client.clone());
    let state = (deployments.clone(), others, AtomicUsize::new(0));
    manager.controller("labels", &deployments).with(state).reconcile(
        async |(deployments, others, tries), request, ctx| {
            let Some(deployment) = deployments.get(&request).await? else {
                return Ok(Action::done());
            };
            if tries.fetch_add(1, Ordering::Relaxed) == 0 {
                let nine = Patch::Merge(br#"{"spec":{"replicas":9}}"#.to_vec());
                let api = others.api_for(&*deployment);
                api.patch(request.name(), &nine, &PatchOptions::default()).await?;
            }
            let replicas = deployment.spec.replicas.unwrap_or(1).to_string();
            let edit = |deployment: &mut Deployment| {
                drop(deployment.metadata.labels.insert("replicas", replicas));
            };
            ctx.edit(&deployment, edit).await?;
            Ok(Action::done())
        },
    );
    create(&client, &deployment("web", 1)).await;
    manager.run(settled()).await.expect("no error");
    let api = client.api::<Deployment>().namespace("default");
    let stored = api.get("web").await.expect("a Deployment");
    assert_eq!(stored.spec.replicas, Some(9));
    assert_eq!(stored.label("replicas"), Some("9"));
}
