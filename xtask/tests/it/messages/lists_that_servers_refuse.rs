//! Lists that a definition could have, and no server takes.
//@ error: evaluation panicked: `place` is no scalar, so it tells no items apart
//@ error: evaluation panicked: `note` may be null, so it tells no items apart
//@ error: evaluation panicked: servers take sets of scalars and of what is atomic: say `#[fields(map_type = "atomic")]` of the struct, or `items(map_type = "atomic")` here
//@ error: evaluation panicked: servers take sets of scalars and of what is atomic: say `#[fields(map_type = "atomic")]` of the struct, or `items(map_type = "atomic")` here
//@ error: evaluation panicked: servers take sets of scalars and of what is atomic: say `#[fields(map_type = "atomic")]` of the struct, or `items(map_type = "atomic")` here
//@ error: evaluation panicked: servers take no sets and maps of items that may be null
//@ shows: list_map_keys("place")

use watchkeeper::{IStr, List, Map};
use watchkeeper_derive::Fields;

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Place {
    room: IStr,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(map_type = "atomic")]
struct Point {
    room: IStr,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Note(#[field(nullable)] IStr);

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Names(#[field(list_type = "set")] List<IStr>);

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Labels(#[field(map_type = "atomic")] Map);

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Lamp {
    name: IStr,
    place: Place,
    #[field(nullable)]
    note: IStr,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampsSpec {
    #[field(list_type = "map", list_map_keys("place"))]
    by_place: List<Lamp>,
    #[field(list_type = "map", list_map_keys("note"))]
    by_note: List<Lamp>,
    #[field(list_type = "set")]
    places: List<Place>,
    #[field(list_type = "set")]
    maps: List<Map>,
    #[field(list_type = "set")]
    sets: List<Names>,
    #[field(list_type = "set")]
    notes: List<Note>,
    #[field(list_type = "set", items(map_type = "atomic"))]
    whole: List<Place>,
    #[field(list_type = "set")]
    points: List<Option<Box<Point>>>,
    #[field(list_type = "set")]
    labels: List<Labels>,
    #[field(list_type = "set")]
    lists: List<List<Place>>,
    #[field(list_type = "set")]
    names: List<IStr>,
}

fn main() {}
