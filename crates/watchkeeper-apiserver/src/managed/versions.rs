//! The versions of the kind that is written, for managers that wrote in others of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use watchkeeper_schema::{SchemaRef, Schemas};

use crate::apply::{VersionError, Versions};
use crate::convert::{self, seen};
use crate::fields::FieldSet;
use crate::request::Call;
use crate::resource::{Resource, split_api_version};
use crate::schemas;
use crate::turn::{Halt, Turn};

/// What is served, or stored, of the kind of a call.
pub(super) struct OfCall<'a, 't> {
    turn: &'a mut Turn<'t>,
    resource: &'a Arc<Resource>,
    reset: &'a FieldSet,
    none: FieldSet,
    /// Built-in kinds in other versions that have been asked for.
    others: BTreeMap<String, Arc<Resource>>,
    /// What a webhook must be asked first.
    pub(super) owed: Option<Halt>,
}

impl<'a, 't> OfCall<'a, 't> {
    pub(super) fn new(turn: &'a mut Turn<'t>, call: &'a Call, reset: &'a FieldSet) -> Self {
        let (none, others) = (FieldSet::default(), BTreeMap::new());
        Self { turn, resource: &call.resource, reset, none, others, owed: None }
    }

    fn is_own(&self, api_version: &str) -> bool {
        self.resource.api_version() == api_version
    }

    /// The resource in a version: one that is kept in the same table.
    fn find(&mut self, api_version: &str) -> Option<Arc<Resource>> {
        if self.is_own(api_version) {
            return Some(Arc::clone(self.resource));
        }
        let (group, version) = split_api_version(api_version);
        let found = self.turn.core.registry.find(group, version, &self.resource.plural)?;
        if found.table != self.resource.table {
            return None;
        }
        self.others.insert(api_version.to_owned(), Arc::clone(found));
        Some(Arc::clone(found))
    }

    fn custom(&mut self, object: &Value, api_version: &str) -> Result<Value, VersionError> {
        let Some(custom) = &self.resource.custom else { return Err(VersionError::Missing) };
        // Upstream takes this for a failure, not for a version that is gone.
        if !custom.schemas.contains_key(api_version) {
            let why = format!("request to convert CR to an invalid group/version: {api_version}");
            return Err(VersionError::Failed(why));
        }
        let Some(webhook) = &custom.conversion else {
            let mut object = object.clone();
            convert::set_type(&mut object, &self.resource.kind, api_version);
            return Ok(object);
        };
        seen::in_version(self.turn, webhook, api_version, object).map_err(|halt| match halt {
            Halt::Error(error) => VersionError::Failed(error.message),
            other => {
                self.owed.get_or_insert(other);
                VersionError::Unasked
            }
        })
    }
}

impl Versions for OfCall<'_, '_> {
    fn convert(&mut self, object: &Value, api_version: &str) -> Result<Value, VersionError> {
        let from = object["apiVersion"].as_str().unwrap_or_default().to_owned();
        if from == api_version {
            return Ok(object.clone());
        }
        if self.resource.custom.is_some() {
            return self.custom(object, api_version);
        }
        match (self.find(&from), self.find(api_version)) {
            (Some(from), Some(to)) => Ok(convert::between_parts(&from, &to, object)),
            _ => Err(VersionError::Missing),
        }
    }

    fn schema(&self, api_version: &str) -> SchemaRef<'_> {
        if self.is_own(api_version) {
            return schemas::of(self.resource);
        }
        let custom = self.resource.custom.as_ref();
        if let Some(schema) = custom.and_then(|custom| custom.schemas.get(api_version)) {
            return Schemas::builtin().at(schema);
        }
        schemas::of(self.others.get(api_version).unwrap_or(self.resource))
    }

    /// Built-in kinds name these fields for all versions, definitions for the one that is written.
    fn reset(&self, api_version: &str) -> &FieldSet {
        let is_known = self.resource.custom.is_none() || self.is_own(api_version);
        if is_known { self.reset } else { &self.none }
    }
}
