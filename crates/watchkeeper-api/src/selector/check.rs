//! What a requirement may say, in upstream's words (`labels.NewRequirement`).

use super::{Requirement, SelectorError, Test};
use crate::{IStr, validation};

/// # Errors
/// When `key`, found at `path`, is no key of a label.
pub(super) fn key(path: &str, key: &str) -> Result<(), SelectorError> {
    match validation::label_key(key) {
        problems if problems.is_empty() => Ok(()),
        problems => Err(SelectorError::new(invalid(path, key, &problems))),
    }
}

impl Requirement {
    /// A requirement out of what a text or an object says: an operator and its values.
    pub(super) fn checked(
        key: &str,
        operator: &str,
        values: &[IStr],
    ) -> Result<Self, SelectorError> {
        let mut wrong = Vec::new();
        wrong.extend(self::key("key", key).err().map(|error| error.to_string()));
        wrong.extend(wrong_count(operator, values));
        if let ">" | "<" = operator {
            wrong.extend(values.iter().enumerate().filter(|(_, value)| !is_number(value)).map(
                |(index, value)| {
                    let why = "for 'Gt', 'Lt' operators, the value must be an integer";
                    format!("values[{index}]: Invalid value: {value:?}: {why}")
                },
            ));
        }
        for (index, value) in values.iter().enumerate() {
            let problems = validation::label_value(value);
            if !problems.is_empty() {
                wrong.push(invalid(&format!("values[{index}][{key}]"), value, &problems));
            }
        }
        let mut values = values.to_vec();
        if let "in" | "notin" = operator {
            values.sort();
            values.dedup();
        }
        match (joined(wrong), test(operator, values)) {
            (None, Some(test)) => Ok(Self { key: IStr::from(key), test }),
            (wrong, _) => Err(SelectorError::new(wrong.unwrap_or_default())),
        }
    }
}

fn test(operator: &str, values: Vec<IStr>) -> Option<Test> {
    let first = || values.first().cloned();
    let number = || first()?.parse().ok();
    Some(match operator {
        "=" | "==" => Test::Equals(first()?),
        "!=" => Test::NotEquals(first()?),
        ">" => Test::Above(number()?),
        "<" => Test::Below(number()?),
        "in" => Test::In(values),
        "notin" => Test::NotIn(values),
        "!" => Test::Absent,
        _ => Test::Exists,
    })
}

fn is_number(value: &str) -> bool {
    value.parse::<i64>().is_ok()
}

/// As many values as the operator wants.
fn wrong_count(operator: &str, values: &[IStr]) -> Option<String> {
    let why = match (operator, values.len()) {
        ("in" | "notin", 0) => "for 'in', 'notin' operators, values set can't be empty",
        ("!" | "exists", 1..) => "values set must be empty for exists and does not exist",
        _ => return None,
    };
    let shown = match values {
        [] => "null".to_owned(),
        values => crate::json::to_string(&values.to_vec()),
    };
    Some(format!("values: Invalid value: {shown}: {why}"))
}

fn invalid(path: &str, value: &str, problems: &[String]) -> String {
    format!("{path}: Invalid value: {value:?}: {}", problems.join("; "))
}

/// Several complaints as upstream's aggregated errors print them: each once.
fn joined(wrong: Vec<String>) -> Option<String> {
    let mut told: Vec<String> = Vec::new();
    for why in wrong {
        if !told.contains(&why) {
            told.push(why);
        }
    }
    match told.len() {
        0 => None,
        1 => told.pop(),
        _ => Some(format!("[{}]", told.join(", "))),
    }
}
