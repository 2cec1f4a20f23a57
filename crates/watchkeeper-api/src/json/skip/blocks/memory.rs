//! Passing over what is nearly what was passed over before.
//!
//! The `managedFields` of two objects of a kind differ in a few times and addresses, which have the same
//! length. So the blocks that were found right are remembered with what was known behind each: as long as
//! everything before a block left the same state, a block of the same bytes leaves the same state, too, and is
//! only compared.

#[cfg(test)]
mod tests;

use super::{BLOCK, Masks, Scan, State, Step};

/// Blocks that are remembered: eight kilobytes of a text.
const MOST: usize = 128;

/// Shorter texts say nothing about whether it is worth it.
const FEW: usize = 8;

/// A place where so many texts in a row were new is tried only now and then.
const PATIENCE: u8 = 4;

/// What was passed over at a place the last time.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// How deep it could be nested.
    limit: usize,
    /// Each was read with what is known behind the one before it.
    blocks: Vec<Known>,
    /// How many texts in a row were mostly new.
    missed: u8,
}

/// A block that was found right.
#[derive(Debug)]
struct Known {
    bytes: [u8; BLOCK],
    behind: State,
    /// Whether nothing in it goes on behind it of which more was looked at.
    is_whole: bool,
}

impl Memory {
    /// Whether to look at what is remembered, of a text that may be nested so deep.
    pub(super) fn is_promising(&mut self, limit: usize) -> bool {
        if self.missed >= PATIENCE {
            self.missed = if self.missed >= 5 * PATIENCE { PATIENCE - 1 } else { self.missed + 1 };
            return false;
        }
        if self.limit != limit {
            self.limit = limit;
            self.blocks.clear();
        }
        true
    }

    /// A text ended in block `index`, behind so many known ones.
    fn ended(&mut self, index: usize, is_known: bool, found: usize) {
        // What is remembered of the blocks from here on followed on something else.
        if !is_known {
            self.blocks.truncate(index);
        }
        if index >= FEW {
            self.missed = if found * 4 >= index { 0 } else { self.missed + 1 };
        }
    }

    /// Remembers what block `index` left; whether the next one is remembered for the same state.
    fn keep(&mut self, index: usize, block: Known) -> bool {
        match self.blocks.get_mut(index) {
            Some(known) => std::mem::replace(known, block).behind == known.behind,
            None => {
                if index == self.blocks.len() && index < MOST {
                    self.blocks.push(block);
                }
                false
            }
        }
    }
}

/// As [`super::Walk`], with a memory.
pub(super) struct Follow<'a> {
    pub(super) text: &'a [u8],
    pub(super) limit: usize,
    pub(super) memory: &'a mut Memory,
}

impl Scan for Follow<'_> {
    type Outcome = Option<usize>;

    #[inline(always)]
    fn scan(self, masks: impl Fn(&[u8; BLOCK]) -> Masks) -> Option<usize> {
        let Self { text, limit, memory } = self;
        let mut state = State::first();
        // Whether the blocks from here on are remembered for the state that is behind the last one.
        let mut is_known = true;
        let (mut index, mut found) = (0, 0);
        loop {
            let at = index * BLOCK;
            let rest = text.get(at..).unwrap_or_default();
            let mut last = [0; BLOCK];
            let block = match rest.first_chunk::<BLOCK>() {
                Some(block) => block,
                None => {
                    // Control characters end everything that is not done before.
                    last[..rest.len()].copy_from_slice(rest);
                    &last
                }
            };
            if is_known {
                match memory.blocks.get(index) {
                    Some(known) if known.is_whole && known.bytes == *block => {
                        (index, found) = (index + 1, found + 1);
                        continue;
                    }
                    _ => {}
                }
                if let Some(before) =
                    index.checked_sub(1).and_then(|index| memory.blocks.get(index))
                {
                    state = before.behind;
                }
            }
            let masks = masks(block);
            match state.step(text, at, masks, limit) {
                Step::On => {
                    // A backslash has up to five bytes behind it.
                    let is_whole = state.scalar.0 == 0 && masks.backslash >> 58 == 0;
                    is_known = memory.keep(index, Known { bytes: *block, behind: state, is_whole });
                    index += 1;
                }
                Step::Done(length) => {
                    memory.ended(index, is_known, found);
                    return Some(at + length);
                }
                Step::Other => {
                    memory.ended(index, is_known, found);
                    return None;
                }
            }
        }
    }
}
