//! Passing over an object or a list that is written as servers write: without space between tokens.
//!
//! The text is looked at in blocks of 64 bytes, one bit a byte, and nearly all of JSON's grammar is
//! asked of whole blocks: what may follow what can be said with shifts, and which strings are names
//! with an addition that runs through each string from its first quote to its last. Only brackets are
//! walked one by one, and of those not the empty pairs, and numbers and words are read where they are.
//!
//! What is accepted here is JSON. What is not may still be: space between tokens, deep nesting. That
//! and all errors are left to the walk in [`super`], which knows places.
//!
//! # Terms
//!
//! *Outside* is neither within a string nor its closing quote. `x << 1`, with the last bit of the block
//! before, is "behind an x": [`Behind::of`].
//!
//! A string behind a comma or an opening brace may be a name. With a colon behind it, it stands in an
//! object, else in a list, as does anything else behind a comma: `of_object` and `of_list` have a bit
//! where that shows, which is before the next bracket has its effect.

mod memory;
#[cfg(test)]
mod tests;

pub(crate) use memory::Memory;

use crate::json::simd::{self, BLOCK, Masks, Scan};

/// How many objects and lists can be open: a bit each.
const LEVELS: usize = 62;

/// The length of the object or list that `text` begins with, if it is one that is nested at most
/// `depth` deep and written without space.
pub(super) fn length(text: &[u8], depth: usize) -> Option<usize> {
    // An empty pair is not counted, and is one deeper than what is around it.
    let limit = depth.checked_sub(1)?.min(LEVELS);
    if let [b'{', b'}', ..] | [b'[', b']', ..] = text {
        return Some(2);
    }
    if simd::IS_FAST || cfg!(test) { simd::run(Walk { text, limit }) } else { None }
}

/// As [`length`], faster where the text is nearly what was passed over with this memory before.
pub(super) fn length_like(text: &[u8], depth: usize, memory: &mut Memory) -> Option<usize> {
    let limit = depth.checked_sub(1)?.min(LEVELS);
    let is_empty = matches!(text, [b'{', b'}', ..] | [b'[', b']', ..]);
    if !is_empty && (simd::IS_FAST || cfg!(test)) && memory.is_promising(limit) {
        return simd::run(memory::Follow { text, limit, memory });
    }
    length(text, depth)
}

struct Walk<'a> {
    text: &'a [u8],
    limit: usize,
}

impl Scan for Walk<'_> {
    type Outcome = Option<usize>;

    #[inline(always)]
    fn scan(self, masks: impl Fn(&[u8; BLOCK]) -> Masks) -> Option<usize> {
        let mut state = State::first();
        let mut at = 0;
        loop {
            let rest = self.text.get(at..)?;
            let step = match rest.first_chunk::<BLOCK>() {
                Some(block) => state.step(self.text, at, masks(block), self.limit),
                None if rest.is_empty() => return None,
                None => {
                    // Control characters end everything that is not done before.
                    let mut block = [0; BLOCK];
                    block[..rest.len()].copy_from_slice(rest);
                    state.step(self.text, at, masks(&block), self.limit)
                }
            };
            match step {
                Step::On => at += BLOCK,
                Step::Done(length) => return Some(at + length),
                Step::Other => return None,
            }
        }
    }
}

enum Step {
    /// The value goes on behind the block.
    On,
    /// It ends within the block, behind so many bytes.
    Done(usize),
    /// It is no JSON, or written in another way.
    Other,
}

/// The last bit of a mask of the block before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Behind(u64);

impl Behind {
    /// What comes behind the bytes of `mask`.
    #[inline(always)]
    fn of(&mut self, mask: u64) -> u64 {
        let behind = mask << 1 | self.0;
        self.0 = mask >> 63;
        behind
    }
}

/// What is carried from block to block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    /// All bits, if the block begins within a string.
    within: u64,
    /// A bit, if the first byte is escaped.
    escaped: u64,
    /// Whether the string that the block begins in may be a name.
    name: bool,
    punctuation: Behind,
    curly: Behind,
    square: Behind,
    comma: Behind,
    scalar: Behind,
    closing_name: Behind,
    /// What is open, the innermost in the lowest bit: set for an object.
    open: u64,
    depth: usize,
}

impl State {
    /// As if a colon stood before the value.
    #[inline(always)]
    fn first() -> Self {
        Self { punctuation: Behind(1), ..Self::default() }
    }

