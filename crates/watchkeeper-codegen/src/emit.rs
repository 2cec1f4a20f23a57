//! From modules to text, laid out as rustfmt would.

mod imports;
mod item;
mod merge;
mod puts;
mod registry;
mod setters;

use std::path::PathBuf;

use watchkeeper_schema::facts::Facts;

use crate::groups::{Groups, META};
use crate::model::{Family, Module};

/// A module longer than this many lines is split into its families.
const SPLIT: usize = 400;

/// Every generated file, below `src/`.
pub(crate) fn files(modules: &[Module], groups: &Groups, facts: &Facts) -> Vec<(PathBuf, String)> {
    let mut files = vec![
        (PathBuf::from("generated.rs"), root(groups)),
        (PathBuf::from("generated/kinds.rs"), registry::text(modules)),
        (PathBuf::from("generated/merge.rs"), merge::text(facts)),
    ];
    for group in &groups.groups {
        files.push((
            format!("generated/{}.rs", group.name).into(),
            group_file(group.name, group.versions),
        ));
    }
    for module in modules {
        module_files(module, &mut files);
    }
    files.extend(setters::files(modules));
    files
}

/// `generated.rs`: the groups.
fn root(groups: &Groups) -> String {
    let mut text = header("The built-in API types, one module a group.");
    for group in &groups.groups {
        if group.name != META {
            text += &format!("#[cfg(feature = \"{}\")]\n", group.name);
        }
        text += &format!("pub mod {};\n", group.name);
    }
    text + "\npub(crate) mod kinds;\npub(crate) mod merge;\n#[cfg(feature = \"builders\")]\nmod setters;\n"
}

/// `generated/apps.rs`: the versions.
fn group_file(name: &str, versions: &[&str]) -> String {
    let mut text = header(&format!("The API group `{name}`."));
    for version in versions {
        text += &format!("pub mod {version};\n");
    }
    text
}

/// One file, or a file for each family and one that names them.
fn module_files(module: &Module, files: &mut Vec<(PathBuf, String)>) {
    let title = format!("`{}/{}`", module.group, module.version);
    let path = format!("generated/{}/{}", module.group, module.version);
    let whole = family_text(module, &module.families, &format!("{title}."));
    if whole.lines().count() <= SPLIT {
        files.push((format!("{path}.rs").into(), whole));
        return;
    }
    let mut text = header(&format!("{title}."));
    for family in &module.families {
        text += &format!("mod {};\n", family.name);
    }
    text += "\n";
    for family in &module.families {
        text += &format!("pub use {}::*;\n", family.name);
    }
    files.push((format!("{path}.rs").into(), text));
    for family in &module.families {
        let doc = match &family.root {
            Some(root) => format!("{title}: `{root}` and what it holds."),
            None => format!("{title}: what no kind holds."),
        };
        let text = family_text(module, std::slice::from_ref(family), &doc);
        files.push((format!("{path}/{}.rs", family.name).into(), text));
    }
}

fn family_text(module: &Module, families: &[Family], doc: &str) -> String {
    let mut text = header(doc) + &imports::text(module, families);
    for of in families.iter().flat_map(|family| &family.structs) {
        text += "\n";
        text += &item::text(of);
    }
    text
}

fn header(doc: &str) -> String {
    format!(
        "//! {doc}\n//!\n//! Generated from the facts by `cargo xtask codegen`; do not edit.\n\n"
    )
}
