//! What repeats between the values of one decoder: texts, and whole subtrees. Of both codecs.

#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt;
use std::str::Utf8Error;
use std::sync::Arc;

use crate::IStr;
use crate::hash::HashKey;
use crate::json::Memory;

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

/// Slots of the table of subtrees. Replicas of a workload come close together, so a few hundred workloads at
/// a time are enough. What a slot holds is bounded by [`LONGEST_SHARED`] for the bytes, four times that
/// for the texts of the value, which have up to 24 bytes in front of eight, and [`HEAVIEST_SHARED`] for the
/// rest of it: so a decoder of hostile input holds twenty megabytes at most, and one of pods less than one.
const SLOTS: usize = 1_024;

/// Slots that a subtree may be in. With one or two, those that come with every pod can take turns in them, and
/// whether any do is a matter of luck.
const WAYS: usize = 4;

/// Slots for texts, of which there are more.
const TEXTS: usize = 2 * SLOTS;

/// Both tables begin with so many slots for each of theirs in the end: most decoders read a few dozen objects,
/// and a program may have thousands of them.
const FIRST: usize = 16;

/// A table that has met so many new ones for each of its slots grows.
const NEW: usize = 2;

/// A text that came so often is looked for in the table of the process, where other decoders find it, too.
const OFTEN: u32 = 16;

/// What follows what is remembered so often.
const STEPS: usize = 2 * SLOTS;

/// Texts that follow what is remembered so often, and what follows members of objects.
const FOLLOWING: usize = 1_024;

/// Members whose luck is remembered. Two may share a place, and then the one's bad luck keeps the other's
/// values from being shared: so there are far more than members with such values.
const PLACES: usize = 1_024;

/// Places whose values are passed over and remembered, twenty kilobytes each at most; others share them.
const PASSED: usize = 8;

/// A place where so many subtrees in a row were new is tried only now and then.
const PATIENCE: u8 = 8;

/// Two tables of few ways: what comes often takes the slot of what came earlier.
pub(crate) struct Tables {
    key: HashKey,
    texts: Vec<Text>,
    /// How many texts were new since their table grew.
    new_texts: usize,
    trees: Vec<Slot>,
    /// How many subtrees were new since their table grew.
    new_trees: usize,
    /// How many subtrees were found or kept; it may have gone round.
    uses: u32,
    /// The slot of the subtree that was found or kept last.
    last: usize,
    /// Which one came next the last time, by that slot and the place.
    next: Vec<u16>,
    /// The word of the text that was known last.
    text: usize,
    /// Which text came next the last time, by that word and the place.
    next_text: Vec<IStr>,
    /// Which member came next the last time, by the place of the one before it.
    next_member: [u8; FOLLOWING],
    /// What was passed over at a place the last time.
    passed: [Option<Box<Memory>>; PASSED],
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
    /// How often it was met again since.
    times: u32,
    /// A part of the hash of the last one that was new.
    met: u32,
}

/// What is known of the bytes that fell into a slot.
#[derive(Default)]
struct Slot {
    /// Met at least twice, or where what was kept before it was met again.
    kept: Option<Tree>,
    /// What [`Tables::uses`] was when it was found the last time.
    used: u32,
    /// A part of the hash of the last bytes that were new. Most are not met twice, so nothing is kept of
    /// them, nor does what is kept make room.
    met: u32,
}

/// A subtree that may come again.
struct Tree {
    bytes: Box<[u8]>,
    /// What the bytes stand for.
    value: Arc<dyn Any + Send + Sync>,
    /// How deep it was when it was read.
    depth: u32,
    /// At most [`HEAVIEST_SHARED`].
    weight: u16,
    /// As much of the hash of the bytes as says in which slots they may be, however many there are.
    hash: u16,
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
            new_texts: 0,
            trees: Vec::new(),
            new_trees: 0,
            uses: 0,
            last: 0,
            next: Vec::new(),
            text: 0,
            next_text: Vec::new(),
            next_member: [0; FOLLOWING],
            passed: Default::default(),
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

impl Text {
    /// The one that is kept, which was met again.
    fn again(&mut self) -> IStr {
        self.times = self.times.saturating_add(1);
        if self.times == OFTEN {
            self.kept = IStr::new(&self.kept);
        }
        self.kept.clone()
    }
}

impl Tables {
    /// As [`IStr::new`], without the lock of the process-wide table unless the text comes often. What
    /// is met for the first time stays on its own: most of it does not come again, or comes within a
    /// subtree that does. So does what replicas have in common, from the second time on once for all of
    /// them: it is gone from this table before others would look for it.
    pub(crate) fn intern(&mut self, text: &str) -> IStr {
        self.look_up(text).0
    }

    /// As [`Tables::intern`]; the text is expected at this place from now on, behind the one that was known
    /// before it. What is expected is compared with what a string of JSON says as it stands, so it must have
    /// nothing in it that is escaped there.
    pub(crate) fn intern_at(&mut self, place: usize, text: &str) -> IStr {
        let (text, is_known) = self.look_up(text);
        if is_known {
            self.expect_text(place, &text);
        }
        text
    }

