//! What a controller has done to its children and not yet been told of.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use watchkeeper_api::{Kind, Object, ObjectKey};
use watchkeeper_cache::{Change, Source};

use crate::mapping;
use crate::request::Request;
use crate::source::IntoSource;

/// How long something is expected: it may never come, as when an object is made and gone before it was seen.
const PATIENCE: Duration = Duration::from_mins(5);

/// The creations and deletions that a controller of many children has asked for and its copy does not show yet.
/// The counterpart of `UIDTrackingControllerExpectations` of upstream's controllers. Clones are the same.
///
/// Reads of this toolkit wait for the program's own writes ([`Watch::caught_up`]), which is simpler; this is for
/// those who would rather do nothing meanwhile, and for writes that others make for them.
///
/// ```no_run
/// # use std::sync::Arc;
/// # use watchkeeper_api::StaticKind;
/// # use watchkeeper_api::apps::v1::ReplicaSet;
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_cache::Watch;
/// # use watchkeeper_client::Client;
/// # use watchkeeper_controller::{Action, Controller, Expectations};
/// # fn f(client: &Client, sets: &Watch<ReplicaSet>, pods: &Watch<Pod>) -> Controller {
/// let expected = Expectations::new(ReplicaSet::static_kind());
/// Controller::new(client, "sets", sets)
///     .owns(expected.seen_by(pods))
///     .with(expected)
///     .reconcile(async |expected, request, ctx| {
///         if let Some(rest) = expected.wait(&request) {
///             return Ok(Action::after(rest)); // what is expected leads here before, if it comes
///         }
///         expected.expect_creations(&request, 3);
///         // … make three pods; for each that fails: expected.created(&request)
///         Ok(Action::done())
///     })
/// # }
/// ```
///
/// [`Watch::caught_up`]: watchkeeper_cache::Watch::caught_up
#[derive(Clone)]
pub struct Expectations {
    owner: Kind,
    expected: Arc<Mutex<HashMap<ObjectKey, Expected>>>,
}

struct Expected {
    creations: usize,
    /// By uid.
    deletions: BTreeSet<String>,
    since: Instant,
}

impl Expectations {
    /// Of children that objects of the kind `owner` control.
    #[must_use]
    pub fn new(owner: &Kind) -> Self {
        Self { owner: owner.clone(), expected: Arc::default() }
    }

    /// The changes of a source, after they were noted. To be given to
    /// [`owns`](crate::ControllerBuilder::owns), so that nothing is reconciled before it is known why. To be the
    /// last one said of the source: what an `or_when` behind it lets through by itself is not noted.
    pub fn seen_by<I: IntoSource>(&self, source: I) -> Source<I::Object> {
        let seen = self.clone();
        source.into_source().when(move |change| {
            seen.see(change);
            true
        })
    }

    /// Expects so many children of `owner`, and no deletion; what was expected before is forgotten.
    pub fn expect_creations(&self, owner: impl Into<ObjectKey>, creations: usize) {
        self.expect(owner.into(), creations, BTreeSet::new());
    }

    /// Expects these children of `owner` to go, by their uid, and none to come; what was expected before is
    /// forgotten.
    pub fn expect_deletions<U: Into<String>>(
        &self,
        owner: impl Into<ObjectKey>,
        uids: impl IntoIterator<Item = U>,
    ) {
        self.expect(owner.into(), 0, uids.into_iter().map(Into::into).collect());
    }

    fn expect(&self, owner: ObjectKey, creations: usize, deletions: BTreeSet<String>) {
        let expected = Expected { creations, deletions, since: Instant::now() };
        self.lock().insert(owner, expected);
    }

    /// A child came, or will not come: one less is expected.
    pub fn created(&self, owner: impl Into<ObjectKey>) {
        if let Some(expected) = self.lock().get_mut(&owner.into()) {
            expected.creations = expected.creations.saturating_sub(1);
        }
    }

    /// A child went, or will not go: it is not expected to any more.
    pub fn deleted(&self, owner: impl Into<ObjectKey>, uid: &str) {
        if let Some(expected) = self.lock().get_mut(&owner.into()) {
            expected.deletions.remove(uid);
        }
    }

    /// Whether everything that was expected of `owner` has come, or nothing was, or five minutes have passed.
    #[must_use]
    pub fn are_met(&self, owner: impl Into<ObjectKey>) -> bool {
        self.wait(owner).is_none()
    }

    /// How long to wait for what is expected of `owner` at most; none if it [is met](Self::are_met). What comes
    /// leads to a reconcile; what never comes leads nowhere, so that a reconcile has to
    /// [ask for the next one](crate::Action::after).
    #[must_use]
    pub fn wait(&self, owner: impl Into<ObjectKey>) -> Option<Duration> {
        let all = self.lock();
        let expected = all.get(&owner.into())?;
        let is_met = expected.creations == 0 && expected.deletions.is_empty();
        let rest = PATIENCE.saturating_sub(expected.since.elapsed());
        (!is_met && !rest.is_zero()).then_some(rest)
    }

    /// Forgets an owner that is gone.
    pub fn forget(&self, owner: impl Into<ObjectKey>) {
        self.lock().remove(&owner.into());
    }

    /// Notes a change of a child. One that was asked to go is as good as gone. What was there when the source
    /// began, as after a restart, is not counted: it may have been there long before, and to wait too
    /// long is better than to make children twice.
    fn see<K: Object>(&self, change: &Change<K>) {
        let object = change.object();
        let owners = mapping::controllers(&self.owner, change);
        for Request { key } in owners {
            match change {
                Change::Added { initial: true, .. } if !object.is_deleting() => {}
                Change::Added { .. } if !object.is_deleting() => self.created(key),
                Change::Updated { .. } if !object.is_deleting() => {}
                _ => self.deleted(key, object.uid()),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ObjectKey, Expected>> {
        self.expected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Expectations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expectations({} owners)", self.lock().len())
    }
}

#[cfg(test)]
mod tests;
