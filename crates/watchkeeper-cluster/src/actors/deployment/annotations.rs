//! What is noted at a deployment and its replica sets: revisions, and the replicas to scale by.

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::{IStr, Map, Object};

use super::plan::{Sets, bounds, desired};

/// The annotation that numbers the revisions of a deployment.
pub(crate) const REVISION: &str = "deployment.kubernetes.io/revision";
/// The revisions that a set had before it became the current one again.
const HISTORY: &str = "deployment.kubernetes.io/revision-history";
/// The replicas of the deployment when the set was last scaled, and how many pods there might be at most.
pub(crate) const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";
pub(crate) const MAX: &str = "deployment.kubernetes.io/max-replicas";
/// The revision that a deployment is to go back to (of `extensions/v1beta1`, which had a field for it).
pub(crate) const ROLLBACK: &str = "deprecated.deployment.rollback.to";
/// What deployments and their sets do not have from each other. The first is what `kubectl apply` keeps.
const APART: [&str; 6] =
    ["kubectl.kubernetes.io/last-applied-configuration", REVISION, HISTORY, DESIRED, MAX, ROLLBACK];
/// The most characters of a history (upstream's `maxRevHistoryLengthInChars`).
const LONGEST_HISTORY: usize = 2_000;

/// Whether a deployment and its current set have this annotation in common.
pub(crate) fn is_shared(name: &str) -> bool {
    !APART.contains(&name)
}

/// The annotation as a number of replicas; `None` for one that is none.
pub(crate) fn number(set: &ReplicaSet, name: &str) -> Option<i32> {
    let number: i32 = set.annotation(name)?.parse().ok()?;
    (number >= 0).then_some(number)
}

pub(crate) fn has(set: &ReplicaSet, name: &str, value: &str) -> bool {
    set.annotation(name) == Some(value)
}

/// What is noted on each set for proportional scaling.
pub(crate) fn of_scale(deployment: &Deployment) -> [(&'static str, String); 2] {
    let desired = desired(deployment);
    let most = desired.saturating_add(bounds(deployment).surge);
    [(DESIRED, desired.to_string()), (MAX, most.to_string())]
}

/// The revision of a deployment or of a set; 0 for one that has none, or that cannot be read.
pub(crate) fn revision(object: &impl Object) -> i64 {
    object.annotation(REVISION).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The revision of the current template.
pub(crate) fn next_revision(sets: &Sets) -> i64 {
    let newest = sets.old.iter().map(|set| revision(&**set)).max();
    newest.unwrap_or(0).max(0).saturating_add(1)
}

/// What the annotations of the current set become: the deployment's beside its own, and `revision` unless it has
/// a newer one. A set that was current before (a way back) remembers the revision that it had.
pub(crate) fn of_current(set: &ReplicaSet, deployment: &Deployment, revision: i64) -> Map {
    let mut annotations = set.metadata.annotations.clone();
    let former = annotations.get(REVISION).filter(|text| !text.is_empty()).cloned();
    let Ok(number) = former.as_deref().map_or(Ok(0), str::parse::<i64>) else {
        return annotations;
    };
    for (name, value) in &deployment.metadata.annotations {
        if is_shared(name) {
            annotations.insert(name, value);
        }
    }
    if number < revision {
        annotations.insert(REVISION, revision.to_string());
        if let Some(former) = &former {
            remember(&mut annotations, former);
        }
    }
    annotations
}

/// Adds a revision to the history; the oldest go when it becomes too long.
fn remember(annotations: &mut Map, former: &IStr) {
    let history = annotations.get(HISTORY).cloned().unwrap_or_default();
    let mut length = history.len() + former.len() + 1;
    let mut revisions: Vec<&str> = Vec::new();
    if !history.is_empty() {
        let is_too_long = |revision: &&str| {
            let is_too_long = length > LONGEST_HISTORY;
            length -= if is_too_long { revision.len() + 1 } else { 0 };
            is_too_long
        };
        revisions.extend(history.split(',').skip_while(is_too_long));
    }
    revisions.push(former);
    annotations.insert(HISTORY, revisions.join(","));
}
