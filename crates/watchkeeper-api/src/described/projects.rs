//! Which types may stand for which in a projection: a field holds what the whole type's field
//! holds, or a projection of that.

use std::collections::BTreeMap;

use crate::{
    ByteString, IStr, IntOrString, List, Map, MicroTime, Quantity, Raw, SecretText, Shared, Span,
    Time,
};

/// A type that holds a `Whole`, or a part of one, and is read from the same bytes.
///
/// Every type stands for itself, lists stand for lists, a struct with `#[fields(like = …)]` for the type
/// named there.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for `{Whole}` in a projection",
    note = "use the same type, or a struct with `#[derive(Fields)] #[fields(like = …)]` that names it",
    note = "an optional struct is boxed: `Option<Box<…>>`"
)]
pub trait Projects<Whole: ?Sized> {}

/// Compiles where `Part` may stand for `Whole`.
pub fn stands_for<Part: Projects<Whole>, Whole>(_: &Part, _: &Whole) {}

macro_rules! themselves {
    ($($type:ty)*) => { $(
        impl Projects<Self> for $type {}
    )* };
}

themselves! { IStr String SecretText bool i32 i64 u8 u16 u32 f64 Time MicroTime Span }
themselves! { ByteString IntOrString Quantity Raw serde_json::Value }

impl<P: Projects<W>, W> Projects<Option<W>> for Option<P> {}
impl<P: Projects<W>, W> Projects<Box<W>> for Box<P> {}
impl<P: Projects<W>, W> Projects<Shared<W>> for Box<P> {}
impl<P: Projects<W>, W> Projects<Shared<W>> for Shared<P> {}
impl<P: Projects<W>, W> Projects<List<W>> for List<P> {}
impl<P: Projects<W>, W> Projects<Shared<List<W>>> for List<P> {}
impl<P: Projects<W>, W> Projects<Map<W>> for Map<P> {}
impl<P: Projects<W>, W> Projects<Vec<W>> for Vec<P> {}
impl<P: Projects<W>, W> Projects<BTreeMap<String, W>> for BTreeMap<String, P> {}
impl<P: Projects<W>, W> Projects<Shared<Map<W>>> for Map<P> {}
