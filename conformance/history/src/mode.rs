//! What an informer keeps of its objects, and of which: each history has one of these, by its seed.

use watchkeeper_apiserver::Rng;

/// A manner of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Whole objects, of one namespace.
    Whole,
    /// Compressed ones: what is unpacked is what the server had.
    Packed,
    /// What a function makes of each: of a state that the server had, under its name, life and version.
    Transformed,
    /// Metadata only, in which the writer leaves its mark, too.
    Metadata,
    /// Several namespaces as one, in which names are the same; they are given up and taken up again. Of one
    /// that was given up nothing is told, and all of it when it is taken up.
    Namespaces,
    /// Two shards of the objects, by the hash of the uid: each life is in one of them, from birth to end.
    Sharded,
    /// One state of eight cannot be read: it is told to nobody, its object is named in the status, and the
    /// copy keeps what it had of it.
    Unreadable,
    /// Whole objects that come through the queue of the tutorials, which hands out what happened object by
    /// object: each in its order, at its own time.
    Classic,
}

impl Mode {
    /// Every one.
    pub const ALL: &'static [Self] = &[
        Self::Whole,
        Self::Packed,
        Self::Transformed,
        Self::Metadata,
        Self::Namespaces,
        Self::Sharded,
        Self::Unreadable,
        Self::Classic,
    ];

    /// In a word or two.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Packed => "packed",
            Self::Transformed => "transformed",
            Self::Metadata => "metadata only",
            Self::Namespaces => "of several namespaces",
            Self::Sharded => "sharded",
            Self::Unreadable => "with unreadable objects",
            Self::Classic => "on the classic queue",
        }
    }

    /// That of a history: every other one is of whole objects.
    #[must_use]
    pub fn drawn(seed: u64) -> Self {
        let others = &Self::ALL[1..];
        let dice = Rng::new(seed ^ 0x30de).below(2 * others.len() as u64);
        let other = usize::try_from(dice).ok().and_then(|at| others.get(at));
        other.copied().unwrap_or(Self::Whole)
    }
}
