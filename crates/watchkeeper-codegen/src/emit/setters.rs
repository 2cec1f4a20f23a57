//! `with_…` methods of the built-in types, behind the feature `builders`: a file for each version, which
//! leaves those of the types as they are.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{header, imports};
use crate::groups::META;
use crate::model::{Module, StructDef};
use crate::name;

/// The files, and the one that names them.
pub(super) fn files(modules: &[Module]) -> Vec<(PathBuf, String)> {
    let mut root = header("`with_…` methods of the built-in types.");
    let mut files = Vec::new();
    for module in modules {
        let Some(text) = text(module) else { continue };
        if module.group != META {
            root += &format!("#[cfg(feature = {:?})]\n", module.group);
        }
        let name = format!("{}_{}", module.group, module.version);
        root += &format!("mod {name};\n");
        files.push((format!("generated/setters/{name}.rs").into(), text));
    }
    files.insert(0, ("generated/setters.rs".into(), root));
    files
}

fn text(module: &Module) -> Option<String> {
    let structs: Vec<&StructDef> =
        module.families.iter().flat_map(|family| &family.structs).collect();
    let with: Vec<_> = structs.into_iter().filter(|of| !of.fields.is_empty()).collect();
    if with.is_empty() {
        return None;
    }
    let doc = format!("`{}/{}`.", module.group, module.version);
    let mut text = header(&doc) + &imports::of_setters(module, &with) + "\nsetters! {\n";
    for of in with {
        text += &format!("    {} {{\n", of.name);
        let mut taken = BTreeSet::new();
        for field in &of.fields {
            let mut method = name::setter(&field.name);
            while !taken.insert(method.clone()) {
                method.push('_');
            }
            let ty = field.ty.text(&of.model);
            text += &format!("        {method} {}: {ty},\n", field.name);
        }
        text += "    }\n";
    }
    Some(text + "}\n")
}
