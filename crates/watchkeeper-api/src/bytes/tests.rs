//! Base64 against known texts and its own inverse.

use proptest::prelude::*;

use super::ByteString;

#[test]
fn known_texts() {
    for (bytes, text) in
        [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
    {
        assert_eq!(ByteString::from(bytes).to_base64(), text);
        assert_eq!(ByteString::from_base64(text), Some(ByteString::from(bytes)));
    }
    assert_eq!(ByteString::from_base64("Zm9\r\nv").unwrap().as_text(), Some("foo"));
}

#[test]
fn what_is_no_base64() {
    for text in ["Z", "Zg", "Zg=", "Zg===", "=", "====", "Zg==Zg==", "Zm9-", "Zm 9", "é==="] {
        assert_eq!(ByteString::from_base64(text), None, "{text}");
    }
}

#[test]
fn debug_keeps_secrets() {
    assert_eq!(format!("{:?}", ByteString::from("secret")), "ByteString(6 bytes)");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_encoded_is_decoded(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let bytes = ByteString::from(bytes);
        prop_assert_eq!(ByteString::from_base64(&bytes.to_base64()), Some(bytes));
    }

    #[test]
    fn any_text_is_refused_or_decoded(text in "[A-Za-z0-9+/=\\n]{0,12}") {
        let _ = ByteString::from_base64(&text);
    }
}
