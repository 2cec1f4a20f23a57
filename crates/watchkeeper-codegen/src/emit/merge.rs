//! The table of lists that a strategic merge patch merges.

use std::collections::{BTreeMap, BTreeSet};

use watchkeeper_schema::facts::{Facts, Field, Type};

/// What is said of a member: its name, how it merges, and the struct that it leads to.
type Line<'a> = (&'a str, Option<&'a str>, Option<&'a str>);

/// `generated/merge.rs`: structs by number, and the number of each kind's struct. Only what leads to
/// a list that merges is there.
pub(super) fn text(facts: &Facts) -> String {
    let lines: BTreeMap<&str, Vec<Line<'_>>> =
        facts.structs.keys().map(|model| (model, members(facts, model))).collect();
    let leading = leading(&lines);
    let mut kinds: Vec<_> = facts
        .kinds
        .iter()
        .filter(|kind| !kind.plural.is_empty() && leading.contains(&*kind.model))
        .collect();
    kinds.sort_by_key(|kind| (&kind.group, &kind.version, &kind.kind));
    let mut reached = BTreeSet::new();
    let mut left: Vec<&str> = kinds.iter().map(|kind| &*kind.model).collect();
    while let Some(model) = left.pop() {
        if leading.contains(model) && reached.insert(model) {
            left.extend(lines[model].iter().filter_map(|(_, _, to)| *to));
        }
    }
    let numbers: BTreeMap<&str, usize> =
        reached.iter().enumerate().map(|(number, model)| (*model, number)).collect();

    let mut text = super::header("The lists that a strategic merge patch merges.");
    text += "use crate::merge::Line;\n";
    text += "use crate::merge::Merge::{Key, No, Values};\n\n";
    text += "/// The structs, by number.\n#[rustfmt::skip]\n";
    text += "pub(crate) static STRUCTS: &[&[Line]] = &[\n";
    for model in &reached {
        text += &format!("    // {model}\n    &[\n");
        for (name, merge, to) in &lines[model] {
            let to = to.and_then(|to| numbers.get(to));
            if merge.is_none() && to.is_none() {
                continue;
            }
            let merge = match merge {
                None => "No".to_owned(),
                Some("") => "Values".to_owned(),
                Some(key) => format!("Key(\"{key}\")"),
            };
            let to = to.map_or_else(|| "None".to_owned(), |to| format!("Some({to})"));
            text += &format!("        (\"{name}\", {merge}, {to}),\n");
        }
        text += "    ],\n";
    }
    text += "];\n\n/// The kinds, sorted, and the numbers of their structs.\n#[rustfmt::skip]\n";
    text += "pub(crate) static KINDS: &[(&str, &str, &str, u16)] = &[\n";
    for kind in kinds {
        let (group, version, name, number) =
            (&kind.group, &kind.version, &kind.kind, numbers[&*kind.model]);
        text += &format!("    (\"{group}\", \"{version}\", \"{name}\", {number}),\n");
    }
    text + "];\n"
}

/// The members of a struct, with those of the structs embedded in it.
fn members<'a>(facts: &'a Facts, model: &str) -> Vec<Line<'a>> {
    let Some(of) = facts.structs.get(model) else { return Vec::new() };
    let mut lines = Vec::new();
    for field in &of.fields {
        match &field.ty {
            Type::Struct(inner) if field.json.is_empty() => lines.extend(members(facts, inner)),
            _ => {
                let to = field.ty.model().filter(|_| leads(field));
                lines.push((&*field.json, merge(field), to));
            }
        }
    }
    lines
}

/// How the list merges: by a key, or, without one, as a set of values.
fn merge(field: &Field) -> Option<&str> {
    let is_list = matches!(field.ty, Type::List(_));
    (is_list && field.patch.merge).then(|| field.merge_key.as_deref().unwrap_or(""))
}

/// Whether a patch goes into the member: into a struct, and into the items of a list that merges.
fn leads(field: &Field) -> bool {
    match &field.ty {
        Type::Struct(_) => true,
        Type::List(items) => field.patch.merge && matches!(**items, Type::Struct(_)),
        _ => false,
    }
}

/// The structs from which a list that merges can be reached.
fn leading<'a>(lines: &BTreeMap<&'a str, Vec<Line<'a>>>) -> BTreeSet<&'a str> {
    let mut leading = BTreeSet::new();
    loop {
        let before = leading.len();
        for (model, lines) in lines {
            let leads = |(_, merge, to): &Line<'_>| {
                merge.is_some() || to.is_some_and(|to| leading.contains(to))
            };
            if lines.iter().any(leads) {
                leading.insert(*model);
            }
        }
        if leading.len() == before {
            return leading;
        }
    }
}
