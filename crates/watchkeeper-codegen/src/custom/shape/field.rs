//! Members: when they are there, and what they are called.

use std::collections::BTreeSet;

use super::{Field, Rule, Ty};
use crate::name;

/// The field that keeps the members without a field of their own.
pub(crate) const REST: &str = "other";

/// What the struct says of a member.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) required: bool,
    pub(super) nullable: bool,
    /// The server fills in what an empty list or map is not.
    pub(super) filled: bool,
    /// It is the spec or the status of a kind.
    pub(super) part: bool,
}

/// The metadata of a kind.
pub(super) fn metadata() -> Field {
    let ty = Ty::Api("meta::v1::ObjectMeta");
    Field {
        json: "metadata".into(),
        name: "metadata".into(),
        ty,
        rule: Rule::Opt,
        doc: None,
        note: None,
    }
}

/// Lists and maps are absent when empty, everything else is an option when it may be absent; so are lists
/// and maps that the server fills in where they are absent, as there would be no empty ones. The spec and
/// the status are there always, as in built-in kinds.
pub(super) fn field(json: &str, ty: Ty, place: Place) -> Field {
    let Place { required, nullable, filled, part } = place;
    let always = if required { Rule::Req } else { Rule::Opt };
    let is_struct = matches!(ty, Ty::Struct(_) | Ty::Back(_))
        || matches!(ty, Ty::Api(path) if path.starts_with("meta::"));
    let by_value = required && !nullable;
    let (ty, rule) = match ty {
        Ty::Raw => (Ty::Raw, always),
        Ty::AnyObject if part => (ty, always),
        // A time by value has no empty one, and a struct that holds itself no end.
        Ty::Api("Time" | "MicroTime") => (Ty::Option(Box::new(ty)), Rule::Opt),
        Ty::Back(_) => (Ty::Boxed(Box::new(ty)), Rule::Opt),
        Ty::List(_) | Ty::Map(_) if required && nullable => (Ty::Option(Box::new(ty)), Rule::Req),
        Ty::List(_) | Ty::Map(_) if filled => (Ty::Option(Box::new(ty)), Rule::Opt),
        Ty::List(_) | Ty::Map(_) => (ty, always),
        _ if by_value || part && is_struct => (ty, always),
        _ if is_struct => (Ty::Boxed(Box::new(ty)), always),
        _ => (Ty::Option(Box::new(ty)), always),
    };
    Field { json: json.to_owned(), name: String::new(), ty, rule, doc: None, note: None }
}

/// Names the fields, each by a name of its own. Those of a whole object stand beside its metadata.
pub(super) fn name(fields: &mut [Field], root: bool) {
    let mut taken = BTreeSet::from([REST.to_owned()]);
    taken.extend(root.then(|| metadata().name));
    for field in fields.iter_mut() {
        let wanted = identifier(&field.json);
        let mut name = wanted.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{}_{number}", wanted.trim_end_matches('_'));
            number += 1;
        }
        field.name = name;
    }
}

/// A field's name from whatever a member is called.
pub(crate) fn identifier(json: &str) -> String {
    let mut plain = String::new();
    for c in json.chars() {
        plain.push(if c.is_ascii_alphanumeric() { c } else { '-' });
    }
    let snake = name::field(plain.trim_matches('-'));
    let mut out = String::with_capacity(snake.len());
    for c in snake.chars() {
        if c != '_' || !out.ends_with('_') {
            out.push(c);
        }
    }
    match out.chars().next() {
        None => "field".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{out}"),
        Some(_) => out,
    }
}
