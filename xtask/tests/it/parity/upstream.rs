//! Upstream's tests by their names: each has its counterpart on a page, or a line why not.

use std::collections::BTreeSet;
use std::fs;

use crate::workspace::root;

/// The names of upstream's tests, by file, without `Test`: client-go's of `tools/cache` and of the informers by
/// resource on one page, those of `rest` and of the limits and retries on another, those of `util/workqueue` and of controller-runtime's priority queue
/// on the third.
const NAMES: &str = include_str!("upstream.txt");

#[test]
fn each_test_of_upstream_has_its_counterpart() {
    let [cache, client, queue] = ["cache.md", "client.md", "queue.md"].map(|page| {
        let text = fs::read_to_string(root().join("docs/parity").join(page)).expect("a page");
        let answered = answered(&text);
        let names: Vec<&str> = of_page(NAMES, page).flat_map(names).collect();
        let missing: Vec<_> = names.iter().filter(|name| !answered.contains(**name)).collect();
        assert!(missing.is_empty(), "{page}: without a counterpart: {missing:#?}");
        names.len()
    });
    assert_eq!((cache, client, queue), (177, 128, 25));
}

#[test]
fn names_are_read_off_the_rows() {
    let page = "| upstream | here |\n|---|---|\n| f: `A_b`, `_c`, `TestD` | `it::has_one` |\n\
                | `E` | |\n| `F` | some day |\n| `G` | none: no |\n| `H` | C-60; ever |\n\n`I`\n";
    let expected = ["A_b", "A_c", "D", "G", "H"].map(str::to_owned);
    assert_eq!(answered(page), BTreeSet::from(expected));
    assert_eq!(names("a_test.go: B C").collect::<Vec<_>>(), ["B", "C"]);
    let both = "# a.md\nx: A\n# b.md\ny: B\nz: C\n";
    assert_eq!(of_page(both, "a.md").collect::<Vec<_>>(), ["x: A"]);
    assert_eq!(of_page(both, "b.md").collect::<Vec<_>>(), ["y: B", "z: C"]);
}

/// The lines below the heading of a page.
fn of_page<'a>(text: &'a str, page: &str) -> impl Iterator<Item = &'a str> {
    let is_heading = move |line: &&str| line.strip_prefix("# ") == Some(page);
    let rest = text.lines().skip_while(move |line| !is_heading(line)).skip(1);
    rest.take_while(|line| !line.starts_with('#'))
}

/// The names of a line: `file: one two`.
fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split_once(": ").map_or("", |(_, names)| names).split_whitespace()
}

/// The names in the first cells of rows whose last answers them. `_b` stands for `A_b` behind another name
/// that begins with `A_`.
fn answered(page: &str) -> BTreeSet<String> {
    let mut answered = BTreeSet::new();
    let rows = page.lines().filter_map(super::row).filter(|(_, answer)| is_answer(answer));
    for (upstream, _) in rows {
        let mut family = "";
        for name in upstream.split('`').skip(1).step_by(2) {
            let name = name.strip_prefix("Test").unwrap_or(name);
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

/// Whether a cell names a test or a statement, or says that there is none.
fn is_answer(cell: &str) -> bool {
    let is_statement = |word: &str| {
        let id = word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).split_once('-');
        id.is_some_and(|(letter, number)| {
            letter.len() == 1 && number.len() == 2 && number.parse::<u32>().is_ok()
        })
    };
    super::named(cell).next().is_some()
        || cell.split_whitespace().any(is_statement)
        || ["none", "there is no"].iter().any(|none| cell.starts_with(none))
}
