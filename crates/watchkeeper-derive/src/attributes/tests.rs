//! The options beside the markers of controller-gen.

use std::collections::BTreeSet;
use std::path::Path;

use super::{field, object};

/// The options that the table of docs/code-generation.md names, but for those in the text of a struct.
fn told() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/code-generation.md");
    let text = std::fs::read_to_string(path).expect("the document");
    let (_, table) = text.split_once("\n## Markers\n").expect("the chapter");
    let (table, _) = table.split_once("\n## ").expect("another chapter");
    let rows = table.lines().filter(|line| line.starts_with("| ") && !line.contains("webhook"));
    let options = rows.filter_map(|row| row.split(" | ").nth(1)).flat_map(|cell| {
        let spans = cell.split('`').skip(1).step_by(2);
        spans.map(|span| span.split([' ', '(']).next().unwrap_or_default().to_owned())
    });
    let no_options =
        ["#[derive", "Fields", "IntOrString", "struct", "needing", "Manager::need", "uniqueItems"];
    options.filter(|option| !no_options.contains(&option.as_str())).collect()
}

#[test]
fn each_marker_has_an_option_and_each_option_is_told() {
    let known: BTreeSet<String> =
        object::KNOWN.iter().chain(field::KNOWN.iter()).map(|name| (*name).to_owned()).collect();
    let told = told();
    let unknown: Vec<_> = told.difference(&known).collect();
    assert!(unknown.is_empty(), "the table names what is no option: {unknown:?}");
    // What Go has no marker for, as Go says it otherwise.
    let ours = ["crate", "json", "kind", "like", "list_kind", "rename"];
    let silent: Vec<_> = known.difference(&told).collect();
    assert_eq!(silent, ours, "options that the table does not name");
}
