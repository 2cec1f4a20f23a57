//! More than one index of one store, and values whose own code panics.

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

/// A name that does not like to be compared with one of the other case.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Touchy(String);

impl Ord for Touchy {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let is_upper = |name: &str| name.starts_with(char::is_uppercase);
        assert_eq!(is_upper(&self.0), is_upper(&other.0), "not with that one");
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Touchy {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

fn touchy(object: &Tiny) -> [Touchy; 1] {
    [Touchy(object.uid.clone())]
}

/// What each of the indices has, after the store, which has to agree with itself.
fn held(
    store: &Store<Tiny>,
    touchy: &Index<Tiny, Touchy>,
    by_name: &Index<Tiny, String>,
) -> String {
    let listed: Vec<String> = store.list().iter().map(ToString::to_string).collect();
    assert!(store.list().iter().all(|object| store.get(&object.item_key()).is_some()));
    let (values, names) = (touchy.values().into_iter(), by_name.values());
    let of = |value: Touchy| {
        let found = touchy.get(&value);
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let found: Vec<String> = values.flat_map(of).collect();
    format!("@{} {}: {}; {}", store.version(), listed.join(" "), names.join(" "), found.join(" "))
}

/// C-45: a change is done in every place or in none, whatever the order of an index's values does.
#[test]
fn c_45_a_value_that_panics_when_it_is_compared_leaves_nothing_half_done() {
    let store = Store::new();
    let before = store.index(|object: &Tiny| [object.name.clone()]);
    let index = store.index(touchy);
    let after = store.index(|object: &Tiny| [object.name.clone()]);
    let held = || {
        let told = held(&store, &index, &before);
        assert_eq!(before.values(), after.values());
        told
    };
    store.apply(delta("added a@1"));
    store.apply(delta("added b@2"));
    let changes = store.apply(delta("added x#X@3"));
    assert_eq!(changes.len(), 1, "handlers are told of it");
    assert_eq!(held(), "@3 a@1 b@2 x#X@3: a b x; a@1 b@2");
    store.apply(delta("updated x#X@4"));
    store.apply(delta("updated b@5"));
    assert_eq!(held(), "@5 a@1 b@5 x#X@4: a b x; a@1 b@5");
    store.apply(delta("deleted a@6"));
    store.apply(delta("deleted x#X@7"));
    assert_eq!(held(), "@7 b@5: b; b@5");
    // The first that comes is in, also of a list.
    store.apply(delta("replaced @9 b@5 c@8 y#Y@9"));
    assert_eq!(held(), "@9 b@5 c@8 y#Y@9: b c y; b@5 c@8");
    assert_eq!(store.index(touchy).values().len(), 2, "nor does a new index fail");
}

/// C-45: what a list brings after such a value is found.
#[test]
fn c_45_a_value_that_panics_hides_nothing_that_comes_with_it() {
    let store = Store::new();
    let (index, by_name) =
        (store.index(touchy), store.index(|object: &Tiny| [object.name.clone()]));
    store.apply(delta("added b@5"));
    store.apply(delta("replaced @9 y#Y@9 b@5 c@8"));
    assert_eq!(held(&store, &index, &by_name), "@9 b@5 c@8 y#Y@9: b c y; b@5 c@8");
}