    /// As [`Tables::intern_at`], of bytes: what equals a text that came lately is one, unseen.
    pub(crate) fn intern_bytes(&mut self, place: usize, bytes: &[u8]) -> Result<IStr, Utf8Error> {
        if let Some(text) = self.expected_text(place, |expected| expected == bytes) {
            return Ok(text);
        }
        if (SHORTEST_TEXT..=LONGEST_TEXT).contains(&bytes.len()) && !self.texts.is_empty() {
            let pair = pair(&mut self.texts, self.key.hash(bytes));
            if let Some(slot) = pair.iter_mut().find(|slot| slot.kept.as_bytes() == bytes) {
                let text = slot.again();
                self.expect_text(place, &text);
                return Ok(text);
            }
        }
        std::str::from_utf8(bytes).map(|text| self.intern_at(place, text))
    }

    /// The text, and whether it is short or was met before.
    fn look_up(&mut self, text: &str) -> (IStr, bool) {
        if let Some(short) = IStr::short(text) {
            return (short, true);
        }
        if text.len() > LONGEST_TEXT {
            return (IStr::new(text), false);
        }
        self.make_room_for_texts();
        let hash = self.key.hash(text.as_bytes());
        let pair = pair(&mut self.texts, hash);
        if let Some(slot) = pair.iter_mut().find(|slot| slot.kept == *text) {
            return (slot.again(), true);
        }
        self.new_texts += 1;
        let (met, value) = ((hash >> 32) as u32, IStr::unique(text));
        let is_known = std::mem::replace(&mut pair[met as usize % 2].met, met) == met;
        if is_known {
            // The one that came less goes; the other has to come again to stay the next time.
            let [first, second] = pair;
            let (less, more) =
                if first.times <= second.times { (first, second) } else { (second, first) };
            more.times /= 2;
            (less.kept, less.times) = (value.clone(), 0);
        }
        (value, is_known)
    }

    /// Twice as many slots once there were many new texts; those that are kept stay.
    fn make_room_for_texts(&mut self) {
        let Some(slots) = more(self.texts.len(), self.new_texts, TEXTS) else { return };
        self.new_texts = 0;
        let old = std::mem::take(&mut self.texts);
        self.texts.resize_with(slots, Text::default);
        self.next_text.resize(FOLLOWING, IStr::EMPTY);
        for (index, text) in old.into_iter().enumerate().filter(|(_, text)| !text.kept.is_empty()) {
            let hash = self.key.hash(text.kept.as_bytes());
            pair(&mut self.texts, hash)[index % 2] = text;
        }
    }

    /// The text that came at this place after the last known one the last time, if it `is_next`. Objects that
    /// are alike have the same texts in the same order: they need not be looked for, nor their end.
    #[inline]
    pub(crate) fn expected_text(
        &mut self,
        place: usize,
        is_next: impl FnOnce(&[u8]) -> bool,
    ) -> Option<IStr> {
        let text = self.next_text.get(self.text_step(place))?;
        if text.is_empty() || !is_next(text.as_bytes()) {
            return None;
        }
        self.text = text.word();
        Some(text.clone())
    }

    fn expect_text(&mut self, place: usize, text: &IStr) {
        let step = self.text_step(place);
        if let Some(next) = self.next_text.get_mut(step) {
            next.clone_from(text);
        }
        self.text = text.word();
    }

    /// Words differ in their upper half if they are texts, and in the lower one if they are places in memory.
    fn text_step(&self, place: usize) -> usize {
        let text = self.text as u64;
        spot(place.wrapping_add((text ^ text >> 32) as usize), FOLLOWING)
    }

    /// What is remembered of the value that was passed over at this place.
    pub(crate) fn memory(&mut self, place: usize) -> &mut Memory {
        self.passed[spot(place, PASSED)].get_or_insert_default()
    }

    /// The member that came after the one at this place the last time; any before the first time.
    pub(crate) fn member_after(&self, place: usize) -> usize {
        usize::from(self.next_member[spot(place, FOLLOWING)])
    }

    /// Remembers it.
    pub(crate) fn expect_member(&mut self, place: usize, next: usize) {
        self.next_member[spot(place, FOLLOWING)] = next as u8;
    }

    /// Forgets everything. The key stays: nothing was said of it.
    pub(crate) fn clear(&mut self) {
        (self.texts, self.trees, self.next) = (Vec::new(), Vec::new(), Vec::new());
        (self.new_texts, self.new_trees) = (0, 0);
        (self.last, self.failed) = (0, [1; PLACES]);
        (self.text, self.next_text, self.passed) = (0, Vec::new(), Default::default());
    }

