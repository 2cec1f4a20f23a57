//! A projection's field is one of the whole type's, and holds what that holds.
//@ error: mismatched types
//@ error: `Placed` cannot stand for `Container` in a projection
//@ error: no field `nod_name` on type `&PodSpec`
//@ shows: use the same type, or a struct with `#[derive(Fields)] #[fields(like = …)]` that names it

use watchkeeper::{IStr, List};
use watchkeeper::core::v1::PodSpec;
use watchkeeper_derive::Fields;

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = PodSpec)]
struct Placed {
    hostname: i32,
    containers: List<Placed>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = PodSpec)]
struct Misspelled {
    nod_name: IStr,
}

fn main() {}
