//! Clusters whose actors work by themselves.

use std::time::Duration;

use tokio::task::JoinSet;
use watchkeeper_api::core::v1::{ConfigMap, Pod};
use watchkeeper_api::{Object as _, object};
use watchkeeper_apiserver::Clock;
use watchkeeper_client::{Api, ListOptions, WatchEvent, WatchOptions};
use watchkeeper_cluster::{Cluster, Started};

fn pods(cluster: &Cluster) -> Api<Pod> {
    cluster.client("test").api::<Pod>().namespace("default")
}

async fn create(cluster: &Cluster, name: &str) {
    let pod = object!(Pod {
        metadata: { name: name },
        spec: { containers: [{ name: "a", image: "a" }] },
    });
    pods(cluster).create(&pod, &Default::default()).await.expect("a pod");
}

async fn runs(cluster: &Cluster, name: &str) {
    while pods(cluster).get(name).await.expect("it is there").status.phase != "Running" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn pods_find_a_node_at_once_and_nothing_works_once_it_is_stopped() {
    let cluster = Cluster::builder().nodes(3).clock(Clock::default()).start().await.expect("ready");
    create(&cluster, "a").await;
    runs(&cluster, "a").await;
    let events = cluster.client("test").api::<watchkeeper_api::core::v1::Event>();
    let events = events.list_all(&ListOptions::default()).await.expect("a list").items;
    let refused = events.iter().find(|event| event.reason == "FailedScheduling");
    assert!(refused.is_none(), "{refused:?}");

    let server = cluster.server().clone();
    cluster.stop().await.expect("an orderly end");
    let revision = server.revision();
    tokio::time::sleep(Duration::from_secs(120)).await;
    assert_eq!(server.revision(), revision, "nobody renews a lease");
}

#[tokio::test(start_paused = true)]
async fn a_cluster_that_is_dropped_stops() {
    let cluster = Cluster::builder().clock(Clock::default()).start().await.expect("ready");
    let server = cluster.server().clone();
    drop(cluster);
    tokio::task::yield_now().await;
    let revision = server.revision();
    tokio::time::sleep(Duration::from_secs(120)).await;
    assert_eq!(server.revision(), revision);
}

#[tokio::test(start_paused = true)]
async fn without_actors_that_make_nodes_nobody_waits_for_them() {
    let cluster = Cluster::builder().actors([]).nodes(3).start().await.expect("ready");
    create(&cluster, "a").await;
    assert_eq!(pods(&cluster).get("a").await.expect("it is there").status.phase, "Pending");
    cluster.stop().await.expect("an orderly end");
}

/// Each has its own objects, its own actors and its own time to get ready.
#[tokio::test(flavor = "multi_thread")]
async fn many_clusters_work_in_one_process() {
    const MANY: usize = 24;
    let mut starting = JoinSet::new();
    for _ in 0..MANY {
        starting.spawn(async { Cluster::start().await.expect("ready") });
    }
    let clusters: Vec<Started> = starting.join_all().await;
    for (number, cluster) in clusters.iter().enumerate() {
        create(cluster, &format!("pod-{number}")).await;
    }
    for (number, cluster) in clusters.into_iter().enumerate() {
        runs(&cluster, &format!("pod-{number}")).await;
        let all = pods(&cluster).list(&ListOptions::default()).await.expect("a list").items;
        assert_eq!(all.len(), 1, "{:?}", all.iter().map(|pod| pod.name()).collect::<Vec<_>>());
        cluster.stop().await.expect("an orderly end");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cluster_forgets_what_its_builder_says() {
    let cluster = Cluster::builder().actors([]).history_events(1).start().await.expect("ready");
    let maps = cluster.client("test").api::<ConfigMap>().namespace("default");
    for name in ["a", "b", "c"] {
        let map = object!(ConfigMap { metadata: { name: name } });
        maps.create(&map, &Default::default()).await.expect("a map");
    }
    let last = cluster.server().revision() - 1;
    let first = async |version: u64| {
        let events = maps.watch(&WatchOptions::since(version.to_string())).await;
        events.expect("a watch").next().await.expect("an event")
    };
    let forgotten = first(last - 1).await.expect("an event");
    assert!(matches!(&forgotten, WatchEvent::Error(status) if status.code == 410), "{forgotten:?}");
    assert!(matches!(first(last).await, Ok(WatchEvent::Added(map)) if map.name() == "c"));
}
