//! How much is told of an object: as much as somebody might read, however much is wrong with it.

use watchkeeper_schema::FieldError;
pub(super) use watchkeeper_schema::error::MOST_TOLD;

use super::Check;

impl Check<'_> {
    pub(super) fn push(&mut self, error: FieldError) {
        self.spend(error.size());
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

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
