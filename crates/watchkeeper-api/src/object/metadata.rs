//! What is asked of an object's metadata.

use crate::meta::v1::{ObjectMeta, OwnerReference};
use crate::{ObjectKey, Owner};

impl ObjectMeta {
    /// The namespace, if there is one.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        Some(self.namespace.as_str()).filter(|namespace| !namespace.is_empty())
    }

    /// Namespace and name. Shares their texts, and looks for no other place where they are.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        ObjectKey { namespace: self.namespace.clone(), name: self.name.clone() }
    }

    /// The labels, by key.
    pub fn label_pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.labels.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The annotations, by key.
    pub fn annotation_pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.annotations.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The value of one label.
    #[must_use]
    pub fn label(&self, key: &str) -> Option<&str> {
        self.labels.get(key).map(|value| value.as_str())
    }

    /// The value of one annotation.
    #[must_use]
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.annotations.get(key).map(|value| value.as_str())
    }

    /// The owners.
    pub fn owners(&self) -> impl Iterator<Item = Owner<'_>> {
        self.owner_references.iter().map(OwnerReference::as_owner)
    }

    /// What must happen before the object may go.
    pub fn finalizer_names(&self) -> impl Iterator<Item = &str> {
        self.finalizers.iter().map(|name| name.as_str())
    }
}

impl OwnerReference {
    /// The reference, borrowed.
    #[must_use]
    pub fn as_owner(&self) -> Owner<'_> {
        Owner {
            api_version: &self.api_version,
            kind: &self.kind,
            name: &self.name,
            uid: &self.uid,
            controller: self.controller == Some(true),
            block_owner_deletion: self.block_owner_deletion == Some(true),
        }
    }
}
