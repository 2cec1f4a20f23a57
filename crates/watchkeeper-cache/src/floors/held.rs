//! Why a read is not answered yet.

use std::fmt;

use watchkeeper_api::ObjectKey;

use crate::version::Version;

/// What a read waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// The answer to a write.
    Write,
    /// The version that a write made.
    Version(Version),
    /// The version that a write made, which may be one that is not selected.
    Unsure(Version),
    /// The end of an object that was deleted.
    Deletion,
    /// What the server says of a write whose answer was lost, or does not tell.
    Unknown,
    /// A state of this object that can be read: what came of an own write cannot.
    Unread(ObjectKey),
}

impl Held {
    /// Whether it may take an answer of the server to go on.
    pub(crate) const fn is_question(&self) -> bool {
        matches!(self, Self::Unsure(_) | Self::Unknown)
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write => f.write_str("the answer to a write"),
            Self::Version(version) => write!(f, "version {version}"),
            Self::Unsure(version) => write!(f, "version {version}, if that is selected"),
            Self::Deletion => f.write_str("the end of an object that was deleted"),
            Self::Unknown => f.write_str("what became of a write whose answer did not tell"),
            Self::Unread(key) => write!(f, "a state of {key} that can be read"),
        }
    }
}
