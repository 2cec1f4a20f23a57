//! The definitions that the types were made of, so that a type can install its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::is_reordering;
use crate::custom::names;
use crate::custom::shape::{Module, identifier};

/// A version of a group: its module, and what is in it.
pub(crate) struct Version<'a> {
    pub(crate) module: &'a str,
    pub(crate) shapes: &'a Module,
}

/// One definition and the lines of its table.
#[derive(Default)]
struct Table {
    plural: String,
    kinds: Vec<String>,
    structs: Vec<String>,
}

/// The text of a group's `definitions` module; none where no definition is known.
pub(crate) fn text(versions: &[Version<'_>], library: &str) -> Option<String> {
    let mut tables: BTreeMap<Arc<str>, Table> = BTreeMap::new();
    for version in versions {
        add(version, &mut tables);
    }
    if tables.is_empty() {
        return None;
    }
    let mut modules: Vec<&str> = versions.iter().map(|version| version.module).collect();
    modules.sort_unstable();
    let used = match modules.as_slice() {
        [one] => format!("use super::{one};\n"),
        several => format!("use super::{{{}}};\n", several.join(", ")),
    };
    let mut text = format!("use {library}::api::definition;\n\n{used}");
    let mut tables: Vec<(Arc<str>, Table)> = tables.into_iter().collect();
    tables.sort_by(|(_, a), (_, b)| a.plural.cmp(&b.plural));
    let mut taken = Vec::new();
    for (definition, table) in tables {
        let wanted = identifier(&table.plural).to_uppercase();
        let mut name = wanted.clone();
        while taken.contains(&name) {
            name.push('_');
        }
        text += &format!("\n/// Of `{}`.\n", table.plural);
        text += &format!("pub const {name}: &str = {};\n\n", raw(&definition));
        text += &format!(
            "definition! {{ {name}\n{}{}}}\n",
            table.kinds.concat(),
            table.structs.concat()
        );
        taken.push(name);
    }
    Some(text)
}

fn add(version: &Version<'_>, tables: &mut BTreeMap<Arc<str>, Table>) {
    let names = names::names(version.shapes).structs;
    let kinds = version.shapes.structs.iter().filter_map(|of| of.kind.as_ref());
    let of_kind: BTreeMap<&str, _> = kinds.clone().map(|kind| (kind.kind.as_str(), kind)).collect();
    for (of, name) in version.shapes.structs.iter().zip(names) {
        let (module, path) = (version.module, &of.pointer);
        // A struct is described by where it was met first.
        let first = of.uses.first().and_then(|used| of_kind.get(used.kind.as_str()).copied());
        let Some(kind) = of.kind.as_ref().or(first) else { continue };
        let Some(definition) = &kind.definition else { continue };
        let table = tables.entry(Arc::clone(&definition.text)).or_default();
        table.plural.clone_from(&kind.plural);
        let of_version = &kind.version;
        if of.kind.is_some() {
            let storage = definition.storage;
            table.kinds.push(format!("    kind {module}::{name}, {of_version:?}, {storage}\n"));
        } else {
            table.structs.push(format!("    ; {module}::{name}, {of_version:?}, {path:?}\n"));
        }
    }
}

/// How many `#` the compiler takes around a raw text.
const LONGEST_FENCE: usize = 255;

/// A raw text literal; one with escapes where the compiler would refuse that.
fn raw(text: &str) -> String {
    // One more than there are behind any quote, found in one pass: the text may be anybody's.
    let behind = |rest: &str| rest.bytes().take_while(|byte| *byte == b'#').count();
    let fence = text.split('"').skip(1).map(|rest| behind(rest) + 1).max().unwrap_or(0);
    if fence > LONGEST_FENCE || text.contains(is_reordering) {
        return format!("{text:?}");
    }
    let fence = "#".repeat(fence);
    format!("r{fence}\"{text}\"{fence}")
}
