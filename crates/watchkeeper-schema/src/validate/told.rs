//! How much is told of a value: as much as somebody might read, however much is wrong with it and however long the
//! way there is.

use super::path::Path;
use crate::error::{FieldError, MOST_TOLD};

/// The mistakes of all places within one value.
#[derive(Default)]
pub(super) struct Told {
    errors: Vec<FieldError>,
    /// How many bytes they are, about, with where they are.
    bytes: usize,
}

impl Told {
    /// Notes a mistake at a place, and tells whether there is room for more. One is told in any case. Where it is becomes
    /// a text only then.
    pub(super) fn tell(&mut self, path: &Path<'_>, error: FieldError) -> bool {
        self.bytes = self.bytes.saturating_add(path.length()).saturating_add(error.size());
        if !self.is_full() || self.errors.is_empty() {
            self.errors.push(path.place(error));
        }
        !self.is_full()
    }

    pub(super) const fn is_full(&self) -> bool {
        self.bytes >= MOST_TOLD
    }

    pub(super) fn into_errors(self) -> Vec<FieldError> {
        self.errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_a_mistake_counts_as_the_mistake_does() {
        let name = "x".repeat(MOST_TOLD / 3);
        let path = Path::Key(&Path::Root, &name);
        let mut told = Told::default();
        let more: Vec<bool> =
            (0..4).map(|_| told.tell(&path, FieldError::required("a", ""))).collect();
        assert_eq!(more, [true, true, false, false]);
        let errors = told.into_errors();
        assert_eq!(errors.len(), 2);
        assert_eq!(errors[0].field.len(), name.len() + 4);
    }

    #[test]
    fn one_mistake_is_told_however_long_it_is() {
        let mut told = Told::default();
        let long = FieldError::invalid("a", "x".repeat(MOST_TOLD), "");
        assert!(!told.tell(&Path::Root, long.clone()));
        assert!(!told.tell(&Path::Root, long));
        assert_eq!(told.into_errors().len(), 1);
    }
}
