//! What the server serves: one value per group, version and plural.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::crd::CustomVersion;

/// A served resource, built-in or custom.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The API group; empty for core.
    pub group: String,
    /// The served version.
    pub version: String,
    /// The kind of one object.
    pub kind: String,
    /// The kind of a list.
    pub list_kind: String,
    /// The name in paths.
    pub plural: String,
    /// The name of one.
    pub singular: String,
    /// Whether objects live in a namespace.
    pub namespaced: bool,
    /// Verbs, as discovery shows them.
    pub verbs: Vec<String>,
    /// Short names.
    pub short_names: Vec<String>,
    /// Categories such as `all`.
    pub categories: Vec<String>,
    /// Paths below an object.
    pub subresources: Vec<Subresource>,
    /// Which table of the store holds the objects; versions of a kind share one.
    pub table: Arc<str>,
    /// The model of a built-in kind (`io.k8s.api.apps.v1.Deployment`); empty for custom ones.
    pub model: String,
    /// The definition behind a custom resource.
    pub custom: Option<Arc<CustomVersion>>,
    /// An object with nothing in it, as soon as somebody has asked for one.
    pub(crate) empty: OnceLock<Value>,
}

/// A path below an object, such as `scale`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subresource {
    /// The last segment of the path.
    pub name: String,
    /// Group of what it takes and gives.
    pub group: String,
    /// Version of what it takes and gives.
    pub version: String,
    /// Kind of what it takes and gives.
    pub kind: String,
    /// Verbs.
    pub verbs: Vec<String>,
}

impl Resource {
    /// `v1` or `apps/v1`.
    #[must_use]
    pub fn api_version(&self) -> String {
        api_version(&self.group, &self.version)
    }

    /// `pods` or `deployments.apps`, as error messages name a resource.
    #[must_use]
    pub fn qualified(&self) -> String {
        if self.group.is_empty() {
            self.plural.clone()
        } else {
            format!("{}.{}", self.plural, self.group)
        }
    }

    /// The subresource of that name.
    #[must_use]
    pub fn subresource(&self, name: &str) -> Option<&Subresource> {
        self.subresources.iter().find(|sub| sub.name == name)
    }

    /// Whether status is written on a path of its own.
    #[must_use]
    pub fn has_status(&self) -> bool {
        self.subresource("status").is_some()
    }

    /// Whether this is that core or group resource.
    #[must_use]
    pub fn is(&self, group: &str, plural: &str) -> bool {
        self.group == group && self.plural == plural
    }

    /// `{"kind":…,"apiVersion":…,` — what stands before the rest of an object's bytes.
    #[must_use]
    pub fn head(&self) -> String {
        format!(
            r#"{{"kind":{},"apiVersion":{}"#,
            Value::from(&*self.kind),
            Value::from(self.api_version())
        )
    }
}

/// `v1` or `apps/v1`.
pub(crate) fn api_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

/// Splits `apps/v1` into group and version.
pub(crate) fn split_api_version(text: &str) -> (&str, &str) {
    text.split_once('/').unwrap_or(("", text))
}