    #[inline(always)]
    fn step(&mut self, text: &[u8], at: usize, masks: Masks, limit: usize) -> Step {
        let escaped = self.escaped(masks.backslash);
        let quote = masks.quote & !escaped;
        // From each opening quote to the byte before its closing one.
        let string = below_odd(quote) ^ self.within;
        self.within = ((string as i64) >> 63) as u64;
        let opening = quote & string;
        let closing = quote & !string;
        let outside = !(string | closing);

        let open = masks.open & outside;
        let close = masks.close & outside;
        let colon = masks.colon & outside;
        let comma = masks.comma & outside;
        let scalar = outside & !(open | close | colon | comma);
        let scalar_start = scalar & !self.scalar.of(scalar);
        let start = opening | open | scalar_start;

        let behind_curly = self.curly.of(open & masks.curly);
        let behind_square = self.square.of(open & !masks.curly);
        let behind_comma = self.comma.of(comma);
        let behind_punctuation = self.punctuation.of(open | colon | comma);
        let empty = close & (behind_curly & masks.curly | behind_square & !masks.curly);

        let name = ends(string, opening & (behind_curly | behind_comma), &mut self.name);
        let behind_name = self.closing_name.of(name);

        let wrong = masks.control
            | masks.space & outside
            // A value stands behind punctuation, and nowhere else.
            | behind_punctuation & !(start | empty)
            | start & !behind_punctuation
            | behind_curly & !(opening | empty)
            | colon & !behind_name;
        let of_object = behind_name & colon;
        let of_list = behind_name & !colon | behind_comma & (open | scalar_start);

        let odd = escaped & !(masks.quote | masks.backslash);

        // The brackets, without pairs that are empty; a pair that two blocks share counts as any other.
        let pairs = empty & !1;
        let mut brackets = open & !(pairs >> 1) | close & !pairs;
        let mut seen = 0;
        let mut misplaced = 0;
        while brackets != 0 {
            let bit = brackets & brackets.wrapping_neg();
            brackets ^= bit;
            let up_to = bit | (bit - 1);
            misplaced |= (up_to & !seen) & if self.open & 1 == 1 { of_list } else { of_object };
            seen = up_to;
            // Opening or closing is as good as random: no branch.
            let is_open = u64::from(open & bit != 0);
            let curly = u64::from(masks.curly & bit != 0);
            misplaced |= (self.open ^ curly) & !is_open & 1;
            let (inner, outer) = (self.open << 1 | curly, self.open >> 1);
            self.open = if is_open == 1 { inner } else { outer };
            self.depth = self.depth.wrapping_add(2 * is_open as usize).wrapping_sub(1);
            if self.depth.wrapping_sub(1) >= limit {
                // The end, or too deep.
                let (scalars, odd) = (scalar_start & up_to, odd & up_to);
                let done = self.depth == 0
                    && misplaced | wrong & up_to == 0
                    && tokens_are_right(text, at, scalars, odd);
                return if done {
                    Step::Done(bit.trailing_zeros() as usize + 1)
                } else {
                    Step::Other
                };
            }
        }
        misplaced |= !seen & if self.open & 1 == 1 { of_list } else { of_object };
        if misplaced | wrong == 0 && self.depth > 0 && tokens_are_right(text, at, scalar_start, odd)
        {
            Step::On
        } else {
            Step::Other
        }
    }

    /// The bytes behind backslashes that are not escaped themselves.
    #[inline(always)]
    fn escaped(&mut self, mut backslash: u64) -> u64 {
        let mut escaped = self.escaped;
        backslash &= !escaped;
        let behind = backslash << 1;
        if backslash & behind == 0 {
            self.escaped = backslash >> 63;
            return escaped | behind;
        }
        self.escaped = 0;
        while backslash != 0 {
            let bit = backslash & backslash.wrapping_neg();
            escaped |= bit << 1;
            self.escaped = bit >> 63;
            backslash &= !(bit | bit << 1);
        }
        escaped
    }
}

/// A bit is set where the number of bits of `mask` up to it is odd.
#[inline(always)]
fn below_odd(mut mask: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        mask ^= mask << shift;
    }
    mask
}

/// The closing quotes of the strings that have one of these opening quotes: the sum carries each
/// through its string.
#[inline(always)]
fn ends(string: u64, opening: u64, carried: &mut bool) -> u64 {
    let (sum, first) = string.overflowing_add(opening);
    let (sum, second) = sum.overflowing_add(u64::from(*carried));
    *carried = first | second;
    sum & !string
}

/// Whether numbers, words and escapes are what they must be. Few texts have many.
#[inline(always)]
fn tokens_are_right(text: &[u8], at: usize, mut scalars: u64, mut escaped: u64) -> bool {
    while scalars != 0 {
        let place = at + scalars.trailing_zeros() as usize;
        scalars &= scalars - 1;
        if !is_scalar(&text[place.min(text.len())..]) {
            return false;
        }
    }
    while escaped != 0 {
        let place = at + escaped.trailing_zeros() as usize;
        escaped &= escaped - 1;
        if !is_escape(&text[place.min(text.len())..]) {
            return false;
        }
    }
    true
}

/// Whether `text` begins with a number or a word, and a token behind it.
fn is_scalar(text: &[u8]) -> bool {
    let length = match text.first() {
        Some(b't') => word(text, b"true"),
        Some(b'f') => word(text, b"false"),
        Some(b'n') => word(text, b"null"),
        Some(_) => number(text),
        None => 0,
    };
    length > 0 && matches!(text.get(length), Some(b',' | b'}' | b']'))
}

fn word(text: &[u8], word: &[u8]) -> usize {
    if text.starts_with(word) { word.len() } else { 0 }
}

/// The length of the number that `text` begins with; nothing if there is none.
fn number(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(text[0] == b'-');
    let whole = digits(sign);
    if whole == 0 || whole > 1 && text[sign] == b'0' {
        return 0;
    }
    let mut length = sign + whole;
    if text.get(length) == Some(&b'.') {
        let places = digits(length + 1);
        if places == 0 {
            return 0;
        }
        length += 1 + places;
    }
    if let Some(b'e' | b'E') = text.get(length) {
        let sign = usize::from(matches!(text.get(length + 1), Some(b'+' | b'-')));
        let places = text.get(length + 1 + sign..).map_or(0, |_| digits(length + 1 + sign));
        if places == 0 {
            return 0;
        }
        length += 1 + sign + places;
    }
    length
}

/// Whether `text` begins with what may stand behind a backslash.
fn is_escape(text: &[u8]) -> bool {
    match text.first() {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
        Some(b'u') => text.get(1..5).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
        _ => false,
    }
}
