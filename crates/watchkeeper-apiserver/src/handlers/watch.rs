//! The start of a watch: the past first, then the watcher joins the others.

use std::sync::Arc;
use std::time::Duration;

use http::{Response, header};

use crate::clock::Now;
use crate::error::ApiError;
use crate::filter::Filter;
use crate::request::Call;
use crate::request::accept::Codec;
use crate::request::options::{ListOptions, Version};
use crate::step::{Output, Ticket};
use crate::storage::{Event, Stored};
use crate::turn::{Halt, Outcome, Turn};
use crate::watch::backlog::{Backlog, Item};
use crate::watch::frame::{self, Frames, Kind};
use crate::watch::{Sending, Watcher};

use super::Handled;

/// The shortest time after which the server ends a watch that names none; up to twice that (V3.5).
const MIN_TIMEOUT: u64 = 1800;

/// Starts a watch.
pub(super) fn watch(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let mut query = call.query.clone();
    query.set("watch", "true");
    let options = ListOptions::parse(&query)?;
    let watcher = watcher(turn, call, &options)?;
    if let (Some(true), Version::At(asked)) = (options.send_initial_events, options.version)
        && asked > turn.core.store.revision()
    {
        return Err(Halt::Park(asked));
    }
    let past = turn.ask_read(&call.actor(), "watch", &call.resource.table, &call.namespace)?;
    let past = past.filter(|past| options.version.takes(*past));
    turn.out.push(Output::Start(turn.ticket, head(call.form.codec)));
    let floor = turn.core.store.ring().floor();
    match start(&options) {
        Start::Replay(revision) if revision < floor => expire(turn, call, revision, floor),
        Start::Replay(revision) => replay(turn, watcher, revision),
        Start::Current => initial(turn, watcher, &options, past),
        Start::Live => join(turn, watcher),
    }
    Ok(Outcome::Streaming)
}

/// Where a watch begins.
enum Start {
    /// With the current state as ADDED events.
    Current,
    /// After a revision.
    Replay(u64),
    /// With what comes next.
    Live,
}

/// V3.1 and V3.2.
fn start(options: &ListOptions) -> Start {
    match (options.send_initial_events, options.version) {
        (Some(true), _) | (None, Version::Latest | Version::Any) => Start::Current,
        (Some(false), Version::Latest | Version::Any) => Start::Live,
        (_, Version::At(revision)) => Start::Replay(revision),
    }
}

fn watcher(turn: &mut Turn<'_>, call: &Call, options: &ListOptions) -> Result<Watcher, ApiError> {
    let mut fields = options.fields.clone();
    if !call.name.is_empty() {
        fields.require("metadata.name", &call.name);
    }
    let mut filter = Filter::new(&call.resource, &call.namespace, options.labels.clone(), fields)?;
    filter.shards = super::list::shards(turn, call)?;
    let seconds = match options.timeout_seconds {
        Some(seconds) if seconds > 0 => seconds,
        _ => MIN_TIMEOUT + turn.rng.below(MIN_TIMEOUT),
    };
    let mut watcher = Watcher {
        ticket: turn.ticket,
        actor: call.actor(),
        resource: Arc::clone(&call.resource),
        filter,
        form: call.form.clone(),
        from: turn.core.store.revision(),
        next_bookmark: None,
        deadline: turn.now.plus(Duration::from_secs(seconds)),
        columns_sent: false,
        backlog: Backlog::of(&call.resource),
        held: None,
    };
    if options.bookmarks {
        watcher.next_bookmark = watcher.bookmark_after(turn.now);
    }
    Ok(watcher)
}

fn head(codec: Codec) -> Response<()> {
    let mut response = Response::new(());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static(codec.stream_type()));
    let cache = header::HeaderValue::from_static("no-cache, private");
    headers.insert(header::CACHE_CONTROL, cache);
    response
}

/// A watch that ends as it begins, with an error.
pub(crate) fn refused(ticket: Ticket, codec: Codec, error: &ApiError) -> [Output; 3] {
    let frame = frame::error(codec, &error.to_json());
    [Output::Start(ticket, head(codec)), Output::Frame(vec![ticket], frame), Output::End(ticket)]
}

