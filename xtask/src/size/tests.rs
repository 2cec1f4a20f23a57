//! How figures look.

use super::megabytes;

#[test]
fn megabytes_are_rounded_to_a_tenth() {
    let shown = [0, 49_999, 50_000, 6_091_648, 9_950_000].map(megabytes);
    assert_eq!(shown, ["0.0 MB", "0.0 MB", "0.1 MB", "6.1 MB", "10.0 MB"]);
}
