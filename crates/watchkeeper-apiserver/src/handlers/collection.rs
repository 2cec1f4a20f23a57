//! DELETE of a collection: every selected object, one after the other.

use std::sync::Arc;

use crate::convert::seen;
use crate::present::{self, ListMeta};
use crate::reply;
use crate::request::Call;
use crate::request::options::ListOptions;
use crate::storage::Stored;
use crate::turn::{Outcome, Turn};

use super::delete;
use super::{Handled, list};

/// V6.5: the answer lists what was selected, as it was before.
pub(super) fn delete(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let options = delete::options(call)?;
    delete::warn_of_orphans(turn, call, &options);
    let selection = ListOptions::parse(&call.query)?;
    let mut gone: Vec<Arc<Stored>> = Vec::new();
    let listed = list::read(turn, call, &selection)?.items;
    // All are judged before the first one goes: what must be asked is asked before anything is done.
    let there = |listed: &Arc<Stored>| turn.core.store.get(&call.resource.table, &listed.key);
    let there: Vec<Arc<Stored>> = listed.iter().filter_map(there).cloned().collect();
    let there = seen::all_seen(turn, &call.resource, &there)?;
    for stored in &there {
        let call = Call { namespace: stored.namespace().to_owned(), ..call.clone() };
        delete::admit(turn, &call, stored, &options, "")?;
    }
    for listed in listed {
        // A list may be of the past; what is deleted is what is there now.
        let now = turn.core.store.get(&call.resource.table, &listed.key).cloned();
        let Some(stored) = now else { continue };
        let call = Call {
            namespace: stored.namespace().to_owned(),
            name: stored.name().to_owned(),
            ..call.clone()
        };
        delete::remove(turn, &call, &stored, &options)?;
        gone.push(seen::just_stored(&call.resource, &stored));
    }
    for stored in &gone {
        super::follow(turn, call, stored.name())?;
    }
    let meta = ListMeta { revision: turn.core.store.revision(), ..ListMeta::default() };
    let items = gone.iter().map(|stored| &**stored);
    let body = present::list(&call.resource, &call.form, items, &meta, turn.now);
    Ok(Outcome::Reply(reply::body(200, call.form.codec, body)))
}
