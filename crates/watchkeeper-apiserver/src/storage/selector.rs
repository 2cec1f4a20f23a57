//! Label and field selectors over JSON objects.
//!
//! Label syntax is that of apimachinery's `labels.Parse`: equality, sets and existence. Field
//! selectors know `=`, `==` and `!=`; which fields a kind offers is in [`fields`](super::super::registry::fields).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// All requirements must hold; none holds always.
///
/// They are kept by their keys, so that looking at an object takes as long as it has labels, however long the
/// selector is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    tests: BTreeMap<String, BTreeSet<Test>>,
    /// How many tests do not hold for a label that is missing.
    needed: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Test {
    In(BTreeSet<String>),
    NotIn(BTreeSet<String>),
    Exists,
    Missing,
}

impl Test {
    fn holds(&self, value: &str) -> bool {
        match self {
            Self::In(values) => values.contains(value),
            Self::NotIn(values) => !values.contains(value),
            Self::Exists => true,
            Self::Missing => false,
        }
    }

    /// Whether the label must be there.
    const fn needs(&self) -> bool {
        matches!(self, Self::In(_) | Self::Exists)
    }
}

/// A test of one label.
type Requirement = (String, Test);

impl Labels {
    /// Whether everything is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    fn of(requirements: impl IntoIterator<Item = Requirement>) -> Self {
        let mut labels = Self::default();
        for (key, test) in requirements {
            let needs = test.needs();
            if labels.tests.entry(key).or_default().insert(test) {
                labels.needed += usize::from(needs);
            }
        }
        labels
    }

    /// Reads a selector such as `app=web,tier in (a,b),!canary`.
    ///
    /// # Errors
    ///
    /// A sentence that says what was found and what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut requirements = Vec::new();
        for part in split(text) {
            requirements.push(
                requirement(part.trim())
                    .map_err(|why| format!("unable to parse requirement: {why}"))?,
            );
        }
        Ok(Self::of(requirements))
    }

    /// Reads a `LabelSelector` of the API; what is absent or empty selects everything.
    ///
    /// # Errors
    ///
    /// What is wrong with an operator or its values.
    pub fn of_selector(selector: &Value) -> Result<Self, String> {
        let texts = |value: &Value| -> BTreeSet<String> {
            let values = value.as_array().into_iter().flatten();
            values.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let mut requirements = Vec::new();
        for (key, value) in selector["matchLabels"].as_object().into_iter().flatten() {
            let value = value.as_str().unwrap_or_default().to_owned();
            requirements.push((key.clone(), Test::In(BTreeSet::from([value]))));
        }
        for expression in selector["matchExpressions"].as_array().into_iter().flatten() {
            let key = expression["key"].as_str().unwrap_or_default().to_owned();
            let values = texts(&expression["values"]);
            let test = match expression["operator"].as_str().unwrap_or_default() {
                "In" => Test::In(values),
                "NotIn" => Test::NotIn(values),
                "Exists" => Test::Exists,
                "DoesNotExist" => Test::Missing,
                other => return Err(format!("{other:?} is not a valid label selector operator")),
            };
            requirements.push((key, test));
        }
        Ok(Self::of(requirements))
    }

    /// Whether an object with these labels (a JSON object or nothing) is selected.
    #[must_use]
    pub fn matches(&self, labels: Option<&Value>) -> bool {
        let mut needed = self.needed;
        for (key, value) in labels.and_then(Value::as_object).into_iter().flatten() {
            let (Some(tests), Some(value)) = (self.tests.get(key), value.as_str()) else {
                continue;
            };
            for test in tests {
                if !test.holds(value) {
                    return false;
                }
                needed -= usize::from(test.needs());
            }
        }
        needed == 0
    }
}

/// Splits at the commas outside parentheses.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    if parts.iter().all(|part| part.trim().is_empty()) { Vec::new() } else { parts }
}

