//! The namespace actor: a namespace that is asked to go takes its content with it.
//!
//! Upstream's namespace controller: pods first (KEP-5080, ordered deletion), then everything else
//! that can be deleted, then the `kubernetes` finalizer through the `finalize` subresource. What
//! is left to wait for is told in the status conditions.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::core::v1::Namespace;
use watchkeeper_api::{IStr, Kind, List, Object, Unstructured};
use watchkeeper_cache::Watch;
use watchkeeper_client::{Api, DeleteOptions, ListOptions};
use watchkeeper_controller::{Action, Context, Failure, Request};
use watchkeeper_manager::Manager;

use self::conditions::Remaining;
use crate::resources::deletable;

mod conditions;

#[cfg(test)]
mod tests;

/// The finalizer that this actor takes off.
const FINALIZER: &str = "kubernetes";
/// How soon content that is still ending is looked at again.
const AGAIN: Duration = Duration::from_secs(1);

/// Adds the namespace actor to `manager`.
pub fn namespace(manager: &Manager) {
    let namespaces = manager.watch::<Namespace>();
    manager
        .controller("namespace-controller", &namespaces)
        .workers(2)
        .with(namespaces)
        .reconcile(async |namespaces, request, ctx| reconcile(namespaces, request, ctx).await);
}

async fn reconcile(
    namespaces: &Watch<Namespace>,
    request: Request,
    ctx: Context,
) -> Result<Action, Failure> {
    let Some(namespace) = namespaces.get(&request).await? else { return Ok(Action::done()) };
    let holds = namespace.spec.finalizers.iter().any(|finalizer| *finalizer == *FINALIZER);
    if !namespace.is_deleting() || !holds {
        return Ok(Action::done());
    }
    let remaining = empty(namespace.name(), &ctx).await?;
    let namespace = tell(&namespace, &remaining, &ctx).await?;
    if !remaining.is_empty() {
        return Ok(Action::after(AGAIN));
    }
    finalize(&namespace, &ctx).await?;
    Ok(Action::done())
}

/// Deletes the namespace's content and tells what has not ended yet.
async fn empty(namespace: &str, ctx: &Context) -> Result<Remaining, Failure> {
    let (pods, others): (Vec<Kind>, Vec<Kind>) = deletable(ctx.client())
        .await?
        .into_iter()
        .filter(Kind::is_namespaced)
        .partition(|kind| kind.group.is_empty() && kind.plural == "pods");
    let mut remaining = Remaining::default();
    for kinds in [pods, others] {
        for kind in kinds {
            let api = ctx.client().dynamic(kind.clone()).namespace(namespace);
            remaining.note(&kind, &sweep(&api).await?);
        }
        if !remaining.is_empty() {
            break;
        }
    }
    Ok(remaining)
}

/// Deletes all objects of a kind and returns those that stay for now.
async fn sweep(api: &Api<Unstructured>) -> Result<Vec<Unstructured>, Failure> {
    let found = api.list_all(&ListOptions::default()).await?.items;
    if found.is_empty() {
        return Ok(found);
    }
    for object in found.iter().filter(|object| !object.is_deleting()) {
        match api.delete(object.name(), &DeleteOptions::only(object.uid())).await {
            Err(error) if !error.is_not_found() && !error.is_conflict() => return Err(error.into()),
            _ => {}
        }
    }
    Ok(api.list_all(&ListOptions::default()).await?.items)
}

/// Writes what remains into the status.
async fn tell(
    namespace: &Arc<Namespace>,
    remaining: &Remaining,
    ctx: &Context,
) -> Result<Namespace, Failure> {
    let now = ctx.now();
    let written = ctx
        .edit_status(namespace, |status| {
            status.conditions = conditions::merge(&status.conditions, remaining, now);
        })
        .await?;
    Ok(written.unwrap_or_else(|| Namespace::clone(namespace)))
}

async fn finalize(namespace: &Namespace, ctx: &Context) -> Result<(), Failure> {
    let mut finished = namespace.clone();
    let others = namespace.spec.finalizers.iter().filter(|name| **name != *FINALIZER);
    finished.spec.finalizers = others.cloned().collect::<List<IStr>>();
    let api = ctx.client().api::<Namespace>();
    match api.update_subresource(&finished, "finalize").await {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(()),
    }
}
