//! The garbage collector: what lost its last owner goes, and owners go in the order they ask for.
//!
//! Upstream's garbage collector: it follows every kind that can be deleted (custom ones come and
//! go), keeps the graph of owner references, and works a queue of uids. Nothing is deleted before
//! the server itself has said that an owner does not exist, and never another object than the one
//! judged (uid preconditions).
//!
//! Built from the parts of the classic path: watches feed a work queue, a loop takes from it.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::{Kind, Object, Result, Unstructured};
use watchkeeper_cache::{Cache, Change, Subscription, Transformed, Watch};
use watchkeeper_client::{
    Api, Client, DeleteOptions, PartialObject, Patch, PatchOptions, Propagation, Select,
};
use watchkeeper_controller::Action;
use watchkeeper_manager::{Manager, Stop};
use watchkeeper_queue::{
    Job, Order, QueueOptions, RateLimitingQueue, default_controller_rate_limiter,
};

use self::graph::{FOREGROUND, Graph, Node, ORPHAN, OwnerLink, Verdict};
use self::reports::Reports;
use crate::resources::collectable;

mod graph;
mod reports;

#[cfg(test)]
mod tests;

/// The name that writes and logs carry.
const NAME: &str = "garbage-collector";

/// Adds the garbage collector to `manager`.
pub fn garbage_collector(manager: &Manager) {
    let client = manager.client().clone().user_agent(NAME).field_manager(NAME);
    let definitions = manager.watch::<CustomResourceDefinition>();
    let cache = manager.cache().clone();
    let order = manager.seed_for(NAME).map_or_else(Order::default, Order::Seeded);
    let reports = Arc::new(Reports::new());
    manager
        .controller(reports::NAME, definitions.when(|_: &Change<CustomResourceDefinition>| false))
        .triggered_by(reports.trigger())
        .with(reports.clone())
        .reconcile(async |reports, request, ctx| {
            reports.tell(&request, &ctx);
            Ok(Action::done())
        });
    manager.add_restartable(NAME, move |stop| {
        let collector = Collector::new(client.clone(), cache.clone(), order, reports.clone());
        collector.run(definitions.clone(), stop)
    });
}

/// How soon a server that could not tell its kinds is asked again (upstream's resync period).
const ASK_AGAIN: Duration = Duration::from_secs(30);

/// The queue's item: an object's uid.
type Uid = String;

struct Collector {
    client: Client,
    cache: Cache,
    graph: Arc<Mutex<Graph>>,
    queue: RateLimitingQueue<Uid>,
    reports: Arc<Reports>,
    /// The kinds followed, by group and plural. Dropping an entry ends its watch.
    followed: BTreeMap<(String, String), Followed>,
}

struct Followed {
    kind: Arc<Kind>,
    _watch: Watch<Transformed<Node>>,
    _subscription: Subscription,
}

impl Collector {
    fn new(client: Client, cache: Cache, order: Order, reports: Arc<Reports>) -> Self {
        let options = QueueOptions { name: NAME.to_owned(), order, ..QueueOptions::default() };
        let queue = RateLimitingQueue::with_options(default_controller_rate_limiter(), options);
        Self { client, cache, graph: Arc::default(), queue, reports, followed: BTreeMap::new() }
    }

    async fn run(mut self, definitions: Watch<CustomResourceDefinition>, stop: Stop) -> Result<()> {
        let changed = Arc::new(Notify::new());
        let (notify, graph, queue) = (changed.clone(), self.graph.clone(), self.queue.clone());
        let _told = definitions.subscribe(move |change: &Change<CustomResourceDefinition>| {
            if let Change::Deleted { .. } = change {
                // Its instances went before it; what their watch did not tell is told here.
                let spec = &change.object().spec;
                for uid in lock(&graph).forget_kind(&spec.group, &spec.names.plural) {
                    queue.add(uid);
                }
            }
            notify.notify_one();
        });
        let mut stopped = std::pin::pin!(stop.requested());
        let mut again = self.follow_all().await;
        loop {
            tokio::select! {
                biased;
                () = &mut stopped => return Ok(()),
                () = changed.notified() => again = self.follow_all().await,
                () = until(again) => again = self.follow_all().await,
                job = self.queue.next() => match job {
                    Some(job) => self.work(job).await,
                    None => return Ok(()),
                },
            }
        }
    }

