//! Patterns, each compiled once however many values it is asked of.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::pattern::{Size, measured, translated};

/// So many steps of making a pattern ready are as much work as one schema.
const STEPS: u64 = 64;
/// And so many bounds of its ranges, which are listed.
const RUNES: u64 = 2;
/// And so many of its states.
const STATES: u64 = 4;

/// A pattern that can be asked.
#[derive(Debug)]
pub(super) struct Pattern {
    regex: Regex,
    /// How many states it has, about: each byte of a text may have to be looked at by each.
    pub(super) states: u64,
}

impl Pattern {
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

/// A pattern, or why it is none.
type Compiled = Rc<Result<Pattern, String>>;

/// The patterns of one validation.
#[derive(Default)]
pub(super) struct Patterns(RefCell<BTreeMap<String, Compiled>>);

impl Patterns {
    /// The pattern, ready to be asked; or why it is none. `pay` is told how much work is made of it, as often as more
    /// of that is known, and says whether it may be.
    pub(super) fn compiled(&self, pattern: &str, pay: impl Fn(u64) -> bool) -> Option<Compiled> {
        if let Some(compiled) = self.0.borrow().get(pattern) {
            return Some(Rc::clone(compiled));
        }
        let compiled = match measured(pattern) {
            Ok(size) => made(pattern, size, pay)?,
            Err(why) => Err(why),
        };
        let compiled = Rc::new(compiled);
        self.0.borrow_mut().insert(pattern.to_owned(), Rc::clone(&compiled));
        Some(compiled)
    }
}

/// A pattern that was measured. Before the engine reads it, and be it only to count its states, it is paid for what
/// the engine looks at while it reads: that may be a billion letters.
fn made(pattern: &str, size: Size, pay: impl Fn(u64) -> bool) -> Option<Result<Pattern, String>> {
    if !pay(size.steps / STEPS + size.runes / RUNES) {
        return None;
    }
    let translated = translated(pattern);
    let states = states(&translated);
    if !pay(states / STATES) {
        return None;
    }
    let regex = Regex::new(&translated).map_err(|error| error.to_string());
    Some(regex.map(|regex| Pattern { regex, states }))
}

/// How many states a pattern has when its repetitions are written out. One that cannot be read has as many as
/// it is long.
fn states(pattern: &str) -> u64 {
    regex_syntax::parse(pattern).map_or(pattern.len() as u64, |hir| of(&hir)).max(1)
}

/// The nesting of a pattern is bounded by its parser.
fn of(hir: &Hir) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(Class::Bytes(class)) => class.ranges().len() as u64,
        // Each range is some sequences of up to four bytes.
        HirKind::Class(Class::Unicode(class)) => 4 * class.ranges().len() as u64,
        HirKind::Repetition(of_what) => {
            let times = of_what.max.unwrap_or(of_what.min).max(1);
            of(&of_what.sub).saturating_add(1).saturating_mul(u64::from(times))
        }
        HirKind::Capture(group) => of(&group.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(of).fold(1, u64::saturating_add)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_compiled_once() {
        let patterns = Patterns::default();
        let compiled = |pattern: &str| patterns.compiled(pattern, |_| true).expect("paid for");
        assert!(Rc::ptr_eq(&compiled("^a$"), &compiled("^a$")));
        assert!(compiled("(").is_err());
        assert!(patterns.compiled("b", |_| false).is_none());
    }

    /// Whoever read these first would be there for half a minute.
    #[test]
    fn a_pattern_is_paid_for_before_it_is_read() {
        let patterns = Patterns::default();
        for class in [r"\p{Any}", r"[\x00-\x{10FFFF}]", r"[\W_]"] {
            let long = format!("(?i){}", class.repeat(20_000));
            assert!(patterns.compiled(&long, |work| work < 5_000_000).is_none(), "{class}");
        }
        for (pattern, text) in [
            ("(?i)^[a-z]+$", "LAMP"),
            (r"(?i)^\pL+$", "Öl"),
            (r"(?i)^[^\W_]+@\S+$", "A@b"),
            (r"^(?i:[^@\s]+)@[a-z]+$", "A@b"),
        ] {
            let compiled = patterns.compiled(pattern, |work| work < 20_000).expect("paid for");
            assert!((*compiled).as_ref().is_ok_and(|made| made.is_match(text)), "{pattern}");
        }
    }

    #[test]
    fn what_go_would_not_read_is_told_in_its_words() {
        let patterns = Patterns::default();
        for (pattern, why) in
            [("(a", "missing closing ): `(a`"), ("(a{100}){100}", "invalid repeat count: `{100}`")]
        {
            let compiled = patterns.compiled(pattern, |_| true).expect("paid for");
            let why = format!("error parsing regexp: {why}");
            assert_eq!((*compiled).as_ref().err(), Some(&why));
        }
    }

    #[test]
    fn repetitions_are_written_out() {
        assert!(states("^[a-z]([-a-z0-9]*[a-z0-9])?$") < 60);
        assert!(states("((a{100}){100}){100}") >= 1_000_000);
        assert!(states(r"\pL{1000}") > 100_000);
        assert_eq!(states(""), 1);
    }
}
