//! Text to steps.

use serde_json::Value;

use super::{Filter, JsonPath, JsonPathError, Operand, Operator, Step};

type Result<T> = std::result::Result<T, JsonPathError>;

/// Paths inside filters inside paths, at most.
const MOST_NESTED: usize = 8;

pub(super) fn path(text: &str) -> Result<JsonPath> {
    let text = text.trim();
    let text = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')).unwrap_or(text);
    nested(text, 0)
}

fn nested(text: &str, depth: usize) -> Result<JsonPath> {
    if depth > MOST_NESTED {
        return Err(error("filters are nested too deep"));
    }
    let mut rest = text.trim();
    rest = rest.strip_prefix(['$', '@']).unwrap_or(rest);
    let mut steps = Vec::new();
    if !rest.starts_with(['.', '[']) && !rest.is_empty() {
        rest = member(rest, &mut steps)?;
    }
    while let Some(first) = rest.chars().next() {
        rest = match first {
            '[' => bracket(rest, &mut steps, depth)?,
            '.' if rest.starts_with("..") => {
                steps.push(Step::Descend);
                if rest[2..].starts_with('[') {
                    &rest[2..]
                } else {
                    member(&rest[2..], &mut steps)?
                }
            }
            // A member without a name, which nothing has.
            '.' if rest.len() == 1 || rest[1..].starts_with('[') => {
                steps.push(Step::Names(vec![String::new()]));
                &rest[1..]
            }
            '.' => member(&rest[1..], &mut steps)?,
            _ => return Err(error(format!("unexpected {rest:?}"))),
        };
    }
    Ok(JsonPath { steps })
}

/// A name up to the next dot or bracket; a backslash takes the next character as it is.
fn member<'a>(text: &'a str, steps: &mut Vec<Step>) -> Result<&'a str> {
    let mut name = String::new();
    let mut end = text.len();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '.' | '[' => {
                end = at;
                break;
            }
            '\\' => name.extend(chars.next().map(|(_, c)| c)),
            c => name.push(c),
        }
    }
    match name.as_str() {
        "" => return Err(error(format!("a name is missing before {text:?}"))),
        "*" => steps.push(Step::All),
        _ => steps.push(Step::Names(vec![name])),
    }
    Ok(&text[end..])
}

fn bracket<'a>(text: &'a str, steps: &mut Vec<Step>, depth: usize) -> Result<&'a str> {
    let end = closing(text)?;
    let (inside, rest) = (text[1..end].trim(), &text[end + 1..]);
    if inside.starts_with('\'') && !inside.contains(',') {
        steps.append(&mut quoted_path(inside, depth)?);
        return Ok(rest);
    }
    steps.push(if inside == "*" {
        Step::All
    } else if let Some(test) = inside.strip_prefix("?(").and_then(|t| t.strip_suffix(')')) {
        Step::Filter(filter(test, depth + 1)?)
    } else if inside.starts_with('\'') {
        let names: Option<Vec<String>> = inside.split(',').map(named).collect();
        Step::Names(names.ok_or_else(|| error(format!("bad names in {inside:?}")))?)
    } else if inside.contains(':') {
        slice(inside)?
    } else {
        let indices: Option<Vec<i64>> =
            inside.split(',').map(|index| index.trim().parse().ok()).collect();
        Step::Indices(indices.ok_or_else(|| error(format!("invalid array index {inside}")))?)
    });
    Ok(rest)
}

/// The bracket that closes the first one, quotes respected.
fn closing(text: &str) -> Result<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (c, quote) {
            _ if escaped => escaped = false,
            ('\\', _) => escaped = true,
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('\'' | '"', None) => quote = Some(c),
            ('[', None) => depth += 1,
            (']', None) => {
                depth -= 1;
                if depth == 0 {
                    return Ok(at);
                }
            }
            _ => {}
        }
    }
    Err(error("unterminated array"))
}

/// What stands in single quotes is a path itself, so that a dot is escaped in there, too.
fn quoted_path(text: &str, depth: usize) -> Result<Vec<Step>> {
    let inside = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    match inside.filter(|inside| !inside.contains('\'')) {
        Some(inside) => Ok(nested(&format!(".{inside}"), depth + 1)?.steps),
        None => Err(error(format!("invalid array index {text}"))),
    }
}

/// A name in single quotes, in which a backslash counts for nothing.
fn named(text: &str) -> Option<String> {
    let name = text.trim().strip_prefix('\'')?.strip_suffix('\'')?;
    (!name.contains('\'')).then(|| name.replace('\\', ""))
}

fn quoted(text: &str) -> Option<String> {
    let open = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inside = text.get(1..)?.strip_suffix(open)?;
    let mut out = String::new();
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next()? } else { c });
    }
    Some(out)
}

fn slice(text: &str) -> Result<Step> {
    let number = |part: Option<&str>| match part.map(str::trim) {
        None | Some("") => Ok(None),
        Some(part) => part.parse().map(Some).map_err(|_| error(format!("invalid slice {text}"))),
    };
    let mut parts = text.split(':');
    let (from, to) = (number(parts.next())?, number(parts.next())?);
    Ok(Step::Slice(from, to, number(parts.next())?.unwrap_or(1)))
}

fn filter(text: &str, depth: usize) -> Result<Filter> {
    let operators = [
        ("==", Operator::Equal),
        ("!=", Operator::NotEqual),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ];
    for (sign, operator) in operators {
        if let Some((left, right)) = text.split_once(sign) {
            let left = nested(left, depth)?;
            return Ok(Filter { left, test: Some((operator, operand(right.trim(), depth)?)) });
        }
    }
    Ok(Filter { left: nested(text, depth)?, test: None })
}

fn operand(text: &str, depth: usize) -> Result<Operand> {
    if text.starts_with(['@', '$', '.']) {
        return nested(text, depth).map(Operand::Path);
    }
    let literal = quoted(text).map(Value::String).or_else(|| match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        number => serde_json::from_str(number).ok().filter(Value::is_number),
    });
    literal.map(Operand::Literal).ok_or_else(|| error(format!("unrecognized literal {text:?}")))
}

fn error(message: impl Into<String>) -> JsonPathError {
    JsonPathError(message.into())
}
