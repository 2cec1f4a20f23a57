//! Watches: who sees which event, bookmarks, and the end.
//!
//! - A watcher sees the events of its table in revision order, each once.
//! - Entering a selector is ADDED, leaving it is DELETED with the state before and the revision of
//!   the event (V3.3).
//! - The bytes of an event are made once, whatever the number of watchers.
//! - In which order watchers are served is free, so the seed decides.

pub(crate) mod backlog;
pub mod frame;
pub(crate) mod held;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::admission::CallError;
use crate::clock::Now;
use crate::error::ApiError;
use crate::filter::Filter;
use crate::hooks::{Delivery, Hook, Passage};
use crate::request::accept::Form;
use crate::resource::Resource;
use crate::rng::Rng;
use crate::step::{Output, Ticket};
use crate::storage::{Change, Event, Stored, TableName};
use backlog::{Backlog, Item};
use frame::{Frames, Kind};
use held::{Held, Lag};

/// How often a watcher that wants them gets a bookmark (cacher's `bookmarkFrequency`).
pub const BOOKMARK_EVERY: Duration = Duration::from_secs(60);
/// How long before its end a watch gets a last bookmark.
pub const BOOKMARK_BEFORE_END: Duration = Duration::from_secs(2);

/// A client that watches.
#[derive(Debug)]
pub struct Watcher {
    /// The request.
    pub ticket: Ticket,
    /// Who watches.
    pub actor: String,
    /// What is watched, in the version asked for.
    pub resource: Arc<Resource>,
    /// Which objects.
    pub filter: Filter,
    /// The form of objects.
    pub form: Form,
    /// What it began with: events up to this revision are not for it, and a bookmark of it tells it nothing.
    pub from: u64,
    /// Whether bookmarks are welcome, and when the next is due.
    pub next_bookmark: Option<Now>,
    /// When the watch ends.
    pub deadline: Now,
    /// Whether a Table with column definitions was sent.
    pub columns_sent: bool,
    /// What waits to be converted by a webhook; none where nothing ever does.
    pub(crate) backlog: Option<Box<Backlog>>,
    /// What hooks keep back.
    pub(crate) held: Option<Box<Held>>,
}

impl Watcher {
    /// When the watcher wants to be woken.
    #[must_use]
    pub fn wake(&self) -> Now {
        let call = self.backlog.as_ref().and_then(|backlog| backlog.deadline());
        let held = self.held.as_ref().and_then(|held| held.next());
        let earlier = self.next_bookmark.into_iter().chain(call).chain(held).min();
        earlier.map_or(self.deadline, |earlier| earlier.min(self.deadline))
    }

    /// The bookmark after one at `now`: in a minute, but not later than just before the end.
    #[must_use]
    pub fn bookmark_after(&self, now: Now) -> Option<Now> {
        let last = Now(self.deadline.0.saturating_sub(BOOKMARK_BEFORE_END));
        (now < last).then(|| now.plus(BOOKMARK_EVERY).min(last))
    }

    /// Whether a bookmark of this revision is sent. As upstream has it (`cacheWatcher.process`), one of what the watch
    /// began with is not: the client has that revision, and asks from there again. Later ones are sent each time, also
    /// of the revision of the last event.
    const fn is_news(&self, revision: u64) -> bool {
        revision > self.from
    }

    /// What the event is for this watcher.
    fn sees(&self, event: &Event) -> Option<(Kind, View)> {
        let matches = |object: &Stored| self.filter.matches(&self.resource, object);
        let before = event.previous.as_deref().is_some_and(matches);
        let after = event.change != Change::Deleted && matches(&event.object);
        match (before, after) {
            (false, false) => None,
            (false, true) => Some((Kind::Added, View::Object)),
            (true, true) => Some((Kind::Modified, View::Object)),
            (true, false) if event.change == Change::Deleted => Some((Kind::Deleted, View::Object)),
            (true, false) => Some((Kind::Deleted, View::Previous)),
        }
    }
}

