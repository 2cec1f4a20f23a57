//! Definitions as files, from what the programs that have the types print.
//!
//! A program tells its definitions as JSON, `json::to_string(&Foo::crd())`; [`Crds`] joins what several
//! types and programs say of one kind, and writes YAML: one text, or a file for each kind.
//!
//! ```
//! use watchkeeper_codegen::Crds;
//!
//! # fn main() -> Result<(), watchkeeper_codegen::InputError> {
//! let printed = |version: &str, storage: bool| {
//!     format!(
//!         r#"{{
//!             "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
//!             "metadata": {{ "name": "lamps.example.com" }},
//!             "spec": {{
//!                 "group": "example.com", "scope": "Namespaced",
//!                 "names": {{ "kind": "Lamp", "plural": "lamps" }},
//!                 "versions": [{{ "name": "{version}", "served": true, "storage": {storage} }}]
//!             }}
//!         }}"#
//!     )
//! };
//! let crds = Crds::new()
//!     .header("Copyright Lamp Makers")
//!     .text("the program", &printed("v1", true))?
//!     .text("its older part", &printed("v1alpha1", false))?;
//! let text = crds.yaml();
//! assert!(text.starts_with("# Copyright Lamp Makers\n---\napiVersion: apiextensions.k8s.io/v1\n"));
//! assert!(text.contains("  - name: v1\n") && text.contains("  - name: v1alpha1\n"));
//! # Ok(())
//! # }
//! ```
//!
//! # How it is laid out
//!
//! As controller-gen does it: members sorted, lists not indented, files called after group and plural
//! (`example.com_lamps.yaml`). What a server adds (status, times, uids) is left out.
//!
//! [`Crds::test`] is the test that goes with them: whether a server takes them.

mod brief;
mod join;
mod test;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::custom::{InputError, Place, definitions};
use crate::disk::{self, StaleFile};
use crate::yaml;

/// Collects definitions, and writes them as YAML.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Crds {
    header: String,
    /// How many characters a description may have.
    longest: Option<usize>,
    /// By their names.
    definitions: BTreeMap<String, Value>,
}

impl Crds {
    /// Without any definition.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the definitions of a text, JSON or YAML. `source` is named in messages.
    ///
    /// What was said before of the same kind is joined: versions come together, annotations and labels, too.
    ///
    /// # Errors
    ///
    /// The text cannot be read, or holds no definition; or it says of a kind that is there already something
    /// else: another scope, another schema of a version, another version that objects are stored in.
    pub fn text(mut self, source: &str, text: &str) -> Result<Self, InputError> {
        let found = definitions(text, source)?;
        if found.is_empty() {
            let message = "there is no CustomResourceDefinition";
            return Err(InputError::new(source, Place::Source, message));
        }
        for (at, definition) in found {
            self.add(definition).map_err(|what| InputError::new(source, at.itself(), what))?;
        }
        Ok(self)
    }

    /// Adds the definitions of a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read; otherwise as [`Crds::text`].
    pub fn file(self, path: impl AsRef<Path>) -> Result<Self, InputError> {
        let path = path.as_ref();
        let source = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| InputError::new(&source, Place::Source, error.to_string()))?;
        self.text(&source, &text)
    }

    /// What each file begins with: a licence. Lines that are no comments become some.
    pub fn header(mut self, text: &str) -> Self {
        text.clone_into(&mut self.header);
        self
    }

    /// Cuts each description of a schema behind the last sentence that ends within so many characters; with
    /// 0 there are none. `kubectl apply` keeps what it applied in an annotation, which has room for 256 KiB
    /// (controller-gen: `maxDescLen`).
    pub fn max_description(mut self, characters: usize) -> Self {
        self.longest = Some(characters);
        self
    }

    /// The names of the definitions, sorted: `lamps.example.com`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.definitions.keys().map(String::as_str)
    }

    /// The names of definitions without a version that objects are stored in: no server takes them yet.
    #[must_use]
    pub fn unstored(&self) -> Vec<&str> {
        let unstored = self.definitions.iter().filter(|(_, of)| join::stored(of).is_empty());
        unstored.map(|(name, _)| name.as_str()).collect()
    }

    /// All definitions as one text of several documents. Always the same for the same definitions.
    #[must_use]
    pub fn yaml(&self) -> String {
        let mut text = yaml::comment(&self.header);
        text.extend(self.definitions.values().map(|definition| self.document(definition)));
        text
    }

    fn document(&self, definition: &Value) -> String {
        let Some(most) = self.longest else { return yaml::document(definition) };
        let mut definition = definition.clone();
        brief::cut(&mut definition, most);
        yaml::document(&definition)
    }

    /// A file for each definition, in that folder.
    #[must_use]
    pub fn files(&self, folder: &Path) -> Vec<(PathBuf, String)> {
        let file = |(name, definition): (&String, &Value)| {
            // The name is the plural and the group, which was checked when it was added.
            let (plural, group) = name.split_once('.').unwrap_or((name, ""));
            let text = yaml::comment(&self.header) + &self.document(definition);
            (folder.join(format!("{group}_{plural}.yaml")), text)
        };
        self.definitions.iter().map(file).collect()
    }

    /// Writes [`Crds::yaml`] where `path` has another text; whether it had.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written.
    pub fn write(&self, path: &Path) -> io::Result<bool> {
        Ok(!disk::write_all([(path.to_owned(), self.yaml())])?.is_empty())
    }

    /// Whether and how [`Crds::yaml`] is not what is on disk.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn stale(&self, path: &Path) -> io::Result<Option<StaleFile>> {
        let wanted = [(path.to_owned(), self.yaml())].into();
        Ok(disk::stale_of(&wanted)?.into_iter().next())
    }

    /// Writes those of [`Crds::files`] that are stale, and tells which they were. Other files stay.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written.
    pub fn write_files(&self, folder: &Path) -> io::Result<Vec<StaleFile>> {
        disk::write_all(self.files(folder))
    }

    /// Those of [`Crds::files`] that are not what is on disk.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn stale_files(&self, folder: &Path) -> io::Result<Vec<StaleFile>> {
        disk::stale_of(&self.files(folder).into_iter().collect())
    }

    fn add(&mut self, definition: Value) -> Result<(), String> {
        let name = join::name(&definition)?;
        let joined = match self.definitions.get(&name) {
            None => definition,
            Some(known) => {
                join::joined(known, definition).map_err(|what| format!("{name}: {what}"))?
            }
        };
        if let [one, other, ..] = join::stored(&joined).as_slice() {
            return Err(format!(
                "{name}: objects are stored in one version, not in {one} and {other}"
            ));
        }
        self.definitions.insert(name, joined);
        Ok(())
    }
}
