//@ error: unknown option `minimun`; did you mean `minimum`?
//@ error: expected map, set or atomic
//! Misspelt options of two fields.

use watchkeeper::meta::v1::ObjectMeta;
use watchkeeper::{CustomResource as _, HasStatus as _, json, object};
use watchkeeper_derive::{Fields, Object};

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "example.com", version = "v1", status)]
struct Lamp {
    metadata: ObjectMeta,
    spec: LampSpec,
    status: LampStatus,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampSpec {
    #[field(minimun = 1)]
    bulbs: i32,
    #[field(list_type = "heap")]
    colours: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampStatus {
    shines: bool,
}

fn main() {
    let mut lamp = object!(Lamp { metadata: { name: "a" }, spec: { bulbs: 2 } });
    lamp.status_mut().shines = true;
    println!("{} {:?}", json::to_string(&lamp), Lamp::crd());
}