impl Watcher {
    /// Sends an event as it is `shown` in the version that is watched; false when the watch ends here.
    fn send(
        &mut self,
        event: &Event,
        shown: &Event,
        frames: &mut Frames,
        sending: &mut Sending<'_>,
    ) -> bool {
        let Some((kind, view)) = self.sees(shown) else { return true };
        let mut lag = Lag::default();
        for hook in &mut *sending.hooks {
            match hook.on_delivery(&Delivery { actor: &self.actor, event }) {
                Passage::Skip => return true,
                Passage::End => return false,
                passage => lag.add(passage, sending.now),
            }
        }
        let bytes = match (view, shown.previous.as_deref()) {
            (View::Previous, Some(previous)) => {
                let left = frame::at_revision(previous, shown.revision);
                frames.of(self, kind, &left)
            }
            _ => frames.of(self, kind, &shown.object),
        };
        self.send_after(lag, bytes, sending);
        true
    }

    /// Takes up an event of its table; false when the watch ends here.
    fn hear(&mut self, event: &Arc<Event>, frames: &mut Frames, sending: &mut Sending<'_>) -> bool {
        if event.revision <= self.from {
            return true;
        }
        if let Some(backlog) = &mut self.backlog {
            backlog.push(Item::Event(Arc::clone(event)));
            return self.advance(sending);
        }
        self.send(event, event, frames, sending)
    }

    /// Sends an error, which is the last frame.
    fn fail(&self, error: &ApiError, sending: &mut Sending<'_>) {
        sending.frame(self.ticket, frame::error(self.form.codec, &error.to_json()));
    }
}

/// Which state of the event is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    Object,
    Previous,
}

/// What it takes to send frames.
pub struct Sending<'a> {
    now: Now,
    hooks: &'a mut [Box<dyn Hook>],
    rng: &'a mut Rng,
    out: &'a mut Vec<Output>,
}

impl<'a> Sending<'a> {
    /// Frames of a moment, put into `out`.
    pub const fn new(
        now: Now,
        hooks: &'a mut [Box<dyn Hook>],
        rng: &'a mut Rng,
        out: &'a mut Vec<Output>,
    ) -> Self {
        Self { now, hooks, rng, out }
    }

    /// Sends a frame: to whom the one before went as well, if it is the very same.
    fn frame(&mut self, ticket: Ticket, bytes: Bytes) {
        match self.out.last_mut() {
            Some(Output::Frame(tickets, last)) if last.as_ptr() == bytes.as_ptr() => {
                tickets.push(ticket);
            }
            _ => self.out.push(Output::Frame(vec![ticket], bytes)),
        }
    }
}

impl fmt::Debug for Sending<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sending").field("now", &self.now).finish_non_exhaustive()
    }
}

/// All watches.
#[derive(Debug, Default)]
pub struct Watches {
    tables: BTreeMap<TableName, BTreeMap<Ticket, Watcher>>,
    /// In which table a watcher is found.
    table_of: BTreeMap<Ticket, TableName>,
}

