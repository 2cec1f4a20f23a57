//! What options say must fit the types that they are said of.
//@ error: evaluation panicked: the default is a text, which the type does not take
//@ error: evaluation panicked: `pattern` is for texts
//@ error: evaluation panicked: the items have no member `nmae`
//@ shows: default = "three"

use watchkeeper::List;
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
}

fn main() {}
