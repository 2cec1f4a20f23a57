//! Which types may stand for which in a projection: a field holds what the whole type's field
//! holds, or a projection of that.

use crate::{ByteString, IStr, IntOrString, List, Map, MicroTime, Quantity, Raw, Shared, Time};

/// A type that holds a `Whole`, or a part of one, and is read from the same bytes.
///
/// Every built-in type stands for itself, lists stand for lists, a struct with
/// `#[fields(like = …)]` for the type named there.
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
        impl Projects<Self> for Option<$type> {}
    )* };
}

themselves! { IStr bool i32 i64 f64 Time MicroTime ByteString IntOrString Quantity Raw }

impl<P: Projects<W>, W> Projects<Option<Box<W>>> for Option<Box<P>> {}
impl<P: Projects<W>, W> Projects<Option<Shared<W>>> for Option<Box<P>> {}
impl<P: Projects<W>, W> Projects<Option<Shared<W>>> for Option<Shared<P>> {}
impl<P: Projects<W>, W> Projects<Box<W>> for Box<P> {}
impl<P: Projects<W>, W> Projects<Shared<W>> for Box<P> {}
impl<P: Projects<W>, W> Projects<Shared<W>> for Shared<P> {}
impl<P: Projects<W>, W> Projects<List<W>> for List<P> {}
impl<P: Projects<W>, W> Projects<Shared<List<W>>> for List<P> {}
impl<P: Projects<W>, W> Projects<Map<W>> for Map<P> {}
impl<P: Projects<W>, W> Projects<Shared<Map<W>>> for Map<P> {}
