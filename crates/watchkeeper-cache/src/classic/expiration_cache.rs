//! A store whose elements grow old.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::lock::lock;
use crate::sync::Mutex;

type KeyOf<K, T> = Box<dyn Fn(&T) -> K + Send + Sync>;
type Policy<T> = Box<dyn Fn(&T, Duration) -> bool + Send + Sync>;

/// Elements that are there for a while (upstream: `ExpirationCache`).
///
/// What has expired goes when somebody looks for it, not at its time: who never looks keeps all of it. Time
/// is passed in, since a moment that the caller chose once; it does not matter which.
///
/// ```
/// # use std::time::Duration;
/// # use watchkeeper_cache::classic::ExpirationCache;
/// let cache = ExpirationCache::with_ttl(|name: &&str| *name, Duration::from_secs(60));
/// cache.add("a", Duration::from_secs(0));
/// assert_eq!(cache.get(&"a", Duration::from_secs(60)), Some("a"));
/// assert_eq!(cache.get(&"a", Duration::from_secs(61)), None);
/// ```
pub struct ExpirationCache<K, T> {
    elements: Mutex<BTreeMap<K, (Duration, T)>>,
    key_of: KeyOf<K, T>,
    expired: Policy<T>,
}

impl<K: Ord, T: Clone> ExpirationCache<K, T> {
    /// A cache whose elements expire once they are older than `ttl`; with a `ttl` of zero, never (upstream:
    /// `TTLPolicy`).
    pub fn with_ttl(key_of: impl Fn(&T) -> K + Send + Sync + 'static, ttl: Duration) -> Self {
        Self::new(key_of, move |_, age| !ttl.is_zero() && age > ttl)
    }

    /// A cache whose elements expire when `expired` says so of them and their age (upstream:
    /// `ExpirationPolicy`). Both functions must be pure and not use the cache.
    pub fn new(
        key_of: impl Fn(&T) -> K + Send + Sync + 'static,
        expired: impl Fn(&T, Duration) -> bool + Send + Sync + 'static,
    ) -> Self {
        let elements = Mutex::new(BTreeMap::new());
        Self { elements, key_of: Box::new(key_of), expired: Box::new(expired) }
    }

    /// Adds an element, or gives the one of its key another value, new from now on.
    pub fn add(&self, element: T, now: Duration) {
        let key = (self.key_of)(&element);
        lock(&self.elements).insert(key, (now, element));
    }

    /// The same as [`add`](Self::add).
    pub fn update(&self, element: T, now: Duration) {
        self.add(element, now);
    }

    /// Removes the element of a key.
    pub fn delete(&self, key: &K) {
        lock(&self.elements).remove(key);
    }

    /// These are all there is, all of them new.
    pub fn replace(&self, elements: impl IntoIterator<Item = T>, now: Duration) {
        let keyed = elements.into_iter().map(|element| ((self.key_of)(&element), (now, element)));
        let elements = keyed.collect();
        *lock(&self.elements) = elements;
    }

    /// The element of a key, unless it has expired; then it goes.
    pub fn get(&self, key: &K, now: Duration) -> Option<T> {
        let mut elements = lock(&self.elements);
        let (since, element) = elements.get(key)?;
        if (self.expired)(element, now.saturating_sub(*since)) {
            elements.remove(key);
            return None;
        }
        Some(element.clone())
    }

    /// Every element that has not expired, in the order of the keys; the others go.
    pub fn list(&self, now: Duration) -> Vec<T> {
        let mut elements = lock(&self.elements);
        elements.retain(|_, (since, element)| !(self.expired)(element, now.saturating_sub(*since)));
        elements.values().map(|(_, element)| element.clone()).collect()
    }

    /// Every key there is, in order, also of what has expired and nobody looked for.
    #[must_use]
    pub fn list_keys(&self) -> Vec<K>
    where
        K: Clone,
    {
        lock(&self.elements).keys().cloned().collect()
    }
}

impl<K: Ord, T> fmt::Debug for ExpirationCache<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExpirationCache({} elements)", lock(&self.elements).len())
    }
}

#[cfg(test)]
mod tests;
