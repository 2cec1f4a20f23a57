//! The pages for those who come from elsewhere: each name that they type has its counterpart there, or a reason why
//! it has none; and what is named as a counterpart is there.

use std::collections::BTreeSet;
use std::fs;

use crate::sources;
use crate::workspace::root;

/// A page, the names that it must have, and how many those are.
const PAGES: [(&str, &str, usize); 2] = [
    ("coming-from-go.md", include_str!("habits/go.txt"), 1663),
    ("coming-from-kube-rs.md", include_str!("habits/kube.txt"), 630),
];

#[test]
fn every_name_has_its_counterpart() {
    for (page, names, count) in PAGES {
        let text = page_of(page);
        let missing = missing(&text, names);
        assert!(missing.is_empty(), "{page}: without a counterpart:\n{}", missing.join("\n"));
        assert_eq!(sections(names).flat_map(|(_, names)| list(names)).count(), count, "{page}");
    }
}

#[test]
fn every_counterpart_is_there() {
    let known = known();
    for (page, _, _) in PAGES {
        let text = page_of(page);
        let counterparts = text.lines().filter_map(cells).filter_map(|cells| cells.last().copied());
        let unknown: BTreeSet<&str> = counterparts
            .flat_map(code)
            .flat_map(declared_elsewhere)
            .filter(|name| !known.contains(*name))
            .collect();
        assert!(unknown.is_empty(), "{page}: named, and not there: {unknown:#?}");
    }
}

/// The section whose code, which is compiled, has a `use` for each.
const PLACES: &str = "Where the names are";

#[test]
fn every_type_that_is_named_has_its_place() {
    let text = page_of("coming-from-go.md");
    let places = text.split("\n## ").find(|section| section.starts_with(PLACES)).expect(PLACES);
    let prelude =
        fs::read_to_string(root().join("crates/watchkeeper/src/lib.rs")).expect("the façade");
    let prelude = prelude.split("pub mod prelude").nth(1).expect("the prelude");
    let placed: BTreeSet<&str> = words(places).chain(words(prelude)).collect();
    let types = types();
    for (page, _, _) in PAGES {
        let text = page_of(page);
        let counterparts = text.lines().filter_map(cells).filter_map(|cells| cells.last().copied());
        let named = counterparts.flat_map(code).flat_map(words);
        let lost: BTreeSet<&str> =
            named.filter(|word| types.contains(*word) && !placed.contains(word)).collect();
        assert!(lost.is_empty(), "{page}: no `use` in «{PLACES}» for {lost:?}");
    }
}

