//! Who fills in what an object leaves open.

use std::future::Future;
use std::marker::PhantomData;

use serde_json::Value;
use watchkeeper_api::merge::Members;
use watchkeeper_api::{Writable, json};
use watchkeeper_client::Patch;

use super::{Admission, Refusal, Review, Reviewed};

/// Fills in what an object leaves open, before it is validated and stored. Upstream: `admission.Defaulter`.
///
/// It is asked about creations and updates, and never about deletions. The answer is a JSON patch of what it
/// changed: what the type does not know stays in the object as it is, also in items of lists. It may be asked
/// twice about a write, so it must change nothing in what it has changed before.
///
/// ```
/// use watchkeeper_api::apps::v1::Deployment;
/// use watchkeeper_manager::webhook::{Defaulter, Refusal, Review};
///
/// struct TwoReplicas;
///
/// impl Defaulter<Deployment> for TwoReplicas {
///     async fn default(&self, web: &mut Deployment, _: &Review) -> Result<(), Refusal> {
///         web.spec.replicas.get_or_insert(2);
///         Ok(())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no defaults to `{K}`",
    note = "write `impl Defaulter<{K}> for …`, or `defaulting(|object: &mut {K}, review| …)`"
)]
pub trait Defaulter<K>: Send + Sync + 'static {
    /// Changes the object as it wants it to be, or refuses it.
    ///
    /// # Errors
    /// Who writes is told them; nothing is stored.
    fn default(
        &self,
        object: &mut K,
        review: &Review,
    ) -> impl Future<Output = Result<(), Refusal>> + Send;
}

/// A [`Defaulter`] that need not wait.
///
/// ```
/// use watchkeeper_api::apps::v1::Deployment;
/// use watchkeeper_manager::webhook::{Webhooks, defaulting};
///
/// let webhooks = Webhooks::new().defaulter(defaulting(|web: &mut Deployment, _review| {
///     web.spec.replicas.get_or_insert(2);
///     Ok(())
/// }));
/// # drop(webhooks);
/// ```
pub fn defaulting<K, F>(change: F) -> impl Defaulter<K>
where
    K: Send + 'static,
    F: Fn(&mut K, &Review) -> Result<(), Refusal> + Send + Sync + 'static,
{
    Defaulting(change, PhantomData)
}

struct Defaulting<K, F>(F, PhantomData<fn(&mut K)>);

impl<K, F> Defaulter<K> for Defaulting<K, F>
where
    K: Send + 'static,
    F: Fn(&mut K, &Review) -> Result<(), Refusal> + Send + Sync + 'static,
{
    async fn default(&self, object: &mut K, review: &Review) -> Result<(), Refusal> {
        (self.0)(object, review)
    }
}

/// A defaulter in the terms of the wire: for a path of one's own, or [beside](super::both) another one.
///
/// ```
/// use watchkeeper_api::apps::v1::Deployment;
/// use watchkeeper_manager::webhook::{Webhooks, by_defaulter, defaulting};
///
/// let two = defaulting(|web: &mut Deployment, _review| {
///     web.spec.replicas.get_or_insert(2);
///     Ok(())
/// });
/// let webhooks = Webhooks::new().admission("/defaults/deployments", by_defaulter(two));
/// # drop(webhooks);
/// ```
pub fn by_defaulter<K: Writable, D: Defaulter<K>>(defaulter: D) -> impl Admission {
    Defaults(defaulter, PhantomData)
}

struct Defaults<K, D>(D, PhantomData<fn(&mut K)>);

impl<K: Writable, D: Defaulter<K>> Admission for Defaults<K, D> {
    async fn admit(&self, review: &Review) -> Reviewed {
        // There is nothing left to change.
        if matches!(&*review.operation, "DELETE" | "CONNECT") {
            return Reviewed::allowed();
        }
        let before: K = match review.new_object() {
            Ok(object) => object,
            Err(error) => return Reviewed::errored(400, error.to_string()),
        };
        let mut after = before.clone();
        match self.0.default(&mut after, review).await {
            Ok(()) => changed(review, &before, &after),
            Err(refusal) => refusal.into(),
        }
    }
}

/// The answer that makes of the object received what was made of the one that the type read in it.
fn changed<K: Writable>(review: &Review, before: &K, after: &K) -> Reviewed {
    let (was, shall) = (json::to_value(before), json::to_value(after));
    if was == shall {
        return Reviewed::allowed();
    }
    let raw: Value = match serde_json::from_str(review.object.as_str()) {
        Ok(raw) => raw,
        Err(error) => return Reviewed::errored(400, error.to_string()),
    };
    let wanted = Patch::carried_over(raw.clone(), &was, &shall, Members::of(before.kind()));
    Reviewed::patched(Patch::operations(&raw, &wanted))
}
