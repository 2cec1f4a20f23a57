//! What repeats between the values of one decoder: texts, and whole subtrees. Of both codecs.

#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt;
use std::str::Utf8Error;
use std::sync::Arc;

use crate::IStr;
use crate::hash::HashKey;

/// Subtrees whose bytes are more are decoded each time: they hardly repeat, and keeping their bytes
/// would cost more than it saves.
pub(crate) const LONGEST_SHARED: usize = 2_048;

/// Nor are values kept whose elements, entries and boxes take more: an empty element takes two bytes of a
/// message and a hundred of the heap. Eight kilobytes of two are more than any pod says.
pub(crate) const HEAVIEST_SHARED: usize = 8_192;

/// Longer texts are not kept, for the same reason; so a table of texts holds less than its slots
/// times this.
const LONGEST_TEXT: usize = 512;

/// Shorter texts live in their [`IStr`]: there is nothing to look for.
const SHORTEST_TEXT: usize = size_of::<usize>();

/// Slots of each table. Replicas of a workload come close together, so a few hundred workloads at
/// a time are enough. What a slot holds is bounded by [`LONGEST_SHARED`] for the bytes, four times that
/// for the texts of the value, which have up to 24 bytes in front of eight, and [`HEAVIEST_SHARED`] for the
/// rest of it: so a decoder of hostile input holds twenty megabytes at most, and one of pods less than one.
const SLOTS: usize = 1_024;

/// Slots for texts, of which there are more.
const TEXTS: usize = 2 * SLOTS;

/// What follows what is remembered so often.
const STEPS: usize = 2 * SLOTS;

/// Members whose luck is remembered; two may share a place.
const PLACES: usize = 64;

/// A place where so many subtrees in a row were new is tried only now and then.
const PATIENCE: u8 = 8;

/// Two direct-mapped tables: what comes later takes the slot of what came earlier.
pub(crate) struct Tables {
    key: HashKey,
    texts: Vec<Text>,
    trees: Vec<Slot>,
    /// The slot of the subtree that was found or kept last.
    last: usize,
    /// Which one came next the last time, by that slot and the place.
    next: Vec<u32>,
    /// The place that is read: some member of some type.
    place: usize,
    /// For each place how many subtrees in a row were new.
    failed: [u8; PLACES],
    /// What all values that were found weigh, so that a value with such in it can be weighed.
    found: usize,
}

/// What is known of the texts that fell into a slot.
#[derive(Default)]
struct Text {
    /// Met at least twice.
    kept: IStr,
    /// A part of the hash of the last one that was new.
    met: u32,
}

/// What is known of the last bytes that fell into a slot.
#[derive(Default)]
enum Slot {
    #[default]
    Empty,
    /// Met once, with this hash. Most bytes are not met twice, so nothing is kept yet.
    Met(u64),
    /// Met again.
    Kept(Tree),
}

/// A subtree that may come again.
struct Tree {
    bytes: Box<[u8]>,
    /// What the bytes stand for.
    value: Arc<dyn Any + Send + Sync>,
    /// How deep it was when it was read.
    depth: u32,
    /// At most [`HEAVIEST_SHARED`].
    weight: u32,
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

/// How promising it is to look for a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hope {
    /// The last one here was known: keep a new one at once.
    High,
    /// Look for it.
    Low,
    /// Read it, most here are new.
    None,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            key: HashKey::draw(),
            texts: Vec::new(),
            trees: Vec::new(),
            last: 0,
            next: Vec::new(),
            place: 0,
            failed: [1; PLACES],
            found: 0,
        }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").finish_non_exhaustive()
    }
}

impl Tables {
    /// As [`IStr::new`], without the lock of the process-wide table when the text came lately. What
    /// is met for the first time stays on its own: most of it does not come again, or comes within a
    /// subtree that does.
    pub(crate) fn intern(&mut self, text: &str) -> IStr {
        if let Some(short) = IStr::short(text) {
            return short;
        }
        if text.len() > LONGEST_TEXT {
            return IStr::new(text);
        }
        if self.texts.is_empty() {
            self.texts.resize_with(TEXTS, Text::default);
        }
        let hash = self.key.hash(text.as_bytes());
        let slot = &mut self.texts[hash as usize % TEXTS];
        if slot.kept == *text {
            return slot.kept.clone();
        }
        let met = (hash >> 32) as u32;
        if slot.met != met {
            slot.met = met;
            return IStr::unique(text);
        }
        slot.kept = IStr::new(text);
        slot.kept.clone()
    }

    /// As [`Tables::intern`], of bytes: what equals a text that came lately is one, unseen.
    pub(crate) fn intern_bytes(&mut self, bytes: &[u8]) -> Result<IStr, Utf8Error> {
        if (SHORTEST_TEXT..=LONGEST_TEXT).contains(&bytes.len()) && !self.texts.is_empty() {
            let kept = &self.texts[self.key.hash(bytes) as usize % TEXTS].kept;
            if kept.as_bytes() == bytes {
                return Ok(kept.clone());
            }
        }
        std::str::from_utf8(bytes).map(|text| self.intern(text))
    }