/// The public types of the crates that programs name through the façade, but for those that are generated.
fn types() -> BTreeSet<String> {
    let parts = ["api", "client", "connect", "cache", "queue", "controller", "manager"];
    let folders = parts.map(|part| root().join(format!("crates/watchkeeper-{part}/src")));
    let mut types = BTreeSet::new();
    for (path, text) in sources::of_the_crates() {
        let is_generated = path.iter().any(|folder| folder == "generated");
        if is_generated || !folders.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        let declared = text.lines().filter_map(|line| {
            let keywords = ["pub struct ", "pub enum ", "pub trait "];
            keywords.iter().find_map(|keyword| line.strip_prefix(keyword))
        });
        types.extend(declared.filter_map(|rest| words(rest).next()).map(str::to_owned));
    }
    types
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[test]
fn what_is_missing_is_found() {
    let page = "## A\n\n### `a`\n\n| in Go | here |\n|---|---|\n| `New`, `T{One, Two}` | `new(\\|x\\| x)` |\n\
                | `Old` | — |\n\n### `b`\n\n| in Go | here |\n|---|---|\n| `make it` | `New`, at last |\n";
    let missing = |names: &str| missing(page, names);
    assert_eq!(missing("## a\nNew, T.One,\nT.Two\n\n## b\nmake it\n"), [""; 0]);
    assert_eq!(missing("## a\nOld, One.Three\n"), ["a: Old", "a: One.Three"]);
    assert_eq!(missing("## b\nNew\n\n## c\nNew\n"), ["b: New", "c: New"]);
}

fn page_of(page: &str) -> String {
    fs::read_to_string(root().join("docs").join(page)).expect("a page")
}

/// The names that no row of their section answers.
fn missing(page: &str, names: &str) -> Vec<String> {
    let mut missing = Vec::new();
    for (section, names) in sections(names) {
        let rows = rows(page, section);
        let without = list(names).filter(|name| !rows.iter().any(|row| answers(row, name)));
        missing.extend(without.map(|name| format!("{section}: {name}")));
    }
    missing
}

/// The sections of a list, each with its title.
fn sections(names: &str) -> impl Iterator<Item = (&str, &str)> {
    names.split("\n## ").skip(usize::from(!names.starts_with("## "))).map(|section| {
        let section = section.strip_prefix("## ").unwrap_or(section);
        section.split_once('\n').expect("names below a title")
    })
}

/// Names with commas between them.
fn list(names: &str) -> impl Iterator<Item = &str> {
    names.split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// The first cells of the rows of a section that say something at their end.
fn rows<'a>(page: &'a str, section: &str) -> Vec<&'a str> {
    let title = |heading: &str| heading == format!("`{section}`") || heading == section;
    let sections = page.split("\n### ").skip(1).filter_map(|text| text.split_once('\n'));
    let section = sections.filter(|(heading, _)| title(heading)).map(|(_, text)| text).next();
    let rows = section.unwrap_or_default().lines().filter_map(cells);
    rows.filter(|cells| cells.last().is_some_and(|last| last.contains(char::is_alphanumeric)))
        .filter_map(|cells| cells.first().copied())
        .collect()
}

/// The cells of a row of a table: a bar behind a backslash is part of its cell.
fn cells(line: &str) -> Option<Vec<&str>> {
    let row = line.strip_prefix('|')?.strip_suffix('|')?;
    let bars = row.match_indices('|').map(|(at, _)| at);
    let bars = bars.filter(|at| !row[..*at].ends_with('\\'));
    let (mut cells, mut start) = (Vec::new(), 0);
    for bar in bars {
        cells.push(row[start..bar].trim());
        start = bar + 1;
    }
    cells.push(row[start..].trim());
    Some(cells)
}

/// What stands in code.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a cell has a name: as it is, or, of a member, the words that it is made of.
fn answers(cell: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let parts = || name.split(['.', ':']).filter(|part| !part.is_empty());
    let is_path = parts().all(|part| part.chars().all(is_word));
    code(cell).any(|code| {
        let has = |word: &str| code.split(|c: char| !is_word(c)).any(|other| other == word);
        code == name || is_path && parts().all(has)
    })
}

/// The words of a piece of code that only a declaration can have brought: types and constants, what is called, and what
/// stands behind a dot or a path.
fn declared_elsewhere(code: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(is_word) {
        let before = &rest[..start];
        let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |length| start + length);
        let (word, after) = (&rest[start..end], &rest[end..]);
        let is_type = word.starts_with(char::is_uppercase);
        let is_called = after.starts_with('(') || after.starts_with("::");
        let is_member = before.ends_with('.') && !before.ends_with("..") || before.ends_with("::");
        if word.starts_with(char::is_alphabetic) && (is_type || is_called || is_member) {
            words.push(word);
        }
        rest = after;
    }
    words
}

/// Every word of the sources that is no comment, and those of others that a counterpart may name.
fn known() -> BTreeSet<String> {
    let mut known: BTreeSet<String> = OTHERS.split_whitespace().map(str::to_owned).collect();
    for (_, text) in sources::of_the_crates() {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        known.extend(code.flat_map(words).map(str::to_owned));
    }
    known
}

/// Names of the standard library, of other crates, and those that stand for the reader's own.
const OTHERS: &str = "AddToScheme And Backup Evict Execute Foo Funcs LEADER_ELECT Or RUST_BACKTRACE ShutDownEventHandler
    WithBlockOwnerDeletion example_com foo_controller greeter";
