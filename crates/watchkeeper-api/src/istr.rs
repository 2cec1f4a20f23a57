//! An immutable string of eight bytes, stored once where it occurs often.
//!
//! Objects of a cluster repeat the same few strings (label keys, image names, namespaces), so a
//! decoded object should hold references to them and not copies.
//!
//! - Up to seven bytes live in the value itself; nothing is allocated or counted.
//! - Longer ones are reference counted: when the last `IStr` goes, so does the text. Those of
//!   [`IStr::new`] live once in a process-wide table. What comes from outside cannot make the table grow
//!   for good.
//! - The table hashes with a key drawn at start, because its input is untrusted.
//! - [`IStr::unique`] skips the table for text that hardly repeats, such as a uid. So does a
//!   [decoder](crate::json::Decoder) with a text that it meets for the first time: equal texts of two
//!   objects may be stored twice, never once for each of many.
//!
//! Equality, order and hash are those of the text, whichever way a value was made.
//!
//! With `json::simd`, this module and its parts `entry` and `table` are the only ones of the crate that
//! use `unsafe`:
//!
//! - a value is either *inline* (the lowest bit of the word set; the length in the other bits of
//!   its lowest byte, the text in the other seven) or a pointer to an entry, whose alignment keeps
//!   the lowest bit clear;
//! - an entry lives as long as its count is above zero, and each `IStr` that points to it owns one
//!   of that count;
//! - the count of an entry in the table falls to zero only under the lock of its shard, so that a
//!   lookup under the same lock never finds a dying entry.
#![expect(unsafe_code, reason = "one word instead of two or three, see the module's docs")]

mod entry;
mod table;
#[cfg(test)]
mod tests;

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::ptr::NonNull;

use entry::Entry;

const WORD: usize = size_of::<usize>();

/// Bytes that fit into the value itself.
const INLINE: usize = WORD - 1;

/// Where in memory the lowest byte of the word is, which holds mark and length.
const MARK: usize = if cfg!(target_endian = "little") { 0 } else { WORD - 1 };

/// Where in memory the text of an inline value begins.
const TEXT: usize = if cfg!(target_endian = "little") { 1 } else { 0 };

/// An immutable string of one word, interned where it repeats. See the [module's docs](self).
///
/// ```
/// use watchkeeper_api::IStr;
/// let a = IStr::from("kubernetes.io/metadata.name");
/// let b = IStr::from(String::from("kubernetes.io/metadata.name"));
/// assert_eq!(a, b);
/// assert_eq!(a.as_ptr(), b.as_ptr(), "stored once");
/// assert_eq!(size_of::<Option<IStr>>(), size_of::<usize>());
/// ```
#[repr(transparent)]
pub struct IStr(NonNull<Entry>);

// SAFETY: an entry is immutable but for its count, which is atomic, and its chain link, which is
// only touched under the lock of its shard.
unsafe impl Send for IStr {}
// SAFETY: as above.
unsafe impl Sync for IStr {}

impl IStr {
    /// The empty string.
    pub const EMPTY: Self = Self(inline_word([0; WORD], 0));

    /// Takes `text` from the table, or puts it there.
    #[must_use]
    pub fn new(text: &str) -> Self {
        match Self::short(text) {
            Some(inline) => inline,
            None => Self(table::intern(text)),
        }
    }

    /// Stores `text` on its own, without looking for an equal one: for text that hardly repeats.
    #[must_use]
    pub fn unique(text: &str) -> Self {
        match Self::short(text) {
            Some(inline) => inline,
            None => Self(Entry::allocate(text, None)),
        }
    }

    /// The text.
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> &str {
        if self.is_inline() {
            let first: *const u8 = std::ptr::from_ref(self).cast();
            // SAFETY: an inline value holds its length beside the mark and that many bytes of
            // valid UTF-8 from `TEXT` on, within the value that `self` borrows.
            unsafe {
                let length = usize::from(*first.add(MARK) >> 1);
                std::str::from_utf8_unchecked(std::slice::from_raw_parts(first.add(TEXT), length))
            }
        } else {
            // SAFETY: this value owns one of the entry's count, so the entry lives as long.
            unsafe { Entry::text(self.0) }
        }
    }

    /// Bytes this value keeps on the heap; shared ones are counted in full for every holder.
    #[must_use]
    pub fn heap_size(&self) -> usize {
        if self.is_inline() {
            return 0;
        }
        // SAFETY: this value owns one of the entry's count, so the entry is alive.
        unsafe { self.0.as_ref() }.size(self.len())
    }

    /// `text`, if it fits into the value itself.
    #[inline]
    pub(crate) fn short(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() > INLINE {
            return None;
        }
        let mut word = [0; WORD];
        word[TEXT..TEXT + INLINE].copy_from_slice(&packed(bytes).to_le_bytes()[..INLINE]);
        Some(Self(inline_word(word, bytes.len())))
    }

