//! An ordered map whose snapshots cost nothing.
//!
//! A B+tree with shared nodes: cloning it copies one pointer, and a write after that copies only the nodes
//! on its path. While nobody holds a clone, writes happen in place. So a reader takes a snapshot under the
//! lock, lets the lock go, and walks the snapshot for as long as it likes.
//!
//! Most writes put another value at a key that is there. So the keys of a node are shared by themselves: a
//! node that is copied for such a write takes a count of its keys as a whole, and of each value.

use std::borrow::Borrow;
use std::fmt;
use std::iter::Zip;
use std::slice;
use std::sync::Arc;

mod node;

use node::{Below, Inserted, Node, before, child_of, place};

/// An ordered map, cheap to clone.
pub(crate) struct Tree<K, V> {
    root: Arc<Node<K, V>>,
    len: usize,
}

/// A value that nodes may share: a copy is a count of it.
pub(crate) trait Counted: Clone {
    /// Brings the count near, without changing it.
    fn look(&self) -> usize;
}

impl<T> Counted for Arc<T> {
    fn look(&self) -> usize {
        Self::strong_count(self)
    }
}

impl<K, V> Counted for Tree<K, V> {
    fn look(&self) -> usize {
        self.root.look()
    }
}

/// Takes a count of each value. To count, a processor waits for the memory of the count, each time anew; to
/// look, it does not. So some are looked at first, and come from memory together.
pub(crate) fn count<'a, V: Counted + 'a>(
    mut values: impl Iterator<Item = &'a V>,
    into: &mut Vec<V>,
) {
    const AHEAD: usize = 32;
    let mut some = [None; AHEAD];
    loop {
        let (mut looked, mut counts) = (0, 0);
        for (place, value) in some.iter_mut().zip(&mut values) {
            counts ^= value.look();
            *place = Some(value);
            looked += 1;
        }
        std::hint::black_box(counts);
        into.extend(some[..looked].iter().copied().flatten().cloned());
        if looked < AHEAD {
            return;
        }
    }
}

impl<K, V> Tree<K, V> {
    pub(crate) fn new() -> Self {
        Self { root: Arc::new(Node::default()), len: 0 }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Every entry, in the order of the keys.
    pub(crate) fn iter(&self) -> Iter<'_, K, V> {
        let mut iter = Iter { path: Vec::new(), leaf: [].iter().zip(&[]) };
        iter.enter(&self.root);
        iter
    }

    /// Every value, in the order of the keys, which are not looked at.
    pub(crate) fn values(&self) -> Values<'_, K, V> {
        let mut values = Values { path: Vec::new(), leaf: [].iter() };
        values.enter(&self.root);
        values
    }

    /// The entries from the first whose key `below` says no to. `below` must say yes to a prefix only.
    pub(crate) fn iter_from(&self, below: impl Fn(&K) -> bool) -> Iter<'_, K, V> {
        let mut path = Vec::new();
        let mut node = &*self.root;
        loop {
            let at = before(&node.keys, &below);
            match &node.below {
                Below::Values(values) => {
                    return Iter { path, leaf: node.keys[at..].iter().zip(&values[at..]) };
                }
                Below::Children(children) => {
                    let at = at.saturating_sub(1);
                    path.push(children[at + 1..].iter());
                    node = &children[at];
                }
            }
        }
    }
}

impl<K: Ord + Clone, V: Counted> Tree<K, V> {
    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let mut node = &*self.root;
        loop {
            match &node.below {
                Below::Values(values) => return Some(&values[node.find(key)?]),
                Below::Children(children) => node = &children[child_of(&node.keys, key)],
            }
        }
    }

    /// What is at `key`, to be changed in place.
    pub(crate) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        // Asked first, so that a miss copies no node.
        self.get(key)?;
        let mut node = &mut self.root;
        loop {
            let here = Arc::make_mut(node);
            match &mut here.below {
                Below::Values(values) => {
                    let at = place(&here.keys, key).ok()?;
                    return Some(&mut values[at]);
                }
                Below::Children(children) => node = &mut children[child_of(&here.keys, key)],
            }
        }
    }

    /// Puts `value` at `key` and gives back what was there.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let Inserted { previous, split } = node::insert(&mut self.root, key, value);
        if let Some((key, upper)) = split {
            let lower = Arc::clone(&self.root);
            let first = lower.keys.first().unwrap_or(&key).clone();
            self.root = Arc::new(Node {
                keys: Arc::new(vec![first, key]),
                below: Below::Children(vec![lower, upper]),
            });
        }
        self.len += usize::from(previous.is_none());
        previous
    }

    /// Takes out what is at `key`.
    pub(crate) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        // Asked first, so that a miss copies no node.
        self.get(key)?;
        let removed = node::remove(&mut self.root, key);
        self.len -= usize::from(removed.is_some());
        while let Below::Children(children) = &self.root.below {
            self.root = match &children[..] {
                [] => Arc::new(Node::default()),
                [only] => Arc::clone(only),
                [..] => break,
            };
        }
        removed
    }
}

impl<K, V> Clone for Tree<K, V> {
    fn clone(&self) -> Self {
        Self { root: Arc::clone(&self.root), len: self.len }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Tree<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Walks a [`Tree`] in the order of its keys.
pub(crate) struct Iter<'a, K, V> {
    /// From the root down: what is left of each branch. Empty of a tree that is one leaf.
    path: Vec<slice::Iter<'a, Arc<Node<K, V>>>>,
    /// What is left of the leaf.
    leaf: Zip<slice::Iter<'a, K>, slice::Iter<'a, V>>,
}

impl<'a, K, V> Iter<'a, K, V> {
    fn enter(&mut self, node: &'a Node<K, V>) {
        match &node.below {
            Below::Values(values) => self.leaf = node.keys.iter().zip(values),
            Below::Children(children) => self.path.push(children.iter()),
        }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.leaf.next() {
                return Some(entry);
            }
            match self.path.last_mut()?.next() {
                Some(child) => self.enter(child),
                None => drop(self.path.pop()),
            }
        }
    }
}

/// Walks the values of a [`Tree`]. The keys lie elsewhere, and are not fetched for it.
pub(crate) struct Values<'a, K, V> {
    /// As of [`Iter`].
    path: Vec<slice::Iter<'a, Arc<Node<K, V>>>>,
    leaf: slice::Iter<'a, V>,
}

impl<'a, K, V> Values<'a, K, V> {
    fn enter(&mut self, node: &'a Node<K, V>) {
        match &node.below {
            Below::Values(values) => self.leaf = values.iter(),
            Below::Children(children) => self.path.push(children.iter()),
        }
    }
}

impl<'a, K, V> Iterator for Values<'a, K, V> {
    type Item = &'a V;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(value) = self.leaf.next() {
                return Some(value);
            }
            match self.path.last_mut()?.next() {
                Some(child) => self.enter(child),
                None => drop(self.path.pop()),
            }
        }
    }
}

#[cfg(test)]
mod tests;
