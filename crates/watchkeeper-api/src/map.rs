//! A flat map from text: labels, annotations, quantities by resource name.

#[cfg(test)]
mod tests;

use std::fmt;

use crate::{IStr, List};

/// A map from [`IStr`] to `V`, kept as one sorted list: small, and equal maps look equal.
///
/// Lookup is a binary search, insertion moves what comes behind; made for the tens of entries
/// that objects carry.
///
/// ```
/// use watchkeeper_api::{IStr, Map};
/// let mut labels: Map = Map::from([("tier", "web"), ("app", "shop")]);
/// labels.insert("app", "store");
/// assert_eq!(labels.get("app").map(IStr::as_str), Some("store"));
/// assert_eq!(labels.keys().collect::<Vec<_>>(), ["app", "tier"]);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Map<V = IStr>(List<(IStr, V)>);

impl<V> Map<V> {
    /// An empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self(List::new())
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&V> {
        self.find(key).ok().map(|index| &self.0[index].1)
    }

    /// The value of `key`, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.find(key).ok().map(|index| &mut self.0[index].1)
    }

    /// Whether `key` has a value.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.find(key).is_ok()
    }

    /// Sets the value of `key`; gives back the one it had.
    pub fn insert(&mut self, key: impl Into<IStr>, value: impl Into<V>) -> Option<V> {
        let (key, value) = (key.into(), value.into());
        match self.find(&key) {
            Ok(index) => Some(std::mem::replace(&mut self.0[index].1, value)),
            Err(index) => {
                self.0.edit(|entries| entries.insert(index, (key, value)));
                None
            }
        }
    }

    /// Removes `key`; gives back the value it had.
    pub fn remove(&mut self, key: &str) -> Option<V> {
        let index = self.find(key).ok()?;
        Some(self.0.edit(|entries| entries.remove(index).1))
    }

    /// Keeps the entries for which `keep` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &V) -> bool) {
        self.0.edit(|entries| entries.retain(|(key, value)| keep(key, value)));
    }

    /// The value of `key`, made with `Default` when it has none.
    pub fn slot(&mut self, key: impl Into<IStr>) -> &mut V
    where
        V: Default,
    {
        let key = key.into();
        let index = self.find(&key).unwrap_or_else(|index| {
            self.0.edit(|entries| entries.insert(index, (key, V::default())));
            index
        });
        &mut self.0[index].1
    }

    /// The entries, by key.
    pub fn iter(&self) -> Iter<'_, V> {
        self.into_iter()
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &IStr> + ExactSizeIterator {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.0.iter().map(|(_, value)| value)
    }

    fn find(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(probe, _)| probe.as_str().cmp(key))
    }
}

impl<V> Default for Map<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: fmt::Debug> fmt::Debug for Map<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Later entries win over earlier ones of the same key, as when each was inserted in turn.
impl<K: Into<IStr>, V, W: Into<V>> FromIterator<(K, W)> for Map<V> {
    fn from_iter<I: IntoIterator<Item = (K, W)>>(entries: I) -> Self {
        let mut entries: Vec<(IStr, V)> =
            entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        if !entries.is_sorted_by(|a, b| a.0 < b.0) {
            let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
            let order = order(&keys);
            let mut unsorted: Vec<Option<(IStr, V)>> = entries.into_iter().map(Some).collect();
            entries = order.into_iter().filter_map(|index| unsorted[index].take()).collect();
        }
        Self(List::from(entries))
    }
}

/// Which entries stay, by key: of those with the same key the last one. Sorts indices, so that there
/// is one sort for the maps of all values.
fn order(keys: &[&str]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_unstable_by(|a, b| keys[*a].cmp(keys[*b]).then(b.cmp(a)));
    order.dedup_by(|next, kept| keys[*next] == keys[*kept]);
    order
}

impl<K: Into<IStr>, V, W: Into<V>, const N: usize> From<[(K, W); N]> for Map<V> {
    fn from(entries: [(K, W); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<V> Extend<(IStr, V)> for Map<V> {
    fn extend<I: IntoIterator<Item = (IStr, V)>>(&mut self, more: I) {
        *self = std::mem::take(self).into_iter().chain(more).collect();
    }
}

/// The entries of a map, by key.
#[derive(Debug)]
pub struct Iter<'a, V>(std::slice::Iter<'a, (IStr, V)>);

impl<V> Clone for Iter<'_, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'a, V> Iterator for Iter<'a, V> {
    type Item = (&'a IStr, &'a V);
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key, value))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<V> DoubleEndedIterator for Iter<'_, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (key, value))
    }
}

impl<V> ExactSizeIterator for Iter<'_, V> {}

impl<'a, V> IntoIterator for &'a Map<V> {
    type Item = (&'a IStr, &'a V);
    type IntoIter = Iter<'a, V>;
    fn into_iter(self) -> Self::IntoIter {
        Iter(self.0.iter())
    }
}

impl<V> IntoIterator for Map<V> {
    type Item = (IStr, V);
    type IntoIter = std::vec::IntoIter<(IStr, V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
