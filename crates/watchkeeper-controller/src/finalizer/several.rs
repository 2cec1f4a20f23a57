//! Several things to clean up, each with a finalizer of its own.

use std::future::Future;

use watchkeeper_api::{AsObject, Object};

use super::{Finalizer, Life, has_finalizer};
use crate::context::Context;
use crate::failure::Failure;

/// Several finalizers of one controller, one for each thing to clean up: what fails to go keeps its own, and
/// what is gone does not come up again. The counterpart of the registry of controller-runtime's `pkg/finalizer`.
///
/// ```no_run
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_controller::{Action, Context, Failure, Finalizers, Life};
/// # async fn delete_bucket(map: &ConfigMap) -> Result<(), Failure> { Ok(()) }
/// # async fn delete_record(map: &ConfigMap) -> Result<(), Failure> { Ok(()) }
/// const BUCKET: &str = "example.com/bucket";
/// const RECORD: &str = "example.com/dns-record";
///
/// # async fn f(guards: &Finalizers, map: &ConfigMap, ctx: &Context) -> Result<Action, Failure> {
/// // let guards = Finalizers::new([BUCKET, RECORD]); lent to the reconcile function
/// let clean_up = async |name: &str| match name {
///     BUCKET => delete_bucket(map).await,
///     _ => delete_record(map).await,
/// };
/// match guards.guard(ctx, map, clean_up).await? {
///     Life::Alive => {} // both finalizers are there: make the bucket and the record
///     Life::Going => return Ok(Action::done()), // cleaned up, and let go
/// }
/// # Ok(Action::done())
/// # }
/// ```
#[derive(Debug)]
pub struct Finalizers(Vec<Finalizer>);

impl Finalizers {
    /// The finalizers of these names, in the order in which is cleaned up. A name that comes twice is one.
    #[must_use]
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let mut all: Vec<Finalizer> = Vec::new();
        for name in names {
            let name = name.into();
            if all.iter().all(|known| known.name != name) {
                all.push(Finalizer::new(name));
            }
        }
        Self(all)
    }

    /// What stands in the object, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(Finalizer::name)
    }

    /// Adds those that are missing to an object that is there to stay; of one that was asked to go, runs
    /// `clean_up` for each that it has, one after the other, and removes those that are done. Either is one
    /// write, and none where nothing is missing or done. To be called before anything is made that has to be
    /// cleaned up.
    ///
    /// Each is cleaned up once, as [`Finalizer::guard`] tells. One that fails keeps none of the others.
    ///
    /// # Errors
    ///
    /// The failure of the first `clean_up` that fails, after those that are done were removed; of the others
    /// that fail the log tells. As [`Finalizer::guard`] otherwise.
    ///
    /// # Cancel safety
    ///
    /// As [`Finalizer::guard`].
    pub async fn guard<'a, E: Into<Failure>, F>(
        &'a self,
        ctx: &Context,
        object: &impl AsObject,
        mut clean_up: impl FnMut(&'a str) -> F,
    ) -> Result<Life, Failure>
    where
        F: Future<Output = Result<(), E>>,
    {
        let found = object.as_object();
        if !found.is_deleting() {
            let missing = self.names().filter(|name| !has_finalizer(found, name));
            let all: Vec<_> = found.finalizers().chain(missing).collect();
            return write(ctx, found, &all, Life::Alive).await;
        }
        let (mut done, mut failed) = (Vec::new(), None);
        for finalizer in self.0.iter().filter(|guard| has_finalizer(found, guard.name())) {
            match finalizer.clean(found.uid(), clean_up(finalizer.name())).await {
                Ok(()) => done.push(finalizer.name()),
                Err(failure) if failed.is_none() => failed = Some(failure),
                Err(failure) => {
                    tracing::warn!(finalizer = finalizer.name(), %failure, "cannot clean up");
                }
            }
        }
        let rest: Vec<_> = found.finalizers().filter(|name| !done.contains(name)).collect();
        let life = write(ctx, found, &rest, Life::Going).await?;
        failed.map_or(Ok(life), Err)
    }
}

/// Writes the finalizers of an object, if they are others than it has.
async fn write(
    ctx: &Context,
    object: &impl Object,
    finalizers: &[&str],
    life: Life,
) -> Result<Life, Failure> {
    match ctx.set_finalizers(object, finalizers).await {
        Ok(()) => Ok(life),
        // It went since it was read: what waited for a clean-up had it.
        Err(error) if error.is_not_found() => Ok(Life::Going),
        Err(error) => Err(error.into()),
    }
}
