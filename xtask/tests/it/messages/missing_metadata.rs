//@ error: a kind has metadata: add `pub metadata: ObjectMeta`
//! A kind without metadata.

use watchkeeper::{CustomResource as _, HasMeta as _, Object as _};
use watchkeeper_derive::{Fields, Object};

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "example.com", version = "v1")]
struct Lamp {
    spec: LampSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampSpec {
    bulbs: i32,
}

fn main() {
    let lamp = Lamp::default();
    println!("{} {:?} {:?} {:?}", lamp.name(), lamp.metadata(), Lamp::crd(), Lamp::KIND);
}
