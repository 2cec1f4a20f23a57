//! How much is told of an object: as much as somebody might read, however much is wrong with it.

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::Check;

/// So many bytes of mistakes are told of an object, which nobody reads to the end.
pub(super) const MOST_TOLD: usize = 4 << 20;

impl Check<'_> {
    pub(super) fn push(&mut self, error: FieldError) {
        let shown = error.value.as_ref().map_or(0, length);
        self.spend(100 + error.field.len() + error.detail.len() + shown);
        if !self.is_full() || self.errors.is_empty() {
            self.errors.push(error);
        }
    }

    /// What is written and not told in the end is work, too.
    pub(super) const fn spend(&mut self, bytes: usize) {
        self.told = self.told.saturating_add(bytes);
    }

    /// Whether nothing more is told. Who tells of something that is not small again and again asks before.
    pub(super) const fn is_full(&self) -> bool {
        self.told >= MOST_TOLD
    }
}

/// How long a value is where it is shown, about. Of one that stands by itself only a text may be long.
fn length(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(|item| 3 + length(item)).sum(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| 4 + name.len() + length(value)).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_about_as_long_as_they_are_shown() {
        for (value, expected) in [
            (json!(null), 0),
            (json!(17), 0),
            (json!("abc"), 3),
            (json!([]), 0),
            (json!(["abc", {}]), 9),
            (json!({"ab": "c", "d": [1]}), 7 + 8),
        ] {
            assert_eq!(length(&value), expected, "{value}");
        }
    }

    #[test]
    fn a_list_counts_with_all_that_is_in_it() {
        let object = Value::Null;
        let mut check = Check::of(&object, None);
        let list = json!(vec!["x".repeat(997); MOST_TOLD / 3_000]);
        for _ in 0..5 {
            check.push(FieldError::invalid("a", list.clone(), "b"));
        }
        assert!(check.is_full());
        assert_eq!(check.errors.len(), 2);
    }

    #[test]
    fn what_is_only_written_counts_and_one_mistake_is_told_all_the_same() {
        let object = Value::Null;
        let mut check = Check::of(&object, None);
        check.spend(MOST_TOLD - 1);
        assert!(!check.is_full());
        check.spend(usize::MAX);
        assert!(check.is_full());
        check.push(FieldError::required("a", ""));
        check.push(FieldError::required("a", ""));
        assert_eq!(check.errors.len(), 1);
    }
}
