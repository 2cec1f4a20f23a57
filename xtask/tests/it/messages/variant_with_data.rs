//@ error: a variant is a text: it holds no data
//! An enum with data as a part of an object.

use watchkeeper::meta::v1::ObjectMeta;
use watchkeeper::{CustomResource as _, json};
use watchkeeper_derive::{Fields, Object};

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "example.com", version = "v1")]
struct Lamp {
    metadata: ObjectMeta,
    spec: LampSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampSpec {
    colour: Colour,
    others: Vec<Colour>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
enum Colour {
    #[default]
    White,
    Mixed(i32, i32, i32),
}

fn main() {
    println!("{:?} {}", Lamp::crd(), json::to_string(&Lamp::default()));
}
