//! `with_…` methods.

use std::collections::BTreeSet;

use crate::custom::names::Names;
use crate::custom::shape::{Module, REST, Struct};

/// The table of every struct of a module that has fields.
pub(super) fn text(module: &Module, names: &Names) -> String {
    let mut text = String::from("\nsetters! {\n");
    for (of, name) in module.structs.iter().zip(&names.structs) {
        if of.fields.is_empty() && !of.rest {
            continue;
        }
        text += &format!("    {name} {{\n");
        for (method, field, ty) in setters(of, names) {
            text += &format!("        {method} {field}: {ty},\n");
        }
        text += "    }\n";
    }
    text + "}\n"
}

fn setters<'a>(of: &'a Struct, names: &Names) -> Vec<(String, &'a str, String)> {
    let fields = of.fields.iter().map(|field| (&*field.name, field.ty.text(&names.structs)));
    let rest = of.rest.then(|| (REST, "Map<Raw>".to_owned()));
    let mut taken = BTreeSet::new();
    let all = fields.chain(rest).map(|(field, ty)| {
        let mut method = crate::name::setter(field);
        while !taken.insert(method.clone()) {
            method.push('_');
        }
        (method, field, ty)
    });
    all.collect()
}
