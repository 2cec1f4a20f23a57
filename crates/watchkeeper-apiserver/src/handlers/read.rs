//! GET of one object.

use std::sync::Arc;

use crate::convert::seen;
use crate::request::Call;
use crate::request::options::{self, Version};
use crate::storage::Stored;
use crate::turn::{Halt, Outcome, Turn};
use crate::{present, reply};

use super::Handled;

/// V2.2: the most recent state, any state, or one not older than a revision.
pub(super) fn get(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let version = options::version(call.query.text("resourceVersion"))?;
    if turn.known.pinned.is_none() {
        let past = turn.ask_read(&call.actor(), "get", &call.resource.table, &call.key())?;
        turn.known.pinned = past.filter(|past| version.takes(*past));
    }
    if let Version::At(revision) = version
        && revision > turn.core.store.revision()
    {
        return Err(Halt::Park(revision));
    }
    shown(turn, call)
}

/// The answer with the object that the call names, in the version of the call.
///
/// # Errors
///
/// 404 when there is none; what a webhook must be asked first.
pub(crate) fn shown(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let stored = match seen::earlier(turn, &call.resource, &call.key()) {
        Some(stored) => stored,
        None => {
            let stored = at_hand(turn, call)?;
            seen::seen(turn, &call.resource, &stored)?
        }
    };
    Ok(answer(turn, call, 200, &stored))
}

/// The object that the call names, as the read sees it.
fn at_hand(turn: &Turn<'_>, call: &Call) -> Result<Arc<Stored>, Halt> {
    let Some(past) = super::list::pinned(turn) else { return existing(turn, call) };
    let table = turn.core.store.at(&call.resource.table, past);
    let found = table.and_then(|table| table.get(&*call.key()).map(Arc::clone));
    found.ok_or_else(|| call.not_found().into())
}

/// The object that the call names, as it is stored.
///
/// # Errors
///
/// 404 when there is none.
pub(crate) fn existing(turn: &Turn<'_>, call: &Call) -> Result<Arc<Stored>, Halt> {
    let found = turn.core.store.get(&call.resource.table, &call.key());
    found.map(Arc::clone).ok_or_else(|| call.not_found().into())
}

/// The answer with one object, in the version of the call, in the form asked for.
pub(crate) fn answer(turn: &Turn<'_>, call: &Call, code: u16, stored: &Stored) -> Outcome {
    let body = present::object(&call.resource, &call.form, stored, turn.now);
    Outcome::Reply(reply::body(code, call.form.codec, body))
}
