//! What to do next for a stateful set.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use watchkeeper_api::apps::v1::StatefulSet;
use watchkeeper_api::core::v1::{PersistentVolumeClaim, Pod};
use watchkeeper_api::{IntOrString, Object, Time};

use super::history::Revisions;
use super::identity;
use super::retention::{self, Owners};
use crate::actors::replicaset::available_at;
use crate::actors::revisions::HASH_LABEL;

/// The most pods that one look makes (upstream's `MaxBatchSize`).
const BURST: usize = 500;

/// What a look goes by.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) set: &'a StatefulSet,
    pub(crate) revisions: &'a Revisions,
    pub(crate) claims: BTreeMap<String, Arc<PersistentVolumeClaim>>,
    /// The pods of the set by number. Those without one are left alone.
    pods: BTreeMap<i64, Arc<Pod>>,
    range: Range<i64>,
    now: Time,
}

/// One step towards what the set asks for.
#[derive(Debug)]
pub(crate) enum Step {
    /// The claims and the pod of this number are made.
    Create(i64),
    /// The claims of a pod that waits are made, as far as they are missing.
    Claims(i64),
    /// A pod gets the labels and volumes of its number.
    Identify(i64, Arc<Pod>),
    /// The claims of a pod get the owners that the set's policy wants.
    Retain(i64, Arc<Pod>),
    /// A pod goes.
    Delete(Arc<Pod>),
}

impl<'a> View<'a> {
    pub(crate) fn of(
        set: &'a StatefulSet,
        pods: Vec<Arc<Pod>>,
        claims: Vec<Arc<PersistentVolumeClaim>>,
        revisions: &'a Revisions,
        now: Time,
    ) -> Self {
        let numbered = |pod: Arc<Pod>| Some((identity::ordinal(set, pod.name())?, pod));
        Self {
            set,
            revisions,
            claims: claims.into_iter().map(|claim| (claim.name().to_owned(), claim)).collect(),
            pods: pods.into_iter().filter_map(numbered).collect(),
            range: identity::range(set),
            now,
        }
    }

    /// The claims that the pod of this number has already.
    pub(crate) fn claims_of(
        &self,
        ordinal: i64,
    ) -> impl Iterator<Item = &Arc<PersistentVolumeClaim>> {
        let names = identity::claim_names(self.set, ordinal);
        names.into_iter().filter_map(|name| self.claims.get(&name))
    }

    /// Whether a new pod of this number gets the template of the current revision, and not the newest one.
    pub(crate) fn stays_current(&self, ordinal: i64) -> bool {
        let strategy = &self.set.spec.update_strategy;
        let former = match strategy.rolling_update.as_deref() {
            Some(rolling) => rolling.partition.unwrap_or(0),
            None if strategy.type_ == "RollingUpdate" => self.set.status.current_replicas,
            None => 0,
        };
        ordinal < self.range.start + i64::from(former)
    }

    fn in_order(&self) -> bool {
        self.set.spec.pod_management_policy != "Parallel"
    }

    fn is_available(&self, pod: &Pod) -> bool {
        available_at(pod, self.set.spec.min_ready_seconds, self.now) == Some(None)
    }

    /// Whether the pod counts as running: those that come after it wait until it does.
    fn is_settled(&self, pod: &Pod) -> bool {
        !pod.is_deleting() && pod.status.phase == "Running" && self.is_available(pod)
    }
}

/// The steps that may be taken now. Where the others have to wait, the change of a pod brings the set back.
pub(crate) fn steps(view: &View<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    let done = replicas(view, &mut steps) && condemned(view, &mut steps);
    if done && view.set.spec.update_strategy.type_ != "OnDelete" {
        rollout(view, &mut steps);
    }
    steps
}

/// Makes the pods that are missing. False if nothing else may be done before something has changed.
fn replicas(view: &View<'_>, steps: &mut Vec<Step>) -> bool {
    let mut made = 0;
    for ordinal in view.range.clone() {
        let goes_on = match view.pods.get(&ordinal) {
            Some(pod) => keep(view, ordinal, pod, steps),
            None if made == BURST => return false,
            None => {
                made += 1;
                create(view, ordinal, steps)
            }
        };
        if !goes_on && view.in_order() {
            return false;
        }
    }
    true
}

