//! The text of one version of a group.

mod choice;
pub(super) mod definitions;
pub(super) mod register;
mod setters;

use std::collections::BTreeSet;

use super::names::{self, Names};
use super::shape::{Field, KindInfo, Module, REST, Rule, Struct};

const WIDTH: usize = 100;

/// The types of a module, in the order in which a reader meets them: a kind, then what it holds.
pub(crate) fn module(module: &Module, library: &str, builders: bool) -> String {
    let names = names::names(module);
    let mut text = imports(module, library, builders);
    for index in reading_order(&module.structs) {
        text += "\n";
        text += &item(&module.structs[index], &names.structs[index], &names);
    }
    for (alias, index) in &names.aliases {
        text += &format!("\npub type {alias} = {};\n", names.structs[*index]);
    }
    if builders {
        text += &setters::text(module, &names);
    }
    text
}

/// The name of each kind's type, by its kind.
pub(crate) fn kinds(module: &Module) -> Vec<(String, KindInfo)> {
    let names = names::names(module);
    let structs = module.structs.iter().zip(names.structs);
    structs.filter_map(|(of, name)| Some((name, of.kind.clone()?))).collect()
}

fn reading_order(structs: &[Struct]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for root in (0..structs.len()).filter(|index| structs[*index].kind.is_some()) {
        let mut left = vec![root];
        while let Some(index) = left.pop() {
            if !seen.insert(index) {
                continue;
            }
            order.push(index);
            let inner = structs[index].fields.iter().rev();
            left.extend(inner.filter_map(|field| field.ty.inner_struct()));
        }
    }
    order
}

fn imports(module: &Module, library: &str, builders: bool) -> String {
    let mut found = BTreeSet::from(["custom"]);
    if builders {
        found.insert("setters");
    }
    let ordered = reading_order(&module.structs);
    for of in ordered.iter().map(|index| &module.structs[*index]) {
        of.fields.iter().for_each(|field| field.ty.imports(&mut found));
        if of.rest {
            found.extend(["Map", "Raw"]);
        }
        if !of.choices.is_empty() {
            found.extend(["IStr", "choice"]);
        }
    }
    let (meta, plain): (Vec<&str>, Vec<&str>) =
        found.into_iter().partition(|path| path.starts_with("meta::"));
    let meta: Vec<&str> = meta.iter().filter_map(|path| path.strip_prefix("meta::v1::")).collect();
    let mut text = used(&format!("{library}::api::meta::v1"), &meta);
    text += &used(&format!("{library}::api"), &plain);
    text
}

/// `use a::{B, C};`, with the names as rustfmt sorts them: types before macros.
fn used(path: &str, names: &[&str]) -> String {
    let mut names = names.to_vec();
    names.sort_by_key(|name| (name.starts_with(char::is_lowercase), *name));
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("use {path}::{one};\n"),
        several => {
            let line = format!("use {path}::{{{}}};\n", several.join(", "));
            if line.len() <= WIDTH + 1 { line } else { wrapped(path, several) }
        }
    }
}

fn wrapped(path: &str, names: &[&str]) -> String {
    let mut text = format!("use {path}::{{\n");
    let mut line = "   ".to_owned();
    for name in names {
        if line.len() + name.len() + 2 > WIDTH {
            text += &line;
            text += "\n";
            line = "   ".to_owned();
        }
        line += &format!(" {name},");
    }
    text + &line + "\n};\n"
}

fn item(of: &Struct, name: &str, names: &Names) -> String {
    if !of.choices.is_empty() {
        return doc(of.doc.as_deref(), "") + &choice::text(name, &of.choices);
    }
    let mut text = doc(of.doc.as_deref(), "");
    text += "#[derive(Clone, Debug, Default, PartialEq)]\n";
    if of.fields.is_empty() && !of.rest {
        text += &format!("pub struct {name} {{}}\n\n");
    } else {
        text += &format!("pub struct {name} {{\n");
        for field in &of.fields {
            text += &doc(field.doc.as_deref(), "    ");
            if let Some(note) = &field.note {
                text += &format!("    // Raw: {}.\n", in_comment(note));
            }
            text += &declaration(&field.name, &field.ty.text(&names.structs));
        }
        if of.rest {
            text += "    // Members that the schema does not name.\n";
            text += &declaration(REST, "Map<Raw>");
        }
        text += "}\n\n";
    }
    text + &codec(of, name, names)
}

fn declaration(name: &str, ty: &str) -> String {
    let line = format!("    pub {name}: {ty},\n");
    if line.len() <= WIDTH + 1 { line } else { format!("    pub {name}:\n        {ty},\n") }
}

/// The table from which `custom!` makes the codec and a kind's traits.
fn codec(of: &Struct, name: &str, names: &Names) -> String {
    let first = if of.kind.is_some() { 2 } else { 0 };
    let head = of.kind.as_ref().map(|kind| kind_line(kind, of, names)).unwrap_or_default();
    let mut text = format!("custom! {{ {name}{head}\n");
    for (index, Field { json, name, rule, .. }) in of.fields.iter().enumerate() {
        let rule = match rule {
            Rule::Req => "req",
            Rule::Opt => "opt",
        };
        text += &format!("    {} {json:?} {rule} {name}\n", index + first);
    }
    if of.rest {
        text += &format!("    ; rest {REST}\n");
    }
    text + "}\n"
}

fn kind_line(kind: &KindInfo, of: &Struct, names: &Names) -> String {
    let KindInfo { api_version, group, version, kind, plural, namespaced, status, .. } = kind;
    let scope = if *namespaced { "Namespaced" } else { "Cluster" };
    let field = of.fields.iter().find(|field| field.json == "status").filter(|_| *status);
    let status = field.map(|field| format!(", {}", field.ty.text(&names.structs)));
    let status = status.unwrap_or_default();
    format!(": {api_version:?} {kind:?}\n    ({group:?} {version:?} {plural:?} {scope}{status})")
}

/// Whether a character makes the text behind it read in another order: the compiler refuses it in comments
/// and literals.
pub(super) fn is_reordering(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What of a text may stand in a comment of one line.
pub(super) fn in_comment(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !is_reordering(*c)).collect()
}

/// A description as a comment. Nothing in it is code to be run, or markup to be closed.
fn doc(text: Option<&str>, indent: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in text.into_iter().flat_map(str::lines) {
        let line = in_comment(line);
        // Four spaces would make a code block of it, and that a test.
        let mut line = line.trim().to_owned();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
            line = if fenced { "```text".to_owned() } else { "```".to_owned() };
        } else if !fenced {
            line = line.replace('[', "\\[").replace('<', "\\<");
        }
        out += format!("{indent}/// {line}").trim_end();
        out.push('\n');
    }
    if fenced {
        out += &format!("{indent}/// ```\n");
    }
    out
}
