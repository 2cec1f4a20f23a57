//! Decides what becomes of an event: a new one, one more of an old one, or nothing.
//!
//! The rules and figures are those of client-go's event correlator (`tools/record`).

use std::collections::HashSet;
use std::time::Duration;

use watchkeeper_api::IStr;

use super::occurrence::{About, Occurrence};
use crate::lru::Lru;
use crate::rng::Rng;

#[cfg(test)]
mod tests;

/// How many groups, events and objects are remembered.
const REMEMBERED: usize = 4096;
/// So many different messages of one group are told one by one.
const MESSAGES_TOLD: usize = 10;
/// A group that was silent for this long starts anew.
const GROUP_ENDS_AFTER: Duration = Duration::from_mins(10);
/// So many events about one object pass at once …
const BURST: u32 = 25;
/// … and then one per this time.
const REFILL: Duration = Duration::from_mins(5);

/// An event to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Telling {
    pub(crate) name: String,
    pub(crate) occurrence: Occurrence,
    pub(crate) count: i32,
    /// When it happened first and last, since 1970.
    pub(crate) first: Duration,
    pub(crate) last: Duration,
}

/// What was told before, so that it is not told twice.
#[derive(Debug)]
pub(crate) struct Correlator {
    groups: Lru<Group, Messages>,
    told: Lru<Told, Tally>,
    spam: Lru<About, Bucket>,
    names: Rng,
}

/// Events that differ in nothing but their message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Group {
    about: About,
    reason: String,
}

#[derive(Debug, Default)]
struct Messages {
    different: HashSet<String>,
    last: Duration,
}

/// An event that can happen again: by its message, or the one that stands for its group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Told {
    group: Group,
    message: Option<String>,
}

#[derive(Clone, Debug)]
struct Tally {
    name: String,
    count: i32,
    first: Duration,
}

/// When this many tokens are back; the time is that of the last.
#[derive(Debug, Default)]
struct Bucket {
    full_at: Duration,
}

impl Correlator {
    /// Nothing told yet; names of events are drawn from `names`.
    pub(crate) fn new(names: Rng) -> Self {
        Self {
            groups: Lru::new(REMEMBERED),
            told: Lru::new(REMEMBERED),
            spam: Lru::new(REMEMBERED),
            names,
        }
    }

    /// What to store for `occurrence` at `now`; `None` if its object had too many.
    ///
    /// With a count of one it is a new event, otherwise an old one that happened again. What is
    /// not stored is counted all the same.
    pub(crate) fn observe(&mut self, mut occurrence: Occurrence, now: Duration) -> Option<Telling> {
        let about = occurrence.about.clone();
        let told = self.group(&mut occurrence, now);
        let new_name = event_name(&about.object.0.name, self.names.next());
        let tally = self.told.entry(&told, || Tally { name: new_name, count: 0, first: now });
        tally.count = tally.count.saturating_add(1);
        let Tally { name, count, first } = tally.clone();
        let passes = self.spam.entry(&about.regardless_of_version(), Bucket::default).take(now);
        passes.then_some(Telling { name, occurrence, count, first, last: now })
    }

    /// Which event this is, once many different messages of one group are told as one.
    fn group(&mut self, occurrence: &mut Occurrence, now: Duration) -> Told {
        let about = occurrence.about.regardless_of_version();
        let group = Group { about, reason: occurrence.reason.clone() };
        let messages = self.groups.entry(&group, Messages::default);
        if now.saturating_sub(messages.last) > GROUP_ENDS_AFTER {
            messages.different.clear();
        }
        messages.last = now;
        if messages.different.len() < MESSAGES_TOLD {
            messages.different.insert(occurrence.message.clone());
        }
        if messages.different.len() < MESSAGES_TOLD {
            return Told { group, message: Some(occurrence.message.clone()) };
        }
        occurrence.message = format!("(combined from similar events): {}", occurrence.message);
        Told { group, message: None }
    }
}

impl About {
    /// The object changes while it is talked about.
    fn regardless_of_version(&self) -> Self {
        let mut about = self.clone();
        about.object.0.resource_version = IStr::EMPTY;
        about
    }
}

impl Bucket {
    /// Takes a token if one is there.
    fn take(&mut self, now: Duration) -> bool {
        let full_at = self.full_at.max(now);
        if full_at - now > REFILL * (BURST - 1) {
            return false;
        }
        self.full_at = full_at + REFILL;
        true
    }
}

/// `<object>.<hex>`, as upstream names its events.
pub(super) fn event_name(object: &str, number: u64) -> String {
    /// The longest name of an object, less the dot and the number.
    const ROOM: usize = 253 - 17;
    let end = object.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= ROOM);
    let object = object[..end.last().unwrap_or(0)].trim_end_matches(['.', '-']);
    format!("{object}.{number:016x}")
}
