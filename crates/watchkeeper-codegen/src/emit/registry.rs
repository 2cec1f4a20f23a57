//! The table of kinds.

use crate::groups::META;
use crate::model::Module;

/// `generated/kinds.rs`: hands every object kind of the enabled groups to a visitor, sorted by
/// group, version and kind.
pub(super) fn text(modules: &[Module]) -> String {
    let mut kinds = Vec::new();
    for module in modules.iter().filter(|module| module.group != META) {
        for of in module.families.iter().flat_map(|family| &family.structs) {
            if let Some(kind) = of.kind.as_ref().filter(|kind| kind.is_object) {
                kinds.push((&kind.group, &kind.version, &of.name, module));
            }
        }
    }
    kinds.sort_by_key(|(group, version, name, _)| (*group, *version, *name));
    let mut text = super::header("Every kind of the enabled groups.");
    text += "use crate::registry::Visitor;\n\n";
    text += "/// Shows every kind to `visitor`, sorted by group, version and kind.\n";
    text += "pub(crate) fn visit(visitor: &mut impl Visitor) {\n";
    text += "    // Without any group there is nothing to show.\n    let _ = &visitor;\n";
    for (_, _, name, module) in kinds {
        let (group, version) = (module.group, module.version);
        text += &format!("    #[cfg(feature = \"{group}\")]\n");
        text += &format!("    visitor.visit::<crate::{group}::{version}::{name}>();\n");
    }
    text + "}\n"
}
