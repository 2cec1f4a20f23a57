//! What a watch has to tell as soon as a webhook has converted it, in order.
//!
//! A write does not wait for the watchers of other versions. Their events wait here, and so does
//! whatever must not overtake them. The objects that are missing are asked for in batches, one batch
//! after the other; what others had converted meanwhile is kept with the objects and not asked for
//! again.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;

use super::frame::{self, Frames, Kind};
use super::{Sending, Watcher};
use crate::admission::{Asking, CallError, Known, Session};
use crate::clock::Now;
use crate::convert::seen;
use crate::convert::webhook::Batch;
use crate::error::ApiError;
use crate::resource::Resource;
use crate::step::Output;
use crate::storage::{Event, Stored};

/// How many items are looked ahead when objects are asked for.
const AHEAD: usize = 500;

/// What waits.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    items: VecDeque<Item>,
    asking: Option<Asking>,
}

/// One thing that waits.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// An object that was there when the watch began.
    Present(Arc<Stored>),
    /// What happened.
    Event(Arc<Event>),
    /// The bookmark that ends the initial events, at this revision.
    InitialEnd(u64),
}

impl Item {
    /// The objects that are shown, or decide whether something is.
    fn objects(&self) -> impl Iterator<Item = &Arc<Stored>> {
        let (object, previous) = match self {
            Self::Present(stored) => (Some(stored), None),
            Self::Event(event) => (Some(&event.object), event.previous.as_ref()),
            Self::InitialEnd(_) => (None, None),
        };
        object.into_iter().chain(previous)
    }
}

impl Backlog {
    /// An empty one for a resource whose objects a webhook converts.
    pub(crate) fn of(resource: &Resource) -> Option<Box<Self>> {
        seen::webhook(resource).map(|_| Box::default())
    }

    pub(crate) fn push(&mut self, item: Item) {
        self.items.push_back(item);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// When the call that is under way is given up.
    pub(super) fn deadline(&self) -> Option<Now> {
        self.asking.as_ref().and_then(Asking::deadline)
    }

    /// Takes an answer.
    ///
    /// # Errors
    ///
    /// Why the webhook converts nothing.
    pub(super) fn told(&mut self, id: u64, answer: Result<Bytes, CallError>) -> Result<(), String> {
        if let Some(asking) = &mut self.asking {
            asking.answer(id, answer);
        }
        self.learn()
    }

    /// Gives up the calls whose time is over; none when there are no calls.
    pub(super) fn give_up(&mut self, now: Now) -> Option<Result<(), String>> {
        self.asking.as_mut()?.give_up(now);
        Some(self.learn())
    }

    /// What was converted is kept with the objects, so only failures are of interest here.
    fn learn(&mut self) -> Result<(), String> {
        let Some(asking) = self.asking.take_if(|asking| asking.is_complete()) else {
            return Ok(());
        };
        let known = asking.into_session().known;
        let failure = known.conversions.iter().find_map(|one| one.failure().map(str::to_owned));
        failure.map_or(Ok(()), Err)
    }

    /// The objects of the next items that are not known in the version of the resource.
    fn missing(&self, resource: &Resource) -> Result<Vec<Arc<Stored>>, ApiError> {
        let mut missing: Vec<Arc<Stored>> = Vec::new();
        for object in self.items.iter().take(AHEAD).flat_map(Item::objects) {
            let is_new = missing.iter().all(|one| !Arc::ptr_eq(one, object));
            if is_new && seen::known(resource, object)?.is_none() {
                missing.push(Arc::clone(object));
            }
        }
        Ok(missing)
    }
}

impl Watcher {
    /// Sends what is converted, and asks for more when nobody has been asked; false when the watch
    /// ends here.
    pub(super) fn advance(&mut self, sending: &mut Sending<'_>) -> bool {
        match self.try_advance(sending) {
            Ok(goes_on) => goes_on,
            Err(error) => {
                self.fail(&error, sending);
                false
            }
        }
    }

    fn try_advance(&mut self, sending: &mut Sending<'_>) -> Result<bool, ApiError> {
        while let Some(item) = self.next_item()? {
            if !self.tell(item, sending) {
                return Ok(false);
            }
        }
        self.ask(sending)?;
        Ok(true)
    }

    /// Takes the first item, as soon as it is converted.
    fn next_item(&mut self) -> Result<Option<Told>, ApiError> {
        let resource = Arc::clone(&self.resource);
        let Some(backlog) = &mut self.backlog else { return Ok(None) };
        let Some(item) = backlog.items.front() else { return Ok(None) };
        let told = Told::of(&resource, item)?;
        if told.is_some() {
            backlog.items.pop_front();
        }
        Ok(told)
    }

    fn tell(&mut self, told: Told, sending: &mut Sending<'_>) -> bool {
        let mut frames = Frames::new(sending.now);
        match told {
            Told::Present(stored) => {
                if self.filter.matches(&self.resource, &stored) {
                    let bytes = frames.of(self, Kind::Added, &stored);
                    sending.frame(self.ticket, bytes);
                }
                true
            }
            Told::Event { event, shown } => self.send(&event, &shown, &mut frames, sending),
            Told::InitialEnd(revision) => {
                let bytes = frame::bookmark(self, revision, sending.now, true);
                sending.frame(self.ticket, bytes);
                true
            }
        }
    }

    fn ask(&mut self, sending: &mut Sending<'_>) -> Result<(), ApiError> {
        let (resource, ticket) = (Arc::clone(&self.resource), self.ticket);
        let Some(backlog) = &mut self.backlog else { return Ok(()) };
        let Some(webhook) = seen::webhook(&resource) else { return Ok(()) };
        if backlog.asking.is_some() || backlog.items.is_empty() {
            return Ok(());
        }
        let missing = backlog.missing(&resource)?;
        let questions = Batch::questions(webhook, &resource.api_version(), missing, sending.rng);
        let questions = questions.map_err(|why| ApiError::new(500, "", why))?;
        let session = Session { began: sending.now, rng: None, known: Known::default() };
        let (asking, calls) = Asking::new(session, questions, sending.now);
        backlog.asking = Some(asking);
        sending.out.extend(calls.into_iter().map(|call| Output::Call(ticket, call)));
        sending.out.push(Output::Wake(ticket, self.wake()));
        Ok(())
    }
}

/// An item with its objects in the version that is watched.
enum Told {
    Present(Arc<Stored>),
    Event { event: Arc<Event>, shown: Box<Event> },
    InitialEnd(u64),
}

impl Told {
    /// The item as it is told; none while something of it is not converted.
    fn of(resource: &Resource, item: &Item) -> Result<Option<Self>, ApiError> {
        Ok(match item {
            Item::Present(stored) => seen::known(resource, stored)?.map(Self::Present),
            Item::InitialEnd(revision) => Some(Self::InitialEnd(*revision)),
            Item::Event(event) => Self::of_event(resource, event)?,
        })
    }

    fn of_event(resource: &Resource, event: &Arc<Event>) -> Result<Option<Self>, ApiError> {
        let previous = match &event.previous {
            Some(previous) => match seen::known(resource, previous)? {
                Some(previous) => {
                    // An object that goes is as it was.
                    event.object.inherit(event.previous.as_deref().unwrap_or(&previous));
                    Some(previous)
                }
                None => return Ok(None),
            },
            None => None,
        };
        let Some(object) = seen::known(resource, &event.object)? else { return Ok(None) };
        let (revision, change, table) = (event.revision, event.change, event.table.clone());
        let shown = Box::new(Event { revision, table, change, object, previous });
        Ok(Some(Self::Event { event: Arc::clone(event), shown }))
    }
}
