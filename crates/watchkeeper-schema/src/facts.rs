//! What is known of the built-in kinds: a compact table of facts, read into plain structs.
//!
//! Two text files hold the facts of one Kubernetes release. `types.facts` lists every struct with
//! its fields in declaration order: JSON name, presence rule, type, protobuf number, and what
//! server-side apply, strategic merge patch and defaulting need. `kinds.facts` lists every kind
//! with its plural, scope, verbs, names and subresources. They are made by the program under
//! `codegen/facts`, which asks the released Go modules and a running kube-apiserver; no prose is
//! taken over.
//!
//! [`Facts::parse`] reads the two texts; a mistake is reported with its file and line.

mod kind;
mod parse;
mod structs;
mod types;

#[cfg(test)]
mod tests;

pub use kind::{KindFacts, Scope, Subresource, VersionedKind};
pub use parse::FactsError;
pub use structs::Structs;
pub use types::{
    Field, ListType, MapType, PatchStrategy, Pb, Presence, Scalar, Struct, Type, Wire,
};

const TYPES: &str = include_str!("../facts/types.facts");
const KINDS: &str = include_str!("../facts/kinds.facts");

/// The facts of one Kubernetes release.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The release, e.g. `v1.36.3`.
    pub version: String,
    /// Every struct by its OpenAPI model name, e.g. `io.k8s.api.apps.v1.DeploymentSpec`.
    pub structs: Structs,
    /// Every kind, sorted by group, version and kind. The core group is the empty string.
    pub kinds: Vec<KindFacts>,
}

impl Facts {
    /// The facts of the release that this crate carries.
    ///
    /// # Errors
    ///
    /// A mistake in the committed files; a test of this crate sees to it that there is none.
    pub fn builtin() -> Result<Self, FactsError> {
        Self::parse(TYPES, KINDS)
    }

    /// As [`builtin`](Self::builtin), but each struct is read when it is first wanted, and not looked through for
    /// mistakes before.
    ///
    /// # Errors
    ///
    /// A mistake in the file of the kinds, or in the first line of that of the types.
    pub fn unread() -> Result<Self, FactsError> {
        let (head, rest) = TYPES.split_once('\n').unwrap_or((TYPES, ""));
        let version = types::version_of(head)?;
        Ok(Self { version, structs: Structs::unread(rest), kinds: kind::parse(KINDS)? })
    }

    /// Reads the text of `types.facts` and `kinds.facts`.
    ///
    /// # Errors
    ///
    /// The first line that does not follow the grammar, and the first reference to a struct that
    /// the table does not have.
    pub fn parse(types: &str, kinds: &str) -> Result<Self, FactsError> {
        let (version, structs) = types::parse(types)?;
        let facts = Self { version, structs, kinds: kind::parse(kinds)? };
        facts.check_references()?;
        Ok(facts)
    }

    /// The struct of that model name.
    #[must_use]
    pub fn get(&self, model: &str) -> Option<&Struct> {
        self.structs.get(model)
    }

    /// The kind of that group (`""` for core), version and name.
    #[must_use]
    pub fn kind(&self, group: &str, version: &str, kind: &str) -> Option<&KindFacts> {
        self.kinds.iter().find(|k| k.group == group && k.version == version && k.kind == kind)
    }

    fn check_references(&self) -> Result<(), FactsError> {
        for (model, of) in self.structs.iter() {
            for field in &of.fields {
                if let Some(target) = field.ty.model().filter(|m| !self.structs.contains_key(m)) {
                    let place = format!("{model}, field {}", field.json);
                    return Err(FactsError::unresolved(place, target));
                }
            }
        }
        for kind in &self.kinds {
            if !self.structs.contains_key(&kind.model) {
                let place = format!("kind {}/{} {}", kind.group, kind.version, kind.kind);
                return Err(FactsError::unresolved(place, &kind.model));
            }
        }
        Ok(())
    }
}
