//! A core as a journal has it, and what of a core a journal must have.

use std::sync::Arc;

use crate::clock::Now;
use crate::config::Config;
use crate::crd;
use crate::deep;
use crate::journal::{Batch, Kept, Record, Saved, SigningKey};
use crate::registry::allocate::addresses;
use crate::rng::Rng;
use crate::step::Core;
use crate::storage::{Key, Store, Stored, TableName};
use crate::turn::{EVENT_LIFE, EVENTS};

impl Core {
    /// Lets commits come out of steps from now on. The batch has what was written before.
    pub(crate) fn keep(&mut self, signing_key: SigningKey, now: Now) -> Batch {
        self.commits = Some(Vec::new());
        let (revision, records) = (self.store.revision(), records(&self.store, now));
        Batch { revision, records, signing_key: Some(signing_key) }
    }

    /// The server that was kept and is had again now: its objects under the revisions and uids that
    /// they had, the kinds that its definitions make, and the end of its events. The past is not kept:
    /// watches and pages that began before get 410.
    ///
    /// # Errors
    ///
    /// Which object is none.
    pub(crate) fn restore(
        config: Config,
        saved: &Saved,
        now: Now,
        rng: &Rng,
    ) -> Result<Self, String> {
        let is_deep = saved.objects.iter().any(|kept| deep::may_come("", &kept.json));
        if !is_deep {
            return Self::restore_here(config, saved, now, rng);
        }
        deep::run(|| Self::restore_here(config, saved, now, rng)).unwrap_or_else(|| {
            Err("there is no memory for values that are nested this deep".into())
        })
    }

    fn restore_here(config: Config, saved: &Saved, now: Now, rng: &Rng) -> Result<Self, String> {
        let objects = saved.objects.iter().map(object).collect::<Result<Vec<_>, _>>()?;
        let mut core = Self::empty(config, rng);
        let Config { history_events, history_bytes, .. } = core.config;
        core.store =
            Store::restored(history_events, saved.revision, objects).bounded(history_bytes);
        core.commits = Some(Vec::new());
        let mut events: Vec<&Kept> = saved.objects.iter().filter(|of| of.table == EVENTS).collect();
        events.sort_by_key(|kept| (kept.at, kept.revision));
        core.expiries = events
            .iter()
            .map(|kept| (kept.at.plus(EVENT_LIFE), Key::from(&*kept.key), kept.revision))
            .collect();
        core.seed_missing(last(saved));
        core.seed_range(last(saved));
        // Unlike what is made up for above, these are of today.
        core.write_maps(now, rng);
        core.addresses_due = addresses::unsettled(&core);
        crd::sync::serve_all(&mut core);
        Ok(core)
    }
}

/// All that a store holds, as it was last written, by table and key.
pub(crate) fn records(store: &Store, at: Now) -> Vec<Record> {
    let tables = store.tables().filter_map(|name| Some((name, store.table(name)?)));
    let records = tables.flat_map(|(name, table)| {
        table.values().map(move |object| Record::of_object(name, object, at))
    });
    records.collect()
}

/// When something was last written.
fn last(saved: &Saved) -> Now {
    saved.objects.iter().map(|kept| kept.at).max().unwrap_or_default()
}

fn object(kept: &Kept) -> Result<(TableName, Arc<Stored>), String> {
    let value = deep::read(&kept.json);
    let value = value.map_err(|error| format!("{} {}: {error}", kept.table, kept.key))?;
    let stored = Stored::new(Key::from(&*kept.key), kept.revision, value);
    Ok((TableName::from(&*kept.table), Arc::new(stored)))
}

#[cfg(test)]
mod tests;
