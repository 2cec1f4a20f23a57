//! A new state of an existing object: what must not change is put back, what follows is computed,
//! and nothing is written when nothing changed.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use crate::access::escalation;
use crate::admission::plugins::{self, Asked};
use crate::admission::{self, Attributes, Operation};
use crate::convert::seen::{self, Written};
use crate::history::Verb;
use crate::registry::allocate::addresses;
use crate::registry::{allocate, owners, strategy};
use crate::request::Call;
use crate::storage::{Event, Stored};
use crate::turn::{Commit, Halt, Turn};
use crate::{apply, convert, managed, meta, schemas};

use super::create::Managed;
use super::sent;

/// What became of a save.
#[derive(Debug)]
pub(crate) struct Saved {
    /// The object as it is now, or as it was when it went, in the version of the call.
    pub(crate) object: Arc<Stored>,
}

/// Stores `new`, an object in the version of the call, in place of `old`, which is as it is stored.
pub(crate) fn save(
    turn: &mut Turn<'_>,
    call: &Call,
    old: &Arc<Stored>,
    mut new: Value,
    verb: Verb,
    managed: Managed,
) -> Result<Saved, Halt> {
    let was = seen::seen(turn, &call.resource, old)?;
    let mut live = convert::live(&call.resource, &was);
    keep_immutable(&mut new, &live);
    escalation::check(turn.core, call, Some(&live), &new)?;
    owners::dedup(turn, &mut new);
    if managed == Managed::Update {
        let began = turn.began;
        managed::track(turn, Some(&live), &mut new, call, began)?;
    }
    let told = Asked { call, operation: Operation::Update, old: Some(&live), generated: false };
    plugins::change(turn, told, &mut new)?;
    mutate(turn, call, &mut new, &live)?;
    let asked = call;
    let served = is_judged(turn, call).then(|| Value::clone(&live));
    let (stored_call, mut new) = convert::at_storage(call, new);
    if let Cow::Owned(stored_call) = &stored_call {
        live = convert::live(&stored_call.resource, old);
    }
    let call = &*stored_call;
    strategy::prepare_update(call, &mut new, &live, turn.began);
    allocate::update(turn, call, &mut new, &live)?;
    bump_generation(call, &mut new, &live);
    let sent = || sent::again(asked, call, Some(&live));
    strategy::validate(turn, call, Some(&live), &new, sent)?;
    schemas::write_numbers(&call.resource, &mut new);
    if managed == Managed::Applied {
        // An apply is compared as it was sent; here it is known what is left of the difference.
        apply::forget_time_only_change(&live, &mut new);
        schemas::prune_stored(&call.resource, &mut new);
    }
    let told = Asked { call, operation: Operation::Update, old: Some(&live), generated: false };
    plugins::judge(turn, told, &new)?;
    judge(turn, asked, call, &new, served)?;
    plugins::quota::judge(turn, told, &new)?;
    schemas::fill_status(call, &mut new);
    let converts = seen::webhook(&call.resource).is_some() || seen::is_other(&call.resource);
    let stays = old.written.is_none() && !seen::is_outdated(&call.resource, old);
    // Of another version it is known only when it has been converted what is stored.
    if new == *live && stays && !converts {
        return Ok(Saved { object: was });
    }
    let removed = strategy::goes_with_update(&call.resource, &new, &old.value());
    let written = seen::written(turn, &call.resource, new)?;
    if converts && stays && written.value == *old.value() {
        return Ok(Saved { object: was });
    }
    let last = removed.then(|| written.seen().clone());
    if call.dry_run()? {
        return Ok(Saved { object: Arc::new(was.with(written.into_seen())) });
    }
    let verb = if removed { Verb::Delete } else { verb };
    let event = store(turn, call, (old, &live), written, (verb, removed))?;
    if removed {
        // The client sees what it wrote; watchers see what was there.
        let object = was.with(last.unwrap_or_default());
        return Ok(Saved { object: Arc::new(object) });
    }
    Ok(Saved { object: seen::just_stored(&call.resource, &event.object) })
}

/// Stores the new state, or removes what goes with it; a Service gets and gives back addresses.
fn store(
    turn: &mut Turn<'_>,
    call: &Call,
    (old, live): (&Stored, &Value),
    written: Written,
    (verb, removed): (Verb, bool),
) -> Result<Arc<Event>, Halt> {
    let Written { value, shown } = written;
    let taken = if removed { Vec::new() } else { addresses::take(turn, call, &value, Some(live)) };
    let committed = turn.commit(Commit {
        verb,
        subresource: &call.subresource,
        actor: &call.actor(),
        table: &call.resource.table,
        key: &old.key,
        value: if removed { old.value().into_value() } else { value },
        remove: removed,
        shown: shown.filter(|_| !removed),
    });
    if committed.is_err() {
        addresses::give_back(turn, taken);
    } else {
        addresses::release(turn, call, live);
    }
    committed
}

/// Lets admission change the new state.
fn mutate(turn: &mut Turn<'_>, call: &Call, new: &mut Value, live: &Value) -> Result<(), Halt> {
    if !is_judged(turn, call) {
        return Ok(());
    }
    let (sent, live) = (new.clone(), live.clone());
    let mut attributes =
        Attributes::write(call, Operation::Update, &call.name, sent, Some(live.clone()));
    admission::mutate(turn, &mut attributes)?;
    if let Some(changed) = attributes.object {
        *new = changed;
        keep_immutable(new, &live);
        owners::dedup(turn, new);
    }
    Ok(())
}

/// Lets admission judge the new state, in the version in which it was sent.
fn judge(
    turn: &mut Turn<'_>,
    asked: &Call,
    stored: &Call,
    new: &Value,
    live: Option<Value>,
) -> Result<(), Halt> {
    if live.is_none() {
        return Ok(());
    }
    let seen = convert::between(&stored.resource, &asked.resource, new);
    let attributes = Attributes::write(asked, Operation::Update, &asked.name, seen, live);
    admission::validate(turn, &attributes)
}

/// What has a kind of its own, like a scale, has been judged where it came in.
fn is_judged(turn: &Turn<'_>, call: &Call) -> bool {
    let own = matches!(&*call.subresource, "scale" | "binding" | "eviction");
    !turn.by_itself && !own && admission::is_configured(&turn.core.store)
}

/// V4.4: a client may leave these out; what it sends otherwise is judged by validation.
fn keep_immutable(new: &mut Value, old: &Value) {
    const FILLED: [&str; 4] =
        ["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"];
    let absent: Vec<&str> =
        FILLED.into_iter().filter(|name| new["metadata"][name].is_null()).collect();
    meta::copy(new, old, &absent);
    meta::copy(new, old, &["generation", "resourceVersion"]);
    meta::members(new).remove("selfLink");
}

/// V4.5: the generation counts changes of what is wanted.
fn bump_generation(call: &Call, new: &mut Value, old: &Value) {
    let is_counted =
        strategy::has_generation(&call.resource) || strategy::counts_changes(&call.resource);
    if is_counted && strategy::wants_differ(call, new, old) {
        meta::set(new, "generation", meta::generation(old) + 1);
    }
}
