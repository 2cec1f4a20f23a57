//! A webhook of a configuration, and whether it is asked about a write.
//!
//! Sources: `k8s.io/apiserver/pkg/admission/plugin/webhook/{generic,predicates}`.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::attributes::{Attributes, Operation};
use super::conditions;
use crate::convert::seen;
use crate::error::ApiError;
use crate::resource::Resource;
use crate::storage::selector::Labels;
use crate::storage::{Stored, Tree};
use crate::turn::{Halt, Turn};

/// One entry of `webhooks` of a configuration.
#[derive(Clone, Debug)]
pub(super) struct Hook {
    /// Of the configurations: those that change may be named like those that judge.
    table: &'static str,
    configuration: Arc<Stored>,
    tree: Tree,
    index: usize,
}

/// The resource under which a webhook wants to see a write.
#[derive(Clone, Debug)]
pub(super) struct Invocation {
    pub resource: Arc<Resource>,
}

/// The webhooks of all configurations of a table, by name and then in order.
pub(super) fn all(turn: &Turn<'_>, table: &'static str) -> Vec<Hook> {
    let configurations = turn.core.store.table(table).into_iter().flat_map(|table| table.values());
    let hooks = configurations.flat_map(|configuration| {
        let tree = configuration.value();
        let count = tree["webhooks"].as_array().map_or(0, Vec::len);
        (0..count).map(move |index| {
            let configuration = Arc::clone(configuration);
            Hook { table, configuration, tree: tree.clone(), index }
        })
    });
    hooks.collect()
}

impl Hook {
    pub(super) fn value(&self) -> &Value {
        &self.tree["webhooks"][self.index]
    }

    fn text(&self, name: &str) -> &str {
        self.value()[name].as_str().unwrap_or_default()
    }

    /// Its name, as errors tell it.
    pub(super) fn name(&self) -> &str {
        self.text("name")
    }

    /// What tells it from all others, and from what its configuration said before.
    pub(super) fn uid(&self) -> String {
        let metadata = &self.tree["metadata"];
        let (uid, generation) =
            (metadata["uid"].as_str().unwrap_or_default(), &metadata["generation"]);
        let configuration = self.configuration.name();
        format!("{}/{configuration}/{uid}/{generation}/{}/{}", self.table, self.name(), self.index)
    }

    pub(super) fn ignores_failures(&self) -> bool {
        self.text("failurePolicy") == "Ignore"
    }

    pub(super) fn reinvokes(&self) -> bool {
        self.text("reinvocationPolicy") == "IfNeeded"
    }

    pub(super) fn side_effects(&self) -> &str {
        self.text("sideEffects")
    }

    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs(self.value()["timeoutSeconds"].as_u64().unwrap_or(10))
    }

    /// Whether the versions it understands include that of our reviews.
    pub(super) fn understands_v1(&self) -> bool {
        let versions = self.value()["admissionReviewVersions"].as_array();
        versions.is_some_and(|versions| versions.iter().any(|version| version == "v1"))
    }

    /// Whether it is asked, and how it wants to see the write.
    ///
    /// # Errors
    ///
    /// 404 for a namespace that is not there, 403 for conditions that cannot be told.
    pub(super) fn invocation(
        &self,
        turn: &mut Turn<'_>,
        attributes: &Attributes<'_>,
    ) -> Result<Option<Invocation>, ApiError> {
        let hook = self.value();
        let in_namespace = in_namespace(turn, attributes, &hook["namespaceSelector"]);
        if matches!(in_namespace, Ok(false)) {
            return Ok(None);
        }
        if !selects_object(attributes, &hook["objectSelector"])? {
            return Ok(None);
        }
        let Some(resource) = matched(turn, attributes, hook) else { return Ok(None) };
        in_namespace?;
        let invocation = Invocation { resource };
        let met = conditions::met(
            turn,
            attributes,
            &invocation,
            &hook["matchConditions"],
            self.ignores_failures(),
        );
        Ok(met?.then_some(invocation))
    }
}

/// The resource of the first rule that fits; by `Equivalent` rules also fit other versions.
pub(super) fn matched(
    turn: &Turn<'_>,
    attributes: &Attributes<'_>,
    hook: &Value,
) -> Option<Arc<Resource>> {
    let rules = hook["rules"].as_array().map(Vec::as_slice).unwrap_or_default();
    let own = &attributes.call.resource;
    if rules.iter().any(|rule| fits(rule, attributes, own)) {
        return Some(Arc::clone(own));
    }
    if hook["matchPolicy"] == "Exact" || !attributes.is_whole() {
        return None;
    }
    let equivalent: Vec<&Arc<Resource>> = turn
        .core
        .registry
        .iter()
        .filter(|other| other.table == own.table && other.api_version() != own.api_version())
        .collect();
    rules.iter().find_map(|rule| {
        equivalent.iter().find(|other| fits(rule, attributes, other)).map(|other| Arc::clone(other))
    })
}

