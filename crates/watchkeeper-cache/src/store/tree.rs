//! An ordered map whose snapshots cost nothing.
//!
//! A B+tree with shared nodes: cloning it copies one pointer, and a write after that copies only the nodes
//! on its path. While nobody holds a clone, writes happen in place. So a reader takes a snapshot under the
//! lock, lets the lock go, and walks the snapshot for as long as it likes.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// Entries of a leaf, children of a branch, at most.
const FULL: usize = 32;
/// Neighbours that together have no more than this become one.
const SPARSE: usize = FULL / 2;

/// An ordered map, cheap to clone.
pub(crate) struct Tree<K, V> {
    root: Arc<Node<K, V>>,
    len: usize,
}

enum Node<K, V> {
    Leaf(Vec<(K, V)>),
    /// Each child with a key that is no greater than any of its keys and greater than all before it.
    /// Never empty; the first child also takes what is smaller than its key.
    Branch(Vec<(K, Arc<Self>)>),
}

/// What an insertion did to a node.
struct Inserted<K, V> {
    previous: Option<V>,
    /// The upper half of a node that was full, with its smallest key.
    split: Option<(K, Arc<Node<K, V>>)>,
}

impl<K: Ord + Clone, V: Clone> Tree<K, V> {
    pub(crate) fn new() -> Self {
        Self { root: Arc::new(Node::Leaf(Vec::new())), len: 0 }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let mut node = &*self.root;
        loop {
            match node {
                Node::Leaf(entries) => {
                    let at = entries.binary_search_by(|(k, _)| k.borrow().cmp(key)).ok()?;
                    return Some(&entries[at].1);
                }
                Node::Branch(children) => node = &children[child_of(children, key)].1,
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
            match Arc::make_mut(node) {
                Node::Leaf(entries) => {
                    let at = entries.binary_search_by(|(k, _)| k.borrow().cmp(key)).ok()?;
                    return Some(&mut entries[at].1);
                }
                Node::Branch(children) => {
                    let at = child_of(children, key);
                    node = &mut children[at].1;
                }
            }
        }
    }

    /// Puts `value` at `key` and gives back what was there.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let Inserted { previous, split } = insert(&mut self.root, key, value);
        if let Some((key, upper)) = split {
            let lower = Arc::clone(&self.root);
            let first = lower.first_key().unwrap_or(&key).clone();
            self.root = Arc::new(Node::Branch(vec![(first, lower), (key, upper)]));
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
        let removed = remove(&mut self.root, key);
        self.len -= usize::from(removed.is_some());
        while let Node::Branch(children) = &*self.root {
            self.root = match &children[..] {
                [] => Arc::new(Node::Leaf(Vec::new())),
                [(_, only)] => Arc::clone(only),
                [..] => break,
            };
        }
        removed
    }

    /// Every entry, in the order of the keys.
    pub(crate) fn iter(&self) -> Iter<'_, K, V> {
        let mut iter = Iter { path: Vec::new() };
        iter.path.push((&*self.root, 0));
        iter
    }

    /// The entries from the first whose key `below` says no to. `below` must say yes to a prefix only.
    pub(crate) fn iter_from(&self, below: impl Fn(&K) -> bool) -> Iter<'_, K, V> {
        let mut path = Vec::new();
        let mut node = &*self.root;
        loop {
            match node {
                Node::Leaf(entries) => {
                    path.push((node, entries.partition_point(|(key, _)| below(key))));
                    return Iter { path };
                }
                Node::Branch(children) => {
                    let at = children.partition_point(|(key, _)| below(key)).saturating_sub(1);
                    path.push((node, at + 1));
                    node = &children[at].1;
                }
            }
        }
    }
}

impl<K, V> Node<K, V> {
    fn first_key(&self) -> Option<&K> {
        match self {
            Self::Leaf(entries) => entries.first().map(|(key, _)| key),
            Self::Branch(children) => children.first().map(|(key, _)| key),
        }
    }

    const fn len(&self) -> usize {
        match self {
            Self::Leaf(entries) => entries.len(),
            Self::Branch(children) => children.len(),
        }
    }
}

/// Where `key` lives among `children`.
fn child_of<K: Borrow<Q>, V, Q: Ord + ?Sized>(children: &[(K, V)], key: &Q) -> usize {
    children.partition_point(|(first, _)| first.borrow() <= key).saturating_sub(1)
}

