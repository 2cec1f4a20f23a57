//! An object on its way into cells.

use jiff::Timestamp;
use serde_json::Value;

use super::age::{human_duration, seconds_since};

/// An object and the time it is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) object: &'a Value,
    pub(super) now: Timestamp,
}

impl<'a> Row<'a> {
    /// The value at a JSON pointer.
    pub(super) fn at(self, pointer: &str) -> Option<&'a Value> {
        self.object.pointer(pointer).filter(|value| !value.is_null())
    }

    /// The text there, or none of it.
    pub(super) fn text(self, pointer: &str) -> &'a str {
        self.at(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    /// The text there, or a word for its absence.
    pub(super) fn text_or(self, pointer: &str, absent: &str) -> String {
        let text = self.text(pointer);
        if text.is_empty() { absent.to_owned() } else { text.to_owned() }
    }

    /// The number there, or zero.
    pub(super) fn number(self, pointer: &str) -> i64 {
        self.at(pointer).and_then(Value::as_i64).unwrap_or_default()
    }

    /// Whether `true` is there.
    pub(super) fn flag(self, pointer: &str) -> bool {
        self.at(pointer).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The items there.
    pub(super) fn items(self, pointer: &str) -> &'a [Value] {
        self.at(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    /// How many members or items are there.
    pub(super) fn count(self, pointer: &str) -> usize {
        match self.at(pointer) {
            Some(Value::Object(members)) => members.len(),
            Some(Value::Array(items)) => items.len(),
            _ => 0,
        }
    }

    /// The annotation of that name.
    pub(super) fn annotation(self, name: &str) -> Option<&'a str> {
        self.at("/metadata/annotations")?.get(name)?.as_str()
    }

    pub(super) fn name(self) -> Value {
        self.text("/metadata/name").into()
    }

    pub(super) fn age(self) -> Value {
        self.since("/metadata/creationTimestamp").into()
    }

    /// How long ago the time there was.
    pub(super) fn since(self, pointer: &str) -> String {
        since(self.text(pointer), self.now)
    }

    pub(super) fn is_deleting(self) -> bool {
        self.at("/metadata/deletionTimestamp").is_some()
    }

    /// The status of the condition of that type.
    pub(super) fn condition(self, type_: &str) -> Option<&'a str> {
        let conditions = self.items("/status/conditions").iter();
        let found = conditions.into_iter().find(|c| member(c, "type") == type_);
        found.map(|condition| member(condition, "status"))
    }
}

/// How long ago that was.
pub(super) fn since(then: &str, now: Timestamp) -> String {
    seconds_since(then, now).map_or_else(|| "<unknown>".to_owned(), human_duration)
}

/// The text of a member.
pub(super) fn member<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The names and images of containers, each with commas.
pub(super) fn containers(row: Row<'_>, pointer: &str) -> (Value, Value) {
    let list = row.items(pointer);
    let join = |name| list.iter().map(|c| member(c, name)).collect::<Vec<_>>().join(",");
    (join("name").into(), join("image").into())
}

/// Labels as `a=b,c=d`.
pub(super) fn labels(row: Row<'_>, pointer: &str) -> String {
    let Some(members) = row.at(pointer).and_then(Value::as_object).filter(|m| !m.is_empty()) else {
        return "<none>".to_owned();
    };
    let pairs =
        members.iter().map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()));
    pairs.collect::<Vec<_>>().join(",")
}

/// A label selector in the form of the query parameter.
pub(super) fn selector(row: Row<'_>, pointer: &str) -> String {
    let Some(selector) = row.at(pointer) else { return "<none>".to_owned() };
    let inner = Row { object: selector, now: row.now };
    let mut terms: Vec<(String, String)> = Vec::new();
    for (key, value) in inner.at("/matchLabels").and_then(Value::as_object).into_iter().flatten() {
        terms.push((key.clone(), format!("{key}={}", value.as_str().unwrap_or_default())));
    }
    for expression in inner.items("/matchExpressions") {
        let key = member(expression, "key");
        terms.push((key.to_owned(), requirement(key, expression)));
    }
    terms.sort();
    let text = terms.into_iter().map(|(_, term)| term).collect::<Vec<_>>().join(",");
    if text.is_empty() { "<none>".to_owned() } else { text }
}

fn requirement(key: &str, expression: &Value) -> String {
    let values = expression.get("values").and_then(Value::as_array);
    let mut values: Vec<&str> = values.into_iter().flatten().filter_map(Value::as_str).collect();
    values.sort_unstable();
    let values = values.join(",");
    match member(expression, "operator") {
        "In" => format!("{key} in ({values})"),
        "NotIn" => format!("{key} notin ({values})"),
        "DoesNotExist" => format!("!{key}"),
        _ => key.to_owned(),
    }
}

#[cfg(test)]
mod tests;
