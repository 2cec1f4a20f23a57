//! How far a copy is.

use super::*;

/// The version, and the greatest one that was seen.
fn at(store: &Store<Tiny>) -> (String, Option<String>) {
    (store.version(), store.reached().map(|version| version.to_string()))
}

fn exactly(version: &str) -> (String, Option<String>) {
    (version.to_owned(), Some(version.to_owned()))
}

/// C-46: where objects come in another order than the server's, their versions tell nothing. A bookmark
/// does, also that the server went back in time; and one without a version says nothing.
#[test]
fn c_46_only_bookmarks_tell_how_far_a_copy_is_that_is_filled_out_of_order() {
    let store = Store::new();
    store.pace();
    store.apply(delta("added a@9"));
    assert_eq!(at(&store), (String::new(), None));
    store.apply(delta("bookmark @5"));
    assert_eq!(at(&store), exactly("5"));
    store.apply(delta("updated a@12"));
    store.apply(delta("bookmark @"));
    assert_eq!(at(&store), exactly("5"));
    store.apply(delta("bookmark @3"));
    assert_eq!(at(&store), exactly("3"));
}

/// Y-05: what was reached stays reached, until a list says that the server went back in time.
#[test]
fn y_05_only_a_list_goes_back() {
    let store = Store::new();
    store.apply(delta("replaced @5 a@4"));
    store.apply(delta("bookmark @9"));
    assert_eq!(at(&store), exactly("9"));
    store.apply(delta("bookmark @"));
    assert_eq!(at(&store), exactly("9"));
    store.apply(delta("bookmark @7"));
    assert_eq!(store.reached(), Version::parse("9"));
    store.apply(delta("replaced @4 a@4"));
    assert_eq!(at(&store), exactly("4"));
}
