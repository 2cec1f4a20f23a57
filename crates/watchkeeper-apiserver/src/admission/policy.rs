//! Policies in CEL: which of them, with which binding and parameters, are about a write.
//!
//! Source: `k8s.io/apiserver/pkg/admission/plugin/policy`.

pub(super) mod mutating;
pub(super) mod validating;

use std::sync::Arc;

use serde_json::{Map, Value};
use watchkeeper_schema::expression::BUDGET;

use super::attributes::Attributes;
use super::conditions::{self, Scope};
use super::hook::{self, Invocation};
use crate::convert::{self, seen};
use crate::error::ApiError;
use crate::meta;
use crate::resource::{Resource, split_api_version};
use crate::storage::selector::Labels;
use crate::storage::{Stored, key};
use crate::turn::Turn;

/// A policy that is about a write, with one of its bindings and one parameter.
pub(super) struct Relevant {
    pub(super) policy: Arc<Stored>,
    pub(super) binding: Arc<Stored>,
    pub(super) invocation: Invocation,
    /// `null` where there is none.
    pub(super) params: Value,
}

/// A policy, or a binding of it, that cannot be carried out.
pub(super) struct Misconfigured {
    pub(super) policy: Arc<Stored>,
    pub(super) binding: Option<Arc<Stored>>,
    pub(super) why: String,
}

impl Misconfigured {
    pub(super) fn message(&self) -> String {
        let what = if self.binding.is_some() { "binding" } else { "policy" };
        format!("failed to configure {what}: {}", self.why)
    }
}

/// What is about a write, by the names of policies and then of bindings.
pub(super) type Found = Vec<Result<Relevant, Misconfigured>>;

/// Whether failures of a policy are forgiven.
pub(super) fn forgives(policy: &Stored) -> bool {
    policy.value()["spec"]["failurePolicy"] == "Ignore"
}

/// Finds the policies of a table, and their bindings in another one, that are about a write.
///
/// # Errors
///
/// 404 for a namespace that is not there.
pub(super) fn relevant(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    (policies, bindings): (&str, &str),
) -> Result<Found, ApiError> {
    let all = |table: &str| -> Vec<Arc<Stored>> {
        turn.core.store.table(table).into_iter().flat_map(|all| all.values().cloned()).collect()
    };
    let (policies, bindings) = (all(policies), all(bindings));
    let mut found = Vec::new();
    for policy in policies {
        let value = policy.value();
        let constraints = &value["spec"]["matchConstraints"];
        let Some(resource) = matched(turn, attributes, constraints)? else { continue };
        let bound = |binding: &&Arc<Stored>| binding.value()["spec"]["policyName"] == policy.name();
        for binding in bindings.iter().filter(bound) {
            let value = binding.value();
            let constraints = &value["spec"]["matchResources"];
            if matched(turn, attributes, constraints)?.is_none() {
                continue;
            }
            let invocation = Invocation { resource: Arc::clone(&resource) };
            match params(turn, attributes, &policy, binding) {
                Ok(all) => found.extend(all.into_iter().map(|params| {
                    let (policy, binding) = (Arc::clone(&policy), Arc::clone(binding));
                    Ok(Relevant { policy, binding, invocation: invocation.clone(), params })
                })),
                Err(why) => {
                    let (policy, binding) = (Arc::clone(&policy), Some(Arc::clone(binding)));
                    found.push(Err(Misconfigured { policy, binding, why }));
                }
            }
        }
    }
    Ok(found)
}

/// Whether namespace and object are selected, and no rule excludes the write.
fn selected(
    turn: &Turn<'_>,
    attributes: &Attributes<'_>,
    constraints: &Value,
) -> Result<bool, ApiError> {
    let excluded = constraints["excludeResourceRules"].as_array().into_iter().flatten();
    let resource = &attributes.call.resource;
    let mut excluded = excluded.filter(|rule| hook::fits(rule, attributes, resource));
    Ok(excluded.next().is_none()
        && hook::in_namespace(turn, attributes, &constraints["namespaceSelector"])?
        && hook::selects_object(attributes, &constraints["objectSelector"])?)
}

fn matched(
    turn: &Turn<'_>,
    attributes: &Attributes<'_>,
    constraints: &Value,
) -> Result<Option<Arc<Resource>>, ApiError> {
    if !selected(turn, attributes, constraints)? {
        return Ok(None);
    }
    if constraints["resourceRules"].as_array().is_none_or(Vec::is_empty) {
        return Ok(Some(Arc::clone(&attributes.call.resource)));
    }
    let mut hook = constraints.clone();
    hook["rules"] = constraints["resourceRules"].clone();
    Ok(hook::matched(turn, attributes, &hook))
}

