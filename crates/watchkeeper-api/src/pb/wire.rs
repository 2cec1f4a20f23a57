//! The smallest parts of protobuf: wire types and tags.

/// How the value of a field is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wire {
    /// A variable-length integer.
    Varint,
    /// Eight bytes.
    Fixed64,
    /// Bytes with their length in front: texts, messages.
    Length,
    /// The beginning of a group, a form that Kubernetes does not use.
    GroupStart,
    /// The end of a group.
    GroupEnd,
    /// Four bytes.
    Fixed32,
}

impl Wire {
    pub(super) const fn from_bits(bits: u64) -> Option<Self> {
        Some(match bits {
            0 => Self::Varint,
            1 => Self::Fixed64,
            2 => Self::Length,
            3 => Self::GroupStart,
            4 => Self::GroupEnd,
            5 => Self::Fixed32,
            _ => return None,
        })
    }
}

/// What stands before a value: the number of the field, and how its value is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag {
    /// The number of the field.
    pub number: u32,
    /// The layout of the value.
    pub wire: Wire,
}
