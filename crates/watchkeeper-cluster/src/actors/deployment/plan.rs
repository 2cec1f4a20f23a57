//! What to do next for a deployment: one decision, made from what the caches show.

use std::sync::Arc;

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::{IStr, IntOrString, Object, Time};

use super::{annotations, rollback, scale, template};

/// A deployment's replica sets, told apart.
#[derive(Debug)]
pub(crate) struct Sets {
    /// The set that runs the current template, if it was made already.
    pub(crate) new: Option<Arc<ReplicaSet>>,
    /// The sets of former templates, oldest first.
    pub(crate) old: Vec<Arc<ReplicaSet>>,
}

/// What a deployment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// It is asked to go: its status is told, and nothing else done.
    Leave,
    /// It is paused.
    Hold,
    /// It is to go back to a revision, or to the last one (0).
    RollBack(i64),
    /// Its replicas have changed.
    Rescale,
    /// Its template is to run everywhere.
    RollOut,
}

/// One step towards the deployment's desired state.
#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    /// Make the replica set of the current template, with this many replicas.
    Create { replicas: i32 },
    /// Set the replicas of an existing set, and note those of the deployment at it.
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
        sets.sort_by_cached_key(|set| age(set));
        let position = sets.iter().position(|set| template::runs(set, deployment));
        let new = position.map(|index| sets.remove(index));
        Self { new, old: sets }
    }

    /// All sets, the current one last.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<ReplicaSet>> {
        self.old.iter().chain(&self.new)
    }

    /// Those that have pods, or are to have some.
    pub(crate) fn active(&self) -> impl Iterator<Item = &Arc<ReplicaSet>> {
        self.all().filter(|set| wanted(set) > 0)
    }
}

/// What sets are ordered by, the oldest first.
pub(crate) fn age(set: &ReplicaSet) -> (Option<Time>, IStr) {
    (set.metadata.creation_timestamp, set.metadata.name.clone())
}

/// The replicas a set is asked to run; absent means one, as the server defaults it.
pub(crate) fn wanted(set: &ReplicaSet) -> i32 {
    set.spec.replicas.unwrap_or(1)
}

/// The replicas a deployment is asked to run.
pub(crate) fn desired(deployment: &Deployment) -> i32 {
    deployment.spec.replicas.unwrap_or(1)
}

pub(crate) fn recreates(deployment: &Deployment) -> bool {
    deployment.spec.strategy.type_ == "Recreate"
}

/// Resolves `maxSurge` and `maxUnavailable` (both 25 % where the strategy does not say).
pub(crate) fn bounds(deployment: &Deployment) -> Bounds {
    if recreates(deployment) {
        return Bounds { surge: 0, unavailable: 0 };
    }
    let replicas = desired(deployment);
    let rolling = deployment.spec.strategy.rolling_update.as_deref();
    let quarter = IntOrString::from("25%");
    let surge = rolling.and_then(|rolling| rolling.max_surge.clone());
    let unavailable = rolling.and_then(|rolling| rolling.max_unavailable.clone());
    let surge = resolve(&surge.unwrap_or_else(|| quarter.clone()), replicas, true);
    let unavailable = resolve(&unavailable.unwrap_or(quarter), replicas, false);
    let unavailable = if surge == 0 && unavailable == 0 { 1 } else { unavailable };
    Bounds { surge, unavailable: unavailable.min(replicas) }
}

fn resolve(value: &IntOrString, total: i32, round_up: bool) -> i32 {
    value.scaled(total, round_up).unwrap_or(0).max(0)
}

/// What the deployment is about. Its replicas have changed if a set with pods was told of others.
pub(crate) fn course(deployment: &Deployment, sets: &Sets) -> Course {
    let desired = desired(deployment);
    let was_told_of_others = |set: &Arc<ReplicaSet>| {
        annotations::number(set, annotations::DESIRED).is_some_and(|told| told != desired)
    };
    if deployment.is_deleting() {
        Course::Leave
    } else if deployment.spec.paused {
        Course::Hold
    } else if let Some(revision) = rollback::asked(deployment) {
        Course::RollBack(revision)
    } else if sets.active().any(was_told_of_others) {
        Course::Rescale
    } else {
        Course::RollOut
    }
}

/// The steps that may be taken now. Empty when nothing is to be done or pods must become
/// available first; the change that they cause brings the deployment back.
pub(crate) fn steps(course: Course, deployment: &Deployment, sets: &Sets) -> Vec<Step> {
    match course {
        Course::Leave => Vec::new(),
        Course::Hold | Course::Rescale => scale::steps(deployment, sets),
        Course::RollBack(_) if sets.new.is_some() => Vec::new(),
        Course::RollBack(_) => vec![Step::Create { replicas: new_replicas(deployment, sets) }],
        Course::RollOut if recreates(deployment) => recreate(deployment, sets),
        Course::RollOut => rolling(deployment, sets),
    }
}

