//! The `use` lines of a file.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Family, Module, RustType, StructDef};

/// The widest line.
pub(super) const WIDTH: usize = 100;

/// The imports that the structs of these families need, in rustfmt's order and layout.
pub(super) fn text(module: &Module, families: &[Family]) -> String {
    let structs: Vec<&StructDef> = families.iter().flat_map(|family| &family.structs).collect();
    let here: BTreeSet<&str> = structs.iter().map(|s| s.model.as_str()).collect();
    let mut uses = Uses::new();
    for of in &structs {
        add(&mut uses, "crate::codec", "codec");
        if of.kind.as_ref().is_some_and(|kind| kind.is_object) {
            add(&mut uses, "crate::codec", "kind");
        }
        if of.shared {
            add(&mut uses, "crate", "blank");
        }
    }
    types(&mut uses, &structs, |path, model, name| {
        let same = path == format!("crate::{}::{}", module.group, module.version);
        let path = if same { "super" } else { path };
        (!here.contains(model)).then(|| (path.to_owned(), name.to_owned()))
    });
    lines(&uses)
}

/// The imports that the setters of these structs need: the structs, too.
pub(super) fn of_setters(module: &Module, structs: &[&StructDef]) -> String {
    let mut uses = Uses::new();
    add(&mut uses, "crate", "setters");
    let own = format!("crate::{}::{}", module.group, module.version);
    structs.iter().for_each(|of| add(&mut uses, &own, &of.name));
    types(&mut uses, structs, |path, _, name| Some((path.to_owned(), name.to_owned())));
    lines(&uses)
}

/// Names by the path that they are imported from.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn add(uses: &mut Uses, path: &str, name: &str) {
    uses.entry(path.to_owned()).or_default().insert(name.to_owned());
}

/// What the fields of the structs need. `place` says where a generated struct is imported from, given its
/// path, its model and its name.
fn types(
    uses: &mut Uses,
    structs: &[&StructDef],
    place: impl Fn(&str, &str, &str) -> Option<(String, String)>,
) {
    for (of, field) in structs.iter().flat_map(|of| of.fields.iter().map(move |field| (of, field)))
    {
        field.ty.names(&mut |ty| match ty {
            RustType::Ours(name) | RustType::OursOf(name, _) => add(uses, "crate", name),
            RustType::Struct { model, group, version, name } if *model != of.model => {
                let path = format!("crate::{group}::{version}");
                if let Some((path, name)) = place(&path, model, name) {
                    add(uses, &path, &name);
                }
            }
            RustType::Struct { .. } | RustType::Plain(_) | RustType::PlainOf(..) => {}
        });
    }
}

fn lines(uses: &Uses) -> String {
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