/// The parameters of a binding: none, one, or all that are selected.
fn params(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    policy: &Stored,
    binding: &Stored,
) -> Result<Vec<Value>, String> {
    let (policy, binding) = (policy.value(), binding.value());
    let (kind, reference) = (&policy["spec"]["paramKind"], &binding["spec"]["paramRef"]);
    if !kind.is_object() || !reference.is_object() {
        return Ok(vec![Value::Null]);
    }
    let (version, kind) = (text(kind, "apiVersion"), text(kind, "kind"));
    let (group, number) = split_api_version(version);
    let Some(resource) = turn.core.registry.find_kind(group, number, kind).cloned() else {
        return Err(format!(
            "failed to find resource referenced by paramKind: '{version}, Kind={kind}'"
        ));
    };
    let mut namespace = text(reference, "namespace").to_owned();
    if resource.namespaced && namespace.is_empty() {
        attributes.namespace().clone_into(&mut namespace);
        if namespace.is_empty() {
            return Err("cannot use namespaced paramRef in policy binding that matches \
                        cluster-scoped resources"
                .to_owned());
        }
    } else if !resource.namespaced && !namespace.is_empty() {
        return Err(
            "paramRef.namespace must not be provided for a cluster-scoped `paramKind`".to_owned()
        );
    }
    let name = text(reference, "name");
    let found: Vec<Arc<Stored>> = if name.is_empty() {
        let selector = Labels::of_selector(&reference["selector"])?;
        let all = turn.core.store.table(&resource.table).into_iter().flat_map(|all| all.values());
        let here = all.filter(|stored| stored.namespace() == namespace);
        let labels = |stored: &Stored| stored.glimpse(&["metadata.labels"]);
        here.filter(|stored| selector.matches(labels(stored)["metadata"].get("labels")))
            .cloned()
            .collect()
    } else {
        let stored = turn.core.store.get(&resource.table, &key(&namespace, name));
        stored.cloned().into_iter().collect()
    };
    if found.is_empty() && reference["parameterNotFoundAction"] != "Allow" {
        return Err(
            "no params found for policy binding with `Deny` parameterNotFoundAction".to_owned()
        );
    }
    Ok(found.iter().map(|stored| shown(turn, &resource, stored)).collect())
}

/// A parameter in the version that the policy names; what must be converted first is owed.
fn shown(turn: &mut Turn<'_>, resource: &Resource, stored: &Arc<Stored>) -> Value {
    let seen = seen::seen(turn, resource, stored).unwrap_or_else(|halt| {
        turn.owed.get_or_insert(halt);
        Arc::clone(stored)
    });
    convert::to_served(resource, &seen.value())
}

/// What the conditions of a policy may name: what those of webhooks may, and parameters.
pub(super) fn scope(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    relevant: &Relevant,
) -> Scope {
    let mut scope = conditions::scope(turn, attributes, &relevant.invocation);
    scope.variables.set("params", &relevant.params);
    scope
}

/// Lets the other expressions of a policy name the namespace and the variables of the policy itself, and
/// cost something of their own.
pub(super) fn widen(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    relevant: &Relevant,
    scope: &mut Scope,
) {
    scope.variables.allow(BUDGET);
    let own = attributes.call.resource.is("", "namespaces");
    let namespace = turn.core.store.get("namespaces", attributes.namespace());
    let namespace = namespace.filter(|_| !own).map(|stored| stored.value().into_value());
    scope.variables.set("namespaceObject", &namespace.unwrap_or(Value::Null));
    scope.variables.set("variables", &Value::Object(Map::new()));
    let policy = relevant.policy.value();
    for variable in policy["spec"]["variables"].as_array().into_iter().flatten() {
        let (name, expression) = (text(variable, "name"), text(variable, "expression"));
        scope.declare(turn, attributes, (name, expression));
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Whether the conditions of a policy are met, or why that cannot be told.
pub(super) fn met(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    relevant: &Relevant,
    scope: &Scope,
) -> Result<bool, String> {
    let policy = relevant.policy.value();
    let conditions = policy["spec"]["matchConditions"].as_array().map_or(&[][..], Vec::as_slice);
    match conditions::all(turn, attributes, conditions, scope) {
        Ok(met) => Ok(met),
        Err(_) if forgives(&relevant.policy) => Ok(false),
        Err(errors) => Err(conditions::aggregate(&errors)),
    }
}

/// `NewForbidden`, for an object that may not have a name yet.
pub(super) fn forbidden(attributes: &Attributes<'_>, why: &str) -> ApiError {
    let object = attributes.object.as_ref().or(attributes.old.as_ref());
    let own = object.map(|object| (meta::name(object), meta::text(object, "generateName")));
    let (name, generate) = own.unwrap_or_default();
    let names = [&*attributes.name, name, generate];
    let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or("Unknown");
    ApiError::forbidden(&attributes.call.resource, name, why)
}
