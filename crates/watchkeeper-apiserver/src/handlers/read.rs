//! GET of one object.

use std::sync::Arc;

use crate::request::Call;
use crate::request::options::{self, Version};
use crate::storage::Stored;
use crate::turn::{Halt, Outcome, Turn};
use crate::{present, reply};

use super::Handled;

/// V2.2: the most recent state, any state, or one not older than a revision.
pub(super) fn get(turn: &mut Turn<'_>, call: &Call) -> Handled {
    turn.ask_read(&call.actor(), "get", &call.resource.table, &call.key())?;
    if let Version::At(revision) = options::version(call.query.text("resourceVersion"))?
        && revision > turn.core.store.revision()
    {
        return Err(Halt::Park(revision));
    }
    let stored = existing(turn, call)?;
    Ok(answer(turn, call, 200, &stored))
}

/// The object that the call names.
///
/// # Errors
///
/// 404 when there is none.
pub(crate) fn existing(turn: &Turn<'_>, call: &Call) -> Result<Arc<Stored>, Halt> {
    let found = turn.core.store.get(&call.resource.table, &call.key());
    found.map(Arc::clone).ok_or_else(|| call.not_found().into())
}

/// The answer with one object in the form asked for.
pub(crate) fn answer(turn: &Turn<'_>, call: &Call, code: u16, stored: &Stored) -> Outcome {
    let body = present::object(&call.resource, &call.form, stored, turn.now);
    Outcome::Reply(reply::body(code, call.form.codec, body))
}
