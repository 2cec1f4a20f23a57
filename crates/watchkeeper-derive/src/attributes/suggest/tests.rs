//! Which name is meant.

use super::{distance, nearest};

#[test]
fn names_are_found_in_spite_of_spelling() {
    let known =
        ["minimum", "maximum", "min_length", "list_map_keys", "preserve_unknown", "enum_values"];
    let of = |name| nearest(name, &known).unwrap_or("-");
    assert_eq!(
        ["minimun", "minLength", "maximum_", "listMapKey", "colour", "preserveUnknown"].map(of),
        ["minimum", "min_length", "maximum", "list_map_keys", "-", "preserve_unknown"]
    );
}

#[test]
fn a_distance_counts_letters() {
    assert_eq!(distance("", "abc"), 3);
    assert_eq!(distance("kitten", "sitting"), 3);
}
