//! The table of a struct's member names.

/// Member names, in the order in which servers write them. Made by [`names!`](crate::names).
#[derive(Debug)]
pub struct Names(&'static [&'static str]);

impl Names {
    /// A table; the index of a name is the one handed to [`Fields::set`](super::Fields::set).
    #[must_use]
    pub const fn new(names: &'static [&'static str]) -> Self {
        Self(names)
    }

    /// All names.
    #[must_use]
    pub const fn as_slice(&self) -> &'static [&'static str] {
        self.0
    }

    /// The index of `name`. Looks from `guess` on, because members mostly come in the order of the
    /// table.
    pub(super) fn find(&self, name: &str, guess: usize) -> Option<usize> {
        let guess = guess.min(self.0.len());
        let (before, after) = self.0.split_at(guess);
        let found = after.iter().position(|known| *known == name);
        found.map(|index| guess + index).or_else(|| before.iter().position(|known| *known == name))
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
        }
    };
}
