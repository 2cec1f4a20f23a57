//! Which kind is in which table.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::crd::definition;
pub(super) use crate::crd::sync::TABLE as DEFINITIONS;
use crate::registry::Registry;
use crate::resource::{Resource, split_api_version};
use crate::storage::TableName;

/// The kinds that objects are stored of: built-in ones, and those of definitions, whether or not they are served.
pub(super) struct Kinds {
    builtin: Arc<Registry>,
    /// By group and kind: one definition's versions share a table.
    custom: BTreeMap<(String, String), Kind>,
}

/// Where objects of a kind are.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) table: TableName,
    pub(super) namespaced: bool,
    /// The resource of a built-in kind, in the version that was asked for.
    pub(super) builtin: Option<Arc<Resource>>,
}

impl Kinds {
    /// The built-in ones alone.
    pub(super) fn builtin() -> Self {
        Self { builtin: Registry::shared(), custom: BTreeMap::new() }
    }

    /// Adds the kind that a definition makes known, if its names were accepted.
    pub(super) fn define(&mut self, crd: &Value) {
        let Some(group) = crd["spec"]["group"].as_str() else { return };
        let Some(kind) = crd["status"]["acceptedNames"]["kind"].as_str() else { return };
        let namespaced = crd["spec"]["scope"] == "Namespaced";
        let known = Kind { table: definition::table(crd), namespaced, builtin: None };
        let name = (group.to_owned(), kind.to_owned());
        self.custom.entry(name).or_insert(known);
    }

    /// The kind of that name. What is only asked, as reviews are, is none.
    pub(super) fn find(&self, api_version: &str, kind: &str) -> Option<Kind> {
        let (group, version) = split_api_version(api_version);
        let Some(resource) = self.builtin.find_kind(group, version, kind) else {
            return self.custom.get(&(group.to_owned(), kind.to_owned())).cloned();
        };
        let is_stored = resource.verbs.iter().any(|verb| verb == "get");
        let (table, namespaced) = (TableName::from(&*resource.table), resource.namespaced);
        is_stored.then(|| Kind { table, namespaced, builtin: Some(Arc::clone(resource)) })
    }
}
