//! The table of a message's members.

use crate::json::Names;

/// How deep embedded structs nest: protobuf has a message where JSON has the members at once.
pub(super) const LEVELS: usize = 3;

/// The members of a message, and what kind it is.
#[derive(Debug)]
pub struct Members {
    pub(super) names: &'static Names,
    /// Sorted by path, so that each embedded struct is a run.
    pub(super) all: &'static [Member],
    pub(super) kind: Option<Named>,
}

/// The names that a message has when it travels by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Group and version: `apps/v1`.
    pub api_version: &'static str,
    /// The kind: `Deployment`.
    pub kind: &'static str,
    /// Whether it goes by other apiVersions, too.
    pub any_version: bool,
}

/// A member: where it is in protobuf, and which field of the struct it is.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The numbers of the structs around it, then its own; zero where there is none.
    pub(super) path: [u8; LEVELS],
    /// The index of its name, and in [`Message::merge_member`](super::Message::merge_member).
    pub(super) index: u8,
    pub(super) rule: Rule,
}

/// What is special about a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Nothing.
    #[default]
    Plain,
    /// It is an element of a list or the value of an entry, written even when empty.
    Element,
    /// Its text hardly repeats, so it is not interned.
    Unique,
    /// It is read only by decoders that keep managed fields.
    Managed,
    /// Go holds it by value: it is written even when absent, as an empty message.
    Value,
    /// A list in a message of its own.
    Wrapped,
    /// As [`Rule::Wrapped`], as the value of an entry: written even when empty.
    WrappedElement,
    /// Upstream's `JSONSchemaPropsOrBool`.
    SchemaOrBool,
    /// Upstream's `JSONSchemaPropsOrArray`.
    SchemaOrArray,
    /// Upstream's `JSONSchemaPropsOrStringArray`.
    SchemaOrStrings,
}

impl Rule {
    /// The rule for what the member holds.
    #[must_use]
    pub const fn within(self) -> Self {
        match self {
            Self::Plain => Self::Element,
            Self::Wrapped => Self::WrappedElement,
            other => other,
        }
    }

    pub(super) const fn is_wrapped(self) -> bool {
        matches!(self, Self::Wrapped | Self::WrappedElement)
    }
}

impl Member {
    /// A member with the numbers of the embedded structs around it and its own.
    ///
    /// # Panics
    /// When there are more than three numbers: at compile time, since tables are constants.
    #[must_use]
    pub const fn new(path: &[u8], index: u8, rule: Rule) -> Self {
        let mut padded = [0; LEVELS];
        let mut level = 0;
        while level < path.len() {
            padded[level] = path[level];
            level += 1;
        }
        Self { path: padded, index, rule }
    }

    /// The members in the order of their numbers, in which messages are written.
    #[must_use]
    pub const fn sorted<const N: usize>(mut members: [Self; N]) -> [Self; N] {
        let mut sorted = 1;
        while sorted < N {
            let mut at = sorted;
            while at > 0 && members[at].order() < members[at - 1].order() {
                let later = members[at];
                members[at] = members[at - 1];
                members[at - 1] = later;
                at -= 1;
            }
            sorted += 1;
        }
        members
    }

    const fn order(self) -> u32 {
        u32::from_be_bytes([0, self.path[0], self.path[1], self.path[2]])
    }
}

impl Members {
    /// A table; `all` comes from [`Member::sorted`].
    #[must_use]
    pub const fn new(names: &'static Names, all: &'static [Member], kind: Option<Named>) -> Self {
        Self { names, all, kind }
    }

    /// What the message is called when it travels by itself.
    #[must_use]
    pub const fn named(&self) -> Option<Named> {
        self.kind
    }
}

/// Where in `members` that number begins at this level. Looks from `guess` on, because members come
/// in the order of their numbers, in which the table is, too.
#[inline]
pub(super) fn find(members: &[Member], level: usize, number: u32, guess: usize) -> Option<usize> {
    for (index, member) in members.iter().enumerate().skip(guess) {
        let found = u32::from(member.path[level]);
        if found == number {
            return Some(index);
        }
        if found > number {
            break;
        }
    }
    members.iter().position(|member| u32::from(member.path[level]) == number)
}

/// The members of the embedded struct that begins at `first`.
pub(super) fn run(members: &[Member], level: usize, first: usize) -> &[Member] {
    let number = members[first].path[level];
    let length = members[first..].iter().take_while(|member| member.path[level] == number).count();
    &members[first..first + length]
}
