//! A store as it will be once it has seen this process's own writes.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use super::indexer::{IndexError, Indexer};
use super::stores::ClassicStore;
use crate::item::Item;
use crate::lock::lock;
use crate::sync::Mutex;
use crate::version::Version;

/// So many own writes are remembered; of more, the one that was used longest ago is forgotten.
const KEPT: usize = 100;

/// An indexer with this process's own writes laid over it (upstream: `MutationCache`).
///
/// After a write, tell it what the server answered; from then on reads give whichever is newer, the write or
/// what the store has. It remembers a hundred writes, for as long as it was told. Versions that are no
/// numbers have no order: of those, what the store has counts.
///
/// A [`Watch`](crate::Watch) does this by itself, for every write of the client that it
/// [observes](crate::Cache::observer), and waits instead of guessing; this is for stores without one.
pub struct MutationCache<K: Item> {
    backing: Indexer<K>,
    ttl: Duration,
    include_adds: bool,
    writes: Mutex<Writes<K>>,
}

/// The own writes, and when each was made and last used.
struct Writes<K> {
    by_key: BTreeMap<ObjectKey, Own<K>>,
    uses: u64,
}

struct Own<K> {
    write: Write<K>,
    at: Duration,
    used: u64,
}

enum Write<K> {
    /// The server answered with this.
    Stored(Arc<K>),
    /// This life is over.
    Deleted { uid: String },
}

impl<K> Clone for Write<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Stored(object) => Self::Stored(Arc::clone(object)),
            Self::Deleted { uid } => Self::Deleted { uid: uid.clone() },
        }
    }
}

impl<K: Item> MutationCache<K> {
    /// Own writes over `backing`, each remembered for `ttl`; upstream's are five minutes. With
    /// `include_adds`, objects that the store does not have at all are told, too.
    #[must_use]
    pub fn new(backing: Indexer<K>, ttl: Duration, include_adds: bool) -> Self {
        let writes = Mutex::new(Writes { by_key: BTreeMap::new(), uses: 0 });
        Self { backing, ttl, include_adds, writes }
    }

    /// The server answered a write with this.
    pub fn mutation(&self, object: Arc<K>, now: Duration) {
        lock(&self.writes).put(object.item_key(), Write::Stored(object), now);
    }

    /// The server answered a deletion of this: what the store still has of it is not told any more.
    pub fn deletion(&self, last: &K, now: Duration) {
        let uid = last.item_uid().to_owned();
        lock(&self.writes).put(last.item_key(), Write::Deleted { uid }, now);
    }

    /// The newer of what was written and what the store has.
    pub fn get_by_key(&self, key: &ObjectKey, now: Duration) -> Option<Arc<K>> {
        let stored = self.backing.get_by_key(key);
        self.newer(key, stored, now)
    }

    /// As [`Indexer::by_index`], with the own writes; with `include_adds` also what only they put there. An
    /// object that the write took away from the value is still told, as upstream does.
    ///
    /// # Errors
    /// When there is no such index.
    pub fn by_index(
        &self,
        name: &str,
        value: &str,
        now: Duration,
    ) -> Result<Vec<Arc<K>>, IndexError> {
        let mut found = BTreeMap::new();
        let stored = self.backing.by_index(name, value)?;
        for object in stored {
            let key = object.item_key();
            if let Some(newer) = self.newer(&key, Some(object), now) {
                found.insert(key, newer);
            }
        }
        if self.include_adds {
            let of = self.backing.index_func(name)?;
            let added: Vec<_> = lock(&self.writes).stored(now, self.ttl);
            for object in added {
                let key = object.item_key();
                if !found.contains_key(&key)
                    && of(&object).iter().any(|found| found == value)
                    && let Some(newer) = self.get_by_key(&key, now)
                {
                    found.insert(key, newer);
                }
            }
        }
        Ok(found.into_values().collect())
    }

    fn newer(&self, key: &ObjectKey, stored: Option<Arc<K>>, now: Duration) -> Option<Arc<K>> {
        let mut writes = lock(&self.writes);
        let Some(write) = writes.get(key, now, self.ttl) else { return stored };
        match (write, stored) {
            (Write::Stored(own), None) => self.include_adds.then_some(own),
            (Write::Stored(own), Some(stored)) => {
                if is_newer(&*own, &*stored) {
                    return Some(own);
                }
                writes.by_key.remove(key);
                Some(stored)
            }
            (Write::Deleted { uid }, Some(stored)) if stored.item_uid() == uid => None,
            // The store has lost it, or has the next of that name.
            (Write::Deleted { .. }, stored) => {
                writes.by_key.remove(key);
                stored
            }
        }
    }
}

fn is_newer<K: Item>(own: &K, stored: &K) -> bool {
    let versions = (Version::parse(own.item_version()), Version::parse(stored.item_version()));
    matches!(versions, (Some(own), Some(stored)) if own > stored)
}

impl<K: Item> Writes<K> {
    fn put(&mut self, key: ObjectKey, write: Write<K>, at: Duration) {
        self.uses += 1;
        self.by_key.insert(key, Own { write, at, used: self.uses });
        if self.by_key.len() > KEPT {
            let oldest = self.by_key.iter().min_by_key(|(_, own)| own.used);
            if let Some(key) = oldest.map(|(key, _)| key.clone()) {
                self.by_key.remove(&key);
            }
        }
    }

    fn get(&mut self, key: &ObjectKey, now: Duration, ttl: Duration) -> Option<Write<K>> {
        let own = self.by_key.get_mut(key)?;
        if now.saturating_sub(own.at) >= ttl {
            self.by_key.remove(key);
            return None;
        }
        self.uses += 1;
        own.used = self.uses;
        Some(own.write.clone())
    }

    fn stored(&self, now: Duration, ttl: Duration) -> Vec<Arc<K>> {
        let fresh = self.by_key.values().filter(|own| now.saturating_sub(own.at) < ttl);
        fresh
            .filter_map(|own| match &own.write {
                Write::Stored(object) => Some(Arc::clone(object)),
                Write::Deleted { .. } => None,
            })
            .collect()
    }
}

impl<K: Item> fmt::Debug for MutationCache<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MutationCache({:?}, {} writes)", self.backing, lock(&self.writes).by_key.len())
    }
}

#[cfg(test)]
mod tests;
