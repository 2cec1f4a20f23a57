//! The table of kinds.

use std::collections::BTreeMap;

use crate::groups::META;
use crate::model::{KindDef, Module, StructDef};

/// The kinds of one version: the module, then a line for each.
type Version<'a> = (&'a str, Vec<String>);

/// `generated/kinds.rs`: shows every kind of the enabled groups to a visitor, sorted by group and
/// version; objects come first, sorted by kind.
pub(super) fn text(modules: &[Module]) -> String {
    // By the group's name in the API, and not by our module's. `meta` comes last.
    let mut versions: BTreeMap<(bool, &str, &str), Version<'_>> = BTreeMap::new();
    for module in modules {
        let structs = module.families.iter().flat_map(|family| &family.structs);
        let mut kinds: Vec<_> =
            structs.filter_map(|of| of.kind.as_ref().map(|kind| (of, kind))).collect();
        kinds.sort_by_key(|(of, kind)| (!kind.is_object, &of.name));
        for (of, kind) in kinds {
            let is_meta = module.group == META;
            let key = if is_meta { ("", module.version) } else { (&*kind.group, &*kind.version) };
            let version = versions.entry((is_meta, key.0, key.1));
            let (_, lines) = version.or_insert((module.group, Vec::new()));
            lines.push(line(module, of, kind));
        }
    }
    let mut text = super::header("Every kind of the enabled groups.");
    text += "use crate::registry::Visitor;\n\n";
    text += "/// Shows every kind to `visitor`, sorted by group, version and kind.\n";
    text += "pub(crate) fn visit(visitor: &mut impl Visitor) {\n";
    let mut groups: Vec<(bool, &str, Vec<&str>)> = Vec::new();
    for ((is_meta, _, version), (group, _)) in &versions {
        match groups.last_mut() {
            Some((_, last, versions)) if last == group => versions.push(version),
            _ => groups.push((*is_meta, group, vec![version])),
        }
    }
    for (is_meta, group, _) in &groups {
        text += &format!("{}    {group}(visitor);\n", feature(*is_meta, group, "    "));
    }
    text += "}\n";
    for (is_meta, group, versions) in &groups {
        text += &format!("\n{}", feature(*is_meta, group, ""));
        text += &format!("fn {group}(visitor: &mut impl Visitor) {{\n");
        for version in versions {
            text += &format!("    {group}_{version}(visitor);\n");
        }
        text += "}\n";
    }
    for ((is_meta, _, version), (group, lines)) in &versions {
        text += &format!("\n{}", feature(*is_meta, group, ""));
        text += &format!("fn {group}_{version}(visitor: &mut impl Visitor) {{\n");
        text += &format!("    use crate::{group}::{version};\n\n{}}}\n", lines.concat());
    }
    text
}

fn feature(is_meta: bool, group: &str, indent: &str) -> String {
    if is_meta { String::new() } else { format!("{indent}#[cfg(feature = \"{group}\")]\n") }
}

/// A kind that is no object tells its names, because its type does not.
fn line(module: &Module, of: &StructDef, kind: &KindDef) -> String {
    let (version, name) = (module.version, &of.name);
    // Those of `meta` are no resources, even where they carry an `ObjectMeta`.
    if kind.is_object && module.group != META {
        return format!("    visitor.visit::<{version}::{name}>();\n");
    }
    let api_version = kind.api_version();
    let visit = if of.json_only { "visit_json" } else { "visit_plain" };
    format!("    visitor.{visit}::<{version}::{name}>({api_version:?}, {name:?});\n")
}
