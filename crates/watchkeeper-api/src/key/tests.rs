//! Keys to text and back.

use proptest::prelude::*;

use super::ObjectKey;

#[test]
fn what_is_no_key() {
    for text in ["", "/", "a/", "/a", "a/b/c"] {
        let error = text.parse::<ObjectKey>().unwrap_err();
        assert!(error.to_string().starts_with(&format!("{text:?} is no object key")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(namespace in "[a-z]{0,9}", name in "[a-z.]{1,9}") {
        let key = ObjectKey::from((namespace.as_str(), name.as_str()));
        prop_assert_eq!(key.namespace().is_none(), namespace.is_empty());
        prop_assert_eq!(key.to_string().parse(), Ok(key));
    }
}
