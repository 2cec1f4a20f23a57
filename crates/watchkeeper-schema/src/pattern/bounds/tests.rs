use regex_syntax::ast::parse::Parser;

use super::*;

/// How often what is repeated most is there, the size, the number of parts, all repetitions multiplied, and the size of
/// the largest part.
fn measured(pattern: &str) -> [u64; 5] {
    let parts = Parser::new().parse(pattern).expect("a pattern");
    let mut measure = Measure { read: pattern, parts: 0, repeats: 1, largest: 0 };
    let Part { times, size } = measure.of(&parts).expect("not too many times");
    [times, size, measure.parts, measure.repeats, measure.largest]
}

#[test]
fn a_pattern_is_as_large_as_its_parts_written_out() {
    for (pattern, expected) in [
        ("", [1, 1, 1, 1, 1]),
        ("a", [1, 1, 0, 1, 0]),
        (".", [1, 1, 1, 1, 1]),
        ("[ab]", [1, 1, 1, 1, 1]),
        ("ab", [1, 2, 1, 1, 2]),
        ("^a", [1, 2, 2, 1, 2]),
        ("a|b|c", [1, 5, 1, 1, 5]),
        ("a|bc", [1, 4, 2, 1, 4]),
        ("(a)", [1, 3, 1, 1, 3]),
        ("(?:a)", [1, 1, 1, 1, 1]),
        ("a*", [1, 3, 1, 1, 3]),
        ("a+", [1, 2, 1, 1, 2]),
        ("a?", [1, 2, 1, 1, 2]),
        ("a{3}", [3, 3, 1, 3, 3]),
        ("a{2,}", [2, 3, 1, 2, 3]),
        ("a{0,}", [1, 3, 1, 1, 3]),
        ("a{0}", [1, 1, 1, 1, 1]),
        ("a{1,3}", [3, 5, 1, 3, 5]),
        ("(a{3}){2}", [6, 10, 3, 6, 10]),
        ("(a{3}){0,2}", [6, 12, 3, 6, 12]),
        ("(a{3}|b{2})", [3, 8, 4, 6, 8]),
        ("(a{9})b", [9, 12, 3, 9, 12]),
    ] {
        assert_eq!(measured(pattern), expected, "{pattern}");
    }
    assert_eq!(measured("a{1000}b{1000}c{1000}")[3], LARGEST, "more does not matter");
}

#[test]
fn what_is_repeated_is_as_large_as_go_makes_it() {
    for (size, least, most, expected) in [
        (3, 0, None, 5),
        (3, 1, None, 4),
        (3, 2, None, 7),
        (3, 2, Some(2), 6),
        (3, 1, Some(4), 15),
        (3, 0, Some(1), 4),
        (3, 0, Some(0), 1),
        (u64::MAX, 2, None, u64::MAX),
        (u64::MAX, 0, Some(2), u64::MAX),
    ] {
        assert_eq!(written_out(size, least, most), expected, "{size} {least} {most:?}");
    }
}

#[test]
fn sizes_count_where_there_are_many_parts() {
    let is_too_large = |parts: u64, repeats: u64, largest: u64| {
        Measure { read: "", parts, repeats, largest }.is_too_large()
    };
    assert!(is_too_large(LARGEST, 1, LARGEST + 1));
    assert!(!is_too_large(LARGEST - 1, 1, LARGEST + 1));
    assert!(!is_too_large(LARGEST, 1, LARGEST));
    assert!(is_too_large(LARGEST / 2, 2, LARGEST + 1));
    assert!(!is_too_large(LARGEST / 2 - 1, 2, LARGEST + 1));
    assert!(is_too_large(1, LARGEST, LARGEST + 1));
}

#[test]
fn a_class_has_two_bounds_for_each_of_its_ranges() {
    assert_eq!(runes(r"\p{Zl}"), Some(2), "a single letter");
    assert_eq!(runes("[a-c]"), Some(2));
    assert_eq!(runes("[a-cx-z]"), Some(4));
    assert_eq!(runes(r"\p{Nobody}"), None);
}

#[test]
fn a_sign_of_repetition_is_shown_without_what_follows_it() {
    for (text, shown) in [
        ("*", "*"),
        ("*b", "*"),
        ("+?b", "+?"),
        ("{2}?b", "{2}"),
        ("{2,}{3}", "{2,}"),
        ("{2", "{2"),
        ("\u{e9}b", "\u{e9}"),
        ("", ""),
    ] {
        assert_eq!(operator(text), shown);
    }
}
