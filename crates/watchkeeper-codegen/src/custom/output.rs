//! What was generated, as one text or as files.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::accessors::{self, Version};
use super::emit;
use super::shape::{self, KindInfo, Module, identifier};
use crate::disk::{self, StaleFile};

/// Quiet, because descriptions and names are those of the definitions.
const QUIET: &str = "#[allow(\n    clippy::all,\n    clippy::allow_attributes,\n    \
                     clippy::allow_attributes_without_reason,\n    clippy::nursery,\n    \
                     clippy::pedantic,\n    \
                     dead_code,\n    missing_docs,\n    rustdoc::all,\n    unnameable_types,\n    \
                     unreachable_pub,\n    reason = \"generated\"\n)]\n";

/// The types that were generated. Made by [`Generator::generate`](super::Generator::generate).
#[derive(Debug)]
pub struct Generated {
    groups: Vec<Group>,
    head: String,
    kinds: Vec<GeneratedKind>,
    notes: Vec<RawPart>,
    counts: Counts,
}

/// A kind that types were generated for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedKind {
    /// Group and version.
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The resource in paths.
    pub plural: String,
    /// The type below the generated root: `example_com::v1::Lamp`.
    pub path: String,
    /// The schema that it was made of.
    pub schema: Value,
}

/// A part of a kind that is raw JSON, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawPart {
    /// Group, version and kind.
    pub kind: String,
    /// The members on the way to it: `spec.values`.
    pub path: String,
    /// Why it is raw.
    pub why: String,
    /// The schema itself leaves it open. Otherwise it says what has no type here.
    pub open: bool,
}

/// How much was generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Structs.
    pub structs: usize,
    /// Members of schemas.
    pub fields: usize,
    /// Members that are raw JSON, or lists or maps of it.
    pub raw_fields: usize,
}

#[derive(Debug)]
struct Group {
    /// The module.
    name: String,
    group: String,
    /// The texts of its modules by their names, with a line about each.
    modules: Vec<(String, String, String)>,
}

/// What is written beside the types.
pub(super) struct Wishes<'a> {
    pub(super) library: &'a str,
    pub(super) header: &'a str,
    pub(super) clients: bool,
    pub(super) informers: bool,
}

impl Generated {
    pub(super) fn new(modules: Vec<Module>, sources: &[String], wishes: &Wishes<'_>) -> Self {
        let mut generated = Self {
            groups: Vec::new(),
            head: head(sources, wishes.header),
            kinds: Vec::new(),
            notes: Vec::new(),
            counts: Counts::default(),
        };
        let mut by_group: BTreeMap<String, Vec<Module>> = BTreeMap::new();
        for module in modules {
            by_group.entry(module.group.clone()).or_default().push(module);
        }
        for (group, modules) in by_group {
            generated.group(&group, &modules, wishes);
        }
        generated
    }

    fn group(&mut self, group: &str, modules: &[Module], wishes: &Wishes<'_>) {
        let name = if group.is_empty() { "core".to_owned() } else { identifier(group) };
        let mut texts = Vec::new();
        let mut versions: Vec<(String, Vec<(String, KindInfo)>)> = Vec::new();
        for module in modules {
            let version = identifier(&module.version);
            let text = emit::module(module, wishes.library);
            let about = format!("`{group}/{}`.", module.version);
            texts.push((version.clone(), about, text));
            let kinds = emit::kinds(module);
            self.tell(module, &name, &version, &kinds);
            versions.push((version, kinds));
        }
        let versions: Vec<Version<'_>> = versions
            .iter()
            .map(|(module, kinds)| Version { module: module.clone(), kinds })
            .collect();
        if wishes.clients {
            let text = accessors::clients(group, &name, &versions, wishes.library);
            texts.push(("clients".into(), format!("Typed clients of `{group}`."), text));
        }
        if wishes.informers {
            let text = accessors::informers(group, &name, &versions, wishes.library);
            let about = format!("Shared informers of `{group}`, and through them its listers.");
            texts.push(("informers".into(), about, text));
        }
        self.groups.push(Group { name, group: group.to_owned(), modules: texts });
    }

