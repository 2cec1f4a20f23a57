//! What is lost, and what is found although nobody was told of it.

use std::collections::BTreeMap;

use super::Book;

/// A book of lines, and what it says to what a server has.
fn judged(lines: &[&str], found: &[(&str, &str, u64)], revision: u64) -> String {
    let mut book = Book::default();
    for line in lines {
        if let Err(problem) = book.take(line, 10) {
            return problem;
        }
    }
    let found: BTreeMap<_, _> = found
        .iter()
        .map(|(name, value, revision)| ((*name).to_owned(), ((*value).to_owned(), *revision)))
        .collect();
    book.judge(&found, revision).err().unwrap_or_else(|| book.had_happened.to_string())
}

#[test]
fn what_was_acknowledged_is_there_and_what_was_asked_for_may_be() {
    let made = ["begun a 1", "done a 1 11"];
    assert_eq!(judged(&made, &[("a", "1", 11)], 11), "0");
    let changed = [&made[..], &["begun a 2"]].concat();
    assert_eq!(judged(&changed, &[("a", "1", 11)], 11), "0");
    assert_eq!(judged(&changed, &[("a", "2", 12)], 12), "1");
    let removed = [&made[..], &["begun a -"]].concat();
    assert_eq!(judged(&removed, &[], 12), "1");
    let gone = [&removed[..], &["done a - 0"]].concat();
    assert_eq!(judged(&gone, &[], 12), "0");
}

#[test]
fn what_is_lost_is_found() {
    let made = ["begun a 1", "done a 1 11"];
    let lost = "a: Some((\"1\", 11)) was acknowledged, the server has ";
    assert_eq!(judged(&made, &[], 11), format!("{lost}None"));
    let other = format!("{lost}Some((\"2\", 12))");
    assert_eq!(judged(&made, &[("a", "2", 12)], 12), other);
    assert_eq!(judged(&made, &[("a", "1", 12)], 12), format!("{lost}Some((\"1\", 12))"));
    assert_eq!(judged(&made, &[("a", "1", 11)], 10), "11 was told, and the server is at 10");
    let gone = [&made[..], &["begun a -", "done a - 0"]].concat();
    let back = "a: None was acknowledged, the server has Some((\"1\", 11))";
    assert_eq!(judged(&gone, &[("a", "1", 11)], 12), back);
    assert_eq!(judged(&[], &[("b", "1", 11)], 12), "b: nobody asked for it");
    let again = "\"done a 1 9\", although 10 was told before the kill";
    assert_eq!(judged(&["begun a 1", "done a 1 9"], &[], 12), again);
    assert_eq!(judged(&["nonsense"], &[], 12), "the log says \"nonsense\"");
}
