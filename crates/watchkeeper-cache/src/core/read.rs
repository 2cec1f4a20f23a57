//! Reads that see this process's own writes, and what they wait for.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use super::Core;
use crate::error::{Error, Result, Why};
use crate::floors::{Held, Seen};
use crate::item::Item;
use crate::lock::lock;
use crate::sync::timeout;

/// Why the copy cannot answer yet.
#[derive(Clone, Copy, Debug)]
enum Missing {
    FirstList,
    OwnWrite(Held),
}

impl<K: Item> Core<K> {
    /// The object, once the copy has every own write to it that began before.
    pub(crate) async fn read(&self, key: &ObjectKey, deadline: Duration) -> Result<Option<Arc<K>>> {
        let seal = lock(&self.floors).seal();
        match self.when(deadline, || self.look(key, seal)).await {
            Ok(found) => Ok(found),
            // An own write outside the selection never comes: after the wait, what is here is all there is.
            Err(Why::Behind { held, .. }) if self.scope.selective => {
                tracing::debug!(copy = self.scope.what, %key, held, "an own write did not come; it may not be selected");
                lock(&self.floors).forget(key);
                Ok(self.store.get(key))
            }
            Err(why) => Err(Error::new(format!("{} {key}", self.scope.what), why, self.status())),
        }
    }

    /// The object, if the copy has every own write to it.
    pub(crate) fn read_now(&self, key: &ObjectKey) -> Result<Option<Arc<K>>> {
        let seal = lock(&self.floors).seal();
        self.look(key, seal).map_err(|missing| {
            let why = missing.after(Duration::ZERO);
            Error::new(format!("{} {key}", self.scope.what), why, self.status())
        })
    }

    /// Waits until every own write that began before is in the copy.
    pub(crate) async fn caught_up(&self, deadline: Duration) -> Result<()> {
        let seal = lock(&self.floors).seal();
        let waited = self.when(deadline, || self.look_at_all(seal)).await;
        waited.map_err(|why| Error::new(self.scope.what.clone(), why, self.status()))
    }

    /// Waits until the first list is in the copy.
    pub(crate) async fn synced(&self) -> Result<()> {
        let ended = self.progress.wait_for(|progress| progress.synced || progress.stopped).await;
        if ended.synced {
            return Ok(());
        }
        Err(Error::new(self.scope.what.clone(), Why::Stopped, self.status()))
    }

    pub(crate) fn is_synced(&self) -> bool {
        self.progress.get().synced
    }

    /// Looks again after every step of the copy and every end of a write, until there is an answer.
    async fn when<T>(
        &self,
        deadline: Duration,
        look: impl Fn() -> Result<T, Missing>,
    ) -> Result<T, Why> {
        if let Ok(answer) = look() {
            return Ok(answer);
        }
        let answer = timeout(deadline, async {
            loop {
                // Asked for before the look, so that a step after it wakes this.
                let changed = self.progress.changed();
                let stopped = self.progress.get().stopped;
                match look() {
                    Ok(answer) => return Some(answer),
                    Err(_) if stopped => return None,
                    Err(_) => changed.await,
                }
            }
        });
        match answer.await {
            Ok(answer) => answer.ok_or(Why::Stopped),
            Err(_elapsed) => look().map_err(|missing| missing.after(deadline)),
        }
    }

    fn look(&self, key: &ObjectKey, seal: u64) -> Result<Option<Arc<K>>, Missing> {
        if !self.store.is_filled() {
            return Err(Missing::FirstList);
        }
        let floors = lock(&self.floors);
        if floors.is_empty() {
            return Ok(self.store.get(key));
        }
        // Asked for before the object: how far the copy has come since says nothing of an older look.
        let reached = self.store.reached();
        let found = self.store.get(key);
        let seen = found.as_ref().map(|o| Seen { uid: o.item_uid(), version: o.item_version() });
        match floors.held(key, seal, seen, reached) {
            Some(held) => Err(Missing::OwnWrite(held)),
            None => Ok(found),
        }
    }

    fn look_at_all(&self, seal: u64) -> Result<(), Missing> {
        if !self.store.is_filled() {
            return Err(Missing::FirstList);
        }
        let has = |key: &ObjectKey, uid: &str| {
            self.store.get(key).is_some_and(|object| object.item_uid() == uid)
        };
        match lock(&self.floors).held_at_all(seal, self.store.reached(), has) {
            Some(held) => Err(Missing::OwnWrite(held)),
            None => Ok(()),
        }
    }
}

impl Missing {
    fn after(self, waited: Duration) -> Why {
        match self {
            Self::FirstList => Why::NotSynced { waited },
            Self::OwnWrite(held) => Why::Behind { held: held.to_string(), waited },
        }
    }
}
