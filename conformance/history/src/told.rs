//! What a handler was told, in numbers: which object, which life of it, which version, and what was in it.

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object as _, ObjectKey};
use watchkeeper_cache::Change;

/// A state of an object, as somebody saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The object's number: its name is made of it.
    pub object: u64,
    /// Which life of that name: a hash of the uid.
    pub life: u64,
    /// The version.
    pub version: u64,
    /// What the writer wrote into it, another number each time.
    pub mark: u64,
    /// Whether it carries the label that half of the copies select.
    pub even: bool,
}

impl Seen {
    /// What a client holds.
    #[must_use]
    pub fn of(map: &ConfigMap) -> Self {
        let number = |text: Option<&str>| text.and_then(|text| text.parse().ok()).unwrap_or(0);
        Self {
            object: object_of(map.name()),
            life: hash(map.uid()),
            version: number(Some(map.resource_version())),
            mark: number(map.data.get(MARK).map(|mark| &**mark)),
            even: map.label(EVEN) == Some("true"),
        }
    }

    /// One number for all of it, that two different states do not share.
    #[must_use]
    pub const fn digest(&self) -> u64 {
        let parts = [self.object, self.life, self.version, self.mark, self.even as u64];
        mix(&parts)
    }
}

/// Where the writer leaves its mark.
pub const MARK: &str = "mark";
/// The label that half of the copies select.
pub const EVEN: &str = "even";

/// The name of an object.
#[must_use]
pub fn name_of(object: u64) -> String {
    format!("o-{object}")
}

/// The number of an object. Names that the writer did not make are counted from far above.
#[must_use]
pub fn object_of(name: &str) -> u64 {
    let number = name.strip_prefix("o-").and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| hash(name) | 1 << 63)
}

/// The key of an object.
#[must_use]
pub fn key_of(namespace: &str, object: u64) -> ObjectKey {
    ObjectKey::new(namespace, name_of(object))
}

/// What a handler was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// An object is new to it.
    Added {
        /// The object.
        new: Seen,
        /// It was there as the handler came.
        initial: bool,
    },
    /// An object has another state, or the same once more.
    Updated {
        /// The state before.
        old: Seen,
        /// The state now.
        new: Seen,
    },
    /// An object is gone.
    Deleted {
        /// Its last state.
        last: Seen,
        /// Nobody saw it go.
        unknown: bool,
    },
}

impl Told {
    /// The change in numbers.
    #[must_use]
    pub fn of(change: &Change<ConfigMap>) -> Self {
        match change {
            Change::Added { new, initial } => Self::Added { new: Seen::of(new), initial: *initial },
            Change::Updated { old, new } => {
                Self::Updated { old: Seen::of(old), new: Seen::of(new) }
            }
            Change::Deleted { last, final_state_unknown } => {
                Self::Deleted { last: Seen::of(last), unknown: *final_state_unknown }
            }
        }
    }

    /// The newest state in it.
    #[must_use]
    pub const fn seen(&self) -> Seen {
        match *self {
            Self::Added { new, .. } | Self::Updated { new, .. } => new,
            Self::Deleted { last, .. } => last,
        }
    }

    /// One number for what was told. Whether an object was there as a handler came is no part of it.
    #[must_use]
    pub const fn digest(&self) -> u64 {
        let (kind, seen) = match self {
            Self::Added { new, .. } => (1, new),
            Self::Updated { new, .. } => (2, new),
            Self::Deleted { last, unknown: false } => (3, last),
            Self::Deleted { last, unknown: true } => (4, last),
        };
        mix(&[kind, seen.digest()])
    }
}

/// A hash of a text (FNV-1a): the same on every machine.
#[must_use]
pub fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// One number of several (the finalizer of SplitMix64 over each).
#[must_use]
pub const fn mix(parts: &[u64]) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut rest = parts;
    while let [part, more @ ..] = rest {
        state = (state ^ *part).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^= state >> 32;
        rest = more;
    }
    state
}
