//! What a handler was told, in numbers: which object, which life of it, which version, and what was in it.

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Metadata, Object};
use watchkeeper_cache::{Change, Item};

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
        Self::with(map, map.data.get(MARK).map(|mark| &**mark))
    }

    /// What a client holds of the metadata.
    #[must_use]
    pub fn of_metadata(map: &Metadata<ConfigMap>) -> Self {
        Self::with(map, map.annotation(MARK))
    }

    fn with<K: Object>(object: &K, mark: Option<&str>) -> Self {
        Self {
            object: object_of(object.namespace().unwrap_or_default(), object.name()),
            life: hash(object.uid()),
            version: number(Some(object.resource_version())),
            mark: number(mark),
            even: object.label(EVEN) == Some("true"),
        }
    }

    /// Whether what was written last cannot be read, in histories that have such.
    #[must_use]
    pub const fn is_unreadable(&self) -> bool {
        is_unreadable(self.mark)
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

/// Whether a state with this mark cannot be read, in histories that have such.
#[must_use]
pub const fn is_unreadable(mark: u64) -> bool {
    mark.is_multiple_of(8)
}

pub(crate) fn number(text: Option<&str>) -> u64 {
    text.and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// How many namespaces a history may have. An object's number tells its name and its namespace.
pub const PARTS: u64 = 4;

/// The name of an object.
#[must_use]
pub fn name_of(object: u64) -> String {
    format!("o-{}", object / PARTS)
}

/// The number of its namespace.
#[must_use]
pub const fn part_of(object: u64) -> u64 {
    object % PARTS
}

/// The number of an object. Names that the writer did not make are counted from far above.
#[must_use]
pub fn object_of(namespace: &str, name: &str) -> u64 {
    let part = namespace.rsplit_once("-p").and_then(|(_, part)| part.parse::<u64>().ok());
    let part = part.filter(|part| *part < PARTS).unwrap_or(0);
    let number = name.strip_prefix("o-").and_then(|number| number.parse::<u32>().ok());
    number.map_or(hash(name) | 1 << 63, |number| u64::from(number) * PARTS + part)
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
    pub fn of<K: Item>(change: &Change<K>, seen: impl Fn(&K) -> Seen) -> Self {
        match change {
            Change::Added { new, initial } => Self::Added { new: seen(new), initial: *initial },
            Change::Updated { old, new } => Self::Updated { old: seen(old), new: seen(new) },
            Change::Deleted { last, final_state_unknown } => {
                Self::Deleted { last: seen(last), unknown: *final_state_unknown }
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

    /// Whether it was there as the handler came.
    #[must_use]
    pub const fn is_initial(&self) -> bool {
        matches!(self, Self::Added { initial: true, .. })
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
    hash_of(text.as_bytes())
}

/// The same of bytes.
#[must_use]
pub fn hash_of(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
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
