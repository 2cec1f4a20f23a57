//! Which pods a job makes or removes next.

use std::collections::BTreeSet;
use std::sync::Arc;

use watchkeeper_api::Time;
use watchkeeper_api::core::v1::Pod;

use super::look::{Look, indexed, is_suspended};
use super::{backoff, pods};
use crate::actors::replicaset::victims;

/// The most pods that one look makes or removes (upstream's `MaxPodCreateDeletePerSync`).
pub(crate) const BURST: usize = 500;

/// What a job does about its pods.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Step {
    /// Nothing.
    #[default]
    Rest,
    /// These pods go. They are nobody's failures.
    Remove(Vec<Arc<Pod>>),
    /// A pod for each of these indexes; without indexes as many pods.
    Create(Vec<Option<u32>>),
    /// There are too few, and nothing before then: pods failed.
    Wait(Time),
}

/// Decides the next step of a job that does not end.
pub(crate) fn step(look: &Look, now: Time) -> Step {
    if is_suspended(&look.job) {
        return remove(look, look.active.len(), usize::MAX);
    }
    let wanted = wanted(look);
    let active = look.active.len();
    let remove = remove(look, active.saturating_sub(wanted), BURST);
    if remove != Step::Rest {
        return remove;
    }
    let leaving = if pods::replaces_failed_only(&look.job) { look.terminating } else { 0 };
    let held = active + usize::try_from(leaving).unwrap_or(0);
    create(look, wanted.saturating_sub(held).min(BURST), now)
}

/// How many pods are to be at work.
fn wanted(look: &Look) -> usize {
    let spec = &look.job.spec;
    let parallelism = usize::try_from(spec.parallelism.unwrap_or(1)).unwrap_or(0);
    match spec.completions {
        // Any success ends it; what still runs is left to run.
        None if look.succeeded > 0 => look.active.len(),
        None => parallelism,
        Some(completions) => {
            let missing = completions.saturating_sub(look.succeeded);
            usize::try_from(missing).unwrap_or(0).min(parallelism)
        }
    }
}

fn create(look: &Look, count: usize, now: Time) -> Step {
    if count == 0 {
        return Step::Rest;
    }
    let per_index = look.failed_indexes.is_some();
    if let Some(over) = look.backoff.over_at(now).filter(|_| !per_index) {
        return Step::Wait(over);
    }
    let Some(completions) = indexed(&look.job) else { return Step::Create(vec![None; count]) };
    let pending = pending_indexes(look, count, completions);
    let waits = |index: &u32| {
        let failed = look.awaiting.get(index)?;
        backoff::of_index_over_at(failed, now)
    };
    let due: Vec<Option<u32>> =
        pending.iter().filter(|index| waits(index).is_none()).map(|index| Some(*index)).collect();
    match pending.iter().filter_map(waits).min() {
        Some(over) if due.is_empty() => Step::Wait(over),
        None if due.is_empty() => Step::Rest,
        _ => Step::Create(due),
    }
}

/// The first indexes that nobody works on and that are not settled.
fn pending_indexes(look: &Look, count: usize, completions: u32) -> Vec<u32> {
    let leaves = pods::replaces_failed_only(&look.job);
    let busy = look.active.iter();
    let leaving = look.pods.iter().filter(|pod| leaves && pods::terminating(pod));
    let busy = busy.chain(leaving).filter_map(|pod| pods::index(pod, completions));
    let taken = look.indexes.with(busy);
    let taken = look.failed_indexes.as_ref().map_or(taken.clone(), |failed| taken.and(failed));
    taken.first_missing(count, completions)
}

/// Removes at least `count` pods, and `most` at once: the least useful ones. Of an indexed job those go
/// first whose index is none of its, or another pod's too.
fn remove(look: &Look, count: usize, most: usize) -> Step {
    let (mut gone, rest) = match indexed(&look.job) {
        Some(completions) => misplaced(look, completions),
        None => (Vec::new(), look.active.clone()),
    };
    let more = count.saturating_sub(gone.len());
    gone.extend(victims(rest, more));
    gone.truncate(most);
    if gone.is_empty() { Step::Rest } else { Step::Remove(gone) }
}

/// The pods whose index is none of the job's or another pod's too, and the others.
fn misplaced(look: &Look, completions: u32) -> (Vec<Arc<Pod>>, Vec<Arc<Pod>>) {
    let mut seen = BTreeSet::new();
    // The most useful one of an index stays.
    let mut best_last = victims(look.active.clone(), usize::MAX);
    best_last.reverse();
    best_last
        .into_iter()
        .partition(|pod| pods::index(pod, completions).is_none_or(|index| !seen.insert(index)))
}
