//! `MutatingAdmissionPolicy`: expressions that change the object.

use serde_json::Value;

use super::super::attributes::{Attributes, Operation};
use super::super::hook::{returned, versioned};
use super::super::mutate::{Rounds, settle};
use super::{Relevant, forbidden, forgives, met, relevant, scope, text, widen};
use crate::error::{ApiError, Cause};
use crate::patch::{self, PatchError};
use crate::turn::Turn;
use crate::{apply, schemas};

pub(in crate::admission) const POLICIES: &str =
    "mutatingadmissionpolicies.admissionregistration.k8s.io";
const BINDINGS: &str = "mutatingadmissionpolicybindings.admissionregistration.k8s.io";

/// Lets policies change the object, one after the other. Whether one did. Of what is deleted there is nothing to
/// change, so none is asked, as upstream.
///
/// # Errors
///
/// What the policies that failed say, unless their failures are forgiven.
pub(in crate::admission) fn change(
    turn: &mut Turn<'_>,
    attributes: &mut Attributes<'_>,
    rounds: &mut Rounds,
) -> Result<bool, ApiError> {
    if attributes.operation == Operation::Delete {
        return Ok(false);
    }
    let mut errors: Vec<(String, &'static str)> = Vec::new();
    let mut changed = false;
    rounds.begin(attributes.object.as_ref());
    for found in relevant(turn, attributes, (POLICIES, BINDINGS))? {
        let found = match found {
            Ok(found) => found,
            Err(wrong) if forgives(&wrong.policy) => continue,
            Err(wrong) => {
                let binding = wrong.binding.as_ref().map(|binding| binding.name());
                errors.push((said(wrong.policy.name(), binding, &wrong.message()), "Forbidden"));
                continue;
            }
        };
        let key = format!(
            "{}/{}/{}",
            found.policy.name(),
            found.binding.name(),
            crate::meta::name(&found.params)
        );
        let before = attributes.object.clone();
        match step(turn, attributes, &found, rounds, &key) {
            Ok(true) => {}
            Ok(false) => continue,
            Err(_) if forgives(&found.policy) => {}
            Err(why) => {
                let (policy, binding) = (found.policy.name(), Some(found.binding.name()));
                errors.push((said(policy, binding, &why), "Invalid"));
            }
        }
        if attributes.object != before {
            rounds.changed();
            changed = true;
        }
        if found.policy.value()["spec"]["reinvocationPolicy"] == "IfNeeded" {
            rounds.invoked(key);
        }
    }
    rounds.end(attributes.object.as_ref());
    if errors.is_empty() { Ok(changed) } else { Err(refusal(attributes, errors)) }
}

/// Carries out the mutations of a policy; false when it has nothing to say.
fn step(
    turn: &mut Turn<'_>,
    attributes: &mut Attributes<'_>,
    found: &Relevant,
    rounds: &Rounds,
    key: &str,
) -> Result<bool, String> {
    let scope = scope(turn, attributes, found);
    if !met(turn, attributes, found, &scope)? || !rounds.asks(key) {
        return Ok(false);
    }
    let mutations = found.policy.value()["spec"]["mutations"].as_array().cloned();
    for mutation in mutations.unwrap_or_default() {
        if attributes.object.is_none() {
            break;
        }
        // Each mutation sees what the ones before it made.
        let mut scope = super::scope(turn, attributes, found);
        widen(turn, attributes, found, &mut scope);
        let apply = mutation["patchType"] == "ApplyConfiguration";
        let member = if apply { "applyConfiguration" } else { "jsonPatch" };
        let expression = text(&mutation[member], "expression");
        let made = scope.ask(turn, attributes, expression)?;
        let resource = &found.invocation.resource;
        let seen = versioned(turn, attributes, resource, attributes.object.as_ref());
        let seen = seen.unwrap_or_default();
        let mut new = if apply { applied(&seen, made, resource)? } else { patched(&seen, &made)? };
        if attributes.is_whole() {
            settle(resource, &mut new).map_err(|error| error.message)?;
        }
        attributes.object = Some(returned(turn, attributes, resource, new));
    }
    Ok(true)
}

fn applied(
    seen: &Value,
    mut made: Value,
    resource: &crate::resource::Resource,
) -> Result<Value, String> {
    if !made.is_object() {
        return Err("unsupported return type from ApplyConfiguration expression".to_owned());
    }
    crate::convert::set_type(&mut made, &resource.kind, &resource.api_version());
    let laid = apply::lay_over(seen, &made, schemas::of(resource));
    laid.map_err(|why| format!("error applying patch: {why}"))
}

fn patched(seen: &Value, operations: &Value) -> Result<Value, String> {
    if !operations.is_array() {
        let why = "type mismatch: JSONPatchType.expression should evaluate to array";
        return Err(why.to_owned());
    }
    let tests = operations.as_array().is_some_and(|all| all.iter().any(|one| one["op"] == "test"));
    match patch::json(seen, operations) {
        Ok(new) => Ok(new),
        // A test that fails leaves the object as it is.
        Err(PatchError::Failed(_)) if tests => Ok(seen.clone()),
        Err(error) => Err(format!("JSON Patch: {error}")),
    }
}

fn said(policy: &str, binding: Option<&str>, why: &str) -> String {
    match binding {
        Some(binding) => {
            format!("policy '{policy}' with binding '{binding}' denied request: {why}")
        }
        None => format!("policy {} denied request: {why}", crate::error::quoted(policy)),
    }
}

/// Upstream keeps the code and the details of a 403 and tells the policies' reason.
fn refusal(attributes: &Attributes<'_>, errors: Vec<(String, &'static str)>) -> ApiError {
    let mut error = forbidden(attributes, "admission request denied by policy");
    if let Some((message, reason)) = errors.first() {
        error.message.clone_from(message);
        error.reason = (*reason).into();
    }
    error.causes(errors.into_iter().map(|(message, _)| Cause {
        reason: String::new(),
        message,
        field: String::new(),
    }))
}

#[cfg(test)]
mod tests;