    /// Follows the kinds that the server has now, and no others. A failure keeps those followed
    /// so far, and says when to try again.
    async fn follow_all(&mut self) -> Option<Instant> {
        let kinds = match collectable(&self.client).await {
            Ok(kinds) => kinds,
            Err(error) => {
                tracing::warn!(%error, "the kinds of the server could not be told");
                return Some(Instant::now() + ASK_AGAIN);
            }
        };
        let name = |kind: &Kind| (kind.group.to_string(), kind.plural.to_string());
        self.followed.retain(|known, _| kinds.iter().any(|kind| name(kind) == *known));
        for kind in kinds {
            if !self.followed.contains_key(&name(&kind)) {
                self.followed.insert(name(&kind), self.follow(kind));
            }
        }
        None
    }

    fn follow(&self, kind: Kind) -> Followed {
        let select = Select::<PartialObject>::of(kind.clone());
        let kind = Arc::new(kind);
        let of = kind.clone();
        // There is a copy of everything, so what a node needs is all that is asked for and kept.
        let node = move |object: PartialObject| Ok::<_, Infallible>(Node::of(&of, &object));
        let watch = self.cache.transformed(select, node);
        let (graph, queue, reports) =
            (self.graph.clone(), self.queue.clone(), self.reports.clone());
        let subscription = watch.subscribe(move |change: &Change<Transformed<Node>>| {
            if !change.is_deleted() {
                let misplaced = lock(&graph).misplaced(change.object().value());
                misplaced.into_iter().for_each(|one| reports.add(one));
            }
            for uid in observe(&mut lock(&graph), change) {
                queue.add(uid);
            }
        });
        Followed { kind, _watch: watch, _subscription: subscription }
    }

    async fn work(&self, job: Job<Uid>) {
        match self.judge(&job).await {
            Ok(Progress::Done) => job.done(),
            Ok(Progress::Wait) => job.retry(),
            // Gone meanwhile: that brings back those it concerns.
            Err(error) if error.is_not_found() => job.done(),
            // Changed meanwhile, it or an object written on its behalf, whose change brings only
            // that object back.
            Err(error) if error.is_conflict() => job.retry(),
            Err(error) => {
                tracing::warn!(uid = %*job, %error, "collecting failed");
                job.retry();
            }
        }
    }

    async fn judge(&self, uid: &str) -> Result<Progress> {
        let (verdict, node) = {
            let graph = lock(&self.graph);
            (graph.judge(uid), graph.get(uid).cloned())
        };
        let Some(node) = node else { return Ok(Progress::Done) };
        match verdict {
            Verdict::Keep => {}
            Verdict::Ask(owners) => return self.ask(&node, owners).await,
            Verdict::Delete { foreground } => self.delete(&node, foreground).await?,
            Verdict::Forget(owners) => self.disown(&node, &owners).await?,
            Verdict::Await(uids) => uids.into_iter().for_each(|uid| self.queue.add(uid)),
            Verdict::Unblock => self.unblock(&node).await?,
            Verdict::Release(uids) => {
                for dependent in self.nodes(&uids) {
                    self.disown(&dependent, std::slice::from_ref(&node.uid)).await?;
                }
            }
            Verdict::Finish(finalizer) => self.finish(&node, finalizer).await?,
        }
        Ok(Progress::Done)
    }

    fn nodes(&self, uids: &[Uid]) -> Vec<Node> {
        let graph = lock(&self.graph);
        uids.iter().filter_map(|uid| graph.get(uid).cloned()).collect()
    }

    /// Asks the server for owners that were never seen. One that exists will be seen later.
    async fn ask(&self, node: &Node, owners: Vec<OwnerLink>) -> Result<Progress> {
        let mut progress = Progress::Done;
        for owner in owners {
            match self.find(node, &owner).await? {
                Found::There => progress = Progress::Wait,
                Found::Invalid => {}
                Found::Nowhere { namespaced } => {
                    lock(&self.graph).is_absent(&owner.uid, namespaced);
                    self.queue.add(node.uid.clone());
                }
            }
        }
        Ok(progress)
    }

    /// Looks for an owner of `node`. One of a kind that the server does not have now is taken to
    /// be there: its kind may come back.
    async fn find(&self, node: &Node, owner: &OwnerLink) -> Result<Found> {
        let group = owner.api_version.split_once('/').map_or("", |(group, _)| group);
        let of_owner =
            |followed: &&Followed| followed.kind.group == group && followed.kind.kind == owner.kind;
        let Some(followed) = self.followed.values().find(of_owner) else {
            return Ok(Found::There);
        };
        let namespaced = followed.kind.is_namespaced();
        if namespaced && node.key.namespace().is_none() {
            return Ok(Found::Invalid);
        }
        let api = self.api(&followed.kind, node.key.namespace().unwrap_or_default());
        let found = api.get_opt(&owner.name).await?;
        let same = found.is_some_and(|found| found.uid() == owner.uid);
        Ok(if same { Found::There } else { Found::Nowhere { namespaced } })
    }

