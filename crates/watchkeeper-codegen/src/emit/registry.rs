//! The table of kinds.

use std::collections::BTreeMap;

use crate::groups::META;
use crate::model::Module;

/// `generated/kinds.rs`: shows every object kind of the enabled groups to a visitor, sorted by
/// group, version and kind.
pub(super) fn text(modules: &[Module]) -> String {
    // By the group's name in the API, and not by our module's.
    let mut versions: BTreeMap<(&str, &str), (&str, Vec<&str>)> = BTreeMap::new();
    for module in modules.iter().filter(|module| module.group != META) {
        for of in module.families.iter().flat_map(|family| &family.structs) {
            if let Some(kind) = of.kind.as_ref().filter(|kind| kind.is_object) {
                let key = (kind.group.as_str(), kind.version.as_str());
                versions.entry(key).or_insert((module.group, Vec::new())).1.push(&of.name);
            }
        }
    }
    let mut text = super::header("Every object kind of the enabled groups.");
    text += "use crate::registry::Visitor;\n\n";
    text += "/// Shows every kind to `visitor`, sorted by group, version and kind.\n";
    text += "pub(crate) fn visit(visitor: &mut impl Visitor) {\n";
    text += "    // Without any group there is nothing to show.\n    let _ = &visitor;\n";
    for ((_, version), (group, _)) in &versions {
        text += &format!("    #[cfg(feature = \"{group}\")]\n    {group}_{version}(visitor);\n");
    }
    text += "}\n";
    for ((_, version), (group, names)) in &mut versions {
        names.sort_unstable();
        text += &format!("\n#[cfg(feature = \"{group}\")]\n");
        text += &format!("fn {group}_{version}(visitor: &mut impl Visitor) {{\n");
        text += &format!("    use crate::{group}::{version};\n\n");
        for name in names {
            text += &format!("    visitor.visit::<{version}::{name}>();\n");
        }
        text += "}\n";
    }
    text
}