impl Watches {
    /// How many clients watch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table_of.len()
    }

    /// Whether nobody watches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table_of.is_empty()
    }

    /// Whether this is the ticket of a watch.
    #[must_use]
    pub fn has(&self, ticket: Ticket) -> bool {
        self.table_of.contains_key(&ticket)
    }

    /// Adds a watcher whose past has been sent, or waits in its backlog.
    pub fn insert(&mut self, watcher: Watcher) {
        let table = watcher.resource.table.clone();
        self.table_of.insert(watcher.ticket, table.clone());
        self.tables.entry(table).or_default().insert(watcher.ticket, watcher);
    }

    /// Forgets a watcher.
    pub fn remove(&mut self, ticket: Ticket) -> Option<Watcher> {
        let table = self.table_of.remove(&ticket)?;
        self.tables.get_mut(&table)?.remove(&ticket)
    }

    /// The watchers of a table, oldest first.
    pub fn of_table(&self, table: &str) -> Vec<Ticket> {
        self.tables.get(table).into_iter().flat_map(BTreeMap::keys).copied().collect()
    }

    fn of_ticket(&mut self, ticket: Ticket) -> Option<&mut Watcher> {
        self.tables.get_mut(self.table_of.get(&ticket)?)?.get_mut(&ticket)
    }

    /// Sends an event to all who see it.
    pub fn deliver(&mut self, event: &Arc<Event>, sending: &mut Sending<'_>) {
        let Some(watchers) = self.tables.get_mut(&event.table) else { return };
        let mut watchers: Vec<&mut Watcher> = watchers.values_mut().collect();
        sending.rng.shuffle(&mut watchers);
        let (mut frames, mut ended) = (Frames::new(sending.now), Vec::new());
        for watcher in watchers {
            if !watcher.hear(event, &mut frames, sending) {
                sending.out.push(Output::End(watcher.ticket));
                ended.push(watcher.ticket);
            }
        }
        for ticket in ended {
            self.remove(ticket);
        }
    }

    fn end(&mut self, ticket: Ticket, out: &mut Vec<Output>) {
        self.remove(ticket);
        out.push(Output::End(ticket));
    }

    /// Sends an event to one watcher; false when its watch ends here.
    pub(crate) fn deliver_one(
        &mut self,
        ticket: Ticket,
        event: &Arc<Event>,
        frames: &mut Frames,
        sending: &mut Sending<'_>,
    ) -> bool {
        self.of_ticket(ticket).is_none_or(|watcher| watcher.hear(event, frames, sending))
    }

    /// Lets a watcher that has just begun send what needs no conversion, and ask about the rest.
    pub(crate) fn begin(&mut self, ticket: Ticket, sending: &mut Sending<'_>) {
        let Some(watcher) = self.of_ticket(ticket) else { return };
        if !watcher.advance(sending) {
            self.end(ticket, sending.out);
        }
    }

    /// The past of a watch has been told, up to this revision.
    pub(crate) fn begun(&mut self, ticket: Ticket, revision: u64) {
        if let Some(watcher) = self.of_ticket(ticket) {
            watcher.from = watcher.from.max(revision);
        }
    }

    /// Takes the answer to a call of a watch.
    pub(crate) fn told(
        &mut self,
        ticket: Ticket,
        id: u64,
        answer: Result<Bytes, CallError>,
        sending: &mut Sending<'_>,
    ) {
        let Some(watcher) = self.of_ticket(ticket) else { return };
        let Some(backlog) = &mut watcher.backlog else { return };
        let told = backlog.told(id, answer);
        self.go_on(ticket, told, sending);
    }

    /// Goes on with what is converted; what cannot be is an error that ends the watch.
    fn go_on(&mut self, ticket: Ticket, told: Result<(), String>, sending: &mut Sending<'_>) {
        let Some(watcher) = self.of_ticket(ticket) else { return };
        let goes_on = match told {
            Ok(()) => watcher.advance(sending),
            Err(why) => {
                watcher.fail(&ApiError::new(500, "", why), sending);
                false
            }
        };
        if !goes_on {
            self.end(ticket, sending.out);
        }
    }

    /// A watcher's wake-up time has come: a bookmark, the end, or too early.
    pub fn alarm(&mut self, ticket: Ticket, revision: u64, sending: &mut Sending<'_>) {
        let now = sending.now;
        if let Some(told) = self.give_up(ticket, now) {
            self.go_on(ticket, told, sending);
        }
        let Some(watcher) = self.of_ticket(ticket) else { return };
        watcher.send_due(sending);
        if watcher.next_bookmark.is_some_and(|due| due <= now) && now < watcher.deadline {
            watcher.next_bookmark = watcher.bookmark_after(now);
            // Before the initial events have ended a bookmark would say too much.
            let is_behind = watcher.backlog.as_ref().is_some_and(|backlog| !backlog.is_empty());
            if !is_behind && !watcher.has_held() && watcher.is_news(revision) {
                sending.frame(ticket, frame::bookmark(watcher, revision, now, false));
            }
        }
        if watcher.deadline <= now {
            self.end(ticket, sending.out);
        } else {
            sending.out.push(Output::Wake(ticket, watcher.wake()));
        }
    }

    /// Gives up the calls of a watch whose time is over.
    fn give_up(&mut self, ticket: Ticket, now: Now) -> Option<Result<(), String>> {
        self.of_ticket(ticket)?.backlog.as_mut()?.give_up(now)
    }

    /// Ends all watches of a table, as when its definition is deleted.
    pub fn end_table(&mut self, table: &str, out: &mut Vec<Output>) {
        for ticket in self.of_table(table) {
            self.end(ticket, out);
        }
    }
}
