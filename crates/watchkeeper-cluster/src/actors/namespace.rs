//! The namespace actor: a namespace that is asked to go takes its content with it.
//!
//! Upstream's namespace controller: pods first (KEP-5080, ordered deletion), then everything else
//! that can be deleted, then the `kubernetes` finalizer through the `finalize` subresource. What
//! is left to wait for, and what went wrong, is told in the status conditions.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::core::v1::Namespace;
use watchkeeper_api::{Error, IStr, Kind, List, Object, Unstructured};
use watchkeeper_cache::Watch;
use watchkeeper_client::{Api, DeleteOptions, ListOptions, Propagation};
use watchkeeper_controller::{Action, Context, Failure, Request};
use watchkeeper_manager::Manager;

use self::remaining::Remaining;
use crate::resources::deletable;

mod conditions;
mod remaining;

#[cfg(test)]
mod tests;

/// The finalizer that this actor takes off.
const FINALIZER: &str = "kubernetes";
/// How soon content that is still ending is looked at again.
const AGAIN: Duration = Duration::from_secs(1);
/// How soon a namespace is looked at again of which something could not be deleted, at first and at last
/// (upstream's `nsControllerRateLimiter`).
const PATIENCE: [Duration; 2] = [Duration::from_millis(5), Duration::from_secs(60)];

/// Adds the namespace actor to `manager`.
pub fn namespace(manager: &Manager) {
    let namespaces = manager.watch::<Namespace>();
    let [first, longest] = PATIENCE;
    manager
        .controller("namespace-controller", &namespaces)
        .workers(2)
        .backoff(first, longest)
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
    let remaining = empty(&namespace, &ctx).await;
    let namespace = tell(&namespace, &remaining, &ctx).await?;
    if let Some(why) = remaining.failure() {
        return Err(Failure::from(why));
    }
    if remaining.has_content() {
        return Ok(Action::after(AGAIN));
    }
    finalize(&namespace, &ctx).await?;
    Ok(Action::done())
}

/// Deletes the namespace's content and tells what has not ended yet. What cannot be deleted keeps nothing else.
async fn empty(namespace: &Namespace, ctx: &Context) -> Remaining {
    let mut remaining = Remaining::default();
    let kinds = deletable(ctx.client()).await.unwrap_or_else(|error| {
        remaining.not_discovered(text(&error));
        Vec::new()
    });
    let kinds = kinds.into_iter().filter(Kind::is_namespaced);
    let (pods, others): (Vec<Kind>, Vec<Kind>) =
        kinds.partition(|kind| kind.group.is_empty() && kind.plural == "pods");
    for kinds in [pods, others] {
        for kind in kinds {
            let api = ctx.client().dynamic(kind.clone()).namespace(namespace.name());
            match sweep(&api).await {
                Ok(swept) => remaining.note(&kind, namespace, &swept, ctx.now()),
                // The kind went meanwhile, or nobody may ask for its objects.
                Err(error) if is_none(&error) => {}
                Err(error) => remaining.failed(text(&error)),
            }
        }
        if remaining.has_content() {
            break;
        }
    }
    remaining
}

/// The objects of a kind that were there, and those that stay for now.
#[derive(Debug, Default)]
struct Swept {
    found: Vec<Unstructured>,
    left: Vec<Unstructured>,
}

/// Deletes all objects of a kind.
async fn sweep(api: &Api<Unstructured>) -> Result<Swept, Error> {
    let found = api.list_all(&ListOptions::default()).await?.items;
    if found.is_empty() {
        return Ok(Swept::default());
    }
    for object in found.iter().filter(|object| !object.is_deleting()) {
        // Some kinds would orphan their dependents, and wait for that.
        let options = DeleteOptions::only(object.uid()).propagation(Propagation::Background);
        match api.delete(object.name(), &options).await {
            Err(error) if !error.is_not_found() && !error.is_conflict() => return Err(error),
            _ => {}
        }
    }
    let left = api.list_all(&ListOptions::default()).await?.items;
    Ok(Swept { found, left })
}

fn is_none(error: &Error) -> bool {
    error.is_not_found() || error.status().is_some_and(|status| status.code == 405)
}

/// What the server said, as it is told in conditions.
fn text(error: &Error) -> String {
    error.status().map_or_else(|| error.to_string(), |status| status.message.to_string())
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
