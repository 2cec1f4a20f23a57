//! Label and field selectors over JSON objects.
//!
//! Label syntax is that of apimachinery's `labels.Parse`: equality, sets, existence and order. Field
//! selectors know `=`, `==` and `!=`; which fields a kind offers is in [`fields`](super::super::registry::fields).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

mod parse;

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
    /// A number above this one.
    Above(i64),
    /// A number below this one.
    Below(i64),
}

impl Test {
    fn holds(&self, value: &str) -> bool {
        match self {
            Self::In(values) => values.contains(value),
            Self::NotIn(values) => !values.contains(value),
            Self::Exists => true,
            Self::Missing => false,
            Self::Above(number) => parse::integer(value).is_some_and(|value| value > *number),
            Self::Below(number) => parse::integer(value).is_some_and(|value| value < *number),
        }
    }

    /// Whether the label must be there.
    const fn needs(&self) -> bool {
        matches!(self, Self::In(_) | Self::Exists | Self::Above(_) | Self::Below(_))
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
        parse::requirements(text).map(Self::of)
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
                other => {
                    let other = crate::error::quoted(other);
                    return Err(format!("{other} is not a valid label selector operator"));
                }
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
        let mut parts = terms(text);
        parts.sort_unstable();
        for part in parts.iter().filter(|part| !part.is_empty()) {
            let Some((field, value, equal)) = term(part) else {
                return Err(format!("invalid selector: '{text}'; can't understand '{part}'"));
            };
            tests.push(FieldTest { field: field.to_owned(), value: unescape(value)?, equal });
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

/// Field, value, and whether they must be equal: split at the first operator.
fn term(part: &str) -> Option<(&str, &str, bool)> {
    let at = part.char_indices().find(|(at, c)| *c == '=' || part[*at..].starts_with("!="))?.0;
    let (field, rest) = part.split_at(at);
    let operators = [("!=", false), ("==", true), ("=", true)];
    operators
        .into_iter()
        .find_map(|(operator, equal)| Some((field, rest.strip_prefix(operator)?, equal)))
}

fn unescape(text: &str) -> Result<String, String> {
    let wrong =
        |sequence| Err(format!("invalid field selector: invalid escape sequence: {sequence}"));
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some(next @ ('\\' | ',' | '=')) => out.push(next),
                Some(next) => return wrong(format!("\\{next}")),
                None => return wrong("\\".to_owned()),
            },
            (',' | '=', _) => {
                let number = u32::from(c);
                return Err(format!(
                    "invalid field selector: unescaped character in value: {number}"
                ));
            }
            _ => out.push(c),
        }
    }
    Ok(out)
}
