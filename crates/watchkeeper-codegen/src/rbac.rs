//! Roles from what a program declares and from what its tests really called.
//!
//! A program prints what it declares, and its tests write what they called, as the JSON of
//! `watchkeeper_client::access`. [`Rbac`] joins both, tells what was declared and never called, writes
//! the roles, and judges whether roles that somebody else wrote suffice.
//!
//! ```
//! use watchkeeper_codegen::Rbac;
//!
//! # fn main() -> Result<(), watchkeeper_codegen::InputError> {
//! let access = r#"{
//!   "program": "my-operator",
//!   "declared": [
//!     { "verb": "list", "group": "apps", "resource": "deployments", "reasons": ["it follows them"] },
//!     { "verb": "watch", "group": "apps", "resource": "deployments", "reasons": ["it follows them"] }
//!   ],
//!   "recorded": [
//!     { "verb": "list", "group": "apps", "resource": "deployments", "by": ["my-operator"] },
//!     { "verb": "patch", "group": "apps", "resource": "deployments", "namespace": "shop", "name": "web",
//!       "by": ["my-operator"] }
//!   ]
//! }"#;
//! let rbac = Rbac::new("my-operator").access("access.json", access)?;
//! let role = rbac.text();
//! assert!(role.contains("  verbs:\n  - list\n  - patch\n  - watch\n"));
//! assert_eq!(rbac.unexercised()[0].to_string(), "watch deployments.apps: it follows them");
//!
//! let theirs = role.replace("  - patch\n", "");
//! let missing = rbac.missing("role.yaml", &theirs)?;
//! assert_eq!(missing[0].to_string(), "patch deployments.apps: called by my-operator");
//! # Ok(())
//! # }
//! ```
//!
//! # What is granted
//!
//! - Everything that was declared, in the namespace and by the name that it was declared for.
//! - What was recorded and is not granted by that: to all objects, since the names and namespaces of a
//!   test mean nothing elsewhere. Where everything declared lies in namespaces, what was recorded in one
//!   of them stays there, and what was recorded in another one is granted in all of them.
//! - Not what every user may do anyhow: discovery, and asking what one may do (upstream's `system:discovery`
//!   and `system:basic-user`).
//!
//! # How it is laid out
//!
//! One `ClusterRole`, and a `Role` for each namespace, of one name. As controller-gen does it: rules of the
//! same resources unite their verbs, then rules of the same verbs their resources, then their groups; all is
//! sorted.

mod access;
mod judge;
mod permission;
mod rules;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::custom::{InputError, Place};
use crate::disk::{self, StaleFile};
use crate::yaml;
use access::Access;
use judge::Roles;
pub use permission::{Permission, PermissionTarget};

/// Collects what programs declare and what was recorded of them, and makes roles of it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Rbac {
    role: String,
    header: String,
    access: Access,
}

/// A permission, and why it is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The permission.
    pub permission: Permission,
    /// Why: as it was declared, or who called.
    pub reasons: Vec<String>,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.permission, self.reasons.join("; "))
    }
}

impl Rbac {
    /// Roles of this name, that grant nothing yet.
    pub fn new(role: &str) -> Self {
        Self { role: role.to_owned(), header: String::new(), access: Access::default() }
    }

    /// Adds what a program declares or what was recorded of it: the JSON that
    /// `watchkeeper_client::access::document` writes. `source` is named in messages.
    ///
    /// # Errors
    ///
    /// The text is no such document.
    pub fn access(mut self, source: &str, text: &str) -> Result<Self, InputError> {
        self.access.add(source, text)?;
        Ok(self)
    }

    /// Adds what stands in a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read; otherwise as [`Rbac::access`].
    pub fn file(self, path: impl AsRef<Path>) -> Result<Self, InputError> {
        let path = path.as_ref();
        let source = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| InputError::new(&source, Place::Source, error.to_string()))?;
        self.access(&source, &text)
    }

    /// What the roles begin with: a licence. Lines that are no comments become some.
    pub fn header(mut self, text: &str) -> Self {
        text.clone_into(&mut self.header);
        self
    }

    /// The roles as YAML. Always the same text for the same permissions.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = yaml::comment(&self.header);
        for role in rules::roles(&self.role, &self.access.granted()) {
            text += &yaml::document(&role);
        }
        text
    }

    /// What was declared and called by no test, though a call would show it.
    #[must_use]
    pub fn unexercised(&self) -> Vec<Wanted> {
        self.access.unexercised()
    }

    /// What was called and is not declared: a role that was made of the declarations alone would not do.
    #[must_use]
    pub fn undeclared(&self) -> Vec<Wanted> {
        self.access.undeclared()
    }

    /// What the roles of a manifest do not grant, of all that is wanted; empty when they suffice.
    ///
    /// Every `ClusterRole` in it counts as bound to the program in all namespaces, every `Role` in its own.
    /// Wildcards, names of objects, parts of resources and paths mean what they mean to a server.
    ///
    /// # Errors
    ///
    /// The text is not YAML, or there is no role in it.
    pub fn missing(&self, source: &str, manifest: &str) -> Result<Vec<Wanted>, InputError> {
        let roles = Roles::parse(source, manifest)?;
        Ok(self.access.wanted().into_iter().filter(|of| !roles.allow(&of.permission)).collect())
    }

    /// Writes [`Rbac::text`] where `path` has another one; whether it had.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written.
    pub fn write(&self, path: &Path) -> io::Result<bool> {
        Ok(!disk::write_all([(path.to_owned(), self.text())])?.is_empty())
    }

    /// Whether and how [`Rbac::text`] is not what is on disk.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn stale(&self, path: &Path) -> io::Result<Option<StaleFile>> {
        let wanted = [(PathBuf::from(path), self.text())].into();
        Ok(disk::stale_of(&wanted)?.into_iter().next())
    }
}
