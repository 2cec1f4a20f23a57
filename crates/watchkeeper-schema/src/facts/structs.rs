//! The structs by name, each read when it is first wanted: hardly any program wants all.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Index;
use std::sync::OnceLock;

use super::types::{self, Struct};

/// Structs by their OpenAPI model names, e.g. `io.k8s.api.apps.v1.DeploymentSpec`.
#[derive(Clone, Debug, Default)]
pub struct Structs(BTreeMap<Cow<'static, str>, Entry>);

/// A struct, or the lines that tell it.
#[derive(Clone, Debug, Default)]
struct Entry {
    text: &'static str,
    read: OnceLock<Struct>,
}

impl Entry {
    /// A test reads all that this crate carries, so none of its lines is malformed.
    fn get(&self) -> &Struct {
        self.read.get_or_init(|| types::one(self.text).unwrap_or_default())
    }
}

impl PartialEq for Structs {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Structs {
    /// The structs of a text that begins with the first of them, none of which is read yet.
    pub(super) fn unread(text: &'static str) -> Self {
        let parts =
            text.split("\nstruct ").map(|part| part.strip_prefix("struct ").unwrap_or(part));
        let entry = |text: &'static str| {
            let model = text.split([' ', '\n']).next().unwrap_or_default();
            (Cow::Borrowed(model), Entry { text, read: OnceLock::new() })
        };
        Self(parts.map(entry).collect())
    }

    /// Adds one, in place of an older one of that name.
    pub(super) fn insert(&mut self, of: Struct) {
        let model = Cow::Owned(of.model.clone());
        let entry = Entry { text: "", read: OnceLock::from(of) };
        self.0.insert(model, entry);
    }

    /// The struct of that model name.
    #[must_use]
    pub fn get(&self, model: &str) -> Option<&Struct> {
        self.0.get(model).map(Entry::get)
    }

    /// Whether there is a struct of that model name.
    #[must_use]
    pub fn contains_key(&self, model: &str) -> bool {
        self.0.contains_key(model)
    }

    /// The model name as it is kept here, if there is a struct of that name.
    #[must_use]
    pub fn name(&self, model: &str) -> Option<&str> {
        self.0.get_key_value(model).map(|(model, _)| &**model)
    }

    /// The model names, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|model| &**model)
    }

    /// All of them, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Struct)> {
        self.0.iter().map(|(model, entry)| (&**model, entry.get()))
    }
}

impl Index<&str> for Structs {
    type Output = Struct;

    /// # Panics
    ///
    /// When there is no struct of that name.
    fn index(&self, model: &str) -> &Struct {
        self.0[model].get()
    }
}
