//! A table for a test of `watchkeeper-client`: every accessor, and what the facts say that it is.

use watchkeeper_schema::facts::{Facts, Scope};

use super::{header, plural, resources};
use crate::groups::Groups;
use crate::model::{self, KindDef, ModelError, Module};

/// The table, as the call of a macro that its test defines: an accessor, the path that it asks, and its kind.
pub(crate) fn calls(facts: &Facts, groups: &Groups) -> Result<String, ModelError> {
    let modules = model::modules(facts, groups)?;
    let rows = modules
        .iter()
        .flat_map(|module| resources(module).map(move |(name, kind)| row(module, name, kind)));
    let rows: String = rows.collect();
    let doc = "Every accessor, the path that it asks, and its kind.";
    Ok(format!("{}accessors! {{\n{rows}}}\n", header(doc)))
}

fn row(module: &Module, name: &str, kind: &KindDef) -> String {
    let api_version = kind.api_version();
    let (namespace, below) = match kind.scope {
        Some(Scope::Namespaced) => ("\"ns\"", "namespaces/ns/"),
        _ => ("", ""),
    };
    let root = if api_version.contains('/') { "/apis" } else { "/api" };
    let path = format!("{root}/{api_version}/{below}{}", kind.plural);
    let method = plural(name, &kind.plural);
    let (group, version) = (module.group, module.version);
    format!("    {group}.{version}.{method}({namespace}): {path:?} {name:?};\n")
}
