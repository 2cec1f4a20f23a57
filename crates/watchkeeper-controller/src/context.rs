//! What a reconcile function writes with.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
use watchkeeper_api::diff::{Diff, diff};
use watchkeeper_api::json::{Write, to_vec};
use watchkeeper_api::merge::Members;
use watchkeeper_api::{
    AsObject, Error, HasMeta, HasStatus, MicroTime, Object, Result, Time, Writable,
};
use watchkeeper_client::{
    ApplyOptions, Client, CreateOptions, DeleteOptions, Difference, Patch, PatchOptions, Upsert,
};

use crate::clock::Clock;
use crate::events::{EventRecorder, EventType, Occurrence};
use crate::id::ReconcileId;

#[cfg(test)]
mod tests;

/// The hands of a reconcile function: it reads caches and writes through this.
///
/// All writes are the controller's: its name owns the fields it applies and stands in the server's
/// audit log. Cloning is cheap.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
    id: ReconcileId,
}

struct Shared {
    name: String,
    /// Empty if there is but one.
    cluster: Arc<str>,
    client: Client,
    recorder: EventRecorder,
    clock: Clock,
}

impl Context {
    pub(crate) fn new(
        name: &str,
        cluster: &Arc<str>,
        client: &Client,
        recorder: EventRecorder,
        clock: Clock,
    ) -> Self {
        let client = client.clone().user_agent(name).field_manager(name);
        let (name, cluster) = (name.to_owned(), Arc::clone(cluster));
        let shared = Arc::new(Shared { name, cluster, client, recorder, clock });
        Self { shared, id: ReconcileId::NONE }
    }

    /// The same for one reconcile.
    pub(crate) fn with_id(self, id: ReconcileId) -> Self {
        Self { id, ..self }
    }

    /// Which reconcile this is. The same id stands in the span `reconcile` around all that it logs.
    #[must_use]
    pub const fn id(&self) -> ReconcileId {
        self.id
    }

    /// The controller's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Which cluster the object is in, where a program works in several
    /// ([`ControllerBuilder::cluster`](crate::ControllerBuilder::cluster)); empty where it does not.
    #[must_use]
    pub fn cluster(&self) -> &str {
        &self.shared.cluster
    }

