//! The indexes of an indexed job that have completed or failed: `0,3-5,7`.

use watchkeeper_schema::FieldError;

use super::super::super::Check;
use super::super::super::workloads::indexes;
use super::Job;

type Interval = (i64, i64);

pub(super) fn is_indexed(job: &Job<'_>) -> bool {
    job.spec.member("completionMode").text() == "Indexed"
}

pub(super) fn check(check: &mut Check<'_>, job: &Job<'_>) {
    let (completed, failed) =
        (job.status.member("completedIndexes"), job.status.member("failedIndexes"));
    let (completes, fails) =
        (job.has_changed("completedIndexes"), job.has_changed("failedIndexes"));
    let completions = job.spec.member("completions").number();
    let has_limit = !job.spec.member("backoffLimitPerIndex").is_missing();
    let mut say = |place: &super::Place<'_>, detail: &str| {
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    };
    let wrong = |text: &str| completions.and_then(|all| indexes::count(text, all).err());
    if let Some(why) = wrong(completed.text()).filter(|_| completes) {
        say(&completed, &format!("error parsing completedIndexes: {why}"));
    }
    if let Some(why) = wrong(failed.text()).filter(|_| fails && has_limit) {
        say(&failed, &format!("error parsing failedIndexes: {why}"));
    }
    if completes && !completed.is_empty() && !is_indexed(job) {
        say(&completed, "cannot set non-empty completedIndexes when non-indexed completion mode");
    }
    if fails && !has_limit && !failed.is_missing() {
        say(&failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
    }
    let both = completions.and_then(|count| overlap(completed.text(), failed.text(), count));
    if let Some(index) = both.filter(|_| completes || fails) {
        let detail = format!("failedIndexes and completedIndexes overlap at index: {index}");
        say(&failed, &detail);
    }
}

/// The first index that is in both, found as far as both rise. What is no interval is told elsewhere.
fn overlap(completed: &str, failed: &str, completions: i64) -> Option<i64> {
    let read = |text: &str| -> Vec<Interval> {
        text.split(',').filter_map(|part| indexes::interval(part, completions).ok()).collect()
    };
    let (completed, failed) = (read(completed), read(failed));
    let (mut ours, mut theirs) = (completed.iter().peekable(), failed.iter().peekable());
    while let (Some(one), Some(other)) = (ours.peek(), theirs.peek()) {
        if one.0 <= other.1 && other.0 <= one.1 {
            return Some(one.0.max(other.0));
        }
        if one.0 <= other.0 {
            ours.next();
        } else {
            theirs.next();
        }
    }
    None
}
