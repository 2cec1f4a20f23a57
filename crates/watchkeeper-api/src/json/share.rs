//! What repeats between the values of one decoder: texts, and whole subtrees.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::{Read, ReadError, Reader};
use crate::hash::HashKey;
use crate::{IStr, Shared};

/// Subtrees whose text is longer are decoded each time: they hardly repeat, and keeping their text
/// would cost more than it saves.
const LONGEST_SHARED: usize = 2_048;

/// Slots of each table. Replicas of a workload come close together, so a few hundred workloads at
/// a time are enough; a thousand slots of a kilobyte or two bound what a decoder holds.
const SLOTS: usize = 1_024;

/// Two direct-mapped tables: what comes later takes the slot of what came earlier.
pub(super) struct Tables {
    key: HashKey,
    texts: Vec<IStr>,
    trees: Vec<Slot>,
}

/// What is known of the last text that fell into a slot.
#[derive(Default)]
enum Slot {
    #[default]
    Empty,
    /// Met once, with this hash. Most texts are not met twice, so nothing is kept yet.
    Met(u64),
    /// Met again: the text, and the value it stands for (a `T`).
    Kept(Box<str>, Arc<dyn Any + Send + Sync>),
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
    pub(super) fn intern(&mut self, text: &str) -> IStr {
        let index = self.key.hash(text) as usize % SLOTS;
        if self.texts.is_empty() {
            self.texts.resize(SLOTS, IStr::EMPTY);
        }
        let slot = &mut self.texts[index];
        if slot != text {
            *slot = IStr::new(text);
        }
        slot.clone()
    }

    fn slot<T>(&mut self, text: &str) -> (u64, &mut Slot) {
        if self.trees.is_empty() {
            self.trees.resize_with(SLOTS, Slot::default);
        }
        // The same text can stand for values of different types; give them different slots.
        let hash = self.key.hash(text).rotate_left(size_of::<T>() as u32);
        (hash, &mut self.trees[hash as usize % SLOTS])
    }
}

impl Reader<'_> {
    /// Reads a value that objects share: one that was met before is not decoded again.
    pub(super) fn shared<T: Read + Send + Sync + 'static>(
        &mut self,
    ) -> Result<Shared<T>, ReadError> {
        self.peek()?;
        let start = self.at;
        if self.tables.is_none() {
            return T::read(self).map(Shared::from);
        }
        let text = self.raw()?;
        let end = self.at;
        if text.len() <= LONGEST_SHARED
            && let Some(tables) = &mut self.tables
        {
            let (hash, slot) = tables.slot::<T>(text);
            match slot {
                Slot::Kept(kept, value) if **kept == *text => {
                    if let Ok(value) = Arc::clone(value).downcast::<T>() {
                        return Ok(Shared::from(value));
                    }
                }
                Slot::Met(met) if *met == hash => {
                    self.at = start;
                    let value = Arc::new(T::read(self)?);
                    self.keep(text, Arc::clone(&value));
                    return Ok(Shared::from(value));
                }
                Slot::Empty | Slot::Met(_) | Slot::Kept(..) => *slot = Slot::Met(hash),
            }
        }
        self.at = start;
        let value = T::read(self).map(Shared::from);
        debug_assert!(value.is_err() || self.at == end);
        value
    }

    fn keep<T: Send + Sync + 'static>(&mut self, text: &str, value: Arc<T>) {
        if let Some(tables) = &mut self.tables {
            *tables.slot::<T>(text).1 = Slot::Kept(text.into(), value);
        }
    }
}
