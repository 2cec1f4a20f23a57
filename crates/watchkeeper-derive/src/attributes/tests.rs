//! The options beside the markers of controller-gen.

use std::collections::BTreeSet;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use super::{column, field, object, rule, whole};

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

/// The options that attributes say, as paths: `object/printcolumn/format`.
#[derive(Default)]
struct Used(BTreeSet<String>);

impl Used {
    /// Looks for attributes anywhere in a file.
    fn file(&mut self, tokens: TokenStream) {
        let mut behind_hash = false;
        for token in tokens {
            if let TokenTree::Group(group) = &token {
                match behind_hash {
                    true => self.say("", group.stream()),
                    false => self.file(group.stream()),
                }
            }
            behind_hash = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '#');
        }
    }

    fn say(&mut self, above: &str, options: TokenStream) {
        let mut name = String::new();
        for token in options {
            match token {
                TokenTree::Ident(ident) if name.is_empty() => {
                    name = format!("{above}{ident}");
                    self.0.insert(name.clone());
                }
                TokenTree::Punct(mark) if mark.as_char() == ',' => name.clear(),
                TokenTree::Group(group) => self.say(&format!("{name}/"), group.stream()),
                _ => {}
            }
        }
    }
}

/// What `cargo xtask conformance derive` shows to a real server is all of it.
#[test]
fn the_lamp_uses_every_option() {
    let lamp = include_str!("../../../watchkeeper/tests/it/derive/lamp.rs");
    let mut used = Used::default();
    used.file(lamp.parse().expect("tokens"));
    let own = object::KNOWN.iter().filter(|name| !whole::KNOWN.contains(name));
    let mut wanted: Vec<Vec<String>> = own.map(|name| vec![format!("object/{name}")]).collect();
    let either = |name: &&str| vec![format!("object/{name}"), format!("fields/{name}")];
    wanted.extend(whole::KNOWN.iter().map(either));
    wanted.extend(field::KNOWN.iter().map(|name| vec![format!("field/{name}")]));
    let scale = object::SCALE.iter().map(|name| vec![format!("object/scale/{name}")]);
    wanted.extend(scale);
    let column = column::KNOWN.iter().map(|name| vec![format!("object/printcolumn/{name}")]);
    wanted.extend(column);
    let rules = ["object", "fields", "field"];
    let rule = |name: &&str| rules.map(|of| format!("{of}/validation/{name}")).to_vec();
    wanted.extend(rule::KNOWN.iter().map(rule).collect::<Vec<_>>());
    let silent: Vec<_> =
        wanted.iter().filter(|ways| !ways.iter().any(|way| used.0.contains(way))).collect();
    assert!(silent.is_empty(), "options that the lamp does not use: {silent:?}");
}
