//! What containers print, read by our client.

use std::time::Duration;

use serde_json::{Value, json};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Object as _, ObjectKey};
use watchkeeper_client::{DeleteOptions, LogOptions};

use crate::world::{World, run};

async fn pod(world: &World, annotations: Value, names: &[&str]) -> ObjectKey {
    let container = |name: &&str| json!({"name": name, "image": "web:1"});
    let containers: Vec<Value> = names.iter().map(container).collect();
    let pod: Pod = world
        .make(json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "a", "namespace": "default", "annotations": annotations},
            "spec": {"containers": containers},
        }))
        .await;
    pod.key()
}

#[tokio::test(start_paused = true)]
async fn what_a_container_prints_is_its_log() {
    run(1, async |world| {
        let (containers, pods) =
            (world.cluster.containers(), world.client.api::<Pod>().namespace("default"));
        let key = pod(world, json!({}), &["web", "side"]).await;
        let early =
            containers.print(&key, "web", "too early\n").await.expect_err("it has not started");
        assert!(
            early.to_string().contains("container \"web\" in pod \"a\" is not available"),
            "{early}"
        );
        world.settled().await;
        containers.print(&key, "web", "one\ntwo").await.expect("printed");
        containers.print(&key, "side", "other\n").await.expect("printed");
        let log = async |options: LogOptions| pods.logs("a", &options).await;
        assert_eq!(log(LogOptions::default().container("web")).await.expect("a log"), "one\ntwo\n");
        assert_eq!(log(LogOptions::tail(1).container("web")).await.expect("a log"), "two\n");
        assert_eq!(log(LogOptions::default().container("side")).await.expect("a log"), "other\n");
        let which = log(LogOptions::default()).await.expect_err("one of two").to_string();
        assert!(
            which.contains(
                "a container name must be specified for pod a, choose one of: [web side]"
            ),
            "{which}"
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn who_follows_gets_the_lines_as_they_come_until_the_pod_goes() {
    run(1, async |world| {
        let (containers, pods) =
            (world.cluster.containers(), world.client.api::<Pod>().namespace("default"));
        let key = pod(world, json!({}), &["web"]).await;
        world.settled().await;
        containers.print(&key, "web", "old\n").await.expect("printed");
        let mut lines = pods.log_stream("a", &LogOptions::tail(1).follow()).await.expect("a log");
        assert_eq!(lines.next_line().await.expect("a line").as_deref(), Some("old"));
        containers.print(&key, "web", "new\nnewer\n").await.expect("printed");
        assert_eq!(lines.next_line().await.expect("a line").as_deref(), Some("new"));
        assert_eq!(lines.next_line().await.expect("a line").as_deref(), Some("newer"));
        let waited = tokio::time::timeout(Duration::from_secs(100), lines.next_line()).await;
        assert!(waited.is_err(), "nothing is printed, and nothing has ended");
        pods.delete("a", &DeleteOptions::default()).await.expect("a deletion");
        assert_eq!(lines.next_line().await.expect("the end"), None);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_container_that_is_started_again_begins_a_new_log() {
    run(1, async |world| {
        let (containers, pods) =
            (world.cluster.containers(), world.client.api::<Pod>().namespace("default"));
        let key = pod(world, json!({"fake-kubelet/ends-after": "never"}), &["web"]).await;
        world.settled().await;
        containers.print(&key, "web", "first\n").await.expect("printed");
        let none = pods.logs("a", &LogOptions { previous: true, ..LogOptions::default() }).await;
        let none = none.expect_err("there was none before").to_string();
        assert!(
            none.contains("previous terminated container \"web\" in pod \"a\" not found"),
            "{none}"
        );
        let crash = json!({"metadata": {"annotations":
            {"fake-kubelet/ends-after": "5", "fake-kubelet/exit-code": "1"}}});
        world.patch::<Pod>("a", crash).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let previous = LogOptions { previous: true, ..LogOptions::default() };
        assert_eq!(pods.logs("a", &previous).await.expect("a log"), "first\n");
    })
    .await;
}
