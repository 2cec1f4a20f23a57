//! What a replica set does to its pods.

use std::fmt;
use std::sync::Arc;

use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Error, Object};
use watchkeeper_controller::{Context, EventType, slow_start};

use crate::actors::template::pod_from;

/// What kept pods from being made or removed.
#[derive(Debug)]
pub(crate) enum Refused {
    /// One could not be made.
    Create(Error),
    /// One could not be removed.
    Delete(Error),
}

impl Refused {
    /// The reason of the set's condition.
    pub(crate) const fn reason(&self) -> &'static str {
        match self {
            Self::Create(_) => "FailedCreate",
            Self::Delete(_) => "FailedDelete",
        }
    }

    /// What the server said.
    pub(super) fn into_error(self) -> Error {
        match self {
            Self::Create(error) | Self::Delete(error) => error,
        }
    }
}

/// The message of the set's condition.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create(error) => write!(f, "{}", error.why()),
            Self::Delete(error) => write!(f, "unable to delete pods: {}", error.why()),
        }
    }
}

/// Makes so many pods, few at first: what refuses one may refuse them all.
pub(super) async fn make(set: &ReplicaSet, count: usize, ctx: &Context) -> Result<(), Refused> {
    let pod = &pod_from(set, &set.spec.template);
    let make = |_| async move { tell_made(set, ctx.create(pod).await, ctx) };
    let (_, ended) = slow_start(count, make).await;
    ended.map_err(Refused::Create)
}

/// Removes these pods. That one stays does not keep the others from going.
pub(super) async fn remove(
    set: &ReplicaSet,
    pods: &[Arc<Pod>],
    ctx: &Context,
) -> Result<(), Refused> {
    let mut ended = Ok(());
    for pod in pods {
        ended = ended.and(tell_removed(set, pod, ctx.delete(pod).await, ctx));
    }
    ended.map_err(Refused::Delete)
}

fn tell_made(set: &ReplicaSet, made: Result<Pod, Error>, ctx: &Context) -> Result<(), Error> {
    match made {
        Ok(pod) => {
            let message = format!("Created pod: {}", pod.name());
            ctx.event(set, EventType::Normal, "SuccessfulCreate", message);
            Ok(())
        }
        // The set goes soon, too.
        Err(error) if error.cause("NamespaceTerminating").is_some() => Ok(()),
        Err(error) => {
            let message = format!("Error creating: {}", error.why());
            ctx.event(set, EventType::Warning, "FailedCreate", message);
            Err(error)
        }
    }
}

fn tell_removed(
    set: &ReplicaSet,
    pod: &Pod,
    removed: Result<(), Error>,
    ctx: &Context,
) -> Result<(), Error> {
    match &removed {
        Ok(()) => {
            let message = format!("Deleted pod: {}", pod.name());
            ctx.event(set, EventType::Normal, "SuccessfulDelete", message);
        }
        Err(error) => {
            let message = format!("Error deleting: {}", error.why());
            ctx.event(set, EventType::Warning, "FailedDelete", message);
        }
    }
    removed
}
