//! Something to see on an empty cluster: pods that find their nodes, and one that goes.

use std::time::Duration;

use tokio::time::sleep;
use watchkeeper::client::DeleteOptions;
use watchkeeper::prelude::*;

use crate::{Outcome, PodsByNode};

const PODS: [&str; 3] = ["web-0", "web-1", "web-2"];

/// Makes three pods, waits until each has a node, and deletes the first.
///
/// # Errors
///
/// When the server refuses a step, or nothing happens for a minute.
pub async fn play(client: &Client, pods: &PodsByNode) -> Outcome {
    let api = client.api::<Pod>().namespace("default");
    for name in PODS {
        let pod = object!(Pod {
            metadata: { name: name },
            spec: { containers: [{ name: "nginx", image: "nginx:latest" }] },
        });
        let made = api.create(&pod, &Default::default()).await;
        made.map_err(|error| format!("the script cannot go on: {error}"))?;
    }
    until("no node was found for each", || PODS.iter().all(|pod| has(pods, pod))).await?;
    let deleted = api.delete(PODS[0], &DeleteOptions::default()).await;
    deleted.map_err(|error| format!("the script cannot go on: {error}"))?;
    until("the pod did not go", || !has(pods, PODS[0])).await
}

fn has(pods: &PodsByNode, name: &str) -> bool {
    pods.table().contains(&format!("default/{name}"))
}

/// Waits until `reached`; what is looked at changes by itself.
async fn until(problem: &str, reached: impl Fn() -> bool) -> Outcome {
    for _ in 0..600 {
        if reached() {
            return Ok(());
        }
        sleep(Duration::from_millis(100)).await;
    }
    Err(format!("{problem} within a minute"))
}
