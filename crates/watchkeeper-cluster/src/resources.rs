//! The kinds that a server has, as the garbage collector and the namespace actor need them.

use watchkeeper_api::{Kind, Result};
use watchkeeper_client::Client;

/// Every kind whose objects can be listed and deleted, each once, in a stable order.
///
/// # Errors
/// When discovery fails.
pub(crate) async fn deletable(client: &Client) -> Result<Vec<Kind>> {
    kinds_that(client, &["delete", "list"]).await
}

/// Every kind whose objects can be watched and deleted, each once, in a stable order.
///
/// # Errors
/// When discovery fails.
pub(crate) async fn collectable(client: &Client) -> Result<Vec<Kind>> {
    kinds_that(client, &["delete", "list", "watch"]).await
}

async fn kinds_that(client: &Client, verbs: &[&str]) -> Result<Vec<Kind>> {
    let mut kinds: Vec<Kind> = Vec::new();
    for resource in client.resources().await? {
        let can = verbs.iter().all(|verb| resource.verbs.iter().any(|have| have == verb));
        // Of several versions of a kind the first is the preferred one; events are served by two
        // groups from one storage.
        let known =
            |kind: &Kind| kind.group == resource.kind.group && kind.plural == resource.kind.plural;
        let twin = resource.kind.group == "events.k8s.io";
        if can && !twin && !kinds.iter().any(known) {
            kinds.push(resource.kind);
        }
    }
    Ok(kinds)
}
