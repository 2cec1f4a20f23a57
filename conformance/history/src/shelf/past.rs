//! What happened last.

use std::collections::VecDeque;
use std::sync::Arc;

use watchkeeper_api::Object as _;

use super::{Kept, Maps};

/// So many events are remembered, as by the embedded server of a history.
const REMEMBERED: usize = 100;

/// A write.
#[derive(Clone)]
pub(super) struct Happened {
    pub(super) version: u64,
    pub(super) before: Option<Arc<Kept>>,
    /// Of a deletion, the last state under the version of its going.
    pub(super) now: Arc<Kept>,
    pub(super) alive: bool,
}

#[derive(Default)]
pub(super) struct Past {
    events: VecDeque<Happened>,
    /// What was up to this version is forgotten.
    floor: u64,
}

impl Past {
    pub(super) fn push(&mut self, happened: Happened) {
        self.events.push_back(happened);
        if self.events.len() > REMEMBERED
            && let Some(oldest) = self.events.pop_front()
        {
            self.floor = oldest.version;
        }
    }

    pub(super) fn forget(&mut self, version: u64) {
        self.floor = self.floor.max(version);
        self.events.retain(|event| event.version > version);
    }

    /// What happened after a version, if that is known.
    pub(super) fn since(&self, version: u64) -> Option<impl Iterator<Item = &Happened>> {
        let later = self.events.iter().filter(move |event| event.version > version);
        (version >= self.floor).then_some(later)
    }

    /// What there was at a version, if that is known.
    pub(super) fn undo(&self, mut maps: Maps, version: u64) -> Option<Maps> {
        let later: Vec<_> = self.since(version)?.collect();
        for event in later.into_iter().rev() {
            let map = &event.now.map;
            let key = (map.namespace().unwrap_or_default().to_owned(), map.name().to_owned());
            match &event.before {
                Some(before) => drop(maps.insert(key, Arc::clone(before))),
                None => drop(maps.remove(&key)),
            }
        }
        Some(maps)
    }
}
