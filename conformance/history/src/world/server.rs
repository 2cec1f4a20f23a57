//! The servers in this process, and how the truth is told of what they have.

use std::sync::Arc;

use watchkeeper_api::core::v1::Namespace;
use watchkeeper_api::object;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::hooks::{Aftermath, Hook, Write};
use watchkeeper_apiserver::storage::Event;
use watchkeeper_client::{Client, CreateOptions};

use crate::faults::Forget;
use crate::listener::{Court, lock};
use crate::shelf::Shelf;
use crate::space::Space;
use crate::told::{EVEN, MARK, Seen, hash, number, object_of};

/// Where the writer writes.
pub(super) const NAMESPACE: &str = "default";

pub(super) fn embedded(seed: u64, court: &Arc<Court>) -> (Client, Forget) {
    let mut server = ApiServer::builder().seed(seed).history_events(100);
    // Of the others the client leaves out what is not of its shard.
    if seed.is_multiple_of(2) {
        server = server.shard_selectors();
    }
    let server = server.build();
    server.add_hook(Scribe(Arc::clone(court)));
    let client = Client::new(server.clone());
    (client, Forget::new(move || server.compact(server.revision())))
}

pub(super) fn shelf(seed: u64, court: &Arc<Court>) -> (Client, Forget) {
    let court = Arc::clone(court);
    let shelf = Shelf::new(seed, move |seen, alive| lock(&court.truth).record(seen, alive));
    (shelf.client(), Forget::new(move || shelf.forget()))
}

/// Makes the namespaces that are not there.
pub(crate) async fn make(client: &Client, space: &Space) {
    for part in space.parts() {
        let name = space.namespace(part);
        let namespace = object!(Namespace { metadata: { name: &*name } });
        // Writes will fail where this does.
        let _there = client.api::<Namespace>().create(&namespace, &CreateOptions::default()).await;
    }
}

/// What the hook tells the truth.
struct Scribe(Arc<Court>);

impl Hook for Scribe {
    fn after_commit(&mut self, write: &Write<'_>, event: &Event) -> Aftermath {
        if write.table == "configmaps" && write.key.starts_with(NAMESPACE) {
            let object = event.object.value();
            let text = |path: &str| object.pointer(path).and_then(|v| v.as_str()).unwrap_or("");
            let seen = Seen {
                object: object_of(text("/metadata/namespace"), text("/metadata/name")),
                life: hash(text("/metadata/uid")),
                version: event.revision,
                mark: number(Some(text(&format!("/data/{MARK}")))),
                even: text(&format!("/metadata/labels/{EVEN}")) == "true",
            };
            let alive = event.change != watchkeeper_apiserver::storage::Change::Deleted;
            lock(&self.0.truth).record(seen, alive);
        }
        Aftermath::Reply
    }
}
