//! Which objects: label selectors ([`Selector`]) and field selectors ([`FieldSelector`]), in
//! upstream's grammar.

mod check;
mod fields;
mod parse;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use crate::IStr;
use crate::meta::v1::{LabelSelector, LabelSelectorRequirement};
pub use fields::FieldSelector;

/// Requirements on labels, all of which must hold. Without any it selects everything.
///
/// The grammar is upstream's: `app=web,tier!=db,env in (a, b),zone notin (c),ready,!old,size>3`.
/// Requirements are kept sorted by key, as upstream prints them.
///
/// ```
/// use watchkeeper_api::{Map, selector::Selector};
/// let selector: Selector = "tier in (web, cache), !old".parse()?;
/// assert_eq!(selector.to_string(), "!old,tier in (cache,web)");
/// let labels: Map = Map::from([("tier", "web")]);
/// assert!(selector.matches(|key| labels.get(key).map(|value| value.as_str())));
/// # Ok::<(), watchkeeper_api::selector::SelectorError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selector(Vec<Requirement>);

/// One requirement on one label.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Requirement {
    key: IStr,
    test: Test,
}

/// What is required of a label. Values are sorted and distinct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// `key=value`.
    Equals(IStr),
    /// `key!=value`: another value, or no such label.
    NotEquals(IStr),
    /// `key in (a,b)`.
    In(Vec<IStr>),
    /// `key notin (a,b)`: another value, or no such label.
    NotIn(Vec<IStr>),
    /// `key`.
    Exists,
    /// `!key`.
    Absent,
    /// `key>3`: a whole number above.
    Above(i64),
    /// `key<3`: a whole number below.
    Below(i64),
}

/// What is no selector, in upstream's words.
///
/// ```
/// use watchkeeper_api::selector::Selector;
/// let error = "app=web,tier in front".parse::<Selector>().unwrap_err();
/// assert_eq!(error.offset(), Some(16));
/// assert_eq!(error.to_string(), "unable to parse requirement: found 'front' expected: '('");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    message: String,
    offset: Option<usize>,
}

impl SelectorError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), offset: None }
    }

    /// At which byte of the text what is wrong begins; `None` for what was no text.
    #[must_use]
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The same, of a text of which `part` is a part, unless the place is known already.
    fn within(self, text: &str, part: &str) -> Self {
        let offset = part.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
        Self { offset: self.offset.or(Some(offset.min(text.len()))), ..self }
    }
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SelectorError {}

impl Requirement {
    /// A requirement, checked as upstream's `NewRequirement` checks it.
    ///
    /// # Errors
    /// When the key is no label key, a value is no label value, or a set is empty; with all of
    /// that in upstream's words.
    pub fn new(key: &str, test: Test) -> Result<Self, SelectorError> {
        match &test {
            Test::Above(bound) => Self::checked(key, ">", &[IStr::from(bound.to_string())]),
            Test::Below(bound) => Self::checked(key, "<", &[IStr::from(bound.to_string())]),
            test => Self::checked(key, test.operator(), test.values()),
        }
    }

    /// The label it looks at.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What it asks of the label.
    #[must_use]
    pub fn test(&self) -> &Test {
        &self.test
    }

    fn holds(&self, value: Option<&str>) -> bool {
        let number = || value.and_then(|value| value.parse::<i64>().ok());
        match &self.test {
            Test::Equals(wanted) => value == Some(wanted),
            Test::NotEquals(unwanted) => value != Some(unwanted),
            Test::In(wanted) => value.is_some_and(|value| wanted.iter().any(|w| w == value)),
            Test::NotIn(unwanted) => {
                !value.is_some_and(|value| unwanted.iter().any(|u| u == value))
            }
            Test::Exists => value.is_some(),
            Test::Absent => value.is_none(),
            Test::Above(bound) => number().is_some_and(|number| number > *bound),
            Test::Below(bound) => number().is_some_and(|number| number < *bound),
        }
    }
}

impl Test {
    fn operator(&self) -> &'static str {
        match self {
            Self::Equals(_) => "=",
            Self::NotEquals(_) => "!=",
            Self::In(_) => "in",
            Self::NotIn(_) => "notin",
            Self::Exists => "exists",
            Self::Absent => "!",
            Self::Above(_) => ">",
            Self::Below(_) => "<",
        }
    }

    /// The values that it names.
    #[must_use]
    pub fn values(&self) -> &[IStr] {
        match self {
            Self::Equals(value) | Self::NotEquals(value) => std::slice::from_ref(value),
            Self::In(values) | Self::NotIn(values) => values,
            Self::Exists | Self::Absent | Self::Above(_) | Self::Below(_) => &[],
        }
    }
}

