//! Many pods, and many clusters.

use crate::Outcome;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{Namespace, Node};
use watchkeeper_api::object;
use watchkeeper_client::{Client, CreateOptions, ListOptions};
use watchkeeper_cluster::Cluster;

/// How long actors may take in all.
const LIMIT: Duration = Duration::from_secs(600);

/// Clusters whose actors work for as long as this is held.
pub type Running = JoinSet<watchkeeper_api::Result<()>>;

/// Lets the actors of a cluster work.
pub fn run(cluster: &Cluster, running: &mut Running) {
    let cluster = cluster.clone();
    running.spawn(async move { cluster.run(std::future::pending()).await });
}

/// Waits until so many nodes are ready, and no pod would be refused.
pub async fn nodes(client: &Client, count: usize, running: &mut Running) -> Outcome {
    let are_ready = until(running, async || {
        let nodes = client.api::<Node>().list(&ListOptions::default()).await?.items;
        let welcome = nodes.iter().filter(|node| node.spec.taints.is_empty());
        let ready = |node: &&Node| node.status.conditions.iter().any(|one| one.type_ == "Ready");
        Ok(welcome.filter(ready).count() == count)
    })
    .await?;
    if are_ready { Ok(()) } else { Err("the nodes do not get ready".into()) }
}

/// Makes a namespace.
pub async fn namespace(client: &Client, name: &str) -> Outcome {
    let namespace = object!(Namespace { metadata: { name: name } });
    client.api::<Namespace>().create(&namespace, &CreateOptions::default()).await?;
    Ok(())
}

/// Makes a Deployment.
pub async fn deployment(client: &Client, namespace: &str, name: &str, replicas: i32) -> Outcome {
    let deployment = object!(Deployment {
        metadata: { name: name, namespace: namespace },
        spec: {
            replicas: replicas,
            selector: { match_labels: { "app": name } },
            template: {
                metadata: { labels: { "app": name } },
                spec: { containers: [{ name: "nginx", image: "nginx:1.29" }] },
            },
        },
    });
    client.api_for(&deployment).create(&deployment, &CreateOptions::default()).await?;
    Ok(())
}

/// Waits until so many pods of Deployments are available, as long as actors may take; tells how many are.
pub async fn available(client: &Client, pods: u64, running: &mut Running) -> Outcome<u64> {
    let mut there = 0;
    until(running, async || {
        let all = client.api::<Deployment>().list(&ListOptions::default()).await?.items;
        let of = |one: &Deployment| u64::try_from(one.status.available_replicas).unwrap_or(0);
        there = all.iter().map(|one| of(one)).sum();
        Ok(there == pods)
    })
    .await?;
    Ok(there)
}

/// Asks again and again until the answer is yes, unless actors end; false when they take too long.
async fn until(
    running: &mut Running,
    mut ask: impl AsyncFnMut() -> Outcome<bool>,
) -> Outcome<bool> {
    let began = Instant::now();
    while !ask().await? {
        if let Some(ended) = running.try_join_next() {
            return Err(format!("actors ended: {ended:?}").into());
        }
        if began.elapsed() > LIMIT {
            return Ok(false);
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    Ok(true)
}
