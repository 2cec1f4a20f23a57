//@ shows: `Duration` has no schema, so it cannot be part of a custom resource
//@ shows: burns: std::time::Duration,
//! A field of a type that is none of ours.

use watchkeeper_derive::Fields;

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampSpec {
    burns: std::time::Duration,
}

fn main() {
    println!("{:?}", LampSpec::default());
}