/// Whether a rule fits a write, seen as one of `resource`.
pub(super) fn fits(rule: &Value, attributes: &Attributes<'_>, resource: &Resource) -> bool {
    let has = |list: &str, wanted: &str| {
        let items = rule[list].as_array().into_iter().flatten();
        items.filter_map(Value::as_str).any(|item| item == "*" || item == wanted)
    };
    has("operations", attributes.operation.name())
        && has("apiGroups", &resource.group)
        && has("apiVersions", &resource.version)
        && fits_resource(rule, &resource.plural, &attributes.call.subresource)
        && fits_scope(rule, attributes, resource)
        && fits_name(rule, attributes)
}

fn fits_resource(rule: &Value, plural: &str, subresource: &str) -> bool {
    let items = rule["resources"].as_array().into_iter().flatten();
    items.filter_map(Value::as_str).any(|item| {
        let (res, sub) = item.split_once('/').unwrap_or((item, ""));
        (res == "*" || res == plural) && (sub == "*" || sub == subresource)
    })
}

fn fits_scope(rule: &Value, attributes: &Attributes<'_>, resource: &Resource) -> bool {
    let in_cluster = resource.is("", "namespaces") || attributes.namespace().is_empty();
    match rule["scope"].as_str() {
        None | Some("*") => true,
        Some("Namespaced") => !in_cluster,
        Some("Cluster") => in_cluster,
        Some(_) => false,
    }
}

/// Rules of policies may name objects.
fn fits_name(rule: &Value, attributes: &Attributes<'_>) -> bool {
    let Some(names) = rule["resourceNames"].as_array().filter(|names| !names.is_empty()) else {
        return true;
    };
    names.iter().any(|name| *name == *attributes.name)
}

/// Whether the namespace of the object is selected; what is in none always is.
pub(super) fn in_namespace(
    turn: &Turn<'_>,
    attributes: &Attributes<'_>,
    selector: &Value,
) -> Result<bool, ApiError> {
    let call = attributes.call;
    let of_namespaces = call.resource.plural == "namespaces";
    if attributes.namespace().is_empty() && !of_namespaces {
        return Ok(true);
    }
    let labels = Labels::of_selector(selector).map_err(internal)?;
    if labels.is_empty() {
        return Ok(true);
    }
    if of_namespaces && call.subresource.is_empty() && attributes.operation != Operation::Delete {
        return Ok(labels.matches(own_labels(attributes.object.as_ref())));
    }
    let name = attributes.namespace();
    match turn.core.store.get("namespaces", name) {
        Some(namespace) => Ok(labels.matches(namespace.value()["metadata"].get("labels"))),
        None => {
            let namespaces = turn.core.registry.find("", "v1", "namespaces");
            Err(namespaces
                .map_or_else(ApiError::no_path, |resource| ApiError::not_found(resource, name)))
        }
    }
}

/// Whether the object is selected, as it is or as it was.
pub(super) fn selects_object(
    attributes: &Attributes<'_>,
    selector: &Value,
) -> Result<bool, ApiError> {
    let labels = Labels::of_selector(selector).map_err(internal)?;
    // What has no metadata is selected by nobody who selects at all.
    let matches = |object: Option<&Value>| {
        let metadata = object.and_then(|object| object.get("metadata"));
        metadata.is_some_and(|metadata| labels.matches(metadata.get("labels")))
    };
    Ok(labels.is_empty() || matches(attributes.object.as_ref()) || matches(attributes.old.as_ref()))
}

fn own_labels(object: Option<&Value>) -> Option<&Value> {
    object?.get("metadata")?.get("labels")
}

fn internal(why: String) -> ApiError {
    ApiError::internal(why)
}

/// An object of the request as the invocation wants to see it. What must be converted first is owed.
pub(super) fn versioned(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    to: &Resource,
    object: Option<&Value>,
) -> Option<Value> {
    let object = object?;
    let from = &attributes.call.resource;
    let is_whole = attributes.is_whole();
    Some(if is_whole { between(turn, from, to, object) } else { object.clone() })
}

/// What a webhook made of the object, in the version of the request again.
pub(super) fn returned(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    from: &Resource,
    object: Value,
) -> Value {
    let to = &attributes.call.resource;
    if attributes.is_whole() { between(turn, from, to, &object) } else { object }
}

fn between(turn: &mut Turn<'_>, from: &Resource, to: &Resource, object: &Value) -> Value {
    seen::between(turn, from, to, object).unwrap_or_else(|halt| {
        let halt = match halt {
            Halt::Error(error) => ApiError::internal(error.message).into(),
            other => other,
        };
        turn.owed.get_or_insert(halt);
        object.clone()
    })
}

/// What was found out, unless something is owed first.
pub(super) fn unless_owed<T>(turn: &mut Turn<'_>, found: Result<T, Halt>) -> Result<T, Halt> {
    turn.owed.take().map_or(found, Err)
}

#[cfg(test)]
mod tests;
