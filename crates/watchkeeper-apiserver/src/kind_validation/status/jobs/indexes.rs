//! The indexes of an indexed job that have completed or failed: `0,3-5,7`.

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::quote;

use super::super::super::Check;
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
    let wrong = |text: &str| completions.and_then(|count| wrong_form(text, count));
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

/// Intervals rise.
fn wrong_form(text: &str, completions: i64) -> Option<String> {
    let mut last: Option<i64> = None;
    for part in text.split(',').filter(|_| !text.is_empty()) {
        match (interval(part, completions), last) {
            (Err(why), _) => return Some(why),
            (Ok((first, _)), Some(last)) if last >= first => {
                return Some(not_rising(last, first));
            }
            (Ok((_, end)), _) => last = Some(end),
        }
    }
    None
}

fn not_rising(previous: i64, current: i64) -> String {
    format!("non-increasing order, previous: {previous}, current: {current}")
}

fn interval(text: &str, completions: i64) -> Result<Interval, String> {
    let parts: Vec<&str> = text.split('-').collect();
    let [first, ref others @ ..] = parts[..] else { return Err(not_a_number("")) };
    if others.len() > 1 {
        return Err(format!(
            "the fragment {} violates the requirement that an index interval can have at most two \
             parts separated by '-'",
            quote(text)
        ));
    }
    let begin = index(first, completions)?;
    let Some(end) = others.first() else { return Ok((begin, begin)) };
    let end = index(end, completions)?;
    if begin >= end { Err(not_rising(begin, end)) } else { Ok((begin, end)) }
}

fn index(text: &str, completions: i64) -> Result<i64, String> {
    let index: i64 = text.parse().map_err(|_| not_a_number(text))?;
    if index >= completions {
        return Err(format!("too large index: {}", quote(text)));
    }
    Ok(index)
}

fn not_a_number(text: &str) -> String {
    format!("cannot convert string to integer for index: {}", quote(text))
}

/// The first index that is in both, found as far as both rise. What is no interval is told elsewhere.
fn overlap(completed: &str, failed: &str, completions: i64) -> Option<i64> {
    let read = |text: &str| -> Vec<Interval> {
        text.split(',').filter_map(|part| interval(part, completions).ok()).collect()
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
