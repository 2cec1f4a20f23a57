//! OpenAPI v3 documents, one for each group and version: enough for `kubectl apply`, `create`,
//! `diff` and `explain`.
//!
//! Component schemas have upstream's names. Built-in types come from the facts and have no
//! descriptions; custom resources keep those of their definition.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use watchkeeper_schema::{Schema, Schemas};

use crate::resource::Resource;

mod names;
mod paths;
pub mod v2;

#[cfg(test)]
mod tests;

use names::META;

/// The document of one group and version, or of several, whose resources these are.
#[must_use]
pub fn document(resources: &[&Resource]) -> Value {
    let mut paths = Map::new();
    let mut components = Components::default();
    for resource in resources {
        paths::add(&mut paths, resource);
        components.add_resource(resource);
    }
    for model in ["Status", "DeleteOptions", "Patch"] {
        components.want(&format!("{META}.{model}"));
    }
    json!({
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": watchkeeper_schema::builtin::facts().version},
        "paths": paths,
        "components": {"schemas": components.finish()},
    })
}

/// Component schemas, and those that they refer to.
#[derive(Default)]
struct Components {
    schemas: Map<String, Value>,
    /// Names referred to and not written yet.
    wanted: BTreeSet<String>,
}

impl Components {
    fn want(&mut self, model: &str) {
        if !self.schemas.contains_key(model) {
            self.wanted.insert(model.to_owned());
        }
    }

    fn add_resource(&mut self, resource: &Resource) {
        let model = names::model(resource);
        match &resource.custom {
            None => self.want(&model),
            Some(custom) => {
                let known = custom.schema.as_deref().cloned();
                let schema = known.unwrap_or_else(Schema::any_object).into_resource();
                self.add(&model, &schema, &[names::kind_of(resource)]);
            }
        }
        for sub in &resource.subresources {
            if let Some(model) = names::builtin_model(&sub.group, &sub.version, &sub.kind) {
                self.want(&model);
            }
        }
        if !resource.list_kind.is_empty() {
            let list = names::list_model(resource);
            if Schemas::builtin().get(&list).is_some() {
                self.want(&list);
            } else {
                let kind = json!({"group": resource.group, "version": resource.version,
                    "kind": resource.list_kind});
                self.add(&list, &list_schema(&model), &[kind]);
            }
        }
    }

    fn add(&mut self, model: &str, schema: &Schema, kinds: &[Value]) {
        note_references(schema, &mut |name| self.want(name));
        self.wanted.remove(model);
        let mut written = schema.to_openapi();
        if let Value::Object(members) = &mut written
            && !kinds.is_empty()
        {
            members.insert("x-kubernetes-group-version-kind".to_owned(), json!(kinds));
        }
        self.schemas.insert(model.to_owned(), written);
    }

    /// Writes what is still wanted, until nothing is.
    fn finish(mut self) -> Map<String, Value> {
        while let Some(model) = self.wanted.pop_first() {
            if self.schemas.contains_key(&model) {
                continue;
            }
            let schema = Schemas::builtin().get(&model);
            let any = Schema::any_object();
            self.add(&model, schema.unwrap_or(&any), &names::kinds_of_model(&model));
        }
        self.schemas
    }
}

fn note_references(schema: &Schema, note: &mut impl FnMut(&str)) {
    if let Some(name) = &schema.reference {
        note(name);
    }
    let nested = schema.properties.values().chain(schema.items.as_deref());
    for schema in nested.chain(schema.additional.as_deref()) {
        note_references(schema, note);
    }
}

/// The list of a custom resource.
fn list_schema(item: &str) -> Schema {
    Schema::object()
        .property("apiVersion", Schema::string())
        .property("kind", Schema::string())
        .property("metadata", Schema::reference(format!("{META}.ListMeta")))
        .property("items", Schema::array(Schema::reference(item)))
        .required("items")
}
