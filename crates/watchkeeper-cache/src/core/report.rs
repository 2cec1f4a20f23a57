//! How following the server goes, as its reflector tells.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use super::aside::Aside;
use super::telling::{News, Telling};
use crate::item::Item;
use crate::reflector::message::{Class, Trouble, Unreadable};
use crate::reflector::state::{Place, State};
use crate::status::{Phase, Status};

/// What the reflector did last, and what failed.
#[derive(Debug, Default)]
pub(crate) struct Report {
    phase: Phase,
    last_error: Option<String>,
    refused: bool,
    malformed: BTreeMap<String, String>,
    crashed: bool,
    telling: Telling,
    aside: Aside,
}

impl Report {
    /// Takes down how it goes, and returns what is worth a line of that.
    pub(crate) fn note<K: Item>(&mut self, state: &mut State<K>) -> Option<News> {
        self.phase = match state.place() {
            Place::Asleep => Phase::BackingOff,
            Place::Listing => Phase::Listing,
            Place::Watching => Phase::Watching,
        };
        self.last_error = state.trouble().map(|trouble| trouble.text.clone());
        let lasts = |trouble: &Trouble| matches!(trouble.class, Class::Refused | Class::OverLimit);
        self.refused = state.trouble().is_some_and(lasts);
        state.malformed_mut().tell(&mut self.malformed);
        self.telling.heed(state)
    }

    /// Returns what is worth a line of an object that could not be read.
    pub(crate) fn set_aside(&mut self, which: &Unreadable, now: Duration) -> Option<News> {
        self.aside.heed(which, now)
    }

    /// Nobody follows the server any more.
    pub(crate) const fn stop(&mut self) {
        self.phase = Phase::Stopped;
    }

    /// What follows the server panicked.
    pub(crate) fn crash(&mut self, words: &str) {
        self.crashed = true;
        self.last_error = Some(format!("what follows the server panicked: {words}"));
    }

    pub(crate) const fn has_crashed(&self) -> bool {
        self.crashed
    }

    pub(crate) fn last_error(&self) -> Option<String> {
        self.last_error.clone()
    }

    /// Why an object cannot be read, as far as that is known.
    pub(crate) fn malformed(&self, key: &ObjectKey) -> Option<String> {
        self.malformed.get(&key.to_string()).cloned()
    }

    /// Its part of a status.
    pub(crate) fn status(&self) -> Status {
        Status {
            phase: self.phase,
            last_error: self.last_error.clone(),
            refused: self.refused,
            malformed: self.malformed.clone(),
            ..Status::default()
        }
    }
}

/// When the server last said anything: milliseconds since the beginning plus one, zero for never.
#[derive(Debug, Default)]
pub(crate) struct Heard(AtomicU64);

impl Heard {
    pub(crate) fn at(&self, now: Duration) {
        let millis = u64::try_from(now.as_millis()).unwrap_or(u64::MAX - 1);
        self.0.store(millis + 1, Ordering::Relaxed);
    }

    /// How long ago that was; `None` if it never was.
    pub(crate) fn age(&self, now: Duration) -> Option<Duration> {
        let millis = self.0.load(Ordering::Relaxed).checked_sub(1)?;
        Some(now.saturating_sub(Duration::from_millis(millis)))
    }
}
