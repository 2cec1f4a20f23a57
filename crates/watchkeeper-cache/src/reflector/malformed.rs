//! Which objects could not be read.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use watchkeeper_api::ObjectKey;

use super::message::Unreadable;

/// The objects that could not be read, by name, each with the reason; and which of them changed since that was
/// last told. All are named, however many: telling one costs nothing of the others.
#[derive(Debug, Default)]
pub(crate) struct Malformed {
    reasons: BTreeMap<String, String>,
    changed: BTreeSet<String>,
}

impl Malformed {
    pub(super) fn insert(&mut self, which: Unreadable) {
        let name = which.name();
        self.changed.insert(name.clone());
        self.reasons.insert(name, which.reason);
    }

    /// It could be read, or is gone.
    pub(super) fn remove(&mut self, key: &ObjectKey) {
        self.changed.extend(self.reasons.remove_entry(&key.to_string()).map(|entry| entry.0));
    }

    pub(super) fn clear(&mut self) {
        self.changed.extend(mem::take(&mut self.reasons).into_keys());
    }

    /// Whether this one is among them, for this reason.
    pub(crate) fn has(&self, which: &Unreadable) -> bool {
        self.reasons.get(&which.name()).is_some_and(|reason| *reason == which.reason)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.reasons.is_empty()
    }

    pub(crate) fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Brings `told` up to date.
    pub(crate) fn tell(&mut self, told: &mut BTreeMap<String, String>) {
        for name in mem::take(&mut self.changed) {
            match self.reasons.get(&name) {
                Some(reason) => told.insert(name, reason.clone()),
                None => told.remove(&name),
            };
        }
    }
}
