//! Where two answers differ.

use serde_json::{Value, json};

use super::Answer;

/// A place where two answers differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The path of the member.
    pub at: String,
    /// What the real server says there.
    pub real: Option<Value>,
    /// What the embedded server says there.
    pub embedded: Option<Value>,
}

/// All places where they do, which are masked.
#[must_use]
pub fn differences(real: &Answer, embedded: &Answer) -> Vec<Difference> {
    let whole = |answer: &Answer| json!({"code": answer.code, "warnings": answer.warnings, "body": answer.body});
    let mut found = Vec::new();
    collect("", Some(&whole(real)), Some(&whole(embedded)), &mut found);
    found
}

fn collect(at: &str, real: Option<&Value>, embedded: Option<&Value>, found: &mut Vec<Difference>) {
    match (real, embedded) {
        (Some(Value::Object(theirs)), Some(Value::Object(ours))) => {
            let more = ours.keys().filter(|name| !theirs.contains_key(*name));
            for name in theirs.keys().chain(more) {
                let dot = if at.is_empty() { "" } else { "." };
                collect(&format!("{at}{dot}{name}"), theirs.get(name), ours.get(name), found);
            }
        }
        (Some(Value::Array(theirs)), Some(Value::Array(ours))) => {
            for index in 0..theirs.len().max(ours.len()) {
                collect(&format!("{at}[{index}]"), theirs.get(index), ours.get(index), found);
            }
        }
        (real, embedded) if real == embedded => {}
        (real, embedded) => found.push(Difference {
            at: at.to_owned(),
            real: real.cloned(),
            embedded: embedded.cloned(),
        }),
    }
}
