//! Values as YAML, laid out as the field's tools write it: keys sorted, lists not indented.

#[cfg(test)]
mod tests;

use serde_json::Value;

/// A text as comments, line by line.
pub(crate) fn comment(text: &str) -> String {
    let line = |line: &str| match line.trim_end() {
        "" => "#\n".to_owned(),
        comment if comment.starts_with('#') => format!("{comment}\n"),
        other => format!("# {}\n", other.trim_start_matches("//").trim_start()),
    };
    text.trim_end().lines().map(line).collect()
}

/// One document, begun with `---`.
pub(crate) fn document(value: &Value) -> String {
    let mut text = "---\n".to_owned();
    write(&mut text, value, 0);
    text
}

fn write(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            for (name, value) in members {
                pad(text, indent);
                member(text, name, value, indent);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                pad(text, indent);
                text.push('-');
                element(text, item, indent);
            }
        }
        plain => {
            text.push_str(&scalar(plain, indent));
            text.push('\n');
        }
    }
}

/// A member, behind the indent of its line.
fn member(text: &mut String, name: &str, value: &Value, indent: usize) {
    text.push_str(&quoted(name));
    text.push(':');
    match value {
        Value::Object(members) if !members.is_empty() => {
            text.push('\n');
            write(text, value, indent + 2);
        }
        Value::Array(items) if !items.is_empty() => {
            text.push('\n');
            write(text, value, indent);
        }
        plain => {
            text.push(' ');
            text.push_str(&scalar(plain, indent + 2));
            text.push('\n');
        }
    }
}

/// An item, behind its dash: its first member stands on the same line.
fn element(text: &mut String, item: &Value, indent: usize) {
    let mut inner = String::new();
    write(&mut inner, item, indent + 2);
    text.push(' ');
    text.push_str(inner.trim_start_matches(' '));
}

fn pad(text: &mut String, indent: usize) {
    text.extend(std::iter::repeat_n(' ', indent));
}

fn scalar(value: &Value, indent: usize) -> String {
    match value {
        Value::String(string) if is_block(string) => block(string, indent),
        Value::String(string) => quoted(string),
        Value::Object(_) => "{}".to_owned(),
        Value::Array(_) => "[]".to_owned(),
        other => other.to_string(),
    }
}

/// Whether a text is written line by line.
fn is_block(text: &str) -> bool {
    let odd = |c: char| is_odd(c) && c != '\n';
    text.trim_end_matches('\n').contains('\n')
        && !text.contains(odd)
        && !text.starts_with([' ', '\n'])
        && !text.lines().any(|line| line.ends_with(' '))
}

fn block(text: &str, indent: usize) -> String {
    let body = text.trim_end_matches('\n');
    let mut out = match text.len() - body.len() {
        0 => "|-".to_owned(),
        1 => "|".to_owned(),
        _ => "|+".to_owned(),
    };
    for line in body.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            pad(&mut out, indent);
            out.push_str(line);
        }
    }
    out.extend(std::iter::repeat_n('\n', (text.len() - body.len()).saturating_sub(1)));
    out
}

/// Whether a character does not stand for itself: readers of YAML 1.1 (kubectl's) refuse it, or take it for the
/// end of a line.
fn is_odd(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// A text in double quotes: JSON's strings are YAML's, but for odd characters as they are.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    for c in Value::from(text).to_string().chars() {
        if is_odd(c) {
            out += &format!("\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// A text in one line, quoted where YAML would read something else.
fn quoted(text: &str) -> String {
    if text.is_empty() || text.contains(is_odd) || means_other(text) {
        return escaped(text);
    }
    let first = text.starts_with(|c: char| {
        !c.is_alphanumeric()
            && !matches!(c, '/' | '_' | '.' | '$' | '(' | '^' | '\\' | '<' | '+' | ';')
    });
    let inner = text.contains(": ") || text.contains(" #") || text.ends_with(':');
    let edge = text.starts_with(' ') || text.ends_with(' ');
    if first || inner || edge { format!("'{}'", text.replace('\'', "''")) } else { text.to_owned() }
}

/// Whether a plain text would be a number, a truth, a time or nothing.
fn means_other(text: &str) -> bool {
    let words = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "~", ".nan", ".inf"];
    let lower = text.to_lowercase();
    let number = text.trim_start_matches(['+', '-', '.']);
    words.contains(&lower.as_str())
        || number.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_hexdigit() || "+-._:xXoOTZ ".contains(c))
        || matches!(lower.as_str(), "-.inf" | "+.inf" | "<<" | "=")
}
