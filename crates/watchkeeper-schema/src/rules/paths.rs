//! The field that a rule names as the place of its error (apiextensions,
//! `pkg/apiserver/schema/cel`, `ValidFieldPath`).

use crate::error::{child, key};
use crate::node::Schema;

/// A path such as `.spec['a.b']` as errors write it; none if the schema has no such field.
pub(super) fn parse(text: &str, schema: &Schema) -> Option<String> {
    let (mut rest, mut node, mut path) = (text, schema, String::new());
    while !rest.is_empty() {
        let (name, after) = match rest.strip_prefix("['") {
            Some(quoted) => {
                let (name, after) = quoted_name(quoted)?;
                (name, after.strip_prefix(']')?)
            }
            None => {
                let plain = rest.strip_prefix('.')?;
                let end = plain.find(['.', '[', ']']).unwrap_or(plain.len());
                (plain[..end].to_owned(), &plain[end..])
            }
        };
        if node.properties.is_empty() {
            node = node.additional.as_deref()?;
            path = key(&path, &name);
        } else {
            node = node.properties.get(&name)?;
            path = child(&path, &name);
        }
        rest = after;
    }
    Some(path)
}

/// A name up to its closing quote, and what follows.
fn quoted_name(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' => return Some((name, &text[at + 1..])),
            '\\' => name.push(match chars.next()?.1 {
                'a' => '\u{7}',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\u{b}',
                quoted @ ('\'' | '\\') => quoted,
                _ => return None,
            }),
            c => name.push(c),
        }
    }
    None
}
