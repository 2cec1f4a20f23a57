//! The replica sets of former templates, which are kept for a way back.

use std::sync::Arc;

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};

use super::annotations::revision;
use super::plan::{Sets, age, wanted};

/// The sets for which the revision history has no room: of those beyond the limit, the oldest revisions first, the
/// ones that have no pods, and are not to have any.
pub(crate) fn outdated(deployment: &Deployment, sets: &Sets) -> Vec<Arc<ReplicaSet>> {
    let limit = deployment.spec.revision_history_limit.filter(|limit| *limit != i32::MAX);
    let Some(limit) = limit else { return Vec::new() };
    let stays = |set: &&Arc<ReplicaSet>| set.metadata.deletion_timestamp.is_none();
    let mut sets: Vec<Arc<ReplicaSet>> = sets.old.iter().filter(stays).cloned().collect();
    let excess = sets.len().saturating_sub(usize::try_from(limit).unwrap_or(0));
    sets.sort_by_cached_key(|set| (revision(&**set), age(set)));
    sets.truncate(excess);
    sets.retain(|set| is_idle(set));
    sets
}

fn is_idle(set: &ReplicaSet) -> bool {
    let has_seen_all = set.status.observed_generation >= set.metadata.generation;
    wanted(set) == 0 && set.status.replicas == 0 && has_seen_all
}