    fn tell(&mut self, module: &Module, group: &str, version: &str, kinds: &[(String, KindInfo)]) {
        self.counts.structs += module.structs.len();
        self.counts.fields += module.count.fields;
        self.counts.raw_fields += module.count.raw;
        self.notes.extend(module.notes.iter().map(|note| {
            let shape::Note { kind, path, text, open } = note.clone();
            RawPart { kind, path, why: text, open }
        }));
        self.kinds.extend(kinds.iter().map(|(name, kind)| GeneratedKind {
            api_version: kind.api_version.clone(),
            kind: kind.kind.clone(),
            plural: kind.plural.clone(),
            path: format!("{group}::{version}::{name}"),
            schema: kind.schema.clone(),
        }));
    }

    /// The kinds, in the order of their groups and versions.
    #[must_use]
    pub fn kinds(&self) -> &[GeneratedKind] {
        &self.kinds
    }

    /// What became raw JSON.
    #[must_use]
    pub fn raw_parts(&self) -> &[RawPart] {
        &self.notes
    }

    /// How much there is.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Everything as one text with a module for each group, to be included.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.head.clone();
        for group in &self.groups {
            text += &format!(
                "\n/// The API group `{}`.\n{QUIET}pub mod {} {{\n",
                group.group, group.name
            );
            for (index, (name, about, body)) in group.modules.iter().enumerate() {
                let gap = if index == 0 { "" } else { "\n" };
                text += &format!("{gap}    /// {about}\n    pub mod {name} {{\n");
                for line in body.lines() {
                    let indent = if line.is_empty() { "" } else { "        " };
                    text += &format!("{indent}{line}\n");
                }
                text += "    }\n";
            }
            text += "}\n";
        }
        text
    }

    /// Everything as files: `root`, which names the groups, and one file for each group and version in
    /// the folder of the same name.
    #[must_use]
    pub fn files(&self, root: &Path) -> Vec<(PathBuf, String)> {
        let dir = root.with_extension("");
        let mut main = format!("//! Custom resources.\n\n{}", self.head);
        let mut files = Vec::new();
        for group in &self.groups {
            main += &format!("\n{QUIET}pub mod {};\n", group.name);
            let mut text = format!("//! The API group `{}`.\n\n{}\n", group.group, self.head);
            for (name, about, body) in &group.modules {
                text += &format!("pub mod {name};\n");
                let body = format!("//! {about}\n\n{}\n{body}", self.head);
                files.push((dir.join(&group.name).join(format!("{name}.rs")), body));
            }
            files.push((dir.join(format!("{}.rs", group.name)), text));
        }
        files.insert(0, (root.to_owned(), main));
        files
    }

    /// Writes [`Generated::text`] where `path` has another one; whether it had.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written.
    pub fn write_text(&self, path: &Path) -> io::Result<bool> {
        Ok(!self.write_all([(path.to_owned(), self.text())])?.is_empty())
    }

    /// Writes those of [`Generated::files`] that are stale, and tells which they were.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written.
    pub fn write_files(&self, root: &Path) -> io::Result<Vec<StaleFile>> {
        self.write_all(self.files(root))
    }

    fn write_all(
        &self,
        files: impl IntoIterator<Item = (PathBuf, String)>,
    ) -> io::Result<Vec<StaleFile>> {
        let files: BTreeMap<_, _> = files.into_iter().collect();
        let stale = disk::stale_of(&files)?;
        for StaleFile { path, .. } in &stale {
            if let (Some(dir), Some(text)) = (path.parent(), files.get(path)) {
                std::fs::create_dir_all(dir)?;
                std::fs::write(path, text)?;
            }
        }
        Ok(stale)
    }

    /// Those of [`Generated::files`] that are not what is on disk.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn stale_files(&self, root: &Path) -> io::Result<Vec<StaleFile>> {
        disk::stale_of(&self.files(root).into_iter().collect())
    }

    /// Whether and how [`Generated::text`] is not what is on disk.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn stale_text(&self, path: &Path) -> io::Result<Option<StaleFile>> {
        let stale = disk::stale_of(&BTreeMap::from([(path.to_owned(), self.text())]))?;
        Ok(stale.into_iter().next())
    }
}

/// The licence, and where it all comes from.
fn head(sources: &[String], header: &str) -> String {
    let mut text = String::new();
    for line in header.trim_end().lines() {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with("//") {
            text += line;
        } else {
            text += &format!("// {line}");
        }
        text.push('\n');
    }
    text + &format!(
        "// Generated by watchkeeper-codegen from {}; do not edit.\n",
        sources.join(", ")
    )
}
