//! What a change of a deployment's replicas does to its replica sets: in the midst of a rollout they all grow or
//! shrink in proportion, so that neither template gains by it.

use std::sync::Arc;

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};

use super::annotations::{self, DESIRED, MAX};
use super::plan::{self, Sets, Step, age, bounds, desired, narrow, total, wanted};

/// The steps that give the sets their share of the deployment's replicas.
pub(crate) fn steps(deployment: &Deployment, sets: &Sets) -> Vec<Step> {
    let desired = desired(deployment);
    if sets.active().nth(1).is_none() {
        let only = sets.active().next().or(sets.new.as_ref()).or(sets.old.last());
        return only.and_then(|set| plan::scale(set, desired)).into_iter().collect();
    }
    if sets.new.as_ref().is_some_and(|set| is_saturated(set, desired)) {
        return sets.old.iter().filter_map(|set| plan::scale(set, 0)).collect();
    }
    match plan::recreates(deployment) {
        true => Vec::new(),
        false => in_proportion(deployment, sets),
    }
}

/// Whether the rollout has come to its end, and the set knows.
fn is_saturated(set: &ReplicaSet, desired: i32) -> bool {
    let told = annotations::number(set, DESIRED);
    wanted(set) == desired && told == Some(desired) && set.status.available_replicas == desired
}

/// The largest sets change first, and the largest one takes what rounding leaves. Of those of a size the newer
/// ones grow first, and the older ones shrink first.
fn in_proportion(deployment: &Deployment, sets: &Sets) -> Vec<Step> {
    let to_add = room(deployment) - total(sets.active(), wanted);
    let mut active: Vec<&Arc<ReplicaSet>> = sets.active().collect();
    active.sort_by(|a, b| {
        let by_age = age(a).cmp(&age(b));
        let by_age = if to_add > 0 { by_age.reverse() } else { by_age };
        wanted(b).cmp(&wanted(a)).then(by_age)
    });
    let mut added = 0;
    let mut sizes = Vec::with_capacity(active.len());
    for set in &active {
        let share = share(deployment, set, to_add, added);
        sizes.push(i64::from(wanted(set)) + share);
        added += share;
    }
    if let Some(largest) = sizes.first_mut() {
        *largest += to_add - added;
    }
    let told = annotations::of_scale(deployment);
    let is_new = |set: &ReplicaSet, replicas: i32| {
        wanted(set) != replicas
            || told.iter().any(|(key, value)| !annotations::has(set, key, value))
    };
    let sized = active.into_iter().zip(sizes.into_iter().map(narrow));
    let sized = sized.filter(|(set, replicas)| is_new(set, *replicas));
    sized.map(|(set, replicas)| Step::Scale { set: set.clone(), replicas }).collect()
}

/// How many pods all sets may have together.
fn room(deployment: &Deployment) -> i64 {
    match desired(deployment) {
        0 => 0,
        desired => i64::from(desired) + i64::from(bounds(deployment).surge),
    }
}

/// How many of the pods to add (or, below zero, to remove) are this set's, `added` being given to others.
fn share(deployment: &Deployment, set: &ReplicaSet, to_add: i64, added: i64) -> i64 {
    let allowed = to_add - added;
    if allowed == 0 {
        return 0;
    }
    let fraction = fraction(deployment, set);
    if to_add > 0 { fraction.min(allowed) } else { fraction.max(allowed) }
}

/// By how much the set would change if it kept its part of all pods that there might be at most.
fn fraction(deployment: &Deployment, set: &ReplicaSet) -> i64 {
    let size = i64::from(wanted(set));
    if desired(deployment) == 0 {
        return -size;
    }
    let before = annotations::number(set, MAX).filter(|most| *most > 0);
    // Somebody has taken the annotation away.
    let before = i128::from(before.unwrap_or(deployment.status.replicas));
    if before <= 0 {
        return 0;
    }
    let product = i128::from(size) * i128::from(room(deployment));
    let rounded = (2 * product + before) / (2 * before);
    i64::try_from(rounded).unwrap_or(i64::MAX) - size
}
