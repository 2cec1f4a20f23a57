//! Objects that are told as a whole: the order of their members says nothing.

use serde_json::Value;

const BEFORE: &str = "Invalid value: \"{";

/// A text in which the members of each object that is refused as a whole stand in the order of their names.
pub(super) fn in_order(told: &str) -> String {
    let mut parts = told.split(BEFORE);
    let mut ordered = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let quoted = format!("\"{{{part}");
        let (object, rest) = quoted.split_at(end(&quoted));
        let before = BEFORE.trim_end_matches("\"{");
        ordered += before;
        ordered += sorted(object).as_deref().unwrap_or(object);
        ordered += rest;
    }
    ordered
}

/// Where the quotation ends that a text begins with.
fn end(quoted: &str) -> usize {
    let mut is_escaped = false;
    for (at, next) in quoted.char_indices().skip(1) {
        match next {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = next == '\\' && !is_escaped,
        }
    }
    quoted.len()
}

/// None of what is no quoted object.
fn sorted(quoted: &str) -> Option<String> {
    let text: String = serde_json::from_str(quoted).ok()?;
    let object: Value = serde_json::from_str(&text).ok()?;
    serde_json::to_string(&ordered(object).to_string()).ok()
}

fn ordered(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.into_iter().collect();
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            members.into_iter().map(|(name, value)| (name, ordered(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(ordered).collect(),
        other => other,
    }
}