fn requirement(text: &str) -> Result<Requirement, String> {
    if let Some(key) = text.strip_prefix('!') {
        return Ok((label_key(key.trim())?, Test::Missing));
    }
    for (operator, negated) in [("!=", true), ("==", false), ("=", false)] {
        if let Some((key, value)) = text.split_once(operator) {
            let values = BTreeSet::from([label_value(value.trim())?]);
            let test = if negated { Test::NotIn(values) } else { Test::In(values) };
            return Ok((label_key(key.trim())?, test));
        }
    }
    if let Some((head, values)) = text.split_once('(') {
        return set_requirement(head.trim(), values.trim());
    }
    Ok((label_key(text)?, Test::Exists))
}

fn set_requirement(head: &str, values: &str) -> Result<Requirement, String> {
    let Some(values) = values.strip_suffix(')') else {
        let is_open = values.is_empty() || values.ends_with(',');
        let expected = if is_open { "',', ')' or identifier" } else { "',' or ')'" };
        return Err(format!("found '', expected: {expected}"));
    };
    let Some((key, operator)) = head.split_once(char::is_whitespace) else {
        return Err(format!("found '{head}', expected: in, notin"));
    };
    let values: Result<BTreeSet<String>, String> =
        values.split(',').map(|value| label_value(value.trim())).collect();
    let test = match operator.trim() {
        "in" => Test::In(values?),
        "notin" => Test::NotIn(values?),
        other => return Err(format!("found '{other}', expected: in, notin, =, ==, !=, gt, lt")),
    };
    Ok((label_key(key)?, test))
}

fn label_key(key: &str) -> Result<String, String> {
    if let Some((_, rest)) = key.trim().split_once(char::is_whitespace) {
        let rest = rest.trim();
        return Err(format!("found '{rest}', expected: in, notin, =, ==, !=, gt, lt"));
    }
    let name = key.rsplit('/').next().unwrap_or_default();
    if is_qualified(name) && key.len() <= 317 {
        Ok(key.to_owned())
    } else {
        Err(format!(
            "<nil>: Invalid value: \"{key}\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
        ))
    }
}

fn label_value(value: &str) -> Result<String, String> {
    if value.is_empty() || is_qualified(value) {
        Ok(value.to_owned())
    } else {
        Err(format!(
            "<nil>: Invalid value: \"{value}\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
        ))
    }
}

fn is_qualified(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    text.len() <= 63
        && text.chars().all(inner)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// A field selector: `metadata.name=a,status.phase!=Running`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(pub Vec<FieldTest>);

/// One requirement of a field selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldTest {
    /// The field's label, e.g. `metadata.name`.
    pub field: String,
    /// The value compared with.
    pub value: String,
    /// Whether the values must be equal or must differ.
    pub equal: bool,
}

impl Fields {
    /// Reads a selector.
    ///
    /// # Errors
    ///
    /// A sentence that names the part without an operator.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut tests = Vec::new();
        for part in terms(text) {
            if part.is_empty() {
                continue;
            }
            let found = [("!=", false), ("==", true), ("=", true)].into_iter().find_map(
                |(operator, equal)| {
                    part.split_once(operator).map(|(field, value)| (field, value, equal))
                },
            );
            let Some((field, value, equal)) = found else {
                return Err(format!("invalid selector: '{text}'; can't understand '{part}'"));
            };
            tests.push(FieldTest { field: field.to_owned(), value: unescape(value), equal });
        }
        Ok(Self(tests))
    }

    /// Adds the requirement that `field` equals `value`.
    pub fn require(&mut self, field: &str, value: &str) {
        self.0.push(FieldTest { field: field.to_owned(), value: value.to_owned(), equal: true });
    }

    /// The value that a field must equal, where one is required.
    #[must_use]
    pub fn required(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|test| test.equal && test.field == field).map(|test| &*test.value)
    }
}

/// Splits at commas that no backslash escapes.
fn terms(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut escaped) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        if escaped {
            part.push(c);
            escaped = false;
        } else if c == '\\' {
            part.push(c);
            escaped = true;
        } else if c == ',' {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    parts
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    out
}