impl Selector {
    /// Selects everything.
    #[must_use]
    pub const fn everything() -> Self {
        Self(Vec::new())
    }

    /// Selects objects that have all of these labels.
    ///
    /// The labels are taken as they are, like upstream's `SelectorFromSet`: they come from objects.
    pub fn from_labels<'a>(labels: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let equals = |(key, value)| Requirement {
            key: IStr::from(key),
            test: Test::Equals(IStr::from(value)),
        };
        labels.into_iter().map(equals).collect()
    }

    /// Adds a requirement.
    #[must_use]
    pub fn and(self, requirement: Requirement) -> Self {
        self.0.into_iter().chain([requirement]).collect()
    }

    /// The requirements, by key.
    #[must_use]
    pub fn requirements(&self) -> &[Requirement] {
        &self.0
    }

    /// Whether it selects everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether labels that `value_of` looks up satisfy every requirement.
    pub fn matches<'a>(&self, value_of: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.0.iter().all(|requirement| requirement.holds(value_of(&requirement.key)))
    }

    /// Whether the labels of `object` satisfy every requirement.
    pub fn selects(&self, object: &impl crate::Object) -> bool {
        self.matches(|key| object.label(key))
    }
}

impl FromIterator<Requirement> for Selector {
    fn from_iter<I: IntoIterator<Item = Requirement>>(requirements: I) -> Self {
        let mut requirements = Vec::from_iter(requirements);
        requirements.sort_by(|a, b| a.key.cmp(&b.key));
        Self(requirements)
    }
}

/// As upstream's `LabelSelectorAsSelector`: an empty one selects everything. A missing one (a null
/// pointer) selects nothing there; here the caller decides.
impl TryFrom<&LabelSelector> for Selector {
    type Error = SelectorError;

    fn try_from(selector: &LabelSelector) -> Result<Self, SelectorError> {
        let labels = selector.match_labels.iter();
        let labels = labels.map(|(key, value)| Requirement::new(key, Test::Equals(value.clone())));
        let expressions = selector.match_expressions.iter().map(|expression| {
            let operator = match expression.operator.as_str() {
                "In" => "in",
                "NotIn" => "notin",
                "Exists" => "exists",
                "DoesNotExist" => "!",
                other => {
                    let why = format!("{other:?} is not a valid label selector operator");
                    return Err(SelectorError::new(why));
                }
            };
            Requirement::checked(&expression.key, operator, &expression.values)
        });
        labels.chain(expressions).collect()
    }
}

/// As upstream's `ParseToLabelSelector` makes of a parsed text: what asks for one value becomes a
/// label, everything else an expression.
impl TryFrom<&Selector> for LabelSelector {
    type Error = SelectorError;

    fn try_from(selector: &Selector) -> Result<Self, SelectorError> {
        let mut made = Self::default();
        for Requirement { key, test } in &selector.0 {
            let operator = match test {
                Test::Equals(value) if !made.match_labels.contains_key(key) => {
                    made.match_labels.insert(key.clone(), value.clone());
                    continue;
                }
                Test::Equals(_) | Test::In(_) => "In",
                Test::NotEquals(_) | Test::NotIn(_) => "NotIn",
                Test::Exists => "Exists",
                Test::Absent => "DoesNotExist",
                Test::Above(_) | Test::Below(_) => {
                    let operator = if let Test::Above(_) = test { "gt" } else { "lt" };
                    let why = format!("{operator:?} isn't supported in label selectors");
                    return Err(SelectorError::new(why));
                }
            };
            made.match_expressions.push(LabelSelectorRequirement {
                key: key.clone(),
                operator: operator.into(),
                values: test.values().iter().cloned().collect(),
            });
        }
        Ok(made)
    }
}

impl FromStr for Selector {
    type Err = SelectorError;
    fn from_str(text: &str) -> Result<Self, SelectorError> {
        parse::selector(text)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, requirement) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            fmt::Display::fmt(requirement, f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        match &self.test {
            Test::Equals(value) => write!(f, "{key}={value}"),
            Test::NotEquals(value) => write!(f, "{key}!={value}"),
            Test::In(values) => write!(f, "{key} in ({})", values.join(",")),
            Test::NotIn(values) => write!(f, "{key} notin ({})", values.join(",")),
            Test::Exists => write!(f, "{key}"),
            Test::Absent => write!(f, "!{key}"),
            Test::Above(bound) => write!(f, "{key}>{bound}"),
            Test::Below(bound) => write!(f, "{key}<{bound}"),
        }
    }
}
