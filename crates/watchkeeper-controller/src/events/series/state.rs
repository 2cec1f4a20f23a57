//! Decides what becomes of an event: a new one, a series of an old one, or one more of that.
//!
//! The rules and figures are those of client-go's `tools/events`.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use watchkeeper_api::IStr;

use super::super::occurrence::{About, Occurrence, Subject};
use super::super::state::event_name;
use crate::rng::Rng;

#[cfg(test)]
mod tests;

/// What was silent for longer is over.
const SILENT: Duration = Duration::from_mins(6);
/// So many events are remembered; the oldest goes first.
const REMEMBERED: usize = 4096;

/// An event to be written: made, or its series told, if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Telling {
    pub(super) name: String,
    pub(super) occurrence: Occurrence,
    /// When it happened first, since 1970.
    pub(super) first: Duration,
    pub(super) series: Option<Repeated>,
}

/// How often it happened, and when last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repeated {
    pub(super) count: i32,
    pub(super) last: Duration,
}

/// The events that may repeat.
pub(super) struct Series {
    /// In the order in which they came.
    events: BTreeMap<u64, Known>,
    by_key: HashMap<Key, u64>,
    came: u64,
    names: Rng,
}

/// Events that differ in nothing but their note (E-01).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    about: About,
    reason: String,
    action: String,
    related: Option<Subject>,
}

struct Known {
    key: Key,
    telling: Telling,
    /// The count that was told last.
    told: i32,
}

impl Series {
    /// Nothing told yet; names of events are drawn from `names`.
    pub(super) fn new(names: Rng) -> Self {
        Self { events: BTreeMap::new(), by_key: HashMap::new(), came: 0, names }
    }

    /// What to write of `occurrence` at `now`; nothing if it is one more of a series.
    pub(super) fn observe(&mut self, occurrence: Occurrence, now: Duration) -> Option<Telling> {
        let key = Key::of(&occurrence);
        let known = self.by_key.get(&key).and_then(|came| self.events.get_mut(came));
        let Some(Known { telling, told, .. }) = known else {
            return Some(self.begin(key, occurrence, now));
        };
        if let Some(series) = &mut telling.series {
            series.count = series.count.saturating_add(1);
            series.last = now;
            return None;
        }
        telling.series = Some(Repeated { count: 2, last: now });
        *told = 2;
        Some(telling.clone())
    }

    fn begin(&mut self, key: Key, occurrence: Occurrence, now: Duration) -> Telling {
        if self.events.len() >= REMEMBERED
            && let Some((_, oldest)) = self.events.pop_first()
        {
            self.by_key.remove(&oldest.key);
        }
        let name = event_name(&occurrence.about.object.0.name, self.names.next());
        let telling = Telling { name, occurrence, first: now, series: None };
        self.came += 1;
        self.by_key.insert(key.clone(), self.came);
        self.events.insert(self.came, Known { key, telling: telling.clone(), told: 1 });
        telling
    }

    /// The series whose count was not told.
    pub(super) fn refresh(&mut self) -> Vec<Telling> {
        self.events.values_mut().filter_map(Known::untold).collect()
    }

    /// Forgets what was silent for long, and tells how often it happened.
    pub(super) fn finish(&mut self, now: Duration) -> Vec<Telling> {
        let silent = |known: &Known| {
            let last = known.telling.series.map_or(known.telling.first, |series| series.last);
            now.saturating_sub(last) > SILENT
        };
        let over: Vec<_> = self.events.extract_if(.., |_, known| silent(known)).collect();
        for (_, known) in &over {
            self.by_key.remove(&known.key);
        }
        over.into_iter().filter_map(|(_, mut known)| known.untold()).collect()
    }
}

impl Key {
    /// The object changes while it is talked about.
    fn of(occurrence: &Occurrence) -> Self {
        let Occurrence { about, reason, action, related, .. } = occurrence;
        let (mut about, mut related) = (about.clone(), related.clone());
        about.object.0.resource_version = IStr::EMPTY;
        if let Some(Subject(related)) = &mut related {
            related.resource_version = IStr::EMPTY;
        }
        Self { about, reason: reason.clone(), action: action.clone(), related }
    }
}

impl Known {
    fn untold(&mut self) -> Option<Telling> {
        let series = self.telling.series.filter(|series| series.count != self.told)?;
        self.told = series.count;
        Some(self.telling.clone())
    }
}
