//! What to do next for a deployment: one decision, made from what the caches show.

use std::sync::Arc;

use watchkeeper_api::IntOrString;
use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};

use super::template;

/// A deployment's replica sets, told apart.
#[derive(Debug)]
pub(crate) struct Sets {
    /// The set that runs the current template, if it was made already.
    pub(crate) new: Option<Arc<ReplicaSet>>,
    /// The sets of former templates, oldest first.
    pub(crate) old: Vec<Arc<ReplicaSet>>,
}

/// One step towards the deployment's desired state.
#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    /// Make the replica set of the current template, with this many replicas.
    Create { replicas: i32 },
    /// Set the replicas of an existing set.
    Scale { set: Arc<ReplicaSet>, replicas: i32 },
}

/// How many pods may be missing or too many while a rollout goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// `maxSurge`, resolved against the replicas (rounded up).
    pub(crate) surge: i32,
    /// `maxUnavailable`, resolved against the replicas (rounded down); never zero beside a surge
    /// of zero, or the rollout could not move.
    pub(crate) unavailable: i32,
}

impl Sets {
    /// Tells `sets` apart; of several that run the template the oldest is the current one.
    pub(crate) fn of(deployment: &Deployment, mut sets: Vec<Arc<ReplicaSet>>) -> Self {
        sets.sort_by(|a, b| {
            let age =
                |set: &ReplicaSet| (set.metadata.creation_timestamp, set.metadata.name.clone());
            age(a).cmp(&age(b))
        });
        let position = sets.iter().position(|set| template::runs(set, deployment));
        let new = position.map(|index| sets.remove(index));
        Self { new, old: sets }
    }

    /// All sets, the current one last.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<ReplicaSet>> {
        self.old.iter().chain(&self.new)
    }
}

/// The replicas a set is asked to run; absent means one, as the server defaults it.
pub(crate) fn wanted(set: &ReplicaSet) -> i32 {
    set.spec.replicas.unwrap_or(1)
}

/// The replicas a deployment is asked to run.
pub(crate) fn desired(deployment: &Deployment) -> i32 {
    deployment.spec.replicas.unwrap_or(1)
}

/// Resolves `maxSurge` and `maxUnavailable` (both 25 % where the strategy does not say).
pub(crate) fn bounds(deployment: &Deployment) -> Bounds {
    let replicas = desired(deployment);
    let rolling = deployment.spec.strategy.rolling_update.as_deref();
    let quarter = IntOrString::from("25%");
    let surge = rolling.and_then(|rolling| rolling.max_surge.clone());
    let unavailable = rolling.and_then(|rolling| rolling.max_unavailable.clone());
    let surge = resolve(&surge.unwrap_or_else(|| quarter.clone()), replicas, true);
    let unavailable = resolve(&unavailable.unwrap_or(quarter), replicas, false);
    let unavailable = if surge == 0 && unavailable == 0 { 1 } else { unavailable.min(replicas) };
    Bounds { surge, unavailable }
}

fn resolve(value: &IntOrString, total: i32, round_up: bool) -> i32 {
    value.scaled(total, round_up).unwrap_or(0).max(0)
}

/// The steps that may be taken now. Empty when nothing is to be done or pods must become
/// available first; the change that they cause brings the deployment back.
pub(crate) fn steps(deployment: &Deployment, sets: &Sets) -> Vec<Step> {
    if deployment.spec.paused {
        return paused(deployment, sets);
    }
    if deployment.spec.strategy.type_ == "Recreate" {
        return recreate(deployment, sets);
    }
    rolling(deployment, sets)
}

/// A paused deployment follows a change of its replicas, and nothing else.
fn paused(deployment: &Deployment, sets: &Sets) -> Vec<Step> {
    let mut active = sets.all().filter(|set| wanted(set) > 0);
    let (Some(only), None) = (active.next().or(sets.new.as_ref()), active.next()) else {
        return Vec::new();
    };
    scale(only, desired(deployment)).into_iter().collect()
}

