//! Own writes on the embedded server whose answers are lost, or do not tell: creations, evictions, bindings,
//! deletions of many.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::Method;
use tokio::task::JoinSet;
use watchkeeper_api::core::v1::{ConfigMap, Namespace, Node, Pod};
use watchkeeper_api::{Object, StaticKind, object};
use watchkeeper_cache::{Cache, Watch};
use watchkeeper_client::{Client, CreateOptions, DeleteOptions, ListOptions};

use crate::{foos, run};

struct Scene<K: StaticKind> {
    /// Loses the answers to writes while the switch is on.
    client: Client,
    loses: Arc<AtomicBool>,
    watch: Watch<K>,
    _running: JoinSet<()>,
}

async fn scene<K: StaticKind>() -> Scene<K> {
    let (_server, client) = foos::server();
    let cache = Cache::new(&client).seed(1);
    let watch = cache.watch::<K>();
    let running = run(&cache);
    watch.synced().await.unwrap();
    let loses = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&loses);
    let client = client.intercept(move |request, next| {
        let loses = request.method() != Method::GET && switch.load(Ordering::Relaxed);
        async move {
            let answer = next.send(request).await?;
            let lost = io::Error::from(io::ErrorKind::ConnectionReset);
            if loses { Err(lost.into()) } else { Ok(answer) }
        }
    });
    Scene { client: client.observed_by(cache.observer()), loses, watch, _running: running }
}

fn map(namespace: &str, name: &str) -> ConfigMap {
    object!(ConfigMap { metadata: { name: name, namespace: namespace } })
}

impl Scene<ConfigMap> {
    async fn create(&self, map: &ConfigMap) -> bool {
        self.client.api_for(map).create(map, &CreateOptions::default()).await.is_ok()
    }

    async fn held(&self, namespace: &str) -> Vec<String> {
        let maps = self.watch.list_in(namespace).await.unwrap();
        maps.iter().map(|map| map.name().to_owned()).collect()
    }
}

/// "List mine, create those that are missing" makes no second one, whatever became of the answer.
#[tokio::test(start_paused = true)]
async fn y_07_a_list_has_what_was_made_although_the_answer_was_lost() {
    let scene = scene::<ConfigMap>().await;
    let made: ConfigMap =
        object!(ConfigMap { metadata: { generate_name: "a-", namespace: "default" } });
    for loses in [false, true, true, false, true] {
        let before = scene.held("default").await.len();
        scene.loses.store(loses, Ordering::Relaxed);
        assert_eq!(scene.create(&made).await, !loses);
        assert_eq!(scene.held("default").await.len(), before + 1);
    }
    assert_eq!(scene.watch.list().await.unwrap().len(), 5);
}

/// A creation that was lost, deleted at once by an answer that was lost, too: it is not read again.
#[tokio::test(start_paused = true)]
async fn y_07_what_was_made_and_deleted_without_an_answer_is_not_read() {
    let scene = scene::<ConfigMap>().await;
    scene.loses.store(true, Ordering::Relaxed);
    assert!(!scene.create(&map("default", "a")).await);
    let maps = scene.client.api::<ConfigMap>().namespace("default");
    maps.delete("a", &DeleteOptions::default()).await.unwrap_err();
    assert!(scene.watch.get(("default", "a")).await.unwrap().is_none());
    assert_eq!(scene.held("default").await, [""; 0]);
}

/// Y-06: all of a namespace, and nothing elsewhere.
#[tokio::test(start_paused = true)]
async fn y_06_what_was_deleted_with_many_is_not_read() {
    let scene = scene::<ConfigMap>().await;
    let kept = object!(ConfigMap {
        metadata: { name: "kept", namespace: "shop", finalizers: ["example.com/waits"] },
    });
    let spaces = scene.client.api::<Namespace>();
    for name in ["shop", "bank"] {
        let space = object!(Namespace { metadata: { name: name } });
        spaces.create(&space, &CreateOptions::default()).await.unwrap();
    }
    for made in [map("shop", "a"), map("shop", "b"), kept, map("bank", "a")] {
        assert!(scene.create(&made).await);
    }
    let maps = scene.client.api::<ConfigMap>().namespace("shop");
    for loses in [true, false] {
        scene.loses.store(loses, Ordering::Relaxed);
        scene.create(&map("shop", "c")).await;
        let (how, which) = (DeleteOptions::default(), ListOptions::default());
        let deleted = maps.delete_collection(&how, &which).await;
        assert_eq!(deleted.is_err(), loses);
        let left = scene.watch.list_in("shop").await.unwrap();
        assert!(left.len() == 1 && left[0].is_deleting(), "{left:?}");
        assert!(scene.watch.get(("shop", "c")).await.unwrap().is_none());
    }
    assert_eq!(scene.held("bank").await, ["a"]);
}

fn pod() -> Pod {
    object!(Pod {
        metadata: { name: "a", namespace: "default" },
        spec: { containers: [{ name: "a", image: "a" }] },
    })
}

/// Y-03: who evicts a pod reads that it goes, and who binds one, that it has its node.
#[tokio::test(start_paused = true)]
async fn y_03_what_evictions_and_bindings_did_is_read() {
    let scene = scene::<Pod>().await;
    let node: Node = object!(Node { metadata: { name: "n" } });
    scene.client.api::<Node>().create(&node, &CreateOptions::default()).await.unwrap();
    let pods = scene.client.api::<Pod>().namespace("default");
    pods.create(&pod(), &CreateOptions::default()).await.unwrap();
    pods.bind("a", "n").await.unwrap();
    let bound = scene.watch.get(("default", "a")).await.unwrap().unwrap();
    assert_eq!(bound.spec.node_name, "n");
    pods.evict("a", &DeleteOptions::default()).await.unwrap();
    let evicted = scene.watch.get(("default", "a")).await.unwrap();
    assert!(evicted.is_none_or(|pod| pod.is_deleting()));
    let left = scene.watch.list().await.unwrap();
    assert!(left.iter().all(|pod| pod.is_deleting()));
}

/// What is known of the server is not asked for.
#[tokio::test(start_paused = true)]
async fn a_dry_run_and_a_refusal_leave_no_doubt() {
    let scene = scene::<ConfigMap>().await;
    assert!(scene.create(&map("default", "a")).await);
    scene.watch.caught_up().await.unwrap();
    assert!(!scene.create(&map("default", "a")).await, "it is there");
    scene.watch.try_caught_up().expect("nothing is in doubt after a refusal");
    scene.loses.store(true, Ordering::Relaxed);
    let maps = scene.client.api::<ConfigMap>().namespace("default");
    let dry = CreateOptions { dry_run: true, ..CreateOptions::default() };
    maps.create(&map("default", "b"), &dry).await.unwrap_err();
    scene.watch.try_caught_up().expect("nothing is in doubt after a dry run");
}
