//! Upstream's tests by their names: each has its counterpart on a page, or a line why not.

use std::collections::BTreeSet;
use std::fs;

use crate::workspace::root;

/// The names of client-go's tests of `tools/cache`, by file, without `Test`.
const NAMES: &str = include_str!("upstream.txt");

#[test]
fn each_test_of_upstream_has_its_counterpart() {
    let page = fs::read_to_string(root().join("docs/parity/cache.md")).expect("a page");
    let answered = answered(&page);
    let names: Vec<&str> = NAMES.lines().flat_map(names).collect();
    assert!(names.len() > 120, "only {}", names.len());
    let missing: Vec<_> = names.into_iter().filter(|name| !answered.contains(*name)).collect();
    assert!(missing.is_empty(), "without a counterpart: {missing:#?}");
}

#[test]
fn defects_of_others_have_a_test() {
    let page = fs::read_to_string(root().join("docs/parity/cache.md")).expect("a page");
    for defect in 'a'..='i' {
        let row = page.lines().find(|line| line.starts_with(&format!("| {defect}: ")));
        let row = row.unwrap_or_else(|| panic!("{defect} is missing"));
        assert!(super::named(row).next().is_some(), "{defect} has no test");
    }
}

#[test]
fn names_are_read_off_the_rows() {
    let page = "| upstream | here |\n|---|---|\n| f: `A_b`, `_c`, `D` | it |\n| `E` | |\n\n`F`\n";
    let expected = ["A_b", "A_c", "D"].map(str::to_owned);
    assert_eq!(answered(page), BTreeSet::from(expected));
    assert_eq!(names("a_test.go: B C").collect::<Vec<_>>(), ["B", "C"]);
}

/// The names of a line: `file: one two`.
fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split_once(": ").map_or("", |(_, names)| names).split_whitespace()
}

/// The names in the first cells of rows whose last says something. `_b` stands for `A_b` behind another name
/// that begins with `A_`.
fn answered(page: &str) -> BTreeSet<String> {
    let mut answered = BTreeSet::new();
    let rows = page.lines().filter_map(super::row).filter(|(_, state)| !state.is_empty());
    for (upstream, _) in rows {
        let mut family = "";
        for name in upstream.split('`').skip(1).step_by(2) {
            if name.starts_with('_') {
                answered.insert(format!("{family}{name}"));
            } else {
                family = name.split('_').next().unwrap_or_default();
                answered.insert(name.to_owned());
            }
        }
    }
    answered
}
