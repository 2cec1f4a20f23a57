//! Reads that see this process's own writes, and what they wait for.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use super::Core;
use crate::error::{Error, Result, Why};
use crate::floors::{Copied, Held, Reading, Seen};
use crate::item::Item;
use crate::lock::lock;
use crate::store::Snapshot;
use crate::sync::timeout;

/// Why the copy cannot answer yet.
#[derive(Clone, Debug)]
enum Missing {
    FirstList,
    OwnWrite(Held),
}

impl<K: Item> Core<K> {
    /// The object, once the copy has every own write to it that began before.
    pub(crate) async fn read(&self, key: &ObjectKey, deadline: Duration) -> Result<Option<Arc<K>>> {
        let seal = lock(&self.floors).seal();
        let read = self.when(deadline, || self.look(key, seal)).await;
        read.map_err(|why| self.missed(&format!(" {key}"), why))
    }

    /// The object, if the copy has every own write to it.
    pub(crate) fn read_now(&self, key: &ObjectKey) -> Result<Option<Arc<K>>> {
        let seal = lock(&self.floors).seal();
        let read = self.look(key, seal);
        read.map_err(|missing| self.missed(&format!(" {key}"), self.why(missing, Duration::ZERO)))
    }

    /// Everything, or what is in a namespace, once the copy has every own write to it that began before.
    pub(crate) async fn read_in(
        &self,
        namespace: Option<&str>,
        deadline: Duration,
    ) -> Result<Snapshot<K>> {
        let seal = lock(&self.floors).seal();
        let read = self.when(deadline, || self.look_in(namespace, seal)).await;
        read.map_err(|why| self.missed("", why))
    }

    /// The same, if the copy has every own write to it.
    pub(crate) fn read_in_now(&self, namespace: Option<&str>) -> Result<Snapshot<K>> {
        let seal = lock(&self.floors).seal();
        let read = self.look_in(namespace, seal);
        read.map_err(|missing| self.missed("", self.why(missing, Duration::ZERO)))
    }

    fn why(&self, missing: Missing, waited: Duration) -> Why {
        match missing {
            Missing::FirstList => Why::NotSynced { waited },
            Missing::OwnWrite(Held::Unread(key)) => {
                let reason = lock(&self.report).malformed(&key);
                Why::Unreadable { key, reason }
            }
            Missing::OwnWrite(held) => Why::Behind { held: held.to_string(), waited },
        }
    }

    fn missed(&self, which: &str, why: Why) -> Error {
        Error::new(format!("{}{which}", self.scope.what), why, self.status())
    }

    /// Waits until the first list is in the copy.
    pub(crate) async fn synced(&self) -> Result<()> {
        let ended = self.progress.wait_for(|progress| progress.synced || progress.stopped).await;
        if ended.synced {
            return Ok(());
        }
        Err(self.missed("", Why::Stopped))
    }

    pub(crate) fn is_synced(&self) -> bool {
        self.progress.get().synced
    }

    /// Looks again after every step of the copy and every end of a write, until there is an answer or will be
    /// none.
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
                    Ok(answer) => return Ok(answer),
                    Err(missing) if missing.is_final() => {
                        return Err(self.why(missing, Duration::ZERO));
                    }
                    Err(_) if stopped => return Err(Why::Stopped),
                    Err(_) => changed.await,
                }
            }
        });
        match answer.await {
            Ok(answer) => answer,
            Err(_elapsed) => look().map_err(|missing| self.why(missing, deadline)),
        }
    }

    fn look(&self, key: &ObjectKey, seal: u64) -> Result<Option<Arc<K>>, Missing> {
        if !self.store.is_filled() {
            return Err(Missing::FirstList);
        }
        let mut floors = lock(&self.floors);
        if floors.is_empty() {
            return Ok(self.store.get(key));
        }
        // Asked for before the object: how far the copy has come since says nothing of an older look.
        let reading = self.reading(seal);
        let found = self.store.get(key);
        let held = floors.held(key, found.as_deref().map(seen), reading);
        drop(floors);
        self.unless(held, found)
    }

    fn look_in(&self, namespace: Option<&str>, seal: u64) -> Result<Snapshot<K>, Missing> {
        if !self.store.is_filled() {
            return Err(Missing::FirstList);
        }
        let mut floors = lock(&self.floors);
        if floors.is_empty() {
            return Ok(self.store.snapshot());
        }
        // As above.
        let reading = self.reading(seal);
        let snapshot = self.store.snapshot();
        let held = floors.held_in(namespace, &snapshot, reading);
        drop(floors);
        self.unless(held, snapshot)
    }

    fn reading(&self, seal: u64) -> Reading {
        Reading { seal, reached: self.store.reached(), now: self.now() }
    }

    fn unless<T>(&self, held: Option<Held>, answer: T) -> Result<T, Missing> {
        let Some(held) = held else { return Ok(answer) };
        if held.is_question() {
            self.asked.notify_one();
        }
        Err(Missing::OwnWrite(held))
    }
}

fn seen<K: Item>(object: &K) -> Seen<'_> {
    Seen { uid: object.item_uid(), version: object.item_version() }
}

impl<K: Item> Copied for Snapshot<K> {
    fn seen(&self, key: &ObjectKey) -> Option<Seen<'_>> {
        self.get(key).map(|object| seen(&**object))
    }

    fn any(&self, namespace: Option<&str>, test: impl Fn(&ObjectKey, Seen<'_>) -> bool) -> bool {
        let test = |object: &Arc<K>| test(&object.item_key(), seen(&**object));
        match namespace {
            Some(namespace) => self.iter_in(namespace).any(test),
            None => self.iter().any(test),
        }
    }
}

impl Missing {
    /// Whether waiting is of no use: what came is here, and cannot be read.
    const fn is_final(&self) -> bool {
        matches!(self, Self::OwnWrite(Held::Unread(_)))
    }
}
