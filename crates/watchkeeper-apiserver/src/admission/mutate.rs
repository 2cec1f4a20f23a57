//! What changes a write, one after the other.

use std::collections::BTreeSet;

use serde_json::Value;

use super::MUTATING;
use super::attributes::Attributes;
use super::hook::{self, Hook, Invocation};
use super::outcome::{self, Asked, Failed, ask, judge};
use crate::error::ApiError;
use crate::registry::strategy;
use crate::resource::Resource;
use crate::turn::{Halt, Turn};
use crate::{patch, schemas};

/// Who has been asked, and who is asked again because the object changed afterwards.
#[derive(Default)]
struct Rounds {
    invoked: BTreeSet<String>,
    again: BTreeSet<String>,
}

/// Lets webhooks change the object: all in order, then those who want to be asked again once more
/// if another one changed it after them.
///
/// # Errors
///
/// What a webhook says against the write, or that it must be asked first.
pub(crate) fn mutate(turn: &mut Turn<'_>, attributes: &mut Attributes<'_>) -> Result<(), Halt> {
    if !super::applies(turn, attributes) {
        return Ok(());
    }
    let hooks = hook::all(turn, MUTATING);
    let mut rounds = Rounds::default();
    for round in 0..2 {
        let mut changed = false;
        for (index, hook) in hooks.iter().enumerate() {
            let Some(invocation) = hook.invocation(turn, attributes)? else { continue };
            if round == 1 && !rounds.again.contains(&hook.uid()) {
                continue;
            }
            if step(turn, hook, &invocation, attributes, (round, index))? {
                rounds.again.append(&mut rounds.invoked);
                changed = true;
            }
            if hook.reinvokes() {
                rounds.invoked.insert(hook.uid());
            }
        }
        if !changed {
            break;
        }
    }
    Ok(())
}

/// Whether a webhook changed the object.
fn step(
    turn: &mut Turn<'_>,
    hook: &Hook,
    invocation: &Invocation,
    attributes: &mut Attributes<'_>,
    (round, index): (u8, usize),
) -> Result<bool, Halt> {
    let asked = match ask(turn, hook, invocation, attributes, round) {
        Ok(Asked::Open(question)) => return Err(Halt::Ask(vec![*question])),
        Ok(Asked::Known { uid, answer }) => Ok((uid, answer)),
        Err(failed) => Err(failed),
    };
    let changed = asked
        .and_then(|(uid, answer)| judge(turn, hook, attributes, &uid, answer, true))
        .and_then(|allowed| match allowed.patch {
            Some((patch, kind)) => change(hook, invocation, attributes, &patch, &kind),
            None => Ok(false),
        });
    match changed {
        Ok(changed) => Ok(changed),
        Err(Failed::Calling(_)) if hook.ignores_failures() => {
            let name = "failed-open.mutation.webhook.admission.k8s.io/round";
            let name = format!("{name}_{round}_index_{index}");
            outcome::annotate(turn, attributes, name, hook.name());
            Ok(false)
        }
        Err(Failed::Calling(why)) => Err(outcome::internal(&outcome::uncalled(hook, &why)).into()),
        Err(Failed::Refused(error)) => Err(Halt::Error(error)),
    }
}

fn change(
    hook: &Hook,
    invocation: &Invocation,
    attributes: &mut Attributes<'_>,
    patch: &[u8],
    kind: &str,
) -> Result<bool, Failed> {
    let operations = outcome::operations(patch)?;
    if operations.as_array().is_none_or(Vec::is_empty) {
        return Ok(false);
    }
    let refuse = |why: &str| Failed::Refused(Box::new(outcome::internal(why)));
    let seen = hook::versioned(attributes, &invocation.resource, attributes.object.as_ref());
    let Some(object) = seen else {
        return Err(refuse(&format!(
            "admission webhook {} attempted to modify the object, which is not supported for \
             this operation",
            crate::error::quoted(hook.name())
        )));
    };
    if kind != "JSONPatch" {
        let kind = crate::error::quoted(kind);
        return Err(Failed::Calling(format!("unsupported patch type {kind}")));
    }
    let mut new = patch::json(&object, &operations).map_err(|error| refuse(&error.to_string()))?;
    if attributes.is_whole() {
        settle(&invocation.resource, &mut new).map_err(|error| refuse(&error.message))?;
    }
    let changed = new != object;
    attributes.object = Some(hook::returned(attributes, &invocation.resource, new));
    Ok(changed)
}

/// What a webhook gives back is decoded and completed as what clients send.
pub(super) fn settle(resource: &Resource, value: &mut Value) -> Result<(), ApiError> {
    if !value["metadata"].is_object() {
        crate::meta::members(value);
    }
    if let Some(error) = schemas::type_error(resource, value) {
        return Err(ApiError::bad_request(error));
    }
    let _ = schemas::prune(resource, value);
    schemas::fill_defaults(resource, value);
    strategy::complete(resource, value);
    crate::convert::set_type(value, &resource.kind, &resource.api_version());
    Ok(())
}
