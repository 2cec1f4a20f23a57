//! A line of a log.

use tracing::Level;

use super::fields::{Fields, Value};

/// What each line begins with.
pub(super) struct Head<'a> {
    pub(super) time: Value,
    pub(super) level: Level,
    pub(super) logger: &'a str,
    pub(super) message: &'a str,
}

impl Head<'_> {
    fn fields(&self) -> [(&'static str, Value); 4] {
        let text = |text: &str| Value::Text(text.to_owned());
        [
            ("ts", self.time.clone()),
            ("level", text(level(self.level))),
            ("logger", text(self.logger)),
            ("msg", text(self.message)),
        ]
    }
}

/// As zap writes it.
fn level(level: Level) -> &'static str {
    match level {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        Level::TRACE => "trace",
    }
}

/// `{"ts":…,"level":…}` and an end of line.
pub(super) fn json(head: &Head<'_>, fields: &Fields) -> String {
    let mut line = String::from("{");
    each(head, fields, |key, value| {
        if line.len() > 1 {
            line.push(',');
        }
        line.push_str(&quoted(key));
        line.push(':');
        match value {
            Value::Text(text) => line.push_str(&quoted(text)),
            Value::Bare(text) => line.push_str(text),
        }
    });
    line.push_str("}\n");
    line
}

/// `ts=… level=…` and an end of line.
pub(super) fn logfmt(head: &Head<'_>, fields: &Fields) -> String {
    let mut line = String::new();
    each(head, fields, |key, value| {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(key.chars().map(|c| if is_plain(c) { c } else { '_' }));
        line.push('=');
        match value {
            Value::Text(text) if text.is_empty() || !text.chars().all(is_plain) => {
                line.push_str(&quoted(text));
            }
            Value::Text(text) | Value::Bare(text) => line.push_str(text),
        }
    });
    line.push('\n');
    line
}

/// Calls `write` with each key and its value.
fn each(head: &Head<'_>, fields: &Fields, mut write: impl FnMut(&str, &Value)) {
    let head = head.fields();
    for (key, value) in &head {
        write(key, value);
    }
    for (name, value) in fields.iter() {
        if head.iter().any(|(key, _)| *key == name) {
            write(&format!("{name}_"), value);
        } else {
            write(name, value);
        }
    }
}

/// Needs no quotes in logfmt.
fn is_plain(c: char) -> bool {
    !c.is_control() && !c.is_whitespace() && !matches!(c, '"' | '=' | '\\')
}

/// A string of JSON, which logfmt quotes alike.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
