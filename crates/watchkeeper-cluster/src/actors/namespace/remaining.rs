//! What is left of a namespace that is going, and what went wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use watchkeeper_api::core::v1::Namespace;
use watchkeeper_api::{IStr, Kind, Object, Time, Unstructured};

use super::Swept;
use crate::actors::state::is_last;

/// The content that has not ended yet.
#[derive(Debug, Default)]
pub(super) struct Remaining {
    /// Objects by resource (`pods.`, `deployments.apps`).
    pub(super) resources: BTreeMap<String, usize>,
    /// Objects by the finalizer that holds them.
    pub(super) finalizers: BTreeMap<String, usize>,
    /// Why the kinds are not known.
    pub(super) undiscovered: Option<String>,
    /// Why content could not be deleted.
    pub(super) failures: Vec<String>,
}

impl Remaining {
    /// Counts the objects of a kind that are left. Without a finalizer, or a pod that may take its time, none should
    /// be.
    pub(super) fn note(&mut self, kind: &Kind, namespace: &Namespace, swept: &Swept, now: Time) {
        if swept.left.is_empty() {
            return;
        }
        let resource = format!("{}.{}", kind.plural, kind.group);
        self.resources.insert(resource, swept.left.len());
        let mut are_held = false;
        for finalizer in swept.left.iter().flat_map(Object::finalizers) {
            are_held = true;
            *self.finalizers.entry(finalizer.to_owned()).or_default() += 1;
        }
        let since = namespace.deletion_timestamp().map_or(Duration::ZERO, |at| now.since(at));
        let is_pod = kind.group.is_empty() && kind.plural == "pods";
        let is_expected = are_held || is_pod && since < grace(&swept.found);
        if !is_expected {
            self.failures.push(format!(
                "unexpected items still remain in namespace: {} for gvr: {}/{}, Resource={}",
                namespace.name(),
                kind.group,
                kind.version,
                kind.plural
            ));
        }
    }

    /// Notes that the server did not tell its kinds.
    pub(super) fn not_discovered(&mut self, why: String) {
        self.undiscovered = Some(why);
    }

    /// Notes that objects of a kind could not be deleted.
    pub(super) fn failed(&mut self, why: String) {
        self.failures.push(why);
    }

    /// Whether something is left.
    pub(super) fn has_content(&self) -> bool {
        !self.resources.is_empty()
    }

    /// Why this look did not do all that it should.
    pub(super) fn failure(&self) -> Option<String> {
        let all: Vec<&str> =
            self.undiscovered.iter().chain(&self.failures).map(String::as_str).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}

/// How long the slowest of these pods may take to end.
fn grace(pods: &[Unstructured]) -> Duration {
    let runs = |pod: &&Unstructured| {
        let phase = pod.read::<IStr>("/status/phase").ok().flatten().unwrap_or_default();
        !is_last(&phase)
    };
    let seconds =
        |pod: &Unstructured| pod.read::<i64>("/spec/terminationGracePeriodSeconds").ok().flatten();
    let longest = pods.iter().filter(runs).filter_map(seconds).max().unwrap_or(0);
    Duration::from_secs(u64::try_from(longest).unwrap_or(0))
}
