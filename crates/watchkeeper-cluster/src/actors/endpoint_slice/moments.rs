//! When that happened which changed what is behind a service: others tell by it how long the news took.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use watchkeeper_api::core::v1::{Pod, Service};
use watchkeeper_api::{Map, Object, ObjectKey, Time};

/// The annotation that tells it.
pub(crate) const ANNOTATION: &str = "endpoints.kubernetes.io/last-change-trigger-time";

/// What had happened when somebody looked at a service.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    /// When the service was made.
    service: Option<Time>,
    /// When each pod became ready, or ceased to be, by its name.
    pods: BTreeMap<String, Time>,
}

impl Seen {
    pub(crate) fn of(service: &Service, pods: &[Arc<Pod>]) -> Self {
        let pods = pods.iter().filter_map(|pod| Some((pod.name().to_owned(), turned(pod)?)));
        Self { service: service.creation_timestamp(), pods: pods.collect() }
    }

    /// The first moment that is new since `before`. For a service that nobody looked at before it is the one when it
    /// was made.
    pub(crate) fn first_since(&self, before: Option<&Self>) -> Option<Time> {
        let Some(before) = before else { return self.service };
        let pods = self.pods.iter().filter(|(name, at)| before.pods.get(name.as_str()) < Some(*at));
        let service = self.service.filter(|at| before.service.is_none_or(|known| known < *at));
        pods.map(|(_, at)| *at).chain(service).min()
    }
}

fn turned(pod: &Pod) -> Option<Time> {
    let ready = pod.status.conditions.iter().find(|condition| condition.type_ == "Ready");
    ready.and_then(|ready| ready.last_transition_time)
}

/// What had happened when each service was last looked at. After a restart all are new.
#[derive(Debug, Default)]
pub(crate) struct Moments(Mutex<BTreeMap<ObjectKey, Seen>>);

impl Moments {
    /// The first moment in `seen` that is new.
    pub(crate) fn first_new(&self, service: &ObjectKey, seen: &Seen) -> Option<Time> {
        seen.first_since(self.lock().get(service))
    }

    /// Everything in `seen` has been told of, or needs not be.
    pub(crate) fn keep(&self, service: &ObjectKey, seen: Seen) {
        self.lock().insert(service.clone(), seen);
    }

    pub(crate) fn forget(&self, service: &ObjectKey) {
        self.lock().remove(service);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ObjectKey, Seen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the moment of a change that is about to be written; of one without any there is nothing to tell.
pub(crate) fn tell(annotations: &mut Map, moment: Option<Time>) {
    match moment {
        Some(moment) => _ = annotations.insert(ANNOTATION, moment.to_string()),
        None => _ = annotations.remove(ANNOTATION),
    }
}
