//! The objects that every server has from its first moment.

use super::Core;
use crate::access::bootstrap;
use crate::admission::plugins::{CLASSES_TABLE, SYSTEM};
use crate::clock::Now;
use crate::journal::Record;

impl Core {
    /// What every server begins with.
    pub(super) fn seed(&mut self, now: Now) {
        let revision = self.store.revision();
        for (table, stored) in bootstrap::objects(&self.registry, revision, now).iter() {
            self.store.seed(table, stored);
        }
        self.seed_range(now);
        let range = self.config.service_range;
        let address = bootstrap::own_address(&self.registry, range, revision, now);
        if let Some((table, stored)) = address {
            self.store.seed(&table, &stored);
        }
        self.seed_maps(now);
    }

    /// The config maps of the server itself that are asked for and not there.
    pub(crate) fn seed_maps(&mut self, now: Now) {
        let Some(authorities) = &self.config.control_plane_maps else { return };
        let revision = self.store.revision();
        let maps = bootstrap::control_plane_maps(&self.registry, authorities, revision, now);
        for (table, stored) in maps {
            if self.store.get(&table, &stored.key).is_some() {
                continue;
            }
            self.store.seed(&table, &stored);
            // The day that one of them tells is to stay.
            if let Some(commits) = &mut self.commits {
                commits.push(Record::of_object(&table, &stored, now));
            }
        }
    }

    /// The range that Services have their addresses from, should there be none: what was kept may be older than it is.
    pub(crate) fn seed_range(&mut self, now: Now) {
        let (range, revision) = (self.config.service_range, self.store.revision());
        let made = bootstrap::service_range(&self.registry, range, revision, now);
        let Some((table, stored)) = made else { return };
        if self.store.get(&table, &stored.key).is_none() {
            self.store.seed(&table, &stored);
        }
    }

    /// The classes of priority that every cluster has, should the one that was kept have none: it may be older than they
    /// are.
    pub(crate) fn seed_classes(&mut self, now: Now) {
        let is_missing = |name: &str| self.store.get(CLASSES_TABLE, name).is_none();
        if !SYSTEM.iter().any(|name| is_missing(name)) {
            return;
        }
        let objects = bootstrap::objects(&self.registry, self.store.revision(), now);
        for (table, stored) in objects.iter().filter(|(table, _)| &**table == CLASSES_TABLE) {
            if self.store.get(table, &stored.key).is_none() {
                self.store.seed(table, stored);
            }
        }
    }
}

#[cfg(test)]
mod tests;
