//! The table of a struct's member names.

/// Member names, in the order in which servers write them. Made by [`names!`](crate::names).
#[derive(Debug)]
pub struct Names {
    names: &'static [&'static str],
    /// A hash of them.
    hash: u32,
}

impl Names {
    /// A table; the index of a name is the one handed to [`Fields::set`](super::Fields::set).
    #[must_use]
    pub const fn new(names: &'static [&'static str]) -> Self {
        // FNV-1a.
        let (mut hash, mut name) = (0x811C_9DC5_u32, 0);
        while name < names.len() {
            let (bytes, mut at) = (names[name].as_bytes(), 0);
            while at < bytes.len() {
                hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
                at += 1;
            }
            hash = (hash ^ 0xFF).wrapping_mul(0x0100_0193);
            name += 1;
        }
        Self { names, hash }
    }

    /// All names.
    #[must_use]
    pub const fn as_slice(&self) -> &'static [&'static str] {
        self.names
    }

    /// A number of this table, to which the index of a member is added. It comes from the names and not from
    /// where they are in memory, so that which places meet does not change with each build.
    pub(crate) const fn place(&self) -> usize {
        self.hash as usize
    }

    /// The name with this index.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&'static str> {
        self.names.get(index).copied()
    }

    /// The index of `name`. Looks from `guess` on, because members mostly come in the order of the
    /// table.
    pub(super) fn find(&self, name: &str, guess: usize) -> Option<usize> {
        let guess = guess.min(self.names.len());
        let is_name = |known: &&str| same(known.as_bytes(), name.as_bytes());
        let (before, after) = self.names.split_at(guess);
        let found = after.iter().position(is_name).map(|index| guess + index);
        found.or_else(|| before.iter().position(is_name))
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
            _ => a == b,
        }
}

/// A `&'static` [`Names`](crate::json::Names) table of member names.
#[macro_export]
macro_rules! names {
    ($($name:literal),* $(,)?) => {
        const { &$crate::json::Names::new(&[$($name),*]) }
    };
}

/// Implements [`Read`](crate::json::Read) for a struct with `Default` and
/// [`Fields`](crate::json::Fields), given its table of names.
#[macro_export]
macro_rules! struct_codec {
    ($type:ty, $names:expr) => {
        impl $crate::json::Read for $type {
            fn read(
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<Self, $crate::json::ReadError> {
                let mut value = <Self as ::core::default::Default>::default();
                r.object($names, &mut value)?;
                ::core::result::Result::Ok(value)
            }
            fn read_into(
                &mut self,
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<(), $crate::json::ReadError> {
                r.object($names, self)
            }
            fn read_onto(
                elements: &mut ::std::vec::Vec<Self>,
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<(), $crate::json::ReadError> {
                elements.push(<Self as ::core::default::Default>::default());
                match elements.last_mut() {
                    ::core::option::Option::Some(element) => r.object($names, element),
                    ::core::option::Option::None => ::core::result::Result::Ok(()),
                }
            }
            fn read_boxed(
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<::std::boxed::Box<Self>, $crate::json::ReadError> {
                let mut value = ::std::boxed::Box::<Self>::default();
                r.object($names, &mut *value)?;
                ::core::result::Result::Ok(value)
            }
        }
    };
}
