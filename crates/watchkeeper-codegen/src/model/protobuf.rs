//! Where a field is in protobuf, as `codec!` has it.

use watchkeeper_schema::facts::{Presence, Scalar, Type};

use super::Flat;

/// How deep embedded structs nest in the tables of `watchkeeper-api`.
const LEVELS: usize = 3;

/// `2 1`, or `4; wrap`; empty without protobuf. `None` for what the tables cannot say.
pub(super) fn numbers(flat: &Flat<'_>) -> Option<String> {
    let Some(numbers) = &flat.numbers else { return Some(String::new()) };
    if numbers.len() > LEVELS || numbers.iter().any(|number| !(1..=255).contains(number)) {
        return None;
    }
    let mut text = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    if let Some(word) = special(flat) {
        text += &format!("; {word}");
    }
    Some(text)
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
