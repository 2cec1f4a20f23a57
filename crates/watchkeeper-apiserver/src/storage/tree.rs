//! The trees of objects: made from their JSON when somebody wants them, and kept while they are recent.
//!
//! A tree takes some eight times the room of its JSON, as a map has 632 bytes however few members it has. So
//! what is stored is JSON, and of all trees of a process only those are kept that were made last, up to a bound
//! ([`KEPT`]). Each object knows its own without keeping it. Whether a tree is there shows in nothing but time:
//! what is read from the JSON of a tree is that tree.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;
use serde_json::Value;

use super::chain::Chain;
use super::text;

/// An object as a tree, shared and never changed.
#[derive(Clone)]
pub struct Tree(Arc<Node>);

/// In a box, as a place that still knows of a tree that has gone keeps the room of what is here.
struct Node(Box<Held>);

struct Held {
    value: Value,
    /// Whether it was wanted since it was last looked at by [`Recent`].
    is_wanted: AtomicBool,
    /// The protobuf messages of it by their models, since the versions of a kind may differ in shape.
    messages: Chain<(String, Bytes)>,
}

impl Tree {
    /// A tree that nobody else has.
    #[must_use]
    pub fn new(value: Value) -> Self {
        let (is_wanted, messages) = (AtomicBool::new(false), Chain::default());
        Self(Arc::new(Node(Box::new(Held { value, is_wanted, messages }))))
    }

    /// The value: the tree's own where nobody else has it, else a copy.
    #[must_use]
    pub fn into_value(self) -> Value {
        Arc::try_unwrap(self.0).map_or_else(|shared| shared.0.value.clone(), |node| node.0.value)
    }

    /// The message of that model; `make` makes it the first time.
    pub(super) fn message(&self, model: &str, make: impl FnOnce(&Value) -> Bytes) -> Bytes {
        let Held { value, messages, .. } = &*self.0.0;
        let known = messages.iter().find(|(of, _)| of == model).map(|(_, message)| message.clone());
        known.unwrap_or_else(|| {
            let message = make(value);
            messages.add((model.to_owned(), message.clone()));
            message
        })
    }

    fn note_wanted(&self) {
        self.0.0.is_wanted.store(true, Ordering::Relaxed);
    }

    fn take_wanted(&self) -> bool {
        self.0.0.is_wanted.swap(false, Ordering::Relaxed)
    }
}

impl Deref for Tree {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0.0.value
    }
}

/// Nothing of it: it may be a secret.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").finish_non_exhaustive()
    }
}

/// Where an object has its tree.
pub(super) struct Place(Mutex<At>);

enum At {
    /// In [`RECENT`], if it still is.
    Recent(Weak<Node>),
    /// Here: a deep tree is dropped where there is a large stack for it, so nobody else keeps it, and that of
    /// an object that is not stored is wanted once.
    Here(Tree),
}

impl Place {
    /// The place of a tree whose JSON has that many bytes.
    pub(super) fn new(tree: Tree, bytes: usize, is_deep: bool) -> Self {
        if is_deep {
            return Self::of_its_own(tree);
        }
        let weak = Arc::downgrade(&tree.0);
        keep(tree, bytes);
        Self(Mutex::new(At::Recent(weak)))
    }

    /// The place of a tree that goes with its object, as that is stored nowhere.
    pub(super) const fn of_its_own(tree: Tree) -> Self {
        Self(Mutex::new(At::Here(tree)))
    }

    /// Whether the tree stays.
    pub(super) fn is_here(&self) -> bool {
        matches!(&*self.0.lock().unwrap_or_else(PoisonError::into_inner), At::Here(_))
    }

    /// The tree, if it is there.
    pub(super) fn at_hand(&self) -> Option<Tree> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            At::Recent(weak) => weak.upgrade().map(Tree),
            At::Here(tree) => Some(tree.clone()),
        }
    }

    /// The tree, which is kept for a while from now.
    pub(super) fn get_or_read(&self, head: &str, tail: &[u8]) -> Tree {
        if let Some(tree) = self.at_hand() {
            tree.note_wanted();
            return tree;
        }
        // Two may come here at once; either tree is the tree.
        let tree = Tree::new(text::read(head, tail));
        let weak = Arc::downgrade(&tree.0);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = At::Recent(weak);
        keep(tree.clone(), tail.len());
        tree
    }
}

impl Clone for Place {
    fn clone(&self) -> Self {
        let at = match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            At::Recent(weak) => At::Recent(weak.clone()),
            At::Here(tree) => At::Here(tree.clone()),
        };
        Self(Mutex::new(at))
    }
}

/// Of how many bytes of JSON trees are kept that were wanted, about: of a hundred pods.
const KEPT: usize = 448 << 10;
/// Of how many more trees are kept that were just made. Most are never wanted, and go while a processor has them
/// at hand.
const NEW: usize = 64 << 10;
/// What each tree counts beside its JSON, as small ones take more than their share.
const EACH: usize = 512;
/// How many trees that were wanted may stay when one has to go, before one of them has to.
const SPARED: usize = 16;

/// The trees that were made last. One list for the process, so that a thousand servers take no more than one.
static RECENT: Mutex<Recent> = Mutex::new(Recent::new());

struct Recent {
    new: Queue,
    wanted: Queue,
}

/// Trees with what they count, the oldest first.
struct Queue {
    trees: VecDeque<(Tree, usize)>,
    bytes: usize,
}

impl Queue {
    const fn new() -> Self {
        Self { trees: VecDeque::new(), bytes: 0 }
    }

    fn push(&mut self, (tree, bytes): (Tree, usize)) {
        self.trees.push_back((tree, bytes));
        self.bytes += bytes;
    }

    /// Takes the oldest out, if there are too many; tells whether it was wanted since it came in.
    fn surplus(&mut self, most: usize) -> Option<((Tree, usize), bool)> {
        let (tree, bytes) = self.trees.pop_front_if(|_| self.bytes > most)?;
        self.bytes -= bytes;
        let was_wanted = tree.take_wanted();
        Some(((tree, bytes), was_wanted))
    }
}

impl Recent {
    const fn new() -> Self {
        Self { new: Queue::new(), wanted: Queue::new() }
    }

    /// Takes a tree in, and gives out what has to go for it.
    fn push(&mut self, tree: Tree, bytes: usize) -> Vec<Tree> {
        self.new.push((tree, bytes));
        let mut gone = Vec::new();
        while let Some((old, was_wanted)) = self.new.surplus(NEW) {
            if was_wanted { self.wanted.push(old) } else { gone.push(old.0) }
        }
        let mut spared = 0;
        while let Some((old, was_wanted)) = self.wanted.surplus(KEPT) {
            if was_wanted && spared < SPARED {
                spared += 1;
                self.wanted.push(old);
            } else {
                gone.push(old.0);
            }
        }
        gone
    }
}

fn keep(tree: Tree, bytes: usize) {
    let surplus = RECENT.lock().unwrap_or_else(PoisonError::into_inner).push(tree, bytes + EACH);
    // Without the lock, as it takes its time.
    drop(surplus);
}

#[cfg(test)]
mod tests;
