//! What a projection is of has members that are known.
//@ error: evaluation panicked: nothing is known of the members of this type: it cannot be projected
//@ shows: like = Raw

use watchkeeper::Raw;
use watchkeeper_derive::Fields;

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = Raw, json)]
struct Part {}

fn main() {}
