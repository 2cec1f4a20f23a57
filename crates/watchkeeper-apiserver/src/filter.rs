//! Which objects of a table a list or a watch is about.

use serde_json::Value;

use crate::error::{ApiError, Result};
use crate::registry::fields;
use crate::request::shards::Shards;
use crate::resource::Resource;
use crate::storage::Stored;
use crate::storage::selector::{Fields, Labels};

/// A namespace and selectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The namespace; empty for all.
    pub namespace: String,
    /// The label selector.
    pub labels: Labels,
    /// The field selector.
    pub fields: Fields,
    /// The part of the objects by their hashes; none for all.
    pub shards: Option<Shards>,
}

impl Filter {
    /// A filter whose fields the resource is known to offer.
    ///
    /// # Errors
    ///
    /// 400 for a field that the resource does not offer (V7.1).
    pub fn new(
        resource: &Resource,
        namespace: &str,
        labels: Labels,
        fields: Fields,
    ) -> Result<Self> {
        for test in &fields.0 {
            if !fields::is_supported(resource, &test.field) {
                return Err(ApiError::bad_request(fields::unsupported(resource, &test.field)));
            }
        }
        Ok(Self { namespace: namespace.to_owned(), labels, fields, shards: None })
    }

    /// Whether every object is selected, namespaces aside.
    #[must_use]
    pub fn selects_all(&self) -> bool {
        self.has_no_selector() && self.shards.is_none()
    }

    /// Whether no labels and no fields are asked for; it may be of a shard.
    #[must_use]
    pub fn has_no_selector(&self) -> bool {
        self.labels.is_empty() && self.fields.0.is_empty()
    }

    /// Whether this state of an object is selected.
    #[must_use]
    pub fn matches(&self, resource: &Resource, object: &Stored) -> bool {
        (self.namespace.is_empty() || self.namespace == object.namespace())
            && (self.selects_all()
                || self.selects(resource, &object.glimpse(&self.paths(resource))))
    }

    fn selects(&self, resource: &Resource, object: &Value) -> bool {
        self.shards.as_ref().is_none_or(|shards| shards.matches(object))
            && (self.labels.is_empty() || self.labels.matches(labels(object)))
            && self.fields_match(resource, object)
    }

    /// What is looked at of an object.
    fn paths<'a>(&'a self, resource: &Resource) -> Vec<&'a str> {
        let mut paths: Vec<&str> =
            self.fields.0.iter().flat_map(|test| fields::paths(resource, &test.field)).collect();
        if !self.labels.is_empty() {
            paths.push("metadata.labels");
        }
        if let Some(shards) = &self.shards {
            paths.push(shards.path());
        }
        paths
    }

    fn fields_match(&self, resource: &Resource, object: &Value) -> bool {
        self.fields.0.iter().all(|test| {
            let value = fields::value(resource, object, &test.field).unwrap_or_default();
            (value == test.value) == test.equal
        })
    }
}

fn labels(object: &Value) -> Option<&Value> {
    object.get("metadata")?.get("labels")
}
