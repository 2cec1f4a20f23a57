//! Patterns that a server cannot read.
//@ error: servers refuse every value by this pattern: missing closing ]: `[a-z0-9+$`
//@ error: servers refuse every value by this pattern: invalid or unsupported Perl syntax: `(?!`
//@ shows: #[field(pattern = "^[a-z0-9+$")]

use watchkeeper::{IStr, List};
use watchkeeper_derive::Fields;

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampSpec {
    #[field(pattern = "^[a-z0-9+$")]
    colour: IStr,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampsSpec {
    #[field(items(pattern = r"^(?!dark)\w+$"))]
    colours: List<IStr>,
    #[field(pattern = r"^\p{Lu}[[:word:]]*(?:-\d{1,3})?$")]
    name: IStr,
}

fn main() {}
