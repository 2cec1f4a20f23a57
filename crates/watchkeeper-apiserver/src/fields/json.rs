//! `FieldsV1`: members are `f:<name>`, `k:<keys as JSON>`, `v:<value as JSON>`, `i:<index>`; `.`
//! says that the path above is itself in the set.

use std::fmt;

use serde_json::{Map, Value};

use super::{Entry, FieldSet, PathElement};

/// A `FieldsV1` that does not follow the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldsError(String);

impl fmt::Display for FieldsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a set of fields: {}", self.0)
    }
}

impl std::error::Error for FieldsError {}

impl FieldSet {
    /// Reads `FieldsV1`.
    ///
    /// # Errors
    ///
    /// A member of another form.
    pub fn from_fields_v1(json: &Value) -> Result<Self, FieldsError> {
        let Value::Object(members) = json else { return Err(FieldsError(json.to_string())) };
        let mut set = Self::default();
        for (name, below) in members {
            if name == "." {
                continue;
            }
            let element = element(name).ok_or_else(|| FieldsError(name.clone()))?;
            let children = Self::from_fields_v1(below)?;
            let member = children.is_empty() || below.get(".").is_some();
            set.entries.insert(element, Entry { member, children });
        }
        Ok(set)
    }

    /// Writes `FieldsV1`.
    #[must_use]
    pub fn to_fields_v1(&self) -> Value {
        let members = self.entries.iter().map(|(element, entry)| {
            let mut below = match entry.children.to_fields_v1() {
                Value::Object(below) => below,
                _ => Map::new(),
            };
            if entry.member && !below.is_empty() {
                below.insert(".".to_owned(), Value::Object(Map::new()));
            }
            (name(element), Value::Object(below))
        });
        Value::Object(members.collect())
    }
}

fn element(text: &str) -> Option<PathElement> {
    let (form, rest) = text.split_once(':')?;
    Some(match form {
        "f" => PathElement::Field(rest.to_owned()),
        "k" => {
            let Value::Object(keys) = serde_json::from_str(rest).ok()? else { return None };
            PathElement::Key(keys.into_iter().collect())
        }
        "v" => PathElement::Value(serde_json::from_str(rest).ok()?),
        "i" => PathElement::Index(rest.parse().ok()?),
        _ => return None,
    })
}

fn name(element: &PathElement) -> String {
    match element {
        PathElement::Field(name) => format!("f:{name}"),
        PathElement::Key(keys) => {
            let keys: Map<String, Value> = keys.iter().cloned().collect();
            format!("k:{}", Value::Object(keys))
        }
        PathElement::Value(value) => format!("v:{value}"),
        PathElement::Index(index) => format!("i:{index}"),
    }
}