/// All old pods go before the first new one comes.
fn recreate(deployment: &Deployment, sets: &Sets) -> Vec<Step> {
    let down: Vec<Step> = sets.old.iter().filter_map(|set| scale(set, 0)).collect();
    if !down.is_empty() {
        return down;
    }
    if sets.old.iter().any(|set| set.status.replicas > 0) {
        return Vec::new();
    }
    match &sets.new {
        None => vec![Step::Create { replicas: desired(deployment) }],
        Some(set) => scale(set, desired(deployment)).into_iter().collect(),
    }
}

/// The new set grows as far as the surge allows, then the old ones shrink as far as availability
/// allows.
fn rolling(deployment: &Deployment, sets: &Sets) -> Vec<Step> {
    let bounds = bounds(deployment);
    let Some(new) = &sets.new else {
        return vec![Step::Create { replicas: new_replicas(deployment, sets, bounds) }];
    };
    let grown = new_replicas(deployment, sets, bounds);
    if let Some(step) = scale(new, grown) {
        return vec![step];
    }
    shrink_old(deployment, sets, new, bounds)
}

fn new_replicas(deployment: &Deployment, sets: &Sets, bounds: Bounds) -> i32 {
    let desired = desired(deployment);
    let current = total(sets, wanted);
    let own = sets.new.as_ref().map_or(0, |set| wanted(set));
    if own > desired {
        return desired;
    }
    let room = i64::from(desired) + i64::from(bounds.surge) - current;
    own + narrow(room).min(desired - own)
}

/// The sum over all sets: more than a number of replicas can be.
fn total(sets: &Sets, of: impl Fn(&ReplicaSet) -> i32) -> i64 {
    sets.all().map(|set| i64::from(of(set))).sum()
}

/// A number of replicas that is not negative and not larger than one can be.
fn narrow(replicas: i64) -> i32 {
    i32::try_from(replicas.max(0)).unwrap_or(i32::MAX)
}

fn shrink_old(deployment: &Deployment, sets: &Sets, new: &ReplicaSet, bounds: Bounds) -> Vec<Step> {
    let least = i64::from(desired(deployment) - bounds.unavailable);
    let new_missing = i64::from(wanted(new)) - i64::from(new.status.available_replicas);
    let mut spare = narrow(total(sets, wanted) - least - new_missing);
    if spare == 0 {
        return Vec::new();
    }
    let mut left: Vec<(Arc<ReplicaSet>, i32)> = sets
        .old
        .iter()
        .filter(|set| wanted(set) > 0)
        .map(|set| (set.clone(), wanted(set)))
        .collect();
    // Pods that are not available cost nothing to remove, so they go first.
    for (set, replicas) in &mut left {
        let idle = replicas.saturating_sub(set.status.available_replicas).max(0).min(spare);
        *replicas -= idle;
        spare -= idle;
    }
    let available = total(sets, |set| set.status.available_replicas);
    let mut removable = narrow(available - least).min(spare);
    for (_, replicas) in &mut left {
        let taken = (*replicas).min(removable);
        *replicas -= taken;
        removable -= taken;
    }
    left.iter().filter_map(|(set, replicas)| scale(set, *replicas)).collect()
}

fn scale(set: &Arc<ReplicaSet>, replicas: i32) -> Option<Step> {
    (wanted(set) != replicas).then(|| Step::Scale { set: set.clone(), replicas })
}

/// The sets that the revision history has no room for, oldest first: scaled to nothing, with
/// nothing left running.
pub(crate) fn outdated(deployment: &Deployment, sets: &Sets) -> Vec<Arc<ReplicaSet>> {
    let limit = deployment.spec.revision_history_limit.unwrap_or(10).max(0);
    let excess = sets.old.len().saturating_sub(usize::try_from(limit).unwrap_or(0));
    let idle = |set: &&Arc<ReplicaSet>| {
        wanted(set) == 0 && set.status.replicas == 0 && set.metadata.deletion_timestamp.is_none()
    };
    sets.old.iter().filter(idle).take(excess).cloned().collect()
}
