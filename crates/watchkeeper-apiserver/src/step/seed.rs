//! The objects that every server has from its first moment.

use std::sync::Arc;

use super::{Core, Ticket};
use crate::access::bootstrap;
use crate::admission::plugins::{CLASSES_TABLE, SYSTEM};
use crate::api_services;
use crate::clock::Now;
use crate::handlers;
use crate::rng::Rng;
use crate::storage::{Stored, TableName};
use crate::turn::Turn;

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

    /// The config maps of the server itself that are asked for.
    fn seed_maps(&mut self, now: Now) {
        for (table, stored) in self.maps(now) {
            self.store.seed(&table, &stored);
        }
    }

    /// Writes the config maps of the server itself that are asked for and not there. Unlike what a server begins with, they
    /// are heard of: who watches on from before the restart may have seen them go.
    pub(crate) fn write_maps(&mut self, now: Now, rng: &Rng) {
        let mut maps = self.maps(now);
        maps.retain(|(table, stored)| self.store.get(table, &stored.key).is_none());
        // Others get what the dice would have given them without it.
        let mut dice = rng.clone();
        let mut turn = Turn::new(self, now, &mut dice, Ticket(0));
        for (_, stored) in maps {
            handlers::bootstrap::write_map(&mut turn, &stored);
        }
    }

    fn maps(&self, now: Now) -> Vec<(TableName, Arc<Stored>)> {
        let Some(authorities) = &self.config.control_plane_maps else { return Vec::new() };
        bootstrap::control_plane_maps(&self.registry, authorities, self.store.revision(), now)
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

    /// The classes of priority and the APIServices that every cluster has, should the one that was kept have none: it may
    /// be older than they are.
    pub(crate) fn seed_missing(&mut self, now: Now) {
        let is_missing = |table: &str, name: &str| self.store.get(table, name).is_none();
        let (registry, revision) = (&self.registry, self.store.revision());
        let mut missing: Vec<(TableName, Arc<Stored>)> = Vec::new();
        let few = SYSTEM.iter().any(|name| is_missing(CLASSES_TABLE, name))
            || is_missing(api_services::TABLE, "v1.");
        if few {
            let all = bootstrap::objects(registry, revision, now);
            let of_these = all.iter().filter(|(table, stored)| {
                [CLASSES_TABLE, api_services::TABLE].contains(&&**table)
                    && is_missing(table, &stored.key)
            });
            missing.extend(of_these.cloned());
        }
        for (group, version) in api_services::of_store(self) {
            let made = bootstrap::api_service(registry, (&group, &version), revision, now);
            missing.extend(made.filter(|(table, stored)| is_missing(table, &stored.key)));
        }
        for (table, stored) in missing {
            self.store.seed(&table, &stored);
        }
    }
}

#[cfg(test)]
mod tests;
