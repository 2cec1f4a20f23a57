//! What structs are called.
//!
//! A kind goes by its own name. A struct within it is called after the kind and the member that holds
//! it, `CertificatePrivateKey`; where that is taken, after the members around it, too. What several
//! kinds hold is called after the member alone, `SecretRef`. Those that lie higher choose first, so what
//! is added deep down renames nothing above it.

use std::collections::{BTreeMap, BTreeSet};

use super::shape::{Module, Struct, Ty, Use};
use super::words;

/// Names that the text of a module needs for something else.
pub(super) const RESERVED: &[&str] = &[
    "Box",
    "ByteString",
    "Client",
    "Clone",
    "Condition",
    "Copy",
    "Debug",
    "Default",
    "Drop",
    "Eq",
    "Err",
    "Fields",
    "Fn",
    "From",
    "IStr",
    "IntOrString",
    "Into",
    "Iterator",
    "Kind",
    "LabelSelector",
    "List",
    "Map",
    "MicroTime",
    "None",
    "ObjectMeta",
    "Ok",
    "Option",
    "Ord",
    "OwnerReference",
    "PartialEq",
    "PartialOrd",
    "Quantity",
    "Raw",
    "Result",
    "Scope",
    "SecretText",
    "Self",
    "Send",
    "Some",
    "String",
    "Sync",
    "Time",
    "ToString",
    "Vec",
];

/// The names of a module's structs, by their index, and the further names of specs and statuses.
pub(crate) struct Names {
    pub(crate) structs: Vec<String>,
    /// `ClusterIssuerSpec` for `IssuerSpec`.
    pub(crate) aliases: BTreeMap<String, usize>,
}

pub(crate) fn names(module: &Module) -> Names {
    let structs = &module.structs;
    let mut taken: BTreeSet<String> = RESERVED.iter().map(|name| (*name).to_owned()).collect();
    let mut names = vec![String::new(); structs.len()];
    let mut kinds = BTreeMap::new();
    for (index, of) in structs.iter().enumerate() {
        if let Some(kind) = &of.kind {
            let name = free(&mut taken, [type_name(&kind.kind)]);
            kinds.insert(kind.kind.clone(), name.clone());
            names[index] = name;
        }
    }
    let parts = parts(structs, &kinds);
    // Specs and statuses are called after their kind, whatever else would like that name.
    let mut aliases = BTreeMap::new();
    for (name, index) in parts {
        if !taken.insert(name.clone()) {
            continue;
        }
        if names[index].is_empty() {
            names[index] = name;
        } else {
            aliases.insert(name, index);
        }
    }
    let mut rest: Vec<usize> = (0..structs.len()).filter(|i| names[*i].is_empty()).collect();
    rest.sort_by_key(|index| order(&structs[*index]));
    for index in rest {
        names[index] = free(&mut taken, candidates(&structs[index], &kinds));
    }
    Names { structs: names, aliases }
}

/// The specs and statuses: their name and their struct. Kinds with short names come first.
fn parts(structs: &[Struct], kinds: &BTreeMap<String, String>) -> Vec<(String, usize)> {
    let mut parts = Vec::new();
    for of in structs {
        let Some(name) = of.kind.as_ref().and_then(|kind| kinds.get(&kind.kind)) else { continue };
        for field in &of.fields {
            let part = match field.json.as_str() {
                "spec" => "Spec",
                "status" => "Status",
                _ => continue,
            };
            match &field.ty {
                Ty::Struct(index) if structs[*index].component.is_none() => {
                    parts.push((format!("{name}{part}"), *index));
                }
                _ => {}
            }
        }
    }
    parts.sort_by_key(|(name, _)| (name.len(), name.clone()));
    parts
}

/// Who chooses first: what lies highest.
fn order(of: &Struct) -> (usize, usize, String, Vec<String>) {
    let used = first_use(of);
    let (kind, path) = used.map(|used| (used.kind.clone(), used.path.clone())).unwrap_or_default();
    (path.len(), kind.len(), kind, path)
}

fn first_use(of: &Struct) -> Option<&Use> {
    of.uses.iter().min_by_key(|used| (used.path.len(), used.kind.len(), &used.kind, &used.path))
}

/// What a struct may be called, best first.
fn candidates(of: &Struct, kinds: &BTreeMap<String, String>) -> Vec<String> {
    if let Some(component) = &of.component {
        return vec![type_name(words::last(component))];
    }
    let Some(first) = first_use(of) else { return Vec::new() };
    let prefix = kinds.get(&first.kind).cloned().unwrap_or_default();
    let own = words::common_end(of.uses.iter().map(|used| used.words.as_slice()));
    let mut out = Vec::new();
    // What several kinds hold is called after none of them, if it has words enough.
    if of.uses.iter().any(|used| used.kind != first.kind) {
        let words = if own.len() > 1 { own } else { &first.words };
        out.extend((words.len() > 1).then(|| type_name(&words::pascal(words))));
    }
    out.push(format!("{prefix}{}", words::pascal(own)));
    // With all of its own words, then with those of the members around it.
    let mut name = words::pascal(&first.words);
    out.push(format!("{prefix}{name}"));
    for member in first.path.iter().rev().skip(1) {
        name = words::pascal(words::of(member)) + &name;
        out.push(format!("{prefix}{name}"));
    }
    out
}

/// The first that is free; the last with a number when none is.
fn free(taken: &mut BTreeSet<String>, candidates: impl IntoIterator<Item = String>) -> String {
    let mut last = "Part".to_owned();
    for name in candidates {
        if taken.insert(name.clone()) {
            return name;
        }
        last = name;
    }
    let mut number = 2;
    loop {
        let name = format!("{last}{number}");
        if taken.insert(name.clone()) {
            return name;
        }
        number += 1;
    }
}

/// A type's name from whatever a kind or component is called.
fn type_name(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric());
    let name = if plain { name.to_owned() } else { words::pascal(words::of(name)) };
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name,
        _ => format!("Kind{name}"),
    }
}
