//! More than one index of one store.

use super::*;

/// C-52: each is asked by its own handle, whenever it was added, and goes without the others.
#[test]
fn c_52_every_index_finds_its_own() {
    let store = Store::new();
    let by_uid = store.index(|object: &Tiny| [object.uid.clone()]);
    let by_version = store.index(|object: &Tiny| [object.version.clone()]);
    store.apply(delta("replaced @5 a#1@3 b#2@3"));
    let by_name = store.index(|object: &Tiny| [object.name.clone()]);
    assert_eq!((by_uid.values().len(), by_version.values().len()), (2, 1));
    store.apply(delta("updated b#2@6"));
    drop(by_version);
    store.apply(delta("updated c#1@7"));
    let names = |objects: &[Arc<Tiny>]| -> Vec<String> {
        objects.iter().map(|object| object.name.clone()).collect()
    };
    assert_eq!(names(&by_uid.get("1")), ["a", "c"]);
    assert_eq!(names(&by_uid.get("2")), ["b"]);
    assert_eq!(by_name.values(), ["a", "b", "c"]);
    let by_version = store.index(|object: &Tiny| [object.version.clone()]);
    store.apply(delta("deleted a#1@8"));
    assert_eq!(by_version.values(), ["6", "7"]);
    assert_eq!(names(&by_uid.get("1")), ["c"]);
}