    /// The value that `bytes` stood for as a `T`, if they were met twice before.
    pub(crate) fn find<T: Send + Sync + 'static>(&mut self, bytes: &[u8]) -> Found<T> {
        if bytes.len() > LONGEST_SHARED {
            return Found::New;
        }
        let (hash, first) = self.index::<T>(bytes);
        for index in first..first + WAYS {
            if let Some(tree) = &self.trees[index].kept
                && *tree.bytes == *bytes
                && let Ok(value) = Arc::clone(&tree.value).downcast::<T>()
            {
                self.found = self.found.wrapping_add(usize::from(tree.weight));
                self.passed(index);
                return Found::Value(value);
            }
        }
        self.new_trees += 1;
        let met = (hash >> 32) as u32;
        let slot = &mut self.trees[first + met as usize % WAYS];
        if std::mem::replace(&mut slot.met, met) == met { Found::Again } else { Found::New }
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
        let next = usize::from(*self.next.get(self.step())?);
        let slot = self.trees.get_mut(next)?;
        let tree = slot.kept.as_ref()?;
        if !text.starts_with(&tree.bytes) || depth > tree.depth as usize {
            return None;
        }
        let value = Arc::clone(&tree.value).downcast::<T>().ok()?;
        let length = tree.bytes.len();
        self.found = self.found.wrapping_add(usize::from(tree.weight));
        self.uses = self.uses.wrapping_add(1);
        (slot.used, self.last) = (self.uses, next);
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
        let (Ok(depth), Ok(weight)) = (u32::try_from(depth), u16::try_from(weight)) else { return };
        if bytes.len() > LONGEST_SHARED || usize::from(weight) > HEAVIEST_SHARED {
            return;
        }
        let (hash, first) = self.index::<T>(bytes);
        let age = |index: &usize| {
            let slot = &self.trees[*index];
            slot.kept.as_ref().map_or(u32::MAX, |_| self.uses.wrapping_sub(slot.used))
        };
        let index = (first..first + WAYS).max_by_key(age).unwrap_or(first);
        let tree = Tree { bytes: bytes.into(), value: value(), depth, weight, hash: hash as u16 };
        self.trees[index].kept = Some(tree);
        self.passed(index);
    }

    /// Remembers that the subtree of this slot came here after the last one.
    fn passed(&mut self, index: usize) {
        let step = self.step();
        if let Some(next) = self.next.get_mut(step) {
            *next = index as u16;
        }
        self.uses = self.uses.wrapping_add(1);
        (self.trees[index].used, self.last) = (self.uses, index);
    }

    fn step(&self) -> usize {
        spot(self.place.wrapping_add(self.last * 0x1_0001), STEPS)
    }

    /// The hash of some bytes, and the first of the slots that they may be in.
    fn index<T>(&mut self, bytes: &[u8]) -> (u64, usize) {
        self.make_room_for_trees();
        // The same bytes can stand for values of different types; give them different slots.
        let hash = self.key.hash(bytes).rotate_left(size_of::<T>() as u32);
        (hash, first_slot(&self.trees, hash as u16))
    }

    /// Twice as many slots once there were many new subtrees; those that are kept stay.
    fn make_room_for_trees(&mut self) {
        let Some(slots) = more(self.trees.len(), self.new_trees, SLOTS) else { return };
        self.new_trees = 0;
        let old = std::mem::take(&mut self.trees);
        self.trees.resize_with(slots, Slot::default);
        self.next.resize(STEPS, 0);
        for (index, slot) in old.into_iter().enumerate() {
            if let Some(tree) = &slot.kept {
                let first = first_slot(&self.trees, tree.hash);
                self.trees[first + index % WAYS] = slot;
            }
        }
    }

    /// How promising it is to look for a subtree here.
    pub(crate) fn hope(&mut self) -> Hope {
        let failed = &mut self.failed[spot(self.place, PLACES)];
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
        let failed = &mut self.failed[spot(self.place, PLACES)];
        *failed = if found { 0 } else { (*failed + 1).min(3 * PATIENCE) };
    }
}

/// How many slots a table of `slots` is to have, if more, after so many new ones came since it grew.
fn more(slots: usize, new: usize, most: usize) -> Option<usize> {
    let is_enough = slots == most || slots > 0 && new < NEW * slots;
    (!is_enough).then(|| (2 * slots).max(most / FIRST))
}

/// The two slots that a text with this hash may be in: with one, two that come with every pod could take turns.
fn pair(texts: &mut [Text], hash: u64) -> &mut [Text; 2] {
    let (pairs, _) = texts.as_chunks_mut();
    let mask = pairs.len() - 1;
    &mut pairs[hash as usize & mask]
}

/// The first of the slots that a subtree with this hash may be in. There are as many as a power of two.
fn first_slot(trees: &[Slot], hash: u16) -> usize {
    usize::from(hash) & (trees.len() - 1) & !(WAYS - 1)
}

/// Where something with this number is in a table of so many, a power of two of at most 65,536: numbers
/// beside each other are far apart.
fn spot(number: usize, length: usize) -> usize {
    ((number as u32).wrapping_mul(0x9E37_79B9) >> 16) as usize % length
}

/// The place of an element of the list at a place. The first few have one each: the last of a pod's volumes is
/// new where those before it are known. The others share one, so that long lists meet no other members.
pub(crate) fn element(place: usize, index: usize) -> usize {
    place.wrapping_add(index.min(7) << 8)
}
