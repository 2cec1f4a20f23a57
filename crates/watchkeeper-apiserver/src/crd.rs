//! Custom resources: definitions, and the resources they make.

pub(crate) mod approval;
pub mod definition;
mod install;
pub(crate) mod sync;

use std::sync::Arc;

use watchkeeper_schema::Schema;
use watchkeeper_schema::rules::Rules;

use crate::convert::webhook::Webhook;
use crate::storage::VersionSchemas;

pub use install::{Refusal, Refused, install};

/// What the server needs to know of one version of a custom resource.
#[derive(Clone, Debug, Default)]
pub struct CustomVersion {
    /// The name of the definition.
    pub definition: String,
    /// The schema; none keeps everything.
    pub schema: Option<Arc<Schema>>,
    /// What its version says of names, as a schema of the whole object.
    pub metadata: Option<Arc<Schema>>,
    /// The rules in CEL that the schema has, if it has any.
    pub rules: Option<Arc<Rules>>,
    /// `additionalPrinterColumns` as in the definition.
    pub columns: serde_json::Value,
    /// The paths that field selectors may name, without the leading dot.
    pub selectable: Vec<String>,
    /// Where the scale subresource reads and writes.
    pub scale: Option<ScalePaths>,
    /// The schemas of all versions, served or not, by `apiVersion`.
    pub schemas: Arc<VersionSchemas>,
    /// Who converts between versions; nobody where they differ in their name only.
    pub conversion: Option<Arc<Webhook>>,
    /// The version that is stored.
    pub storage_version: String,
    /// What every answer warns of, for a deprecated version.
    pub deprecation: Option<String>,
    /// Whether the definition is being deleted.
    pub terminating: bool,
}

/// The paths of `subresources.scale`, as keys from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScalePaths {
    /// `specReplicasPath`.
    pub spec: Vec<String>,
    /// `statusReplicasPath`.
    pub status: Vec<String>,
    /// `labelSelectorPath`.
    pub selector: Option<Vec<String>>,
}
