//! Versions against numbers.

use proptest::prelude::*;

use super::compare;

#[test]
fn what_cannot_be_compared() {
    for wrong in ["", "0", "01", "-1", "1a", "1.0", "+1", "１"] {
        assert_eq!(compare(wrong, "1"), None, "{wrong}");
        assert_eq!(compare("1", wrong), None, "{wrong}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_compare_as_numbers(a in 1_u128.., b in 1_u128..) {
        prop_assert_eq!(compare(&a.to_string(), &b.to_string()), Some(a.cmp(&b)));
        prop_assert_eq!(compare(&(a >> 90).max(1).to_string(), &(b >> 100).max(1).to_string()),
            Some((a >> 90).max(1).cmp(&(b >> 100).max(1))));
    }
}
