//! The table of a struct's member names.

/// Member names, in the order in which servers write them. Made by [`names!`](crate::names).
///
/// All of them are one text, so that a table is a handful of words: a slice for each would have to be
/// put right in memory when the program starts.
#[derive(Debug)]
pub struct Names {
    /// The names as JSON has them, one behind the other: `"name":"image":`.
    text: &'static [u8],
    /// Where each of them begins, and where the last one ends.
    starts: &'static [u16],
    /// A hash of them.
    hash: u32,
}

/// What stands around a name in [`Names::text`].
const QUOTE: usize = 1;
const QUOTE_AND_COLON: usize = 2;

impl Names {
    /// A table of all names in their quotes, each with its colon, and what [`Names::starts`] makes of
    /// them; the index of a name is the one handed to [`Fields::set`](super::Fields::set).
    #[doc(hidden)]
    #[must_use]
    pub const fn new(text: &'static [u8], starts: &'static [u16]) -> Self {
        // FNV-1a of the names themselves.
        let (mut hash, mut name) = (0x811C_9DC5_u32, 0);
        while name + 1 < starts.len() {
            let mut at = starts[name] as usize + QUOTE;
            while at < starts[name + 1] as usize - QUOTE_AND_COLON {
                hash = (hash ^ text[at] as u32).wrapping_mul(0x0100_0193);
                at += 1;
            }
            hash = (hash ^ 0xFF).wrapping_mul(0x0100_0193);
            name += 1;
        }
        Self { text, starts, hash }
    }

    /// Where each name begins when all stand in quotes and with a colon, and where the last one ends.
    ///
    /// # Panics
    /// When `N` is not one more than there are names, or their text is too long: at compile time,
    /// since tables are constants.
    #[doc(hidden)]
    #[must_use]
    pub const fn starts<const N: usize>(names: &[&str]) -> [u16; N] {
        let (mut starts, mut name) = ([0; N], 0);
        while name < names.len() {
            let end = starts[name] as usize + QUOTE + names[name].len() + QUOTE_AND_COLON;
            assert!(end <= u16::MAX as usize, "the names of a struct are too long");
            starts[name + 1] = end as u16;
            name += 1;
        }
        starts
    }

    /// The text of names that are no literals, `N` bytes long: [`Names::length`] says how many.
    ///
    /// # Panics
    /// When `N` is another: at compile time, since tables are constants.
    #[doc(hidden)]
    #[must_use]
    pub const fn text<const N: usize>(names: &[&str]) -> [u8; N] {
        let (mut text, mut end, mut name) = ([0; N], 0, 0);
        while name < names.len() {
            let (bytes, mut at) = (names[name].as_bytes(), 0);
            text[end] = b'"';
            while at < bytes.len() {
                text[end + QUOTE + at] = bytes[at];
                at += 1;
            }
            end += QUOTE + at + QUOTE_AND_COLON;
            (text[end - 2], text[end - 1]) = (b'"', b':');
            name += 1;
        }
        assert!(end == N, "the text has another length");
        text
    }

    /// How long the text of names is.
    #[doc(hidden)]
    #[must_use]
    pub const fn length(names: &[&str]) -> usize {
        let (mut length, mut name) = (0, 0);
        while name < names.len() {
            length += QUOTE + names[name].len() + QUOTE_AND_COLON;
            name += 1;
        }
        length
    }

    /// The name with this index.
    #[must_use]
    pub fn name(&self, index: usize) -> Option<&'static str> {
        let quoted = self.quoted(index)?;
        std::str::from_utf8(quoted.get(QUOTE..quoted.len().checked_sub(QUOTE_AND_COLON)?)?).ok()
    }

    /// A number of this table, to which the index of a member is added. It comes from the names and not from
    /// where they are in memory, so that which places meet does not change with each build.
    pub(crate) const fn place(&self) -> usize {
        self.hash as usize
    }

    /// The name with this index in its quotes, and its colon.
    #[inline]
    pub(crate) fn quoted(&self, index: usize) -> Option<&'static [u8]> {
        match self.starts.get(index..)? {
            [start, end, ..] => self.text.get(usize::from(*start)..usize::from(*end)),
            _ => None,
        }
    }

    /// The index of `name`. Looks from `guess` on, because members mostly come in the order of the
    /// table.
    pub(super) fn find(&self, name: &str, guess: usize) -> Option<usize> {
        let count = self.starts.len().saturating_sub(1);
        let guess = guess.min(count);
        let is_name = |index: &usize| {
            let quoted = self.quoted(*index).unwrap_or_default();
            quoted.len() == QUOTE + name.len() + QUOTE_AND_COLON
                && same(&quoted[QUOTE..QUOTE + name.len()], name.as_bytes())
        };
        (guess..count).chain(0..guess).find(is_name)
    }
}

/// Equality of short texts, without a call: the first and the last bytes as words that may overlap.
#[inline]
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    fn ends<const N: usize>(text: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
        Some((text.first_chunk()?, text.last_chunk()?))
    }
    a.len() == b.len()
        && match a.len() {
            0..4 => a.iter().eq(b),
            4..8 => ends::<4>(a) == ends::<4>(b),
            8..=16 => ends::<8>(a) == ends::<8>(b),
            17..=32 => ends::<16>(a) == ends::<16>(b),
            _ => a == b,
        }
}

/// A `&'static` [`Names`](crate::json::Names) table of member names.
#[macro_export]
macro_rules! names {
    ($($name:literal),* $(,)?) => {
        const {
            const ALL: &[&str] = &[$($name),*];
            const STARTS: [u16; ALL.len() + 1] = $crate::json::Names::starts(ALL);
            const TEXT: &str = ::core::concat!($("\"", $name, "\":"),*);
            &$crate::json::Names::new(TEXT.as_bytes(), &STARTS)
        }
    };
}

/// Implements [`Read`](crate::json::Read) for a struct with `Default` and
/// [`Fields`](crate::json::Fields), given its table of names. Few structs are read in every way: what is not asked
/// for is not built.
#[macro_export]
macro_rules! struct_codec {
    ($type:ty, $names:expr) => {
        impl $crate::json::Read for $type {
            #[inline]
            fn read(
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<Self, $crate::json::ReadError> {
                $crate::json::structs::read(r, $names)
            }
            #[inline]
            fn read_into(
                &mut self,
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<(), $crate::json::ReadError> {
                r.object($names, self)
            }
            #[inline]
            fn read_onto(
                elements: &mut ::std::vec::Vec<Self>,
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<(), $crate::json::ReadError> {
                $crate::json::structs::read_onto(elements, r, $names)
            }
            #[inline]
            fn read_option(
                slot: &mut ::core::option::Option<Self>,
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<(), $crate::json::ReadError> {
                $crate::json::structs::read_option(slot, r, $names)
            }
            #[inline]
            fn read_boxed(
                slot: &mut ::core::option::Option<::std::boxed::Box<Self>>,
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<(), $crate::json::ReadError> {
                $crate::json::structs::read_boxed(slot, r, $names)
            }
        }
    };
}