    /// A number that two values have in common only if their texts are the same, as long as both live. Equal
    /// texts may have different ones, and that of a value that is gone may come to stand for another text.
    #[inline]
    pub(crate) fn word(&self) -> usize {
        self.0.addr().get()
    }

    /// The word of a text that is in it: equal texts have equal ones, for good. `None` of a longer text, however
    /// it was made.
    #[inline]
    pub(crate) fn short_word(&self) -> Option<u64> {
        self.is_inline().then(|| self.0.addr().get() as u64)
    }

    #[inline]
    fn is_inline(&self) -> bool {
        self.0.addr().get() & 1 == 1
    }
}

/// Whether two texts are the same. Of usual names the two ends are compared here: to call what compares any
/// bytes costs more than that.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        8..=16 => ends::<8>(a) == ends::<8>(b),
        17..=32 => ends::<16>(a) == ends::<16>(b),
        _ => a == b,
    }
}

/// The first and the last bytes, which may be the same ones.
#[inline]
fn ends<const N: usize>(bytes: &[u8]) -> (Option<&[u8; N]>, Option<&[u8; N]>) {
    (bytes.first_chunk(), bytes.last_chunk())
}

/// Up to seven bytes, the first one lowest: put together from parts that may overlap.
#[inline]
fn packed(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk(), bytes.last_chunk(), bytes) {
        (Some(first), Some(last), _) => {
            let last = u64::from(u32::from_le_bytes(*last));
            u64::from(u32::from_le_bytes(*first)) | last << (8 * (bytes.len() - 4))
        }
        (_, _, [first, .., last]) => {
            let middle = bytes.len() / 2;
            u64::from(*first)
                | u64::from(bytes[middle]) << (8 * middle)
                | u64::from(*last) << (8 * (bytes.len() - 1))
        }
        (_, _, [only]) => u64::from(*only),
        _ => 0,
    }
}

/// A word that is no pointer: text, length and mark.
const fn inline_word(mut word: [u8; WORD], length: usize) -> NonNull<Entry> {
    word[MARK] = ((length as u8) << 1) | 1;
    match std::num::NonZeroUsize::new(usize::from_ne_bytes(word)) {
        Some(address) => NonNull::without_provenance(address),
        None => unreachable!(),
    }
}

impl Drop for IStr {
    #[inline]
    fn drop(&mut self) {
        if !self.is_inline() {
            // SAFETY: this value owns one of the entry's count and is not used again.
            unsafe { table::release(self.0) }
        }
    }
}

impl Clone for IStr {
    #[inline]
    fn clone(&self) -> Self {
        // SAFETY: this value owns one of the entry's count, so the entry is alive.
        if self.is_inline() || unsafe { Entry::retain(self.0) } {
            Self(self.0)
        } else {
            Self::unique(self)
        }
    }
}

impl Default for IStr {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Deref for IStr {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for IStr {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
            // Two words that differ can still be the same text when one of them is `unique`.
            || (!self.is_inline() && !other.is_inline() && same(self.as_bytes(), other.as_bytes()))
    }
}

impl Eq for IStr {}

impl Ord for IStr {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.0 == other.0 { Ordering::Equal } else { self.as_str().cmp(other.as_str()) }
    }
}

impl PartialOrd for IStr {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for IStr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Borrow<str> for IStr {
    fn borrow(&self) -> &str {
        self
    }
}

impl AsRef<str> for IStr {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Debug for IStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for IStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

macro_rules! from_text {
    ($($text:ty),*) => { $(
        impl From<$text> for IStr {
            fn from(text: $text) -> Self {
                Self::new(text.as_ref())
            }
        }
    )* };
}
from_text!(&str, &String, String, Box<str>, Cow<'_, str>, &Cow<'_, str>);

impl From<&Self> for IStr {
    fn from(text: &Self) -> Self {
        text.clone()
    }
}

impl From<IStr> for String {
    fn from(text: IStr) -> Self {
        text.as_str().to_owned()
    }
}

impl From<&IStr> for String {
    fn from(text: &IStr) -> Self {
        text.as_str().to_owned()
    }
}

macro_rules! compare_with_text {
    ($($text:ty),*) => { $(
        impl PartialEq<$text> for IStr {
            fn eq(&self, other: &$text) -> bool {
                let other: &str = other.as_ref();
                self.as_str() == other
            }
        }
        impl PartialEq<IStr> for $text {
            fn eq(&self, other: &IStr) -> bool {
                other == self
            }
        }
    )* };
}
compare_with_text!(str, &str, String, Cow<'_, str>);
