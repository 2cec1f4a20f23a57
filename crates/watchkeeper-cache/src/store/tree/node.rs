//! The nodes of the tree: how they are copied, split and joined.

use std::borrow::Borrow;
use std::sync::Arc;

use super::{Counted, count};

/// Keys of a node, at most.
pub(super) const FULL: usize = 32;
/// Keys that a search passes over at a time. Halving guesses wrong every other time, and waits for the text of each
/// key in turn; one that goes on in steps asks for the next while it waits for this one.
const STRIDE: usize = 6;
/// Neighbours that together have no more than this become one.
const SPARSE: usize = FULL / 2;

pub(super) struct Node<K, V> {
    /// In order, none twice. Of a branch: for each child a key that is no greater than any of its keys and
    /// greater than all before it; the first child also takes what is smaller than its key. So where a branch
    /// becomes a part of another, its first key is not the one to part by: that is the parent's.
    pub(super) keys: Arc<Vec<K>>,
    /// As many as there are keys. Only the root has none, and then it is a leaf.
    pub(super) below: Below<K, V>,
}

pub(super) enum Below<K, V> {
    Values(Vec<V>),
    Children(Vec<Arc<Node<K, V>>>),
}

/// What an insertion did to a node.
pub(super) struct Inserted<K, V> {
    pub(super) previous: Option<V>,
    /// The upper part of a node that was full, with its smallest key.
    pub(super) split: Option<(K, Arc<Node<K, V>>)>,
}

impl<K, V> Node<K, V> {
    /// Where in a leaf `key` is.
    pub(super) fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        place(&self.keys, key).ok()
    }
}

/// Where `key` is among keys in order, or where it belongs.
pub(super) fn place<K: Borrow<Q>, Q: Ord + ?Sized>(keys: &[K], key: &Q) -> Result<usize, usize> {
    // By `Ord` alone: the values of an index are others' types, whose `==` and `<` are code of their own.
    let at = before(keys, |known| known.borrow().cmp(key).is_lt());
    match keys.get(at) {
        Some(known) if known.borrow().cmp(key).is_eq() => Ok(at),
        _ => Err(at),
    }
}

/// How many of the keys come before: as `partition_point`.
pub(super) fn before<K>(keys: &[K], mut is_before: impl FnMut(&K) -> bool) -> usize {
    let mut at = 0;
    while let Some(key) = keys.get(at + STRIDE - 1)
        && is_before(key)
    {
        at += STRIDE;
    }
    while let Some(key) = keys.get(at)
        && is_before(key)
    {
        at += 1;
    }
    at
}

impl<K, V> Default for Node<K, V> {
    fn default() -> Self {
        Self { keys: Arc::default(), below: Below::Values(Vec::new()) }
    }
}

impl<K, V: Counted> Clone for Node<K, V> {
    fn clone(&self) -> Self {
        let below = match &self.below {
            Below::Values(values) => Below::Values(copied(values)),
            Below::Children(children) => Below::Children(copied(children)),
        };
        Self { keys: Arc::clone(&self.keys), below }
    }
}

/// A copy with room for the insertion it may be made for.
fn copied<V: Counted>(values: &[V]) -> Vec<V> {
    let mut copy = Vec::with_capacity(values.len() + 1);
    count(values.iter(), &mut copy);
    copy
}

/// Where `key` lives among the children that begin with `keys`.
pub(super) fn child_of<K: Borrow<Q>, Q: Ord + ?Sized>(keys: &[K], key: &Q) -> usize {
    before(keys, |first| first.borrow() <= key).saturating_sub(1)
}

