//! What repeats between the values of one decoder: texts, and whole subtrees. Of both codecs.

#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::IStr;
use crate::hash::HashKey;

/// Subtrees whose bytes are more are decoded each time: they hardly repeat, and keeping their bytes
/// would cost more than it saves.
pub(crate) const LONGEST_SHARED: usize = 2_048;

/// Longer texts are not kept, for the same reason; so a table of texts holds less than its slots
/// times this.
const LONGEST_TEXT: usize = 512;

/// Slots of each table. Replicas of a workload come close together, so a few hundred workloads at
/// a time are enough; a thousand slots of a kilobyte or two bound what a decoder holds.
const SLOTS: usize = 1_024;

/// Two direct-mapped tables: what comes later takes the slot of what came earlier.
pub(crate) struct Tables {
    key: HashKey,
    texts: Vec<IStr>,
    trees: Vec<Slot>,
}

/// What is known of the last bytes that fell into a slot.
#[derive(Default)]
enum Slot {
    #[default]
    Empty,
    /// Met once, with this hash. Most bytes are not met twice, so nothing is kept yet.
    Met(u64),
    /// Met again: the bytes, and the value they stand for (a `T`).
    Kept(Box<[u8]>, Arc<dyn Any + Send + Sync>),
}

/// What is known of a subtree.
pub(crate) enum Found<T> {
    /// Its value.
    Value(Arc<T>),
    /// It was met before: its value is worth keeping.
    Again,
    /// Nothing.
    New,
}

impl Default for Tables {
    fn default() -> Self {
        Self { key: HashKey::draw(), texts: Vec::new(), trees: Vec::new() }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").finish_non_exhaustive()
    }
}

impl Tables {
    /// As [`IStr::new`], without the lock of the process-wide table when the text came lately.
    pub(crate) fn intern(&mut self, text: &str) -> IStr {
        if text.len() > LONGEST_TEXT {
            return IStr::new(text);
        }
        let index = self.key.hash(text.as_bytes()) as usize % SLOTS;
        if self.texts.is_empty() {
            self.texts.resize(SLOTS, IStr::EMPTY);
        }
        let slot = &mut self.texts[index];
        if slot != text {
            *slot = IStr::new(text);
        }
        slot.clone()
    }

    /// Forgets everything. The key stays: nothing was said of it.
    pub(crate) fn clear(&mut self) {
        (self.texts, self.trees) = (Vec::new(), Vec::new());
    }

    /// The value that `bytes` stood for as a `T`, if they were met twice before.
    pub(crate) fn find<T: Send + Sync + 'static>(&mut self, bytes: &[u8]) -> Found<T> {
        if bytes.len() > LONGEST_SHARED {
            return Found::New;
        }
        let (hash, slot) = self.slot::<T>(bytes);
        match slot {
            Slot::Kept(kept, value) if **kept == *bytes => {
                if let Ok(value) = Arc::clone(value).downcast::<T>() {
                    return Found::Value(value);
                }
            }
            Slot::Met(met) if *met == hash => return Found::Again,
            Slot::Empty | Slot::Met(_) | Slot::Kept(..) => *slot = Slot::Met(hash),
        }
        Found::New
    }

    /// Keeps what `bytes` stand for.
    pub(crate) fn keep<T: Send + Sync + 'static>(&mut self, bytes: &[u8], value: Arc<T>) {
        *self.slot::<T>(bytes).1 = Slot::Kept(bytes.into(), value);
    }

    fn slot<T>(&mut self, bytes: &[u8]) -> (u64, &mut Slot) {
        if self.trees.is_empty() {
            self.trees.resize_with(SLOTS, Slot::default);
        }
        // The same bytes can stand for values of different types; give them different slots.
        let hash = self.key.hash(bytes).rotate_left(size_of::<T>() as u32);
        (hash, &mut self.trees[hash as usize % SLOTS])
    }
}
