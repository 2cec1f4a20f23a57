//! What only judges a write, all at once.

use super::VALIDATING;
use super::attributes::Attributes;
use super::hook::{self, Hook, Invocation};
use super::outcome::{self, Asked, Failed, ask, judge};
use super::policy;
use crate::turn::{Halt, Turn};

/// Lets policies judge the object, then webhooks. All webhooks are asked, whatever one of them says; the first in order
/// that refuses is told.
///
/// # Errors
///
/// What a policy or a webhook says against the write, or that some must be asked first.
pub(crate) fn validate(turn: &mut Turn<'_>, attributes: &Attributes<'_>) -> Result<(), Halt> {
    if !super::applies(turn, attributes) {
        return Ok(());
    }
    let judged = judge_all(turn, attributes);
    hook::unless_owed(turn, judged)
}

fn judge_all(turn: &mut Turn<'_>, attributes: &Attributes<'_>) -> Result<(), Halt> {
    policy::validating::judge(turn, attributes)?;
    let mut relevant: Vec<(Hook, Invocation)> = Vec::new();
    for hook in hook::all(turn, VALIDATING) {
        if let Some(invocation) = hook.invocation(turn, attributes)? {
            relevant.push((hook, invocation));
        }
    }
    let (mut open, mut known) = (Vec::new(), Vec::new());
    for (index, (hook, invocation)) in relevant.iter().enumerate() {
        match ask(turn, hook, invocation, attributes, 0) {
            Ok(Asked::Open(question)) => open.push(*question),
            Ok(Asked::Known { uid, answer }) => known.push((index, Ok((uid, answer)))),
            Err(failed) => known.push((index, Err(failed))),
        }
    }
    if !open.is_empty() {
        return Err(Halt::Ask(open));
    }
    let mut first = None;
    for (index, asked) in known {
        let hook = &relevant[index].0;
        let judged =
            asked.and_then(|(uid, answer)| judge(turn, hook, attributes, &uid, answer, false));
        match judged {
            Ok(_) => {}
            Err(Failed::Calling(_)) if hook.ignores_failures() => {
                let name = "failed-open.validating.webhook.admission.k8s.io/round_0_index";
                outcome::annotate(turn, attributes, format!("{name}_{index}"), hook.name());
            }
            Err(Failed::Calling(why)) => {
                let error = outcome::internal(&outcome::uncalled(hook, &why));
                first.get_or_insert_with(|| Box::new(error));
            }
            Err(Failed::Refused(error)) => {
                first.get_or_insert(error);
            }
        }
    }
    first.map_or(Ok(()), |error| Err(Halt::Error(error)))
}