    fn api(&self, kind: &Kind, namespace: &str) -> Api<Unstructured> {
        let api = self.client.dynamic(kind.clone());
        if kind.is_namespaced() { api.namespace(namespace) } else { api }
    }

    fn api_of(&self, node: &Node) -> Api<Unstructured> {
        self.api(&node.kind, node.key.namespace().unwrap_or_default())
    }

    /// Deletes an object, unless its owners are others by now: that change brings it back.
    async fn delete(&self, node: &Node, foreground: bool) -> Result<()> {
        let live = self.api_of(node).get_opt(node.key.name()).await?;
        let is_it = |live: &Unstructured| {
            live.uid() == node.uid && Node::of(&node.kind, live).owners == node.owners
        };
        if !live.as_ref().is_some_and(is_it) {
            return Ok(());
        }
        let propagation = match (foreground || node.foreground, node.orphan) {
            (_, true) => Propagation::Orphan,
            (true, false) => Propagation::Foreground,
            (false, false) => Propagation::Background,
        };
        let options = DeleteOptions::only(&node.uid).propagation(propagation);
        self.api_of(node).delete(node.key.name(), &options).await?;
        tracing::debug!(object = %node.key, kind = %node.kind, "collected");
        Ok(())
    }

    /// Takes references to `owners` off an object, as it is now.
    async fn disown(&self, node: &Node, owners: &[Uid]) -> Result<()> {
        self.rewrite(node, "ownerReferences", |reference| {
            let is_gone = owners.iter().any(|uid| reference["uid"] == **uid);
            (!is_gone).then(|| reference.clone())
        })
        .await
    }

    /// Lets the owners of an object go before it does.
    async fn unblock(&self, node: &Node) -> Result<()> {
        self.rewrite(node, "ownerReferences", |reference| {
            let mut free = reference.clone();
            if free["blockOwnerDeletion"] == true {
                free["blockOwnerDeletion"] = false.into();
            }
            Some(free)
        })
        .await
    }

    async fn finish(&self, node: &Node, finalizer: &str) -> Result<()> {
        debug_assert!(finalizer == FOREGROUND || finalizer == ORPHAN);
        self.rewrite(node, "finalizers", |name| (*name != *finalizer).then(|| name.clone())).await
    }

    /// Writes back a list of the metadata with what becomes of its elements, provided that the object has not
    /// changed since it was read.
    async fn rewrite(
        &self,
        node: &Node,
        member: &str,
        becomes: impl Fn(&Value) -> Option<Value>,
    ) -> Result<()> {
        let api = self.api_of(node);
        let Some(object) = api.get_opt(node.key.name()).await? else { return Ok(()) };
        if object.uid() != node.uid {
            return Ok(());
        }
        let metadata = &object.to_value()["metadata"];
        let all = metadata[member].as_array().cloned().unwrap_or_default();
        let kept: Vec<Value> = all.iter().filter_map(becomes).collect();
        if kept == all {
            return Ok(());
        }
        let patch = json!({ "metadata": {
            "uid": node.uid,
            "resourceVersion": object.resource_version(),
            member: kept,
        }});
        api.patch(node.key.name(), &Patch::merge(&patch), &PatchOptions::default()).await?;
        Ok(())
    }
}

/// What the server says of an owner.
enum Found {
    There,
    Nowhere {
        /// Whether it would live in a namespace.
        namespaced: bool,
    },
    /// An object of the cluster cannot have an owner in a namespace; nobody knows which is meant.
    Invalid,
}

/// What became of a look at an object.
enum Progress {
    Done,
    /// Something must be seen first.
    Wait,
}

fn observe(graph: &mut Graph, change: &Change<Transformed<Node>>) -> Vec<Uid> {
    let object = change.object();
    if let Change::Deleted { .. } = change {
        return graph.forget(object.uid());
    }
    let mut again = match change.old() {
        Some(old) if old.uid() != object.uid() => graph.forget(old.uid()),
        _ => Vec::new(),
    };
    again.extend(graph.observe(object.value().clone()));
    again
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

fn lock(graph: &Mutex<Graph>) -> MutexGuard<'_, Graph> {
    graph.lock().unwrap_or_else(PoisonError::into_inner)
}