/// V3.6: the answer is already under way, so the error is an event.
fn expire(turn: &mut Turn<'_>, call: &Call, asked: u64, floor: u64) {
    let error = ApiError::expired(format!("too old resource version: {asked} ({floor})"));
    turn.out
        .push(Output::Frame(vec![turn.ticket], frame::error(call.form.codec, &error.to_json())));
    turn.out.push(Output::End(turn.ticket));
}

fn replay(turn: &mut Turn<'_>, mut watcher: Watcher, revision: u64) {
    let past: Vec<Arc<Event>> = {
        let table = &watcher.resource.table;
        let store = &turn.core.store;
        let after = store.ring().after(revision);
        after.filter(|event| event.table == *table).map(|event| store.shown(event)).collect()
    };
    watcher.from = revision;
    let last = past.last().map_or(revision, |event| event.revision);
    let ticket = watcher.ticket;
    join(turn, watcher);
    let core = &mut *turn.core;
    for event in past {
        let mut frames = Frames::new(turn.now);
        let mut sending = Sending::new(turn.now, &mut core.hooks, turn.rng, &mut turn.out);
        let goes_on = core.watches.deliver_one(ticket, &event, &mut frames, &mut sending);
        if !goes_on {
            core.watches.remove(ticket);
            turn.out.push(Output::End(ticket));
            return;
        }
    }
    core.watches.begun(ticket, last);
}

/// The present state, in order with what follows: whatever must be converted waits for it.
fn initial_backlog(turn: &mut Turn<'_>, mut watcher: Watcher, end: bool, past: Option<u64>) {
    let (ticket, seen) = (watcher.ticket, past.unwrap_or(turn.core.store.revision()));
    let earlier = past.and_then(|past| turn.core.store.at(&watcher.resource.table, past));
    let table = earlier.as_ref().or_else(|| turn.core.store.table(&watcher.resource.table));
    if let Some(backlog) = &mut watcher.backlog {
        let state = table.into_iter().flat_map(|table| table.values());
        state.for_each(|stored| backlog.push(Item::Present(Arc::clone(stored))));
        if end {
            backlog.push(Item::InitialEnd(seen));
        }
    }
    follow(turn, watcher, past);
    let core = &mut *turn.core;
    let mut sending = Sending::new(turn.now, &mut core.hooks, turn.rng, &mut turn.out);
    core.watches.begin(ticket, &mut sending);
}

/// The state first, as it is or, where a hook wants that, as it was; then what follows.
fn initial(turn: &mut Turn<'_>, mut watcher: Watcher, options: &ListOptions, past: Option<u64>) {
    // Also of a watch from no revision, or from any, which is one of the present state without saying so.
    let end = options.bookmarks;
    if watcher.backlog.is_some() {
        return initial_backlog(turn, watcher, end, past);
    }
    let seen = past.unwrap_or(turn.core.store.revision());
    let earlier = past.and_then(|past| turn.core.store.at(&watcher.resource.table, past));
    let table = earlier.as_ref().or_else(|| turn.core.store.table(&watcher.resource.table));
    let state: Vec<Arc<Stored>> = table
        .into_iter()
        .flat_map(|table| table.values())
        .filter(|stored| watcher.filter.matches(&watcher.resource, stored))
        .map(Arc::clone)
        .collect();
    for stored in state {
        let bytes = Frames::new(turn.now).of(&mut watcher, Kind::Added, &stored);
        turn.out.push(Output::Frame(vec![turn.ticket], bytes));
    }
    if end {
        let bytes = frame::bookmark(&watcher, seen, turn.now, true);
        turn.out.push(Output::Frame(vec![turn.ticket], bytes));
    }
    follow(turn, watcher, past);
}

/// Lets a watcher that has been told a state hear what came after it.
fn follow(turn: &mut Turn<'_>, watcher: Watcher, past: Option<u64>) {
    match past {
        Some(past) => replay(turn, watcher, past),
        None => join(turn, watcher),
    }
}

fn join(turn: &mut Turn<'_>, watcher: Watcher) {
    let wake: Now = watcher.wake();
    turn.out.push(Output::Wake(watcher.ticket, wake));
    turn.core.watches.insert(watcher);
}