/// All old pods go before the first new one comes.
fn recreate(deployment: &Deployment, sets: &Sets) -> Vec<Step> {
    let down: Vec<Step> = sets.old.iter().filter_map(|set| scale(set, 0)).collect();
    if !down.is_empty() {
        return down;
    }
    if sets.old.iter().any(|set| may_run(set)) {
        return Vec::new();
    }
    match &sets.new {
        None => vec![Step::Create { replicas: desired(deployment) }],
        Some(set) => scale(set, desired(deployment)).into_iter().collect(),
    }
}

/// Whether pods of a set may be there still. One that has not seen its last change may have made some that it
/// does not tell of yet.
fn may_run(set: &ReplicaSet) -> bool {
    let status = &set.status;
    status.replicas > 0
        || status.terminating_replicas.unwrap_or(0) > 0
        || status.observed_generation < set.metadata.generation
}

/// The new set grows as far as the surge allows; if it has, the old ones shrink as far as availability
/// allows.
fn rolling(deployment: &Deployment, sets: &Sets) -> Vec<Step> {
    let grown = new_replicas(deployment, sets);
    let Some(new) = &sets.new else {
        let made = [Step::Create { replicas: grown }];
        return made.into_iter().chain(shrink_old(deployment, sets, (grown, 0))).collect();
    };
    match scale(new, grown) {
        Some(step) => vec![step],
        None => shrink_old(deployment, sets, (grown, new.status.available_replicas)),
    }
}

fn new_replicas(deployment: &Deployment, sets: &Sets) -> i32 {
    let desired = desired(deployment);
    let own = sets.new.as_ref().map_or(0, |set| wanted(set));
    if own > desired || recreates(deployment) {
        return desired;
    }
    let room = i64::from(desired) + i64::from(bounds(deployment).surge) - total(sets.all(), wanted);
    own + narrow(room).min(desired - own)
}

/// The sum over sets: more than a number of replicas can be.
pub(crate) fn total<'a>(
    sets: impl Iterator<Item = &'a Arc<ReplicaSet>>,
    of: impl Fn(&ReplicaSet) -> i32,
) -> i64 {
    sets.map(|set| i64::from(of(set))).sum()
}

/// A number of replicas that is not negative and not larger than one can be.
pub(crate) fn narrow(replicas: i64) -> i32 {
    i32::try_from(replicas.max(0)).unwrap_or(i32::MAX)
}

/// What the old sets give up beside a new one that wants so many pods, of which so many are available.
fn shrink_old(deployment: &Deployment, sets: &Sets, new: (i32, i32)) -> Vec<Step> {
    let (new_wanted, new_available) = (i64::from(new.0), i64::from(new.1));
    let least = i64::from(desired(deployment) - bounds(deployment).unavailable);
    let wanted_now = total(sets.old.iter(), wanted) + new_wanted;
    let spare = narrow(wanted_now - least - (new_wanted - new_available));
    let active = sets.old.iter().filter(|set| wanted(set) > 0);
    let mut left: Vec<(&Arc<ReplicaSet>, i32)> = active.map(|set| (set, wanted(set))).collect();
    if spare > 0 && drop_idle(&mut left, spare) {
        let available = total(sets.old.iter(), |set| set.status.available_replicas) + new_available;
        drop_available(&mut left, narrow(available - least));
    }
    left.into_iter().filter_map(|(set, replicas)| scale(set, replicas)).collect()
}

/// Pods that are not available cost nothing to remove, so they go first. `false` when a set tells of more pods
/// than it is to have: its status is behind, and who is available cannot be told yet.
fn drop_idle(left: &mut [(&Arc<ReplicaSet>, i32)], mut spare: i32) -> bool {
    for (set, replicas) in left {
        let idle = replicas.saturating_sub(set.status.available_replicas).min(spare);
        if spare > 0 && idle < 0 {
            return false;
        }
        *replicas -= idle.max(0);
        spare -= idle.max(0);
    }
    true
}

fn drop_available(left: &mut [(&Arc<ReplicaSet>, i32)], mut removable: i32) {
    for (_, replicas) in left {
        let taken = (*replicas).min(removable);
        *replicas -= taken;
        removable -= taken;
    }
}

/// Sets the replicas of a set unless it has them.
pub(crate) fn scale(set: &Arc<ReplicaSet>, replicas: i32) -> Option<Step> {
    (wanted(set) != replicas).then(|| Step::Scale { set: set.clone(), replicas })
}
