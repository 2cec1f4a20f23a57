//! Kind and version of what was sent, which Go reads before anything else.

use std::fmt;

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::Value;

use crate::go::go_kind;

/// What is said of a value that was read from `sent` and has no readable kind and version.
pub(crate) fn error(value: &Value, sent: &[u8]) -> Option<String> {
    let Some(members) = value.as_object() else { return Some(told(of_no_object(value))) };
    let looks_wrong =
        |(name, value): (&String, &Value)| field(name).is_some() && !is_readable(value);
    members.iter().any(looks_wrong).then_some(())?;
    // A text in YAML becomes JSON before it is read, and its names are in order then.
    let name = first_of(sent).unwrap_or_else(|| first(members.iter()))?;
    Some(told(name))
}

/// As [`error`], of a value that Go wrote, whose names are in order.
pub(crate) fn error_of(value: &Value) -> Option<String> {
    error(value, b"")
}

fn told(what: String) -> String {
    format!("couldn't get version/kind; json parse error: json: cannot unmarshal {what}")
}

fn of_no_object(value: &Value) -> String {
    format!(
        "{} into Go value of type struct {{ APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \
         \"json:\\\"kind,omitempty\\\"\" }}",
        go_kind(value)
    )
}

/// The field that Go reads a member into, which is found whatever its letters are.
fn field(name: &str) -> Option<&'static str> {
    ["apiVersion", "kind"].into_iter().find(|field| field.eq_ignore_ascii_case(name))
}

fn is_readable(value: &Value) -> bool {
    value.is_null() || value.is_string()
}

/// The first of these that cannot be read, as it is told.
fn first<'a>(members: impl Iterator<Item = (&'a String, &'a Value)>) -> Option<String> {
    let mut wrong = members.filter(|(_, value)| !is_readable(value));
    wrong.find_map(|(name, value)| {
        Some(format!("{} into Go struct field .{} of type string", go_kind(value), field(name)?))
    })
}

/// As [`first`], of the members of a text in JSON; nothing at all when it is none.
fn first_of(sent: &[u8]) -> Option<Option<String>> {
    let mut reader = serde_json::Deserializer::from_slice(sent);
    reader.disable_recursion_limit();
    let Members(members) = reader.deserialize_map(InOrder).ok()?;
    Some(first(members.iter().map(|(name, value)| (name, value))))
}

/// Members as they stand in a text.
struct Members(Vec<(String, Value)>);

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if field(&name).is_some() {
                members.push((name, map.next_value()?));
            } else {
                map.next_value::<serde::de::IgnoredAny>()?;
            }
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{error, error_of};

    fn of(sent: &str) -> String {
        let value: Value = serde_json::from_str(sent).expect("JSON");
        let told = error(&value, sent.as_bytes()).unwrap_or_default();
        told.rsplit("unmarshal ").next().unwrap_or_default().to_owned()
    }

    #[test]
    fn the_first_one_that_is_no_text_is_told() {
        for (sent, told) in [
            (
                r#"{"kind": [1], "apiVersion": true}"#,
                "array into Go struct field .kind of type string",
            ),
            (
                r#"{"apiVersion": true, "kind": [1]}"#,
                "bool into Go struct field .apiVersion of type string",
            ),
            (
                r#"{"x": {}, "ApiVersion": 1, "apiVersion": "v1"}"#,
                "number into Go struct field .apiVersion of type string",
            ),
            (r#"{"apiVersion": null, "KIND": "a"}"#, ""),
        ] {
            assert_eq!(of(sent), told, "{sent}");
        }
        assert_eq!(of("[]").split(' ').next(), Some("array"));
    }

    #[test]
    fn of_what_go_wrote_the_version_comes_first() {
        let told = error_of(&json!({"kind": 1, "apiVersion": 2})).expect("an error");
        assert!(told.ends_with("number into Go struct field .apiVersion of type string"), "{told}");
    }
}
