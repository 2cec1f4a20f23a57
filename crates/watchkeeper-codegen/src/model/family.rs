//! Large modules in several files: a kind and the structs that only it needs first.

use std::collections::{BTreeMap, BTreeSet};

use super::StructDef;
use crate::groups::Group;
use crate::name;

/// The structs of one file.
pub(crate) struct Family {
    /// The file's stem.
    pub(crate) name: String,
    /// The struct the file is named after, unless it holds what no kind needs.
    pub(crate) root: Option<String>,
    pub(crate) structs: Vec<StructDef>,
}

/// Splits the structs of one version: each goes to the first root that reaches it, the roots being
/// the group's extra ones and then the object kinds in the order of their names. Within a family
/// the root comes first, the rest by name.
pub(super) fn split(group: &Group, structs: Vec<StructDef>) -> Vec<Family> {
    let roots = roots(group, &structs);
    let mut left: BTreeMap<String, StructDef> =
        structs.into_iter().map(|s| (s.model.clone(), s)).collect();
    let extra: BTreeSet<&String> = roots.iter().collect();
    let mut families = Vec::new();
    for root in &roots {
        let mut reached = BTreeSet::new();
        reach(&left, root, &extra, &mut reached);
        let mut structs = Vec::from_iter(left.remove(root));
        structs.extend(reached.iter().filter_map(|model| left.remove(model)));
        let name = name::snake_case(&structs[0].name);
        families.push(Family { name, root: Some(structs[0].name.clone()), structs });
    }
    if !left.is_empty() {
        let structs = left.into_values().collect();
        families.push(Family { name: "other".to_owned(), root: None, structs });
    }
    families.sort_by(|a, b| a.name.cmp(&b.name));
    families
}

fn roots(group: &Group, structs: &[StructDef]) -> Vec<String> {
    let named = |name: &&str| structs.iter().find(|s| s.name == *name);
    let extra = group.families.iter().filter_map(named);
    let is_object = |s: &&StructDef| s.kind.as_ref().is_some_and(|kind| kind.is_object);
    let kinds = structs.iter().filter(is_object).filter(|s| !group.families.contains(&&*s.name));
    extra.chain(kinds).map(|s| s.model.clone()).collect()
}

/// What a struct holds, other roots left out.
fn reach(
    structs: &BTreeMap<String, StructDef>,
    model: &str,
    roots: &BTreeSet<&String>,
    seen: &mut BTreeSet<String>,
) {
    let Some(of) = structs.get(model) else { return };
    for inner in of.fields.iter().filter_map(|field| field.ty.model()) {
        if !roots.contains(&inner.to_owned()) && seen.insert(inner.to_owned()) {
            reach(structs, inner, roots, seen);
        }
    }
}
