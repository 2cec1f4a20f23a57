//! Keys as texts.

use std::sync::Arc;

use super::*;
use crate::testing::tiny;

/// Upstream's `TestDeletionHandlingObjectToName`, `TestDeletedObjectGetKey`, `TestDeletedObjectGetObjectName`.
#[test]
fn c_48_a_key_is_namespace_and_name_or_what_a_tombstone_was_made_with() {
    assert_eq!(meta_namespace_key(&tiny("shop/a@1")), "shop/a");
    assert_eq!(meta_namespace_key(&tiny("/node@1")), "node");
    assert_eq!(meta_namespace_key(&ExplicitKey("a/b/c".into())), "a/b/c");
    let seen = DeletedObject::Seen(Arc::new(tiny("shop/a@1")));
    assert_eq!(deletion_handling_key(&seen), "shop/a");
    let (key, last) = (("shop", "b").into(), Some(Arc::new(tiny("shop/a@1"))));
    let tombstone = DeletedObject::FinalStateUnknown { key, last };
    assert_eq!(deletion_handling_key(&tombstone), "shop/b", "not what it holds");
    let change = Change::Deleted { last: Arc::new(tiny("shop/a@1")), final_state_unknown: true };
    assert_eq!(deletion_handling_key(&change), "shop/a");
}

#[test]
fn c_48_a_key_is_split_at_its_only_slash() {
    assert_eq!(split_meta_namespace_key("shop/a"), Ok(("shop", "a")));
    assert_eq!(split_meta_namespace_key("a"), Ok(("", "a")));
    for wrong in ["a/b/c", "a//b", "//"] {
        assert_eq!(
            split_meta_namespace_key(wrong).unwrap_err().to_string(),
            format!("unexpected key format: {wrong:?}")
        );
    }
}
