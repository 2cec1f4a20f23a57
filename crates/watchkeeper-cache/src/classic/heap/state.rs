//! The heap without its waiting: a binary heap, and where each key is in it.

use std::collections::BTreeMap;

/// Says which of two elements comes first.
type Less<T> = dyn Fn(&T, &T) -> bool + Send + Sync;

pub(super) struct State<K, T> {
    /// No element is less than the one at half its place.
    elements: Vec<(K, T)>,
    places: BTreeMap<K, usize>,
    pub(super) closed: bool,
}

impl<K: Ord + Clone, T> State<K, T> {
    pub(super) const fn new() -> Self {
        Self { elements: Vec::new(), places: BTreeMap::new(), closed: false }
    }

    pub(super) fn put(&mut self, key: K, element: T, less: &Less<T>) {
        let place = match self.places.get(&key) {
            Some(&place) => {
                self.elements[place].1 = element;
                place
            }
            None => {
                self.places.insert(key.clone(), self.elements.len());
                self.elements.push((key, element));
                self.elements.len() - 1
            }
        };
        self.settle(place, less);
    }

    pub(super) fn remove(&mut self, key: &K, less: &Less<T>) -> Option<T> {
        let place = *self.places.get(key)?;
        let last = self.elements.len() - 1;
        self.swap(place, last);
        self.places.remove(key);
        let (_, element) = self.elements.pop()?;
        if place < last {
            self.settle(place, less);
        }
        Some(element)
    }

    pub(super) fn pop(&mut self, less: &Less<T>) -> Option<T> {
        let key = self.elements.first()?.0.clone();
        self.remove(&key, less)
    }

    pub(super) fn get(&self, key: &K) -> Option<&T> {
        self.places.get(key).map(|place| &self.elements[*place].1)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &K> {
        self.places.keys()
    }

    pub(super) const fn len(&self) -> usize {
        self.elements.len()
    }

    /// Moves the element of a place to where it belongs.
    fn settle(&mut self, place: usize, less: &Less<T>) {
        let risen = self.rise(place, less);
        self.sink(risen, less);
    }

    fn rise(&mut self, mut place: usize, less: &Less<T>) -> usize {
        while place > 0 {
            let above = (place - 1) / 2;
            if !less(&self.elements[place].1, &self.elements[above].1) {
                break;
            }
            self.swap(place, above);
            place = above;
        }
        place
    }

    fn sink(&mut self, mut place: usize, less: &Less<T>) {
        loop {
            let mut least = place;
            for below in [2 * place + 1, 2 * place + 2] {
                let is_less = self
                    .elements
                    .get(below)
                    .is_some_and(|(_, element)| less(element, &self.elements[least].1));
                if is_less {
                    least = below;
                }
            }
            if least == place {
                return;
            }
            self.swap(place, least);
            place = least;
        }
    }

    /// Both at once, so that a `less` that panics leaves every key where its element is.
    fn swap(&mut self, one: usize, other: usize) {
        self.elements.swap(one, other);
        for place in [one, other] {
            if let Some(known) = self.places.get_mut(&self.elements[place].0) {
                *known = place;
            }
        }
    }
}

#[cfg(test)]
mod tests;
