//! What options say must fit the types that they are said of.
//@ error: evaluation panicked: the default is a text, which the type does not take
//@ error: evaluation panicked: `pattern` is for texts
//@ error: evaluation panicked: the items have no member `nmae`
//@ error: evaluation panicked: servers refuse the default: it leaves out what is required
//@ error: evaluation panicked: servers refuse the default: it leaves out what is required
//@ error: evaluation panicked: the default is an object, which the type does not take
//@ shows: default = "three"

use watchkeeper::{IStr, List};
use watchkeeper::core::v1::EnvVar;
use watchkeeper_derive::Fields;

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampSpec {
    #[field(default = "three")]
    bulbs: i32,
    #[field(pattern = "^a")]
    height: i64,
    #[field(list_type = "map", list_map_keys("nmae"))]
    env: List<EnvVar>,
    #[field(default = {})]
    foot: Foot,
    #[field(default = [{ "metal": "brass" }, { "height": 1 }])]
    feet: List<Foot>,
    #[field(default = { "metal": "brass", "height": null })]
    stand: Foot,
    #[field(default = {})]
    shade: Shade,
    #[field(default = { "metal": "brass" })]
    base: Foot,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Foot {
    metal: IStr,
    height: Option<i32>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Shade {
    #[field(default = "white")]
    colour: IStr,
    #[field(optional)]
    width: i32,
    #[field(nullable)]
    label: Option<IStr>,
}

fn main() {}
