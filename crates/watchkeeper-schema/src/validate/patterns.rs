//! Patterns, each compiled once however many values it is asked of.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use regex::Regex;

type Compiled = Rc<Result<Regex, regex::Error>>;

/// The patterns of one validation.
#[derive(Default)]
pub(super) struct Patterns(RefCell<BTreeMap<String, Compiled>>);

impl Patterns {
    /// The pattern, ready to be asked; or why it is none.
    pub(super) fn compiled(&self, pattern: &str) -> Compiled {
        let mut known = self.0.borrow_mut();
        if let Some(compiled) = known.get(pattern) {
            return Rc::clone(compiled);
        }
        let compiled = Rc::new(Regex::new(pattern));
        known.insert(pattern.to_owned(), Rc::clone(&compiled));
        compiled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_compiled_once() {
        let patterns = Patterns::default();
        assert!(Rc::ptr_eq(&patterns.compiled("^a$"), &patterns.compiled("^a$")));
        assert!(patterns.compiled("(").is_err());
    }
}
