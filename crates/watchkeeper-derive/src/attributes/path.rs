//! Paths into an object, as columns, scales and selectable fields have them (client-go's
//! `util/jsonpath`).

use proc_macro2::Span;
use syn::{Error, LitStr, Result};

#[cfg(test)]
mod tests;

/// A path that may lead somewhere.
pub(crate) struct JsonPath {
    pub(crate) text: LitStr,
    /// The names of its beginning, up to the first step that is no name.
    pub(crate) names: Vec<String>,
    /// Whether there are only names.
    pub(crate) is_plain: bool,
}

impl JsonPath {
    /// Any path.
    pub(crate) fn parse(text: LitStr) -> Result<Self> {
        let (names, is_plain) = steps(&text.value())
            .map_err(|message| Error::new(text.span(), format!("no JSONPath: {message}")))?;
        Ok(Self { text, names, is_plain })
    }

    /// A path of names only, below one of `roots`.
    pub(crate) fn plain(text: LitStr, roots: &[&str]) -> Result<Self> {
        let path = Self::parse(text)?;
        if !path.is_plain {
            return Err(Error::new(path.span(), "only names can stand in this path"));
        }
        let below = |root: &&str| path.names.len() > 1 && path.names[0] == *root;
        if !roots.is_empty() && !roots.iter().any(below) {
            let roots: Vec<_> = roots.iter().map(|root| format!("`.{root}.`")).collect();
            let message = format!("the path begins with {}", roots.join(" or "));
            return Err(Error::new(path.span(), message));
        }
        Ok(path)
    }

    pub(crate) fn span(&self) -> Span {
        self.text.span()
    }
}

/// The names at the beginning, and whether there is nothing else.
fn steps(path: &str) -> std::result::Result<(Vec<String>, bool), String> {
    if !path.starts_with('.') {
        return Err("it begins with a dot, as `.spec.replicas`".to_owned());
    }
    let (mut names, mut is_plain, mut rest) = (Vec::new(), true, path);
    while let Some(first) = rest.chars().next() {
        let (name, after) = match first {
            '.' => name(&rest[1..])?,
            '[' => brackets(&rest[1..])?,
            other => return Err(format!("a dot or `[` is missing before `{other}`")),
        };
        match name {
            Some(name) if is_plain => names.push(name),
            Some(_) => {}
            None => is_plain = false,
        }
        rest = after;
    }
    Ok((names, is_plain))
}

type Step<'a> = std::result::Result<(Option<String>, &'a str), String>;

/// After a dot: a name, in which backslashes hide what would end it; `*`; or a second dot, which
/// looks at any depth.
fn name(text: &str) -> Step<'_> {
    if text.starts_with('.') {
        return Ok((None, text));
    }
    let (mut name, mut end, mut hidden) = (String::new(), text.len(), false);
    for (index, c) in text.char_indices() {
        match c {
            _ if hidden => {
                name.push(c);
                hidden = false;
            }
            '\\' => hidden = true,
            '.' | '[' => {
                end = index;
                break;
            }
            c if c.is_whitespace() || "]{}()'\"?@".contains(c) => {
                return Err(format!("`{c}` cannot stand in a name"));
            }
            c => name.push(c),
        }
    }
    if hidden {
        return Err("it ends with a backslash".to_owned());
    }
    match name.as_str() {
        "" if text.starts_with('[') => Ok((None, text)),
        "" => Err("a name is missing after a dot".to_owned()),
        "*" => Ok((None, &text[end..])),
        _ => Ok((Some(name), &text[end..])),
    }
}

/// After `[`: a quoted name, an index, a slice, `*`, or a filter `?(…)`.
fn brackets(text: &str) -> Step<'_> {
    let end = closing(text).ok_or("`[` is not closed")?;
    let (inner, rest) = (text[..end].trim(), &text[end + 1..]);
    if let Some(name) = inner.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\'')) {
        return match name {
            "" => Err("a name is missing in `['']`".to_owned()),
            _ => Ok((Some(name.to_owned()), rest)),
        };
    }
    let is_filter = inner.starts_with("?(") && inner.ends_with(')') && inner.len() > 3;
    let is_index = !inner.is_empty()
        && inner.split(':').count() <= 3
        && inner
            .split([',', ':'])
            .all(|part| part.is_empty() || part.trim().parse::<i64>().is_ok());
    if inner == "*" || is_filter || is_index {
        return Ok((None, rest));
    }
    Err(format!("`[{inner}]` is no index, no `'name'`, and no filter `?(…)`"))
}

/// Where the bracket closes that is open at the beginning.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (index, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) => quote = Some(open).filter(|open| *open != c),
            (None, '\'' | '"') => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') if depth == 0 => return Some(index),
            (None, ']') => depth -= 1,
            (None, _) => {}
        }
    }
    None
}
