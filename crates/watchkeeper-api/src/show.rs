//! Objects as people read them: on one line or a few, without what they do not say, and without
//! secrets.
//!
//! `Debug` of the built-in types and of [`Unstructured`](crate::Unstructured) goes through here:
//! `{:?}` is one line, `{:#?}` breaks lines where one is not enough. Left out are empty members and
//! managed fields. The data of secrets, tokens, and the copy of an object that `kubectl apply`
//! keeps in an annotation read `(redacted)`; other bytes tell only how many they are.
//!
//! ```
//! use watchkeeper_api::{core::v1::{Pod, Secret}, object};
//! let pod = object!(Pod {
//!     metadata: { name: "web-0", namespace: "shop" },
//!     spec: { containers: [{ name: "web", image: "nginx:1.29" }] },
//! });
//! assert_eq!(pod.to_string(), "Pod shop/web-0");
//! assert_eq!(
//!     format!("{pod:?}"),
//!     r#"Pod {metadata: {name: "web-0", namespace: "shop"}, spec: {containers: [{name: "web", image: "nginx:1.29"}]}}"#,
//! );
//! let secret = object!(Secret { metadata: { name: "s" }, string_data: { "password": "hunter2" } });
//! assert_eq!(
//!     format!("{secret:?}"),
//!     r#"Secret {metadata: {name: "s"}, stringData: {password: (redacted)}}"#,
//! );
//! ```

pub(crate) mod secrecy;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::json::{Reader, Write, Writer, is_plain};
use secrecy::Scope;

/// How long a line of `{:#?}` may be.
const WIDTH: usize = 100;

/// `Debug` of a struct with this name.
#[doc(hidden)]
pub fn debug(name: &str, value: &dyn Write, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut w = Writer::for_people();
    value.write(&mut w);
    text(name, name, &w.finish(), f)
}

/// `Debug` of what is JSON already, of a kind with this name, behind a title.
pub(crate) fn text(title: &str, kind: &str, json: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let value = Value { text: json, scope: Scope::of(kind), root: true };
    let shown = if f.alternate() { value.broken(0, title.len() + 1) } else { value.inline() };
    write!(f, "{title} {shown}")
}

/// What a value reads on one line.
pub(crate) fn inline(json: &str, scope: Scope) -> String {
    Value { text: json, scope, root: false }.inline()
}

/// A JSON text, what of it is secret, and whether apiVersion and kind are told already.
#[derive(Clone, Copy)]
struct Value<'t> {
    text: &'t str,
    scope: Scope,
    root: bool,
}

/// The parts of a value that has some: their names, if they have any, and what they are.
type Parts<'t> = Vec<(Option<String>, Value<'t>)>;

impl<'t> Value<'t> {
    fn inline(self) -> String {
        let Some((open, parts, close)) = self.parts() else { return self.leaf() };
        let parts: Vec<_> =
            parts.into_iter().map(|(name, part)| label(name, &part.inline())).collect();
        format!("{open}{}{close}", parts.join(", "))
    }

    /// On one line if it fits behind `before` bytes of it, otherwise a line for each part.
    fn broken(self, indent: usize, before: usize) -> String {
        let line = self.inline();
        let Some((open, parts, close)) = self.parts() else { return line };
        if before + line.len() <= WIDTH || parts.is_empty() {
            return line;
        }
        let space = " ".repeat(indent + 4);
        let mut shown = format!("{open}\n");
        for (name, part) in parts {
            let before = space.len() + name.as_ref().map_or(0, |name| name.len() + 2) + 1;
            shown += &format!("{space}{},\n", label(name, &part.broken(indent + 4, before)));
        }
        shown + &space[4..] + close
    }

    fn leaf(self) -> String {
        match self.text {
            _ if self.scope.hides() => "(redacted)".to_owned(),
            // What bytes and secret texts read, for people.
            text if text.starts_with("\"(") && text.ends_with(" bytes)\"") => {
                text.trim_matches('"').to_owned()
            }
            "\"(redacted)\"" => "(redacted)".to_owned(),
            // What it holds nobody knows.
            text if text.starts_with(['{', '[']) => "(unreadable)".to_owned(),
            text => text.to_owned(),
        }
    }

    /// Of a list or an object that may be shown: its brackets, and what is between them.
    fn parts(self) -> Option<(&'static str, Parts<'t>, &'static str)> {
        if let Scope::Hidden = self.scope {
            return None;
        }
        let mut reader = Reader::new(self.text).ok()?;
        let mut parts = Parts::new();
        if self.text.starts_with('[') {
            let scope = self.scope;
            let read = reader.list(&mut |r| {
                parts.push((None, Value { text: r.raw()?, scope, root: false }));
                Ok(())
            });
            return read.ok().map(|()| ("[", parts, "]"));
        }
        if !self.text.starts_with('{') {
            return None;
        }
        let scope = self.scope.entering(self.text);
        let read = reader.members(&mut |r, name| {
            let text = r.raw()?;
            let told = self.root && matches!(name, "apiVersion" | "kind");
            let empty = matches!(text, "null" | "[]" | "{}" | "\"\"");
            if !told && !empty && name != "managedFields" {
                let value = Value { text, scope: scope.member(name), root: false };
                parts.push((Some(shown_name(name)), value));
            }
            Ok(())
        });
        read.ok().map(|()| ("{", parts, "}"))
    }
}

fn label(name: Option<String>, value: &str) -> String {
    match name {
        Some(name) => format!("{name}: {value}"),
        None => value.to_owned(),
    }
}

fn shown_name(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { format!("{name:?}") }
}
