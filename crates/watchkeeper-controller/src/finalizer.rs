//! Keeps an object from going before what it had is cleaned up.

use std::fmt;
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};

use watchkeeper_api::{AsObject, HasMeta, Object, Result};

use crate::context::Context;
use crate::failure::Failure;
use crate::lru::Lru;

mod several;

pub use several::Finalizers;

/// So many objects are known to be cleaned up; of those before it is forgotten.
const REMEMBERED: usize = 1024;

/// Keeps objects from going before they are cleaned up, and lets them go then. The counterpart of
/// controller-runtime's `pkg/finalizer`; several of them, one for each thing to clean up, are [`Finalizers`].
///
/// ```no_run
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_controller::{Action, Context, Failure, Finalizer, Life};
/// # async fn delete_bucket(map: &ConfigMap) -> Result<(), std::io::Error> { Ok(()) }
/// # async fn f(bucket: &Finalizer, map: &ConfigMap, ctx: &Context) -> Result<Action, Failure> {
/// // let bucket = Finalizer::new("example.com/bucket"); lent to the reconcile function
/// match bucket.guard(ctx, map, delete_bucket(map)).await? {
///     Life::Alive => {} // the finalizer is there: make the bucket
///     Life::Going => return Ok(Action::done()), // cleaned up, and let go
/// }
/// # Ok(Action::done())
/// # }
/// ```
pub struct Finalizer {
    name: String,
    /// Objects that are cleaned up, by their uid: also after the removal, as who reads a copy that is behind
    /// sees the finalizer still.
    cleaned: Mutex<Lru<String, ()>>,
}

/// Adds a finalizer to an object that is to be written; false if it has it. Upstream's
/// `controllerutil.AddFinalizer`. [`Context::add_finalizer`] writes it, too.
///
/// ```
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::{Object, object};
/// use watchkeeper_controller::finalizer::{add_finalizer, has_finalizer, remove_finalizer};
///
/// let mut map = object!(ConfigMap { metadata: { name: "a" } });
/// assert!(add_finalizer(&mut map, "example.com/bucket"));
/// assert!(has_finalizer(&map, "example.com/bucket"));
/// assert!(!add_finalizer(&mut map, "example.com/bucket"), "it is there");
/// assert!(remove_finalizer(&mut map, "example.com/bucket"));
/// assert!(map.metadata.finalizers.is_empty());
/// ```
pub fn add_finalizer<K: HasMeta>(object: &mut K, name: &str) -> bool {
    let is_new = !has_finalizer(object, name);
    if is_new {
        object.metadata_mut().finalizers.push(name.into());
    }
    is_new
}

/// Takes a finalizer from an object that is to be written; false if it does not have it. Upstream's
/// `controllerutil.RemoveFinalizer`. [`Context::remove_finalizer`] writes it, too.
pub fn remove_finalizer<K: HasMeta>(object: &mut K, name: &str) -> bool {
    let has = has_finalizer(object, name);
    if has {
        object.metadata_mut().finalizers.retain(|finalizer| *finalizer != *name);
    }
    has
}

/// Whether an object has a finalizer. Upstream's `controllerutil.ContainsFinalizer`.
#[must_use]
pub fn has_finalizer(object: &impl Object, name: &str) -> bool {
    object.finalizers().any(|finalizer| finalizer == name)
}

/// Where an object is between its creation and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "what goes must not be given anything any more"]
pub enum Life {
    /// It is not going, and has the finalizer.
    Alive,
    /// It was asked to go, and does not wait for this finalizer any more; or it is gone.
    Going,
}

impl Finalizer {
    /// The finalizer of this name, such as `example.com/bucket`.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), cleaned: Mutex::new(Lru::new(REMEMBERED)) }
    }

    /// What stands in the object.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds the finalizer to an object that is there to stay; of one that was asked to go, and has it, runs
    /// `clean_up` and removes it. To be called before anything is made that has to be cleaned up.
    ///
    /// `clean_up` is a future that is not begun for any other object. It is done once: when the removal fails
    /// after it, or `object` was read from a copy that is behind, the next call only removes. That is known of
    /// the thousand objects that were cleaned up last; a program that ends in between does it again, as it
    /// cannot know.
    ///
    /// # Errors
    ///
    /// Fails if `clean_up` does: the object stays, and is tried again. As
    /// [`Context::add_finalizer`] and [`Context::remove_finalizer`]; an object that is gone is no error.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped while it cleans up, that is begun again by the next call; as
    /// [`Context::apply`] otherwise.
    pub async fn guard<E: Into<Failure>>(
        &self,
        ctx: &Context,
        object: &impl AsObject,
        clean_up: impl Future<Output = Result<(), E>>,
    ) -> Result<Life, Failure> {
        let found = object.as_object();
        if !found.is_deleting() {
            return match ctx.add_finalizer(object, &self.name).await {
                Ok(()) => Ok(Life::Alive),
                // It went since it was read, and had nothing that waited for a clean-up.
                Err(error) if error.is_not_found() => Ok(Life::Going),
                Err(error) => Err(error.into()),
            };
        }
        if !has_finalizer(found, &self.name) {
            return Ok(Life::Going);
        }
        self.clean(found.uid(), clean_up).await?;
        match ctx.remove_finalizer(object, &self.name).await {
            Err(error) if !error.is_not_found() => Err(error.into()),
            _ => Ok(Life::Going),
        }
    }

    /// Runs `clean_up`, unless the object is cleaned up already.
    async fn clean<E: Into<Failure>>(
        &self,
        uid: &str,
        clean_up: impl Future<Output = Result<(), E>>,
    ) -> Result<(), Failure> {
        let uid = uid.to_owned();
        let is_cleaned = self.lock().get_mut(&uid).is_some();
        if !is_cleaned {
            clean_up.await.map_err(Into::into)?;
            self.lock().entry(&uid, || ());
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Lru<String, ()>> {
        self.cleaned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Finalizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Finalizer({})", self.name)
    }
}
