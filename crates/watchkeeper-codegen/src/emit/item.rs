//! One struct: its fields, its codec table, its kind.

use watchkeeper_schema::facts::Scope;

use super::imports::WIDTH;
use super::puts;
use crate::model::{FieldDef, KindDef, META_PACKAGE, StructDef};

/// The text of a struct and of what follows from it.
pub(super) fn text(of: &StructDef) -> String {
    let mut text = format!("/// `{}`.\n", of.model);
    text += "#[derive(Clone, Default, PartialEq)]\n";
    if of.fields.is_empty() {
        text += &format!("pub struct {} {{}}\n\n", of.name);
    } else {
        text += &format!("pub struct {} {{\n", of.name);
        text.extend(of.fields.iter().map(|field| declaration(&of.model, field)));
        text += "}\n\n";
    }
    text += &codec(of);
    if let Some(kind) = of.kind.as_ref().filter(|kind| kind.is_object) {
        text += "\n";
        text += &kind_line(of, kind);
    }
    if of.shared {
        text += &format!("\nblank!({});\n", of.name);
    }
    text
}

/// `pub name: IStr,`, broken after the colon where the line would be too long.
fn declaration(model: &str, field: &FieldDef) -> String {
    let (name, ty) = (&field.name, field.ty.text(model));
    let line = format!("    pub {name}: {ty},\n");
    if line.len() <= WIDTH + 1 { line } else { format!("    pub {name}:\n        {ty},\n") }
}

/// The table of members, from which `codec!` makes reader and writer. A kind's first two members
/// are its apiVersion and kind.
fn codec(of: &StructDef) -> String {
    let (type_meta, first) = match &of.kind {
        // The options and answers of `meta` go by the apiVersion of any group.
        Some(kind) if of.model.starts_with(META_PACKAGE) => {
            let json = if of.json_only { " (json)" } else { "" };
            (format!("{json}: any {:?}", kind.api_version()), 2)
        }
        Some(kind) => (format!(": {:?}", kind.api_version()), 2),
        None if of.recursive => (" (recursive)".to_owned(), 0),
        None if of.json_only => (" (json)".to_owned(), 0),
        None => (String::new(), 0),
    };
    let mut text = format!("codec! {{ {}{type_meta}\n", of.name);
    for (index, field) in of.fields.iter().enumerate() {
        let index = index + first;
        let rule = field.rule.text();
        text += &format!("    {index} {:?} [{}] {rule} {}", field.json, field.pb, field.name);
        for call in &field.schema {
            text += &format!(" .{call}");
        }
        text += "\n";
    }
    if !of.json_only {
        text += &puts::text(&of.fields);
    }
    text + "}\n"
}

/// The line from which `kind!` makes the traits of an object kind.
fn kind_line(of: &StructDef, kind: &KindDef) -> String {
    let scope = match kind.scope {
        Some(Scope::Cluster) => "Cluster",
        // A kind that is no resource of its own lives where its parent does.
        Some(Scope::Namespaced) | None => "Namespaced",
    };
    let status = match &kind.status {
        Some(status) => format!(", {}", status.text(&of.model)),
        None => String::new(),
    };
    let (name, KindDef { group, version, plural, .. }) = (&of.name, kind);
    let line = format!("{name} {group:?} {version:?} {plural:?} {scope}{status}");
    if line.len() + "kind! {  }".len() <= WIDTH {
        format!("kind! {{ {line} }}\n")
    } else {
        format!("kind! {{\n    {line}\n}}\n")
    }
}
