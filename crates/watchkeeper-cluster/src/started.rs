//! A cluster whose actors work by themselves.

use std::collections::BTreeSet;
use std::ops::Deref;

use tokio::sync::oneshot;
use tokio::task::JoinSet;
use watchkeeper_api::core::v1::Node;
use watchkeeper_api::{Error, Object as _, Result};
use watchkeeper_client::{WatchEvent, WatchOptions};

use crate::actors::Actor;
use crate::cluster::Cluster;

/// A [`Cluster`] whose actors work on a task of their own, from [`Cluster::start`] until [`Started::stop`], or until it is
/// dropped.
#[derive(Debug)]
#[must_use = "its actors stop when it is dropped"]
pub struct Started {
    cluster: Cluster,
    stop: oneshot::Sender<()>,
    actors: JoinSet<Result<()>>,
}

impl Deref for Started {
    type Target = Cluster;

    fn deref(&self) -> &Cluster {
        &self.cluster
    }
}

impl Started {
    /// Lets the actors work, and waits until there are nodes for pods, if any of the actors makes them.
    pub(crate) async fn new(cluster: Cluster) -> Result<Self> {
        let (stop, stopped) = oneshot::channel();
        let (beside, mut actors) = (cluster.clone(), JoinSet::new());
        actors.spawn(async move { beside.run(async { drop(stopped.await) }).await });
        let mut started = Self { cluster, stop, actors };
        if started.cluster.has(Actor::Node) {
            let Self { cluster, actors, .. } = &mut started;
            tokio::select! {
                biased;
                ended = ended(actors) => return Err(early(ended)),
                ready = nodes_are_ready(cluster) => ready?,
            }
        }
        Ok(started)
    }

    /// Stops the actors in order. The server goes on for whoever has a client.
    ///
    /// # Errors
    ///
    /// Returns the first error that ended an actor.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops every actor where it stands.
    pub async fn stop(self) -> Result<()> {
        let Self { stop, mut actors, .. } = self;
        // Who does not listen has ended.
        let _ended = stop.send(());
        ended(&mut actors).await
    }
}

/// How the actors ended.
async fn ended(actors: &mut JoinSet<Result<()>>) -> Result<()> {
    match actors.join_next().await {
        Some(Ok(outcome)) => outcome,
        Some(Err(error)) => {
            Err(Error::other(format!("the actors of the cluster crashed: {error}")))
        }
        None => Ok(()),
    }
}

fn early(ended: Result<()>) -> Error {
    ended.err().unwrap_or_else(|| Error::other("the actors of the cluster ended by themselves"))
}

/// Waits until each node takes pods.
async fn nodes_are_ready(cluster: &Cluster) -> Result<()> {
    let mut missing: BTreeSet<String> = cluster.node_names().collect();
    let nodes = cluster.client("watchkeeper-cluster").api::<Node>();
    while !missing.is_empty() {
        let mut events = nodes.watch(&WatchOptions::default()).await?;
        while !missing.is_empty()
            && let Some(event) = events.next().await
        {
            if let WatchEvent::Added(node) | WatchEvent::Modified(node) = event?
                && takes_pods(&node)
            {
                missing.remove(node.name());
            }
        }
    }
    Ok(())
}

fn takes_pods(node: &Node) -> bool {
    let mut conditions = node.status.conditions.iter();
    let is_ready = conditions.any(|one| one.type_ == "Ready" && one.status == "True");
    is_ready && node.spec.taints.is_empty()
}