fn create(view: &View<'_>, ordinal: i64, steps: &mut Vec<Step>) -> bool {
    let name = format!("{}-{ordinal}", view.set.name());
    if !view.claims_of(ordinal).any(|claim| retention::goes(claim, view.set, &name)) {
        steps.push(Step::Create(ordinal));
    }
    false
}

fn keep(view: &View<'_>, ordinal: i64, pod: &Arc<Pod>, steps: &mut Vec<Step>) -> bool {
    match pod.status.phase.as_ref() {
        "Failed" | "Succeeded" => {
            if !pod.is_deleting() {
                steps.push(Step::Delete(pod.clone()));
            }
            return false;
        }
        "Pending" => steps.push(Step::Claims(ordinal)),
        _ => {}
    }
    if view.in_order() && !view.is_settled(pod) {
        return false;
    }
    if !identity::is_identified(pod, view.set, ordinal) {
        steps.push(Step::Identify(ordinal, pod.clone()));
    }
    retain(view, ordinal, pod, steps);
    true
}

fn retain(view: &View<'_>, ordinal: i64, pod: &Arc<Pod>, steps: &mut Vec<Step>) {
    let is_right = |claim: &Arc<PersistentVolumeClaim>| {
        retention::owners(claim, view.set, pod) == Owners::Right
    };
    if !view.claims_of(ordinal).all(is_right) {
        steps.push(Step::Retain(ordinal, pod.clone()));
    }
}

/// Removes the pods that are too many, the last first. False as above.
fn condemned(view: &View<'_>, steps: &mut Vec<Step>) -> bool {
    let all = || view.pods.iter().filter(|(ordinal, _)| !view.range.contains(ordinal));
    for (ordinal, pod) in all().rev() {
        retain(view, *ordinal, pod, steps);
    }
    let is_ill = |pod: &Pod| pod.is_deleting() || !view.is_available(pod);
    // All that are wanted are well by now, if that is waited for at all.
    let first_ill = all().find(|(_, pod)| is_ill(pod)).map(|(ordinal, _)| ordinal);
    for (ordinal, pod) in all().rev() {
        let waits = pod.is_deleting() || !view.is_settled(pod) && first_ill != Some(ordinal);
        if view.in_order() && waits {
            return false;
        }
        if !pod.is_deleting() {
            steps.push(Step::Delete(pod.clone()));
            if view.in_order() {
                return false;
            }
        }
    }
    true
}

/// Removes pods of former revisions, from the last down to the partition, as many as may be missing.
fn rollout(view: &View<'_>, steps: &mut Vec<Step>) {
    let rolling = view.set.spec.update_strategy.rolling_update.as_deref();
    let wanted = view.range.end - view.range.start;
    let partition = rolling.and_then(|rolling| rolling.partition).unwrap_or(0);
    let there = view.pods.range(view.range.clone());
    let well = there.filter(|(_, pod)| !pod.is_deleting() && view.is_available(pod)).count();
    let missing = wanted - i64::try_from(well).unwrap_or(i64::MAX);
    let bound = rolling.and_then(|rolling| rolling.max_unavailable.as_ref());
    let room = may_miss(bound, wanted) - missing;
    let first = view.range.start + i64::from(partition);
    if room <= 0 || first >= view.range.end {
        return;
    }
    let updated = Some(view.revisions.update.name());
    let former = view
        .pods
        .range(first..view.range.end)
        .rev()
        .filter(|(_, pod)| pod.label(HASH_LABEL) != updated && !pod.is_deleting());
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    steps.extend(former.take(room).map(|(_, pod)| Step::Delete(pod.clone())));
}

/// `maxUnavailable`, resolved against the replicas (rounded down), but at least one.
fn may_miss(bound: Option<&IntOrString>, replicas: i64) -> i64 {
    let replicas = i32::try_from(replicas).unwrap_or(i32::MAX);
    let resolved = bound.and_then(|bound| bound.scaled(replicas, false));
    i64::from(resolved.unwrap_or(1).max(1))
}
