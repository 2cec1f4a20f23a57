//! What comes from a queue that does not keep the order of the server, object by object.

use std::sync::atomic::Ordering;

use tokio::time::Instant;

use super::Core;
use crate::classic::{Deltas, apply_deltas};
use crate::delta::Delta;
use crate::item::Item;
use crate::lock::lock;

impl<K: Item> Core<K> {
    /// Takes in what happened to one object: store first, then the listeners, then those who wait for it.
    pub(crate) fn take_deltas(&self, deltas: Deltas<K>) {
        let began = self.meter.get().map(|_| Instant::now());
        self.apply_deltas(deltas);
        if let (Some(meter), Some(began)) = (self.meter.get(), began) {
            meter.processed(began.elapsed());
        }
    }

    fn apply_deltas(&self, deltas: Deltas<K>) {
        let count = deltas.list.len() as u64;
        let mut hub = lock(&self.hub);
        let mut changes = Vec::new();
        apply_deltas(&self.store, deltas, |change| changes.push(change));
        hub.publish(&changes);
        drop(hub);
        self.events.fetch_add(count, Ordering::Relaxed);
        self.lower_floors(&changes);
        self.step(|_| {});
    }

    /// A list has come, which leaves the queue object by object.
    pub(crate) fn has_listed(&self) {
        self.replaces.fetch_add(1, Ordering::Relaxed);
    }

    /// Everything up to `version` is in the copy, and the first list if it has `synced`.
    pub(crate) fn come_to(&self, version: String, synced: bool) {
        let hub = lock(&self.hub);
        let (first_list, before) = (synced && !self.store.is_filled(), self.store.reached());
        self.store.pace();
        self.store.apply(Delta::Bookmark(version));
        if first_list {
            self.store.fill();
            hub.synced();
        }
        drop(hub);
        if self.store.reached() < before {
            lock(&self.floors).clear();
        }
        self.lower_floors(&[]);
        self.step(|progress| progress.synced |= synced);
    }
}