pub(super) fn insert<K: Ord + Clone, V: Counted>(
    node: &mut Arc<Node<K, V>>,
    key: K,
    value: V,
) -> Inserted<K, V> {
    let node = Arc::make_mut(node);
    match &mut node.below {
        Below::Values(values) => match place(&node.keys, &key) {
            Ok(at) => {
                // An equal key may be another text, which goes with the value that it was of.
                if let Some(keys) = Arc::get_mut(&mut node.keys) {
                    keys[at] = key;
                }
                let previous = std::mem::replace(&mut values[at], value);
                Inserted { previous: Some(previous), split: None }
            }
            Err(at) => {
                put(Arc::make_mut(&mut node.keys), at, key);
                put(values, at, value);
                Inserted { previous: None, split: split(node, at) }
            }
        },
        Below::Children(children) => {
            let at = child_of(&node.keys, &key);
            let below = insert(&mut children[at], key, value);
            let Some((first, upper)) = below.split else { return below };
            let keys = Arc::make_mut(&mut node.keys);
            if at == 0 {
                // What it is named by may be greater than what parts it now.
                keys[0].clone_from(&children[0].keys[0]);
            }
            put(keys, at + 1, first);
            put(children, at + 1, upper);
            Inserted { previous: below.previous, split: split(node, at + 1) }
        }
    }
}

/// Inserts with no more room than a node can use.
fn put<T>(all: &mut Vec<T>, at: usize, one: T) {
    let len = all.len();
    if len == all.capacity() {
        all.reserve_exact(len.min((FULL + 1).saturating_sub(len)).max(1));
    }
    all.insert(at, one);
}

/// Cuts a node that is over-full in two and gives back the upper part. What grows at its end, as a list that
/// comes in order makes it grow, stays full.
fn split<K: Clone, V>(node: &mut Node<K, V>, inserted: usize) -> Option<(K, Arc<Node<K, V>>)> {
    let len = node.keys.len();
    if len <= FULL {
        return None;
    }
    let at = if inserted + 1 == len { inserted } else { len / 2 };
    let keys = cut(Arc::get_mut(&mut node.keys)?, at);
    let first = keys.first()?.clone();
    let below = match &mut node.below {
        Below::Values(values) => Below::Values(cut(values, at)),
        Below::Children(children) => Below::Children(cut(children, at)),
    };
    Some((first, Arc::new(Node { keys: Arc::new(keys), below })))
}

fn cut<T>(all: &mut Vec<T>, at: usize) -> Vec<T> {
    let upper = all.split_off(at);
    all.shrink_to_fit();
    upper
}

pub(super) fn remove<K: Ord + Clone + Borrow<Q>, V: Counted, Q: Ord + ?Sized>(
    node: &mut Arc<Node<K, V>>,
    key: &Q,
) -> Option<V> {
    let node = Arc::make_mut(node);
    match &mut node.below {
        Below::Values(values) => {
            let at = place(&node.keys, key).ok()?;
            Arc::make_mut(&mut node.keys).remove(at);
            Some(values.remove(at))
        }
        Below::Children(children) => {
            let at = child_of(&node.keys, key);
            let removed = remove(&mut children[at], key);
            tidy(&mut node.keys, children, at);
            removed
        }
    }
}

/// Drops the child at `at` if it is empty, and merges it with a neighbour if both are sparse.
fn tidy<K: Clone, V: Counted>(
    keys: &mut Arc<Vec<K>>,
    children: &mut Vec<Arc<Node<K, V>>>,
    at: usize,
) {
    let len = |at: usize| children.get(at).map_or(0, |child| child.keys.len());
    if len(at) == 0 {
        children.remove(at);
        Arc::make_mut(keys).remove(at);
        return;
    }
    let left = if at + 1 < children.len() { at } else { at.saturating_sub(1) };
    if left + 1 >= children.len() || len(left) + len(left + 1) > SPARSE {
        return;
    }
    let right = children.remove(left + 1);
    let separator = Arc::make_mut(keys).remove(left + 1);
    let into = Arc::make_mut(&mut children[left]);
    let into_keys = Arc::make_mut(&mut into.keys);
    match (&mut into.below, &right.below) {
        (Below::Values(into), Below::Values(from)) => {
            into_keys.extend(right.keys.iter().cloned());
            count(from.iter(), into);
        }
        (Below::Children(into), Below::Children(from)) => {
            // The first child is no longer that of a branch: what is below its key comes to it no more.
            into_keys.push(separator);
            into_keys.extend(right.keys.iter().skip(1).cloned());
            count(from.iter(), into);
        }
        (Below::Values(_), Below::Children(_)) | (Below::Children(_), Below::Values(_)) => {
            unreachable!("all leaves are at one depth")
        }
    }
}
