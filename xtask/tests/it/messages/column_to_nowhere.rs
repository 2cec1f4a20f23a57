//! A column and a scale lead to members that are there.
//@ error: evaluation panicked: no member `spec.bulb`
//@ error: evaluation panicked: `spec.colour` is no whole number
//@ shows: ".spec.bulb"

use watchkeeper::IStr;
use watchkeeper::meta::v1::ObjectMeta;
use watchkeeper_derive::{Fields, Object};

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "example.com", version = "v1")]
#[object(printcolumn("Bulbs", "integer", ".spec.bulb"))]
#[object(scale(spec_replicas = ".spec.colour", status_replicas = ".status.bulbs"))]
struct Lamp {
    metadata: ObjectMeta,
    spec: LampSpec,
    status: LampSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampSpec {
    bulbs: i32,
    colour: IStr,
}

fn main() {}
