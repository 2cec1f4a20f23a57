//! A case: requests that are sent to both servers, one after the other.

use std::fmt;

use serde_json::Value;

/// What was drawn for a number.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// One after the other.
    pub requests: Vec<Request>,
    /// What is sent afterwards, whatever the answers were; none of it is compared.
    pub after: Vec<Request>,
}

/// One request. In path and body `@rv@` and `@uid@` stand for version and uid of the last object that this server
/// gave in this case.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The verb of HTTP.
    pub method: &'static str,
    /// With its query.
    pub path: String,
    /// None where it is empty.
    pub content_type: &'static str,
    /// What is sent.
    pub body: String,
    /// Until both servers say something else than that it is not found, which a new definition takes a moment for.
    pub waits: bool,
}

pub(crate) const JSON: &str = "application/json";
pub(crate) const YAML: &str = "application/yaml";

impl Request {
    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self { method: "GET", path: path.into(), ..Self::default() }
    }

    pub(crate) fn delete(path: impl Into<String>) -> Self {
        Self { method: "DELETE", path: path.into(), ..Self::default() }
    }

    pub(crate) fn json(method: &'static str, path: impl Into<String>, body: &Value) -> Self {
        Self::text(method, path, JSON, body.to_string())
    }

    pub(crate) fn text(
        method: &'static str,
        path: impl Into<String>,
        content_type: &'static str,
        body: String,
    ) -> Self {
        Self { method, path: path.into(), content_type, body, waits: false }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)?;
        if !self.body.is_empty() {
            write!(f, " {}\n    {}", self.content_type, self.body.replace('\n', "\n    "))?;
        }
        Ok(())
    }
}

/// A JSON value as YAML in blocks, its texts in quotes.
pub(crate) fn yaml(value: &Value) -> String {
    let mut text = String::new();
    block(value, 0, &mut text);
    text
}

fn block(value: &Value, depth: usize, text: &mut String) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                text.push_str(&format!("{}{}:", "  ".repeat(depth), Value::from(name.as_str())));
                inner(member, depth, text);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                text.push_str(&format!("{}-", "  ".repeat(depth)));
                inner(item, depth, text);
            }
        }
        other => text.push_str(&format!("{}{other}\n", "  ".repeat(depth))),
    }
}

fn inner(value: &Value, depth: usize, text: &mut String) {
    let is_block = match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    if is_block {
        text.push('\n');
        block(value, depth + 1, text);
    } else {
        text.push_str(&format!(" {value}\n"));
    }
}
