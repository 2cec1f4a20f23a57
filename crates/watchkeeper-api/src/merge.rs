//! Which lists of the built-in kinds merge in a strategic merge patch, and by which key: what Go's
//! struct tags `patchStrategy` and `patchMergeKey` say. All others are replaced as a whole.
//!
//! ```
//! use watchkeeper_api::{apps::v1::Deployment, merge::{Merge, Members}};
//! let template = ["spec", "template", "spec"];
//! let mut members = Members::of(&Deployment::KIND);
//! for name in template {
//!     members = members.and_then(|members| members.get(name).within);
//! }
//! let containers = members.map(|members| members.get("containers").merge);
//! assert_eq!(containers, Some(Merge::Key("name")));
//! ```

use crate::Kind;
use crate::generated::merge::{KINDS, STRUCTS};

/// How a list merges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// It is replaced; so is what is no list of its own.
    No,
    /// Items with the same value of this member are one.
    Key(&'static str),
    /// Equal values are one.
    Values,
}

/// A member's name, how it merges, and the number of the struct in it.
pub(crate) type Line = (&'static str, Merge, Option<u16>);

/// What is known of a struct's members.
#[derive(Clone, Copy, Debug)]
pub struct Members(&'static [Line]);

/// What is known of one member.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// How it merges.
    pub merge: Merge,
    /// The members of the struct in it, or of its items.
    pub within: Option<Members>,
}

impl Members {
    /// The members of a built-in kind; `None` if none of its lists merges, or the kind is not known.
    #[must_use]
    pub fn of(kind: &Kind) -> Option<Self> {
        let names = (&*kind.group, &*kind.version, &*kind.kind);
        let index = KINDS.binary_search_by(|known| (known.0, known.1, known.2).cmp(&names)).ok()?;
        Self::numbered(KINDS.get(index)?.3)
    }

    /// A member; one that is not known does not merge.
    #[must_use]
    pub fn get(self, name: &str) -> Member {
        let line = self.0.iter().find(|line| line.0 == name);
        line.map_or(Member { merge: Merge::No, within: None }, |(_, merge, within)| Member {
            merge: *merge,
            within: within.and_then(Self::numbered),
        })
    }

    fn numbered(number: u16) -> Option<Self> {
        STRUCTS.get(usize::from(number)).map(|lines| Self(lines))
    }
}
