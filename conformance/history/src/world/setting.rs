//! What a history is of.

use crate::bugs::Bug;
use crate::faults::Pace;
use crate::mode::Mode;
use crate::space::Space;

/// Where histories are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Server {
    /// The embedded API server.
    #[default]
    Embedded,
    /// A server of config maps only, which does a fraction of the work for each write.
    Shelf,
    /// A server of others ([`real`](crate::real)).
    Real,
}

/// Whose handlers are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Informer {
    /// Our own, in the mode that the seed draws; where there are many objects, of whole ones.
    Ours,
    /// Our own, in this mode.
    Of(Mode),
    /// The small one, with a bug or without.
    Plain(Option<Bug>),
}

impl Informer {
    pub(crate) fn mode(self, seed: u64, names: Names) -> Mode {
        match (self, names) {
            (Self::Of(mode), _) => mode,
            (Self::Ours, Names::Few) => Mode::drawn(seed),
            (Self::Ours | Self::Plain(_), _) => Mode::Whole,
        }
    }
}

/// How many objects there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// Up to forty, by the dice, so that each has many lives.
    #[default]
    Few,
    /// So many, all there at the beginning. Ranges of them come and go at once, and lists come in pages of
    /// hundreds.
    Many(u64),
}

/// What a run is of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) informer: Informer,
    pub(crate) seed: u64,
    pub(crate) names: Names,
    pub(crate) pace: Pace,
    pub(crate) mode: Mode,
}

/// How many namespaces there are where there are several.
const SEVERAL: u64 = 3;

impl Setting {
    /// The namespaces of a run, by the name of the first or what all begin with.
    pub(crate) fn space(&self, name: &str) -> Space {
        if self.mode == Mode::Namespaces { Space::several(name, SEVERAL) } else { Space::one(name) }
    }
}
