//! The `use` lines of a file.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Family, Module, RustType};

/// The widest line.
pub(super) const WIDTH: usize = 100;

/// The imports that the structs of these families need, in rustfmt's order and layout.
pub(super) fn text(module: &Module, families: &[Family]) -> String {
    let here: BTreeSet<&str> =
        families.iter().flat_map(|f| &f.structs).map(|s| s.model.as_str()).collect();
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut add = |path: String, name: &str| {
        uses.entry(path).or_default().insert(name.to_owned());
    };
    for of in families.iter().flat_map(|family| &family.structs) {
        add("crate::codec".to_owned(), "codec");
        if of.kind.as_ref().is_some_and(|kind| kind.is_object) {
            add("crate::codec".to_owned(), "kind");
        }
        if of.shared {
            add("crate".to_owned(), "blank");
        }
        for field in &of.fields {
            field.ty.names(&mut |ty| match ty {
                RustType::Ours(name) | RustType::OursOf(name, _) => add("crate".to_owned(), name),
                RustType::Struct { model, group, version, name } if !here.contains(&**model) => {
                    let same = (*group, *version) == (module.group, module.version);
                    let path = if same {
                        "super".to_owned()
                    } else {
                        format!("crate::{group}::{version}")
                    };
                    add(path, name);
                }
                RustType::Struct { .. } | RustType::Plain(_) | RustType::PlainOf(..) => {}
            });
        }
    }
    let mut uses: Vec<_> = uses.iter().collect();
    uses.sort_by_key(|(path, names)| order(path, names));
    uses.into_iter().map(|(path, names)| line(path, names)).collect()
}

/// rustfmt's order: `super` first, a name before modules, braces last.
fn order(path: &str, names: &BTreeSet<String>) -> (u8, String) {
    let rank = match (path, names.len()) {
        ("super", _) => 0,
        ("crate", 1) => 1,
        ("crate", _) => 3,
        _ => 2,
    };
    (rank, path.to_owned())
}

/// `use path::{A, B};`, filled to the width when it is longer than a line.
fn line(path: &str, names: &BTreeSet<String>) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if let [name] = names[..] {
        return format!("use {path}::{name};\n");
    }
    let short = format!("use {path}::{{{}}};\n", names.join(", "));
    if short.len() <= WIDTH + 1 {
        return short;
    }
    let mut text = format!("use {path}::{{");
    let mut column = WIDTH;
    for name in names {
        if column + name.len() + 2 > WIDTH {
            text.truncate(text.trim_end().len());
            text += "\n    ";
            column = 4;
        }
        text += &format!("{name}, ");
        column += name.len() + 2;
    }
    text.truncate(text.trim_end().len());
    text + "\n};\n"
}
