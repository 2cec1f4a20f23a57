//! Typed clients and informers of a group: `client.example_com().v1().lamps("default")`.

use super::output::apart;
use super::shape::{KindInfo, identifier};
use super::words;
use crate::clientset::plural;

/// A version of a group, with the name of each kind's type.
pub(crate) struct Version<'a> {
    /// The version's module.
    pub(crate) module: String,
    pub(crate) kinds: &'a [(String, KindInfo)],
}

/// What is reached through what.
struct Way {
    /// The end of the trait's name.
    suffix: &'static str,
    /// The type that leads there.
    from: &'static str,
    /// What a method gives.
    to: &'static str,
    /// A method takes the namespace.
    namespaces: bool,
    what: &'static str,
}

const CLIENTS: Way =
    Way { suffix: "Clients", from: "Client", to: "Api", namespaces: true, what: "clients" };

const INFORMERS: Way = Way {
    suffix: "Informers",
    from: "SharedInformerFactory",
    to: "SharedInformer",
    namespaces: false,
    what: "informers",
};

/// The text of a group's `clients` module.
pub(crate) fn clients(
    group: &str,
    module: &str,
    versions: &[Version<'_>],
    library: &str,
) -> String {
    text(&CLIENTS, &format!("{library}::client"), group, module, versions)
}

/// The text of a group's `informers` module. A lister is had from its informer.
pub(crate) fn informers(
    group: &str,
    module: &str,
    versions: &[Version<'_>],
    library: &str,
) -> String {
    text(&INFORMERS, &format!("{library}::cache"), group, module, versions)
}

fn text(way: &Way, path: &str, group: &str, module: &str, versions: &[Version<'_>]) -> String {
    let Way { suffix, from, to, what, .. } = way;
    let mut name = words::pascal(words::of(module)) + suffix;
    // Groups may begin with a digit, types may not.
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert_str(0, "Group");
    }
    let (mut first, mut second) = (*from, *to);
    if first > second {
        (first, second) = (second, first);
    }
    let mut text = format!("use {path}::{{{first}, {second}}};\n\n");
    let mut modules: Vec<&str> = versions.iter().map(|version| version.module.as_str()).collect();
    modules.sort_unstable();
    text += &match modules.as_slice() {
        [one] => format!("use super::{one};\n\n"),
        several => format!("use super::{{{}}};\n\n", several.join(", ")),
    };
    text += &format!(
        "/// Leads to the {what} of `{group}`.\npub trait {name} {{\n    \
         /// The versions of `{group}`.\n    fn {module}(&self) -> Group<'_>;\n}}\n\n\
         impl {name} for {from} {{\n    fn {module}(&self) -> Group<'_> {{\n        \
         Group(self)\n    }}\n}}\n\n\
         /// The versions of `{group}`.\n#[derive(Clone, Copy, Debug)]\n\
         pub struct Group<'a>(&'a {from});\n\nimpl<'a> Group<'a> {{\n"
    );
    let types = version_types(versions);
    let typed = || versions.iter().zip(&types);
    let methods: Vec<String> =
        typed().map(|(version, of)| version_method(group, version, of)).collect();
    text += &methods.join("\n");
    text += "}\n";
    for (version, of) in typed() {
        text += &version_text(way, group, version, of);
    }
    text
}

/// The types of the versions, each its own: `v1` and `v-1` are one word in Rust.
fn version_types(versions: &[Version<'_>]) -> Vec<String> {
    let mut types: Vec<String> = Vec::new();
    for version in versions {
        let wanted = version_type(version);
        types.push(apart(wanted, |name| types.iter().any(|known| known == name)));
    }
    types
}

fn version_type(version: &Version<'_>) -> String {
    let name = words::pascal(words::of(&version.module));
    match name.as_str() {
        "Group"
        | "Client"
        | "Api"
        | "SharedInformer"
        | "SharedInformerFactory"
        | "Self"
        | "Into"
        | "String" => name + "Version",
        _ => name,
    }
}

fn version_method(group: &str, version: &Version<'_>, of: &str) -> String {
    let module = &version.module;
    format!(
        "    /// `{group}/{module}`.\n    #[must_use]\n    \
         pub const fn {module}(self) -> {of}<'a> {{\n        {of}(self.0)\n    }}\n"
    )
}

fn version_text(way: &Way, group: &str, version: &Version<'_>, of: &str) -> String {
    let module = &version.module;
    let mut text = format!(
        "\n/// The {} of `{group}/{module}`.\n#[derive(Clone, Copy, Debug)]\n\
         pub struct {of}<'a>(&'a {});\n\nimpl {of}<'_> {{\n",
        way.what, way.from
    );
    let mut taken = std::collections::BTreeSet::new();
    let methods: Vec<String> = version
        .kinds
        .iter()
        .map(|(name, kind)| {
            let mut method = identifier(&plural(&kind.kind, &kind.plural));
            while !taken.insert(method.clone()) {
                method.push('_');
            }
            resource_method(way, module, name, kind, &method)
        })
        .collect();
    text += &methods.join("\n");
    text + "}\n"
}

fn resource_method(way: &Way, module: &str, name: &str, kind: &KindInfo, method: &str) -> String {
    let (of, to) = (&kind.plural, format!("{}<{module}::{name}>", way.to));
    if !way.namespaces {
        return format!(
            "    /// The informer of `{of}`, and its lister.\n    #[must_use]\n    \
             pub fn {method}(self) -> {to} {{\n        self.0.informer()\n    }}\n"
        );
    }
    if !kind.namespaced {
        return format!(
            "    /// The `{of}`.\n    #[must_use]\n    pub fn {method}(self) -> {to} {{\n        \
             self.0.api()\n    }}\n"
        );
    }
    let mut signature =
        format!("    pub fn {method}(self, namespace: impl Into<String>) -> {to} {{\n");
    if signature.len() > 101 {
        signature = format!(
            "    pub fn {method}(\n        self,\n        namespace: impl Into<String>,\n    ) -> {to} {{\n"
        );
    }
    format!(
        "    /// The `{of}` of a namespace; of all when it is empty.\n    #[must_use]\n\
         {signature}        self.0.api().namespace(namespace)\n    }}\n"
    )
}
