//! Lists of the indexes of a job, as in `0,3-5,7`: single ones and intervals, which rise.

use watchkeeper_schema::error::quote;

/// How many indexes a list names (`validateIndexesFormat`), or why it is no list of a job with so
/// many completions.
pub(in crate::kind_validation) fn count(text: &str, completions: i64) -> Result<i64, String> {
    if text.is_empty() {
        return Ok(0);
    }
    let (mut total, mut last): (i64, Option<i64>) = (0, None);
    for part in text.split(',') {
        let (first, end) = interval(part, completions)?;
        if let Some(last) = last.filter(|last| *last >= first) {
            return Err(not_rising(last, first));
        }
        total += end - first + 1;
        last = Some(end);
    }
    Ok(total)
}

/// `parseIndexInterval`.
pub(in crate::kind_validation) fn interval(
    text: &str,
    completions: i64,
) -> Result<(i64, i64), String> {
    let (first, end) = match text.split_once('-') {
        None => (text, None),
        Some((first, end)) => (first, Some(end)),
    };
    if end.is_some_and(|end| end.contains('-')) {
        return Err(format!(
            "the fragment {} violates the requirement that an index interval can have at most two \
             parts separated by '-'",
            quote(text)
        ));
    }
    let first = index(first, completions)?;
    let Some(end) = end else { return Ok((first, first)) };
    let end = index(end, completions)?;
    if first >= end { Err(not_rising(first, end)) } else { Ok((first, end)) }
}

fn index(text: &str, completions: i64) -> Result<i64, String> {
    let index = text.parse::<i64>();
    let index = index
        .map_err(|_| format!("cannot convert string to integer for index: {}", quote(text)))?;
    if index >= completions {
        return Err(format!("too large index: {}", quote(text)));
    }
    Ok(index)
}

fn not_rising(previous: i64, current: i64) -> String {
    format!("non-increasing order, previous: {previous}, current: {current}")
}
