//! What of an answer differs from one run, or from one server, to the next. Everything else must be
//! equal; `mask_tests` shows that a wrong value beside these is found.

use serde_json::Value;

/// Members whose values are made anew in each run.
const FRESH: [&str; 9] = [
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "deletionTimestamp",
    "lastTransitionTime",
    "time",
    "expirationTimestamp",
    "token",
    "continue",
];
/// What stands before and behind the revision that a server tells it is at.
const REVISIONS: [(&str, &str, &str); 2] = [
    ("Timeout: Too large resource version: ", ", current: ", ""),
    ("too old resource version: ", " (", ")"),
];
/// Members of lists without an order: upstream gathers them out of a map.
const UNORDERED: [&str; 2] = ["resourceRules", "nonResourceRules"];
/// Columns of tables that tell how long ago something was.
const AGES: [&str; 4] = ["Age", "Last Seen", "First Seen", "Last Schedule"];
/// What stands in place of a masked text.
const MASKED: &str = "…";

/// An answer without what may differ.
pub(crate) fn mask(value: &mut Value) {
    if value["kind"] == "Table" {
        mask_table(value);
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                let is_uid = name.ends_with("-uid") || FRESH.contains(&name.as_str());
                // An empty or absent value is a value.
                if is_uid && member.as_str().is_some_and(|text| text.len() > 8) {
                    *member = MASKED.into();
                } else if is_uid && name != "token" && member.is_string() {
                    // A revision, or the uid that a user was given: digits.
                    let is_version = name == "resourceVersion";
                    *member = if is_version { MASKED.into() } else { member.take() };
                } else if name.ends_with("-uid") && member.is_array() {
                    *member = MASKED.into();
                } else if name == "message" && member.is_string() {
                    mask_revision(member);
                } else {
                    mask(member);
                }
                if UNORDERED.contains(&name.as_str()) {
                    sort(member);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::String(text) if text.starts_with("JTI=") => *text = format!("JTI={MASKED}"),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A header: of what is new each time, only that it is there.
pub(crate) fn header(name: &str, value: &str) -> Value {
    if name.ends_with("-uid") { MASKED.into() } else { value.into() }
}

/// Where a server is, in what it tells of a revision that it does not have.
fn mask_revision(message: &mut Value) {
    let text = message.as_str().unwrap_or_default();
    for (beginning, before, behind) in REVISIONS {
        let rest = text.strip_prefix(beginning).and_then(|rest| rest.split_once(before));
        let Some((asked, now)) = rest else { continue };
        let now = now.strip_suffix(behind).unwrap_or(now);
        if !now.is_empty() && now.bytes().all(|byte| byte.is_ascii_digit()) {
            *message = format!("{beginning}{asked}{before}{MASKED}{behind}").into();
            return;
        }
    }
}

/// Of a table columns and rows count. What a column is about is worded by each server for itself, ages
/// grow, and upstream gives an `IPAddress` one cell more than there are columns.
fn mask_table(table: &mut Value) {
    let mut columns = table["columnDefinitions"].take();
    for column in columns.as_array_mut().into_iter().flatten() {
        column["description"] = MASKED.into();
    }
    for row in table["rows"].as_array_mut().into_iter().flatten() {
        let Some(cells) = row["cells"].as_array_mut() else { continue };
        cells.truncate(columns.as_array().map_or(0, Vec::len));
        for (cell, column) in cells.iter_mut().zip(columns.as_array().into_iter().flatten()) {
            let is_age =
                column["type"] == "date" || AGES.iter().any(|name| column["name"] == **name);
            let Some(text) = cell.as_str() else { continue };
            if is_age && text.starts_with(|first: char| first.is_ascii_digit()) {
                *cell = MASKED.into();
            } else if let Some((count, _)) =
                text.split_once(" (").filter(|_| text.ends_with(" ago)"))
            {
                *cell = format!("{count} ({MASKED} ago)").into();
            }
        }
    }
    table["columnDefinitions"] = columns;
    table["metadata"] = MASKED.into();
}

fn sort(list: &mut Value) {
    if let Some(items) = list.as_array_mut() {
        items.sort_by_cached_key(Value::to_string);
    }
}