    /// The controller's client, for all that is not here. Its reads go to the server, not to a
    /// cache.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.shared.client
    }

    /// What time it is, to be written into objects.
    #[must_use]
    pub fn now(&self) -> Time {
        self.shared.clock.now()
    }

    /// What time it is, in microseconds.
    #[must_use]
    pub fn micro_now(&self) -> MicroTime {
        self.shared.clock.micro_now()
    }

    /// Makes the object be as `object` says, as far as it says anything; makes it if there is
    /// none. A server-side apply (KEP-555) that takes fields which others own.
    ///
    /// What the controller applied before and does not say now is removed. Apply what the
    /// controller wants, not what a cache returned: that would claim every field.
    ///
    /// # Errors
    ///
    /// Whatever the server says.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future leaves it open whether the server did it.
    pub async fn apply<K: Writable>(&self, object: &K) -> Result<K> {
        self.client().api_for(object).apply(object, &ApplyOptions::forced()).await
    }

    /// Makes an object that must not be there yet.
    ///
    /// # Errors
    ///
    /// [`is_already_exists`](Error::is_already_exists); whatever else the server says.
    ///
    /// # Cancel safety
    ///
    /// As [`apply`](Self::apply).
    pub async fn create<K: Writable>(&self, object: &K) -> Result<K> {
        self.client().api_for(object).create(object, &CreateOptions::default()).await
    }

    /// Makes `object` as `change` leaves it; or changes the one of its name, as the server has it now, if it is
    /// not so already. Says what had to be done, as controller-runtime's `CreateOrUpdate`.
    ///
    /// The object is read from the server each time: where a cache has it, [`apply`](Self::apply) and
    /// [`edit`](Self::edit) cost less.
    ///
    /// ```no_run
    /// # use watchkeeper_api::{core::v1::ConfigMap, object};
    /// # use watchkeeper_controller::{Context, Failure, owner};
    /// # async fn f(ctx: &Context, owner: &ConfigMap) -> Result<(), Failure> {
    /// let wanted = object!(ConfigMap { metadata: { name: "settings", namespace: "shop" } });
    /// let mut refused = Ok(());
    /// let (done, _map) = ctx
    ///     .create_or_update(&wanted, |map| {
    ///         map.data.insert("colour", "blue");
    ///         refused = owner::set_controller(owner, map);
    ///     })
    ///     .await?;
    /// refused?;
    /// println!("{}", done.as_str()); // created, updated, unchanged
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Api::create_or_update`](watchkeeper_client::Api::create_or_update).
    ///
    /// # Cancel safety
    ///
    /// As [`apply`](Self::apply).
    pub async fn create_or_update<K: HasMeta>(
        &self,
        object: &K,
        change: impl FnOnce(&mut K),
    ) -> Result<(Upsert, K)> {
        self.client().api_for(object).create_or_update(object, change).await
    }

    /// The same by differences, the status apart from the rest, whoever else wrote meanwhile:
    /// controller-runtime's `CreateOrPatch`.
    ///
    /// # Errors
    ///
    /// As [`Api::create_or_patch`](watchkeeper_client::Api::create_or_patch).
    ///
    /// # Cancel safety
    ///
    /// As [`apply`](Self::apply).
    pub async fn create_or_patch<K: HasMeta>(
        &self,
        object: &K,
        change: impl FnOnce(&mut K),
    ) -> Result<(Upsert, K)> {
        self.client().api_for(object).create_or_patch(object, change).await
    }

    /// Changes an object: sends the difference that `change` makes, if the object is still at the
    /// version given here. Returns what was stored; `None` if nothing changed and nothing was sent.
    ///
    /// Fields that this program's types do not know are left alone. So are those in the items of a
    /// list of a built-in kind that merges by a key, as containers by their names
    /// ([`merge`](watchkeeper_api::merge)): the patch is a strategic one then. Any other list that
    /// changed is replaced as a whole, as are all lists of custom resources, and lists in which two
    /// items have the same key. What changes is told to the log at debug, values of Secrets and tokens left
    /// out; what else is secret, as a password in a custom resource, is told as all the rest.
    ///
    /// # Errors
    ///
    /// [`is_conflict`](Error::is_conflict) if the object changed meanwhile: return it, and the next
    /// try sees the new one. Whatever else the server says.
    ///
    /// # Cancel safety
    ///
    /// As [`apply`](Self::apply).
    pub async fn edit<K: Writable>(
        &self,
        object: &impl AsObject<Object = K>,
        change: impl FnOnce(&mut K),
    ) -> Result<Option<K>> {
        let object = object.as_object();
        let mut changed = object.clone();
        change(&mut changed);
        let members = Members::of(object.kind());
        let (before, after) = (to_value(object)?, to_value(&changed)?);
        let Some(change) = Difference::of(&before, &after, members) else {
            return Ok(None);
        };
        self.tell(object, || diff(object, &changed));
        let patch = change.into_patch(|change| guarded(object, change));
        let api = self.client().api_for(object);
        api.patch(object.name(), &patch, &PatchOptions::default()).await.map(Some)
    }

    /// Changes an object's status: sends the difference that `change` makes, if the object is still
    /// at the version given here. Returns what was stored; `None` if nothing changed and nothing
    /// was sent.
    ///
    /// # Errors
    ///
    /// As [`edit`](Self::edit).
    ///
    /// # Cancel safety
    ///
    /// As [`apply`](Self::apply).
    pub async fn edit_status<K: HasStatus>(
        &self,
        object: &impl AsObject<Object = K>,
        change: impl FnOnce(&mut K::Status),
    ) -> Result<Option<K>> {
        let object = object.as_object();
        let mut status = object.status().clone();
        change(&mut status);
        if status == *object.status() {
            return Ok(None);
        }
        let members = Members::of(object.kind()).and_then(|members| members.get("status").within);
        let (before, after) = (to_value(object.status())?, to_value(&status)?);
        let Some(change) = Difference::of(&before, &after, members) else {
            return Ok(None);
        };
        self.tell(object, || diff(object.status(), &status));
        let patch = change.into_patch(|status| guarded(object, json!({ "status": status })));
        let api = self.client().api_for(object);
        api.patch_status(object.name(), &patch, &PatchOptions::default()).await.map(Some)
    }

    /// Deletes this very object, not one of the same name that came later. It is no error if the
    /// object is gone already.
    ///
    /// # Errors
    ///
    /// [`is_conflict`](Error::is_conflict) if there is another object of that name; whatever else
    /// the server says.
    ///
    /// # Cancel safety
    ///
    /// As [`apply`](Self::apply).
    pub async fn delete(&self, object: &impl AsObject) -> Result<()> {
        let object = object.as_object();
        let options = match object.uid() {
            "" => DeleteOptions::default(),
            uid => DeleteOptions::only(uid),
        };
        match self.client().api_for(object).delete(object.name(), &options).await {
            Err(error) if !error.is_not_found() => Err(error),
            _ => Ok(()),
        }
    }

    /// Keeps the object from going before [`remove_finalizer`](Self::remove_finalizer) is called
    /// with the same name, such as `example.com/clean-up`. Nothing is sent if it is there already.
    ///
    /// # Errors
    ///
    /// As [`edit`](Self::edit).
    ///
    /// # Cancel safety
    ///
    /// As [`apply`](Self::apply).
    pub async fn add_finalizer(&self, object: &impl AsObject, finalizer: &str) -> Result<()> {
        let object = object.as_object();
        if object.finalizers().any(|found| found == finalizer) {
            return Ok(());
        }
        let all: Vec<_> = object.finalizers().chain([finalizer]).collect();
        self.set_finalizers(object, &all).await
    }

    /// Lets the object go as far as this finalizer is concerned. Nothing is sent if it is not there.
    ///
    /// # Errors
    ///
    /// As [`edit`](Self::edit).
    ///
    /// # Cancel safety
    ///
    /// As [`apply`](Self::apply).
    pub async fn remove_finalizer(&self, object: &impl AsObject, finalizer: &str) -> Result<()> {
        let object = object.as_object();
        let rest: Vec<_> = object.finalizers().filter(|found| *found != finalizer).collect();
        self.set_finalizers(object, &rest).await
    }

    /// Gives the object these finalizers, if it is still at the version given here. Nothing is sent if it has
    /// just them.
    pub(crate) async fn set_finalizers(
        &self,
        object: &impl Object,
        finalizers: &[&str],
    ) -> Result<()> {
        if object.finalizers().eq(finalizers.iter().copied()) {
            return Ok(());
        }
        let change = json!({ "metadata": { "finalizers": finalizers } });
        self.patch(object, change).await.map(drop)
    }

    /// Tells what happened to an object, for those who describe it later.
    ///
    /// Returns at once: the event is sent in the background, repetitions are counted on the first
    /// one, too many are dropped, and so are those that find a full queue.
    pub fn event(
        &self,
        object: &impl AsObject,
        type_: EventType,
        reason: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.shared.recorder.event(object, type_, reason, message);
    }

    /// The same with all that may be said of it: what was done, another object, annotations.
    pub fn record(&self, occurrence: Occurrence) {
        self.shared.recorder.record(occurrence);
    }

    /// Tells at debug what a write changes, without values of Secrets and tokens; of whatever else an object
    /// holds, a password in the environment of a container for one, nobody can tell that it is secret.
    fn tell(&self, object: &impl Object, changed: impl FnOnce() -> Diff) {
        if tracing::enabled!(tracing::Level::DEBUG) {
            let (controller, kind, key) =
                (self.name(), object.kind().group_resource(), object.key());
            tracing::debug!(controller, %kind, %key, changed = changed().line(), "changes an object");
        }
    }

    async fn patch<K: Object>(&self, object: &K, patch: Value) -> Result<K> {
        let patch = Patch::merge(&guarded(object, patch));
        let api = self.client().api_for(object);
        api.patch(object.name(), &patch, &PatchOptions::default()).await
    }
}

/// The patch, to be refused unless the object is at the version it was made for.
fn guarded(object: &impl Object, mut patch: Value) -> Value {
    if !object.resource_version().is_empty() {
        patch["metadata"]["resourceVersion"] = object.resource_version().into();
    }
    patch
}

fn to_value(value: &impl Write) -> Result<Value> {
    let value = serde_json::from_slice(&to_vec(value));
    value.map_err(|error| Error::other(format!("an object cannot be written as JSON: {error}")))
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("name", &self.shared.name).finish_non_exhaustive()
    }
}
