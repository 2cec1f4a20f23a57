//! What changes a write, one after the other.

use std::collections::BTreeSet;

use serde_json::Value;

use super::MUTATING;
use super::attributes::Attributes;
use super::hook::{self, Hook, Invocation};
use super::outcome::{self, Asked, Failed, ask, judge};
use super::plugins;
use super::policy;
use crate::error::ApiError;
use crate::registry::strategy;
use crate::resource::Resource;
use crate::turn::{Halt, Turn};
use crate::{patch, schemas};

/// Who has been asked, and who is asked again because the object changed afterwards.
#[derive(Default)]
pub(super) struct Rounds {
    second: bool,
    invoked: BTreeSet<String>,
    again: BTreeSet<String>,
    /// The object as it was left.
    last: Option<Value>,
}

impl Rounds {
    /// A round begins; what others changed since the last one is a reason to ask again.
    pub(super) fn begin(&mut self, object: Option<&Value>) {
        if self.second && self.last.as_ref() != object {
            self.changed();
        }
    }

    /// A round is over.
    pub(super) fn end(&mut self, object: Option<&Value>) {
        self.second = true;
        self.last = object.cloned();
    }

    /// Whether one is asked in this round.
    pub(super) fn asks(&self, key: &str) -> bool {
        !self.second || self.again.contains(key)
    }

    /// The object changed: who was asked before wants to know.
    pub(super) fn changed(&mut self) {
        self.again.append(&mut self.invoked);
    }

    /// One was asked that wants to know of later changes.
    pub(super) fn invoked(&mut self, key: String) {
        self.invoked.insert(key);
    }
}

/// Lets policies change the object, then webhooks: all in order, then those who want to be asked
/// again once more if it changed after them. What plugins completed before is completed once more
/// then: what was added lacks it.
///
/// # Errors
///
/// What a policy or a webhook says against the write, or that it must be asked first.
pub(crate) fn mutate(turn: &mut Turn<'_>, attributes: &mut Attributes<'_>) -> Result<(), Halt> {
    if !super::applies(turn, attributes) {
        return Ok(());
    }
    let changed = change_all(turn, attributes);
    hook::unless_owed(turn, changed)
}

fn change_all(turn: &mut Turn<'_>, attributes: &mut Attributes<'_>) -> Result<(), Halt> {
    let hooks = hook::all(turn, MUTATING);
    let (mut policies, mut rounds) = (Rounds::default(), Rounds::default());
    for round in 0..2 {
        if round > 0 {
            plugins::change_again(turn, attributes)?;
        }
        let mut changed = policy::mutating::change(turn, attributes, &mut policies)?;
        rounds.begin(attributes.object.as_ref());
        for (index, hook) in hooks.iter().enumerate() {
            let Some(invocation) = hook.invocation(turn, attributes)? else { continue };
            if !rounds.asks(&hook.uid()) {
                continue;
            }
            if step(turn, hook, &invocation, attributes, (round, index))? {
                rounds.changed();
                changed = true;
            }
            if hook.reinvokes() {
                rounds.invoked(hook.uid());
            }
        }
        rounds.end(attributes.object.as_ref());
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
            Some((patch, kind)) => change(turn, hook, invocation, attributes, &patch, &kind),
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
    turn: &mut Turn<'_>,
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
    let seen = hook::versioned(turn, attributes, &invocation.resource, attributes.object.as_ref());
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
    attributes.object = Some(hook::returned(turn, attributes, &invocation.resource, new));
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
    schemas::drop_nulls(resource, value);
    schemas::fill_defaults(resource, value);
    strategy::complete(resource, value);
    crate::convert::set_type(value, &resource.kind, &resource.api_version());
    Ok(())
}

#[cfg(test)]
mod tests;