fn insert<K: Ord + Clone, V: Clone>(
    node: &mut Arc<Node<K, V>>,
    key: K,
    value: V,
) -> Inserted<K, V> {
    match Arc::make_mut(node) {
        Node::Leaf(entries) => match entries.binary_search_by(|(k, _)| k.cmp(&key)) {
            Ok(at) => {
                let previous = std::mem::replace(&mut entries[at].1, value);
                Inserted { previous: Some(previous), split: None }
            }
            Err(at) => {
                entries.insert(at, (key, value));
                Inserted { previous: None, split: split(entries, Node::Leaf) }
            }
        },
        Node::Branch(children) => {
            let at = child_of(children, &key);
            let below = insert(&mut children[at].1, key, value);
            if let Some(upper) = below.split {
                children.insert(at + 1, upper);
            }
            Inserted { previous: below.previous, split: split(children, Node::Branch) }
        }
    }
}

/// Cuts what is over-full in two and gives back the upper half.
fn split<K: Clone, V, N>(
    entries: &mut Vec<(K, V)>,
    node: impl FnOnce(Vec<(K, V)>) -> Node<K, N>,
) -> Option<(K, Arc<Node<K, N>>)> {
    if entries.len() <= FULL {
        return None;
    }
    let upper = entries.split_off(entries.len() / 2);
    Some((upper[0].0.clone(), Arc::new(node(upper))))
}

fn remove<K: Ord + Clone + Borrow<Q>, V: Clone, Q: Ord + ?Sized>(
    node: &mut Arc<Node<K, V>>,
    key: &Q,
) -> Option<V> {
    match Arc::make_mut(node) {
        Node::Leaf(entries) => {
            let at = entries.binary_search_by(|(k, _)| k.borrow().cmp(key)).ok()?;
            Some(entries.remove(at).1)
        }
        Node::Branch(children) => {
            let at = child_of(children, key);
            let removed = remove(&mut children[at].1, key);
            tidy(children, at);
            removed
        }
    }
}

/// Drops the child at `at` if it is empty, and merges it with a neighbour if both are sparse.
fn tidy<K: Ord + Clone, V: Clone>(children: &mut Vec<(K, Arc<Node<K, V>>)>, at: usize) {
    if children[at].1.len() == 0 {
        children.remove(at);
        return;
    }
    let left = if at + 1 < children.len() { at } else { at.saturating_sub(1) };
    if left + 1 >= children.len() || children[left].1.len() + children[left + 1].1.len() > SPARSE {
        return;
    }
    let (_, right) = children.remove(left + 1);
    match (Arc::make_mut(&mut children[left].1), &*right) {
        (Node::Leaf(into), Node::Leaf(from)) => into.extend(from.iter().cloned()),
        (Node::Branch(into), Node::Branch(from)) => into.extend(from.iter().cloned()),
        (Node::Leaf(_), Node::Branch(_)) | (Node::Branch(_), Node::Leaf(_)) => {
            unreachable!("all leaves are at one depth")
        }
    }
}

impl<K, V> Clone for Tree<K, V> {
    fn clone(&self) -> Self {
        Self { root: Arc::clone(&self.root), len: self.len }
    }
}

impl<K: Clone, V: Clone> Clone for Node<K, V> {
    fn clone(&self) -> Self {
        match self {
            Self::Leaf(entries) => Self::Leaf(roomy(entries)),
            Self::Branch(children) => Self::Branch(roomy(children)),
        }
    }
}

/// A copy with room for the insertion it is made for.
fn roomy<T: Clone>(entries: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(entries.len() + 1);
    copy.extend_from_slice(entries);
    copy
}

impl<K: fmt::Debug + Ord + Clone, V: fmt::Debug + Clone> fmt::Debug for Tree<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Walks a [`Tree`] in the order of its keys.
pub(crate) struct Iter<'a, K, V> {
    /// From the root down: each node with the next position in it.
    path: Vec<(&'a Node<K, V>, usize)>,
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (node, at) = self.path.last_mut()?;
            *at += 1;
            match node {
                Node::Leaf(entries) => {
                    if let Some((key, value)) = entries.get(*at - 1) {
                        return Some((key, value));
                    }
                    self.path.pop();
                }
                Node::Branch(children) => match children.get(*at - 1) {
                    Some((_, child)) => self.path.push((child, 0)),
                    None => {
                        self.path.pop();
                    }
                },
            }
        }
    }
}

#[cfg(test)]
mod tests;
