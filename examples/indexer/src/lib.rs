//! An index of one's own: the pods of each node.
//!
//! ```text
//!  server ──▶ informer ──▶ store ──▶ index: node ──▶ pods ──▶ printed table
//!                └─handler─▶ "something changed" ─────────────────┘
//! ```
//!
//! A lister finds pods by name, by namespace and by label. Who needs them by something else makes an index:
//! a function from a pod to the values that it is found under. It is kept with the store, so a look costs the
//! pods found and not the pods there are.

use std::fmt::Write as _;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use tokio::sync::Notify;
use watchkeeper::cache::{Index, SharedInformer};
use watchkeeper::prelude::*;

pub mod script;

/// What a part of this program ends with; what went wrong is one sentence with what to do.
pub type Outcome<T = ()> = Result<T, String>;

/// The pods of a cluster, by the node that they run on.
#[derive(Debug)]
pub struct PodsByNode {
    factory: SharedInformerFactory,
    informer: SharedInformer<Pod>,
    index: Index<Pod, IStr>,
}

impl PodsByNode {
    /// Follows the pods that `client` may see, once it [runs](Self::run).
    #[must_use]
    pub fn new(client: &Client) -> Self {
        let factory = SharedInformerFactory::new(client);
        let informer = factory.informer::<Pod>();
        // None, one or several values; a pod without a node is under none.
        let node = |pod: &Pod| Some(pod.spec.node_name.clone()).filter(|node| !node.is_empty());
        let index = informer.lister().index(node);
        Self { factory, informer, index }
    }

    /// The pods of one node, in the order of their names.
    #[must_use]
    pub fn on(&self, node: &str) -> Vec<Arc<Pod>> {
        self.index.get(node)
    }

    /// A line a node, with its pods.
    #[must_use]
    pub fn table(&self) -> String {
        let mut table = String::new();
        for node in self.index.values() {
            let pods: Vec<_> = self.index.keys(&*node).iter().map(ToString::to_string).collect();
            // A string takes whatever it is given.
            let _infallible = writeln!(table, "{node}: {}", pods.join(", "));
        }
        table
    }

    /// Prints the table whenever it changes, until `enough` completes.
    ///
    /// # Errors
    ///
    /// When the pods cannot be listed for half a minute; the error says why.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the informer.
    pub async fn run(&self, print: impl Fn(&str), enough: impl Future<Output = ()>) -> Outcome {
        let changed = Arc::new(Notify::new());
        let tell = Arc::clone(&changed);
        let _subscription = self.informer.add_event_handler(move |_| tell.notify_one());
        let _running = self.factory.start();
        let half_a_minute = std::time::Duration::from_secs(30);
        let synced = self.factory.wait_for_cache_sync_within(half_a_minute).await;
        synced.map_err(|error| error.to_string())?;
        let (mut enough, mut told) = (pin!(enough), String::new());
        let mut look = || {
            let table = self.table();
            if table != told {
                print(&format!("{table}--"));
                told = table;
            }
        };
        loop {
            look();
            tokio::select! {
                biased;
                () = &mut enough => break,
                () = changed.notified() => {}
            }
        }
        // The index is ahead of its handlers: who has seen enough in it may have seen what nobody was told of yet.
        look();
        Ok(())
    }
}
