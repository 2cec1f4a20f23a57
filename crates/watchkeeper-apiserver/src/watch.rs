//! Watches: who sees which event, bookmarks, and the end.
//!
//! - A watcher sees the events of its table in revision order, each once.
//! - Entering a selector is ADDED, leaving it is DELETED with the state before and the revision of
//!   the event (V3.3).
//! - The bytes of an event are made once, whatever the number of watchers.
//! - In which order watchers are served is free, so the seed decides.

pub mod frame;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use crate::clock::Now;
use crate::filter::Filter;
use crate::hooks::{Delivery, Hook, Passage};
use crate::request::accept::Form;
use crate::resource::Resource;
use crate::rng::Rng;
use crate::step::{Output, Ticket};
use crate::storage::{Change, Event, Stored, TableName};
use frame::{Frames, Kind};

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
    /// Events up to this revision are not for it.
    pub from: u64,
    /// Whether bookmarks are welcome, and when the next is due.
    pub next_bookmark: Option<Now>,
    /// The bookmark that ends the initial events is due at this revision.
    pub initial_end: Option<u64>,
    /// When the watch ends.
    pub deadline: Now,
    /// Whether a Table with column definitions was sent.
    pub columns_sent: bool,
}

impl Watcher {
    /// When the watcher wants to be woken.
    #[must_use]
    pub fn wake(&self) -> Now {
        self.next_bookmark.map_or(self.deadline, |bookmark| bookmark.min(self.deadline))
    }

    /// The bookmark after one at `now`: in a minute, but not later than just before the end.
    #[must_use]
    pub fn bookmark_after(&self, now: Now) -> Option<Now> {
        let last = Now(self.deadline.0.saturating_sub(BOOKMARK_BEFORE_END));
        (now < last).then(|| now.plus(BOOKMARK_EVERY).min(last))
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

/// Which state of the event is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    Object,
    Previous,
}

/// All watches.
#[derive(Debug, Default)]
pub struct Watches {
    by_ticket: BTreeMap<Ticket, Watcher>,
    by_table: BTreeMap<TableName, BTreeSet<Ticket>>,
}

impl Watches {
    /// How many clients watch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_ticket.len()
    }

    /// Whether nobody watches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_ticket.is_empty()
    }

    /// Adds a watcher whose past has been sent.
    pub fn insert(&mut self, watcher: Watcher) {
        let table = watcher.resource.table.clone();
        self.by_table.entry(table).or_default().insert(watcher.ticket);
        self.by_ticket.insert(watcher.ticket, watcher);
    }

    /// Forgets a watcher.
    pub fn remove(&mut self, ticket: Ticket) -> Option<Watcher> {
        let watcher = self.by_ticket.remove(&ticket)?;
        if let Some(tickets) = self.by_table.get_mut(&watcher.resource.table) {
            tickets.remove(&ticket);
        }
        Some(watcher)
    }

    /// The watchers of a table, oldest first.
    pub fn of_table(&self, table: &str) -> Vec<Ticket> {
        self.by_table.get(table).into_iter().flatten().copied().collect()
    }

    /// Sends an event to all who see it.
    pub fn deliver(
        &mut self,
        event: &Arc<Event>,
        now: Now,
        hooks: &mut [Box<dyn Hook>],
        rng: &mut Rng,
        out: &mut Vec<Output>,
    ) {
        let mut tickets = self.of_table(&event.table);
        rng.shuffle(&mut tickets);
        let mut frames = Frames::new(now);
        for ticket in tickets {
            if !self.deliver_one(ticket, event, hooks, &mut frames, out) {
                self.remove(ticket);
                out.push(Output::End(ticket));
            }
        }
        self.end_initial(event.revision, now, out);
    }

    /// Sends an event to one watcher; false when its watch ends here.
    pub(crate) fn deliver_one(
        &mut self,
        ticket: Ticket,
        event: &Arc<Event>,
        hooks: &mut [Box<dyn Hook>],
        frames: &mut Frames,
        out: &mut Vec<Output>,
    ) -> bool {
        let Some(watcher) = self.by_ticket.get_mut(&ticket) else { return true };
        if event.revision <= watcher.from {
            return true;
        }
        let Some((kind, view)) = watcher.sees(event) else { return true };
        for hook in &mut *hooks {
            match hook.on_delivery(&Delivery { actor: &watcher.actor, event }) {
                Passage::Deliver => {}
                Passage::Skip => return true,
                Passage::End => return false,
            }
        }
        let bytes = match (view, event.previous.as_deref()) {
            (View::Previous, Some(previous)) => {
                let left = frame::at_revision(previous, event.revision);
                frames.of(watcher, kind, &left)
            }
            _ => frames.of(watcher, kind, &event.object),
        };
        out.push(Output::Frame(ticket, bytes));
        true
    }

    /// Sends the bookmark that ends the initial events where its revision has come.
    fn end_initial(&mut self, revision: u64, now: Now, out: &mut Vec<Output>) {
        for watcher in self.by_ticket.values_mut() {
            if watcher.initial_end.is_some_and(|due| due <= revision) {
                watcher.initial_end = None;
                out.push(Output::Frame(
                    watcher.ticket,
                    frame::bookmark(watcher, revision, now, true),
                ));
            }
        }
    }

    /// A watcher's wake-up time has come: a bookmark, the end, or too early.
    pub fn alarm(&mut self, ticket: Ticket, revision: u64, now: Now, out: &mut Vec<Output>) {
        let Some(watcher) = self.by_ticket.get_mut(&ticket) else { return };
        if watcher.next_bookmark.is_some_and(|due| due <= now) && now < watcher.deadline {
            watcher.next_bookmark = watcher.bookmark_after(now);
            // Before the initial events have ended a bookmark would say too much.
            if watcher.initial_end.is_none() {
                out.push(Output::Frame(ticket, frame::bookmark(watcher, revision, now, false)));
            }
        }
        if watcher.deadline <= now {
            self.remove(ticket);
            out.push(Output::End(ticket));
        } else {
            out.push(Output::Wake(ticket, watcher.wake()));
        }
    }

    /// Ends all watches of a table, as when its definition is deleted.
    pub fn end_table(&mut self, table: &str, out: &mut Vec<Output>) {
        for ticket in self.of_table(table) {
            self.remove(ticket);
            out.push(Output::End(ticket));
        }
    }
}
