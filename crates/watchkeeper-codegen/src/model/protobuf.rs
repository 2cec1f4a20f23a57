//! Where a field is in protobuf, as `codec!` has it.

use std::fmt;

use watchkeeper_schema::facts::{Presence, Scalar, Type};

use super::Flat;

/// How deep embedded structs nest in the tables of `watchkeeper-api`.
const LEVELS: usize = 3;

/// Where a field is: `2 1`, or `4; wrap`; empty without protobuf.
#[derive(Clone, Default)]
pub(crate) struct Position {
    /// The numbers of the embedded structs around it, then its own.
    pub(crate) numbers: Vec<u32>,
    /// What is special about it.
    pub(crate) word: Option<&'static str>,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<_> = self.numbers.iter().map(u32::to_string).collect();
        f.write_str(&numbers.join(" "))?;
        self.word.map_or(Ok(()), |word| write!(f, "; {word}"))
    }
}

/// `None` for what the tables cannot say.
pub(super) fn position(flat: &Flat<'_>) -> Option<Position> {
    let Some(numbers) = &flat.numbers else { return Some(Position::default()) };
    if numbers.len() > LEVELS || numbers.iter().any(|number| !(1..=255).contains(number)) {
        return None;
    }
    Some(Position { numbers: numbers.clone(), word: special(flat) })
}

fn special(flat: &Flat<'_>) -> Option<&'static str> {
    let field = flat.field;
    let by_value = !matches!(field.presence, Presence::Pointer | Presence::PointerOrNull);
    match innermost(&field.ty).scalar() {
        _ if field.pb_wrapped => Some("wrap"),
        Some(Scalar::Time | Scalar::MicroTime) if by_value && field.ty.scalar().is_some() => {
            Some("time")
        }
        Some(Scalar::SchemaOrBool) => Some("or_bool"),
        Some(Scalar::SchemaOrArray) => Some("or_array"),
        Some(Scalar::SchemaOrStringArray) => Some("or_strings"),
        _ => None,
    }
}

fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::List(of) | Type::Map(of) => innermost(of),
        Type::Scalar(_) | Type::Named(..) | Type::Struct(_) => ty,
    }
}