    /// Forgets everything. The key stays: nothing was said of it.
    pub(crate) fn clear(&mut self) {
        (self.texts, self.trees, self.next) = (Vec::new(), Vec::new(), Vec::new());
        (self.last, self.failed) = (0, [1; PLACES]);
    }

    /// The value that `bytes` stood for as a `T`, if they were met twice before.
    pub(crate) fn find<T: Send + Sync + 'static>(&mut self, bytes: &[u8]) -> Found<T> {
        if bytes.len() > LONGEST_SHARED {
            return Found::New;
        }
        let (hash, index) = self.index::<T>(bytes);
        let slot = &mut self.trees[index];
        match slot {
            Slot::Kept(tree) if *tree.bytes == *bytes => {
                if let Ok(value) = Arc::clone(&tree.value).downcast::<T>() {
                    self.found = self.found.wrapping_add(tree.weight as usize);
                    self.passed(index);
                    return Found::Value(value);
                }
            }
            Slot::Met(met) if *met == hash => return Found::Again,
            Slot::Empty | Slot::Met(_) | Slot::Kept(_) => *slot = Slot::Met(hash),
        }
        Found::New
    }

    /// Says which place is read: a number that tells the members of types apart, most of the time.
    pub(crate) fn at(&mut self, place: usize) {
        self.place = place;
    }

    /// The value that came here after the last one the last time, if `text` begins with its bytes: how
    /// many they are, and the value. Such bytes must end where the value does.
    ///
    /// Objects that are alike have the same subtrees in the same order, so nothing needs to be
    /// looked for; only compared.
    pub(crate) fn expected<T: Send + Sync + 'static>(
        &mut self,
        text: &[u8],
        depth: usize,
    ) -> Option<(usize, Arc<T>)> {
        let next = *self.next.get(self.step())? as usize;
        let Slot::Kept(tree) = self.trees.get(next)? else { return None };
        if !text.starts_with(&tree.bytes) || depth > tree.depth as usize {
            return None;
        }
        let value = Arc::clone(&tree.value).downcast::<T>().ok()?;
        let length = tree.bytes.len();
        self.found = self.found.wrapping_add(tree.weight as usize);
        self.last = next;
        self.tried(true);
        Some((length, value))
    }

    /// What all values that were found weigh together; it may have gone round.
    pub(crate) fn found(&self) -> usize {
        self.found
    }

    /// Keeps what `bytes` stand for, which were read at some depth. The weight is what its value takes
    /// beside texts.
    pub(crate) fn keep<T: Send + Sync + 'static>(
        &mut self,
        bytes: &[u8],
        depth: usize,
        weight: usize,
        value: impl FnOnce() -> Arc<T>,
    ) {
        let (Ok(depth), Ok(weight)) = (u32::try_from(depth), u32::try_from(weight)) else { return };
        if bytes.len() > LONGEST_SHARED || weight as usize > HEAVIEST_SHARED {
            return;
        }
        let index = self.index::<T>(bytes).1;
        let tree = Tree { bytes: bytes.into(), value: value(), depth, weight };
        self.trees[index] = Slot::Kept(tree);
        self.passed(index);
    }

    /// Remembers that the subtree of this slot came here after the last one.
    fn passed(&mut self, index: usize) {
        let step = self.step();
        if let Some(next) = self.next.get_mut(step) {
            *next = index as u32;
        }
        self.last = index;
    }

    fn step(&self) -> usize {
        (self.last * 7 + self.place) % STEPS
    }

    fn index<T>(&mut self, bytes: &[u8]) -> (u64, usize) {
        if self.trees.is_empty() {
            self.trees.resize_with(SLOTS, Slot::default);
            self.next.resize(STEPS, 0);
        }
        // The same bytes can stand for values of different types; give them different slots.
        let hash = self.key.hash(bytes).rotate_left(size_of::<T>() as u32);
        (hash, hash as usize % SLOTS)
    }

    /// How promising it is to look for a subtree here.
    pub(crate) fn hope(&mut self) -> Hope {
        let failed = &mut self.failed[self.place % PLACES];
        if *failed == 0 {
            return Hope::High;
        }
        // Beyond the patience the count goes round: one in so many is tried.
        if *failed >= PATIENCE {
            *failed = if *failed >= 3 * PATIENCE { PATIENCE } else { *failed + 1 };
            return if *failed == PATIENCE { Hope::Low } else { Hope::None };
        }
        Hope::Low
    }

    /// Remembers whether a subtree was found here, where it was looked for.
    pub(crate) fn tried(&mut self, found: bool) {
        let failed = &mut self.failed[self.place % PLACES];
        *failed = if found { 0 } else { (*failed + 1).min(3 * PATIENCE) };
    }
}
