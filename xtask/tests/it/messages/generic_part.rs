//@ error: a part of an object has no generics
//! A generic struct as a part of an object.

use watchkeeper::json;
use watchkeeper_derive::Fields;

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampSpec {
    bulb: Bulb<i32>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Bulb<T> {
    watts: T,
}

fn main() {
    println!("{}", json::to_string(&LampSpec::default()));
}
