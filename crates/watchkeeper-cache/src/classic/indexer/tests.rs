//! Named indices.

use super::*;
use crate::testing::{Tiny, tiny};

mod naive;

fn names(found: Result<Vec<Arc<Tiny>>, IndexError>) -> Vec<String> {
    found.unwrap().iter().map(ToString::to_string).collect()
}

fn letters(object: &Tiny) -> Vec<String> {
    object.name.chars().map(String::from).collect()
}

/// Upstream's `TestIndex`, `TestMultiIndexKeys`, `TestGetIndexFuncValues`.
#[test]
fn objects_are_found_under_every_value_and_each_once() {
    let indexer = Indexer::new();
    indexer.add(Arc::new(tiny("ab@1")));
    indexer.add_index("letter", letters).unwrap();
    indexer.add_index(NAMESPACE_INDEX, meta_namespace_index).unwrap();
    indexer.add(Arc::new(tiny("shop/bc@2")));
    assert_eq!(names(indexer.by_index("letter", "b")), ["ab@1", "shop/bc@2"]);
    assert_eq!(names(indexer.index("letter", &tiny("abc@0"))), ["ab@1", "shop/bc@2"]);
    assert_eq!(names(indexer.by_index(NAMESPACE_INDEX, "shop")), ["shop/bc@2"]);
    assert_eq!(indexer.index_keys("letter", "a").unwrap(), [("default", "ab").into()]);
    assert_eq!(indexer.index_values("letter").unwrap(), ["a", "b", "c"]);
    indexer.delete(&("default", "ab").into());
    assert_eq!(indexer.index_values("letter").unwrap(), ["b", "c"]);
}

#[test]
fn an_index_that_is_not_there_is_an_error_and_so_is_a_second_one() {
    let indexer: Indexer<Tiny> = Indexer::new();
    indexer.add_index("letter", letters).unwrap();
    let (of, again): (IndexFunc<Tiny>, _) = (Arc::new(letters), Arc::new(letters));
    let both = [("other".to_owned(), of), ("letter".to_owned(), again as IndexFunc<Tiny>)];
    let error = indexer.add_indexers(both).unwrap_err();
    assert_eq!(error.to_string(), r#"there is an index "letter" already"#);
    assert_eq!(indexer.indexers(), ["letter"], "nothing has changed");
    let error = indexer.by_index("other", "x").unwrap_err();
    assert_eq!(error.to_string(), r#"there is no index "other""#);
}
