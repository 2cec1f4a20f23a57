//! The JSONPath of printer columns and selectable fields: Kubernetes' dialect
//! (client-go, `util/jsonpath`), one expression, with or without braces.
//!
//! `.a.b`, `['a']`, `\.` in names, `[0]`, `[-1]`, `[1:3]`, `[*]`, `..a`, `['a','b']`,
//! `[?(@.type=="Ready")]` with `==`, `!=`, `<`, `<=`, `>`, `>=`, or just `[?(@.a)]`.

use std::fmt;

use serde_json::Value;

mod parse;

#[cfg(test)]
mod tests;

const MOST_FOUND: usize = 10_000;

/// A path into JSON values.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonPath {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// Members of these names.
    Names(Vec<String>),
    /// Items at these places; negative ones count from the end.
    Indices(Vec<i64>),
    /// Items from, to and by.
    Slice(Option<i64>, Option<i64>, i64),
    /// All members or items.
    All,
    /// The value and everything below it.
    Descend,
    /// Items that pass a test.
    Filter(Filter),
}

#[derive(Clone, Debug, PartialEq)]
struct Filter {
    left: JsonPath,
    test: Option<(Operator, Operand)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Debug, PartialEq)]
enum Operand {
    Literal(Value),
    Path(JsonPath),
}

/// Text that is no JSONPath.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonPathError(String);

impl fmt::Display for JsonPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for JsonPathError {}

impl JsonPath {
    /// Reads a path.
    ///
    /// # Errors
    ///
    /// What cannot be understood.
    pub fn parse(text: &str) -> Result<Self, JsonPathError> {
        parse::path(text)
    }

    /// The values at the path; missing members lead to none. So does a path that leads to more than ten thousand values,
    /// as it may lead to any number.
    #[must_use]
    pub fn find<'a>(&self, value: &'a Value) -> Vec<&'a Value> {
        let mut found = vec![value];
        for step in &self.steps {
            let next = found.into_iter().flat_map(|value| step.from(value));
            found = next.take(MOST_FOUND + 1).collect();
            if found.len() > MOST_FOUND {
                return Vec::new();
            }
        }
        found
    }

    /// The first value at the path.
    #[must_use]
    pub fn first<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        self.find(value).into_iter().next()
    }
}

impl Step {
    fn from<'a>(&self, value: &'a Value) -> Vec<&'a Value> {
        match self {
            Self::Names(names) => names.iter().filter_map(|name| value.get(name)).collect(),
            Self::Indices(indices) => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                indices.iter().filter_map(|index| items.get(place(*index, items.len())?)).collect()
            }
            Self::Slice(from, to, by) => slice(value, *from, *to, *by),
            Self::All => children(value),
            Self::Descend => {
                let mut all = vec![value];
                all.extend(children(value).into_iter().flat_map(|child| self.from(child)));
                all
            }
            Self::Filter(filter) => {
                children(value).into_iter().filter(|item| filter.passes(item)).collect()
            }
        }
    }
}

fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    }
}

fn place(index: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    usize::try_from(if index < 0 { length + index } else { index }).ok()
}

/// A slice is within its list, and goes forward; of another one there is nothing.
fn slice(value: &Value, from: Option<i64>, to: Option<i64>, by: i64) -> Vec<&Value> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let (from, to) = (from.unwrap_or(0), to.map_or(Some(items.len()), |to| place(to, items.len())));
    let (Some(from), Some(to)) = (place(from, items.len()), to) else { return Vec::new() };
    let step = usize::try_from(by).ok().filter(|step| *step > 0);
    let Some(step) = step.filter(|_| from < to) else { return Vec::new() };
    items.get(from..to).unwrap_or_default().iter().step_by(step).collect()
}

impl Filter {
    fn passes(&self, item: &Value) -> bool {
        let left = self.left.find(item);
        let Some((operator, right)) = &self.test else { return !left.is_empty() };
        let right = match right {
            Operand::Literal(value) => Some(value),
            Operand::Path(path) => path.first(item),
        };
        match (left.first(), right) {
            (Some(left), Some(right)) => operator.holds(left, right),
            _ => false,
        }
    }
}

impl Operator {
    fn holds(self, left: &Value, right: &Value) -> bool {
        let order = match (left, right) {
            (Value::Number(a), Value::Number(b)) => {
                a.as_f64().zip(b.as_f64()).and_then(|(a, b)| a.partial_cmp(&b))
            }
            (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
            (a, b) => (a == b).then_some(std::cmp::Ordering::Equal),
        };
        match (self, order) {
            (Self::Equal, order) => order.is_some_and(std::cmp::Ordering::is_eq),
            (Self::NotEqual, order) => order.is_none_or(std::cmp::Ordering::is_ne),
            (_, None) => false,
            (Self::Less, Some(order)) => order.is_lt(),
            (Self::LessOrEqual, Some(order)) => order.is_le(),
            (Self::Greater, Some(order)) => order.is_gt(),
            (Self::GreaterOrEqual, Some(order)) => order.is_ge(),
        }
    }
}
