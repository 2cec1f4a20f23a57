//! The function that adds a group's kinds to a registry: what register-gen makes of a group.

use super::WIDTH;
use crate::custom::accessors::Version;

/// What a group imports for it, and the function.
pub(crate) fn text(group: &str, versions: &[Version<'_>], library: &str) -> (String, String) {
    let kinds = versions.iter().flat_map(|version| {
        let of = |(name, _): &(String, _)| format!(".with::<{}::{name}>()", version.module);
        version.kinds.iter().map(of)
    });
    let calls: Vec<String> = kinds.collect();
    let line = format!("    registry{}\n", calls.concat());
    let chain = if line.len() <= WIDTH + 1 {
        line
    } else {
        let calls: String = calls.iter().map(|call| format!("        {call}\n")).collect();
        format!("    registry\n{calls}")
    };
    let function = format!(
        "/// The registry, with the kinds of `{group}`, too.\n#[must_use]\n\
         pub fn register(registry: Registry) -> Registry {{\n{chain}}}\n"
    );
    (format!("use {library}::api::registry::Registry;\n"), function)
}
