use std::collections::BTreeMap;

use super::blamed;

#[test]
fn a_variable_that_cannot_be_told_is_to_blame_for_what_needs_it() {
    let untold = BTreeMap::from([("a".to_owned(), "first".to_owned())]);
    let why = |name: &str| format!("no such key: {name}");
    assert_eq!(blamed(&untold, "variables.a", why("a")), "first");
    assert_eq!(blamed(&untold, "variables.b", why("b")), why("b"));
    assert_eq!(blamed(&untold, "object.a", why("a")), why("a"));
    assert_eq!(blamed(&untold, "variables.a", "another".to_owned()), "another");
    assert_eq!(blamed(&BTreeMap::new(), "variables.a", why("a")), why("a"));
}
