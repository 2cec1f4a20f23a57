//! Blocks against the walk.

use proptest::prelude::*;
use serde_json::Value;

use super::{LEVELS, Memory, length, length_like};
use crate::json::{MAX_DEPTH, Reader};

/// What the walk says of the value that `text` begins with.
fn walked(text: &str) -> Option<usize> {
    let mut r = Reader::new(text).ok()?;
    r.walk().ok().map(|()| r.offset())
}

fn check(text: &str) {
    let found = length(text.as_bytes(), MAX_DEPTH);
    assert!(found.is_none() || found == walked(text), "{found:?} of {text}");
}

#[test]
fn what_ends_at_any_place_of_a_block_is_passed_over() {
    for padding in 0..140 {
        let filler = "x".repeat(padding);
        for value in [
            "{}",
            "[]",
            "{\"a\":{}}",
            "[[],{}]",
            "{\"a\":[1,\"b\",null,{\"c\":-1.5e+3}],\"d\":\"\"}",
            r#"{"k:{\"name\":\"a\"}":{".":{}},"\\":"\u00e9\/"}"#,
            "[\"a\",\"b\",{\"c\":\"d\",\"e\":\"f\"},\"g\"]",
            "[true,false,[null],0]",
        ] {
            let text = format!("{{\"{filler}\":{value},\"{filler}é\":[{value},{value}]}}");
            let rest = format!("{text},\"more\":[ ]}} \u{1}");
            assert_eq!(length(rest.as_bytes(), MAX_DEPTH), Some(text.len()), "{rest}");
            assert_eq!(length(&rest.as_bytes()[..text.len()], MAX_DEPTH), Some(text.len()));
            for cut in 0..text.len() {
                assert_eq!(
                    length(&text.as_bytes()[..cut], MAX_DEPTH),
                    None,
                    "{}",
                    &text[..cut.min(9)]
                );
            }
        }
    }
}

#[test]
fn what_is_no_json_is_left_to_the_walk() {
    for wrong in [
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{1:2}",
        "{\"a\":1:2}",
        "{\"a\":\"b\":1}",
        "{\"a\":1,\"b\"}",
        "{\"a\":1,2}",
        "{\"a\":1,[]}",
        "{\"a\":1 ,\"b\":2}",
        "{\"a\" :1}",
        "[,]",
        "[1,]",
        "[1",
        "[1}",
        "[\"a\":1]",
        "[1,\"a\":1]",
        "[1 2]",
        "[\"a\"\"b\"]",
        "[1\"b\"]",
        "[\"a\"1]",
        "[]1",
        "[{]}",
        "[[1]",
        "{\"a\":[1,\"b\":2]}",
        "{\"a\":[\"b\"],\"c\"}",
        "[01]",
        "[-]",
        "[1.]",
        "[.5]",
        "[1e]",
        "[1e+]",
        "[tru]",
        "[truex]",
        "[nul]",
        "[\"\\x\"]",
        "[\"\\u12g4\"]",
        "[\"\u{1}\"]",
        "[\\\"]",
        "[1\\]",
        "[é]",
        "[\"\\\"]",
        "{\"a\":{}{}}",
        "[{}{}]",
        "[{}:1]",
    ] {
        for padding in [0, 1, 30, 50, 56, 57, 58, 59, 60, 61, 62, 63, 64, 120] {
            let text = format!("[\"{}\",{wrong}]", "x".repeat(padding));
            check(&text);
            if walked(wrong).is_none_or(|end| end < wrong.len()) {
                assert_eq!(length(text.as_bytes(), MAX_DEPTH), None, "{text}");
            }
        }
    }
}

#[test]
fn nesting_is_limited() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(length(nested(5).as_bytes(), 6), Some(11));
    assert_eq!(length(nested(5).as_bytes(), 4), None);
    assert_eq!(length(nested(LEVELS + 1).as_bytes(), MAX_DEPTH), None);
    assert_eq!(length(b"[]", 0), None);
    // An empty pair is a level, too.
    assert_eq!(length(b"[[[]]]", 3), Some(6));
    assert_eq!(length(b"[[[]]]", 2), None);
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        "[a-z\"\\\\ é{}\\[\\]:,]{0,80}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z\"\\\\]{0,9}", inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: if cfg!(miri) { 4 } else { 1_000 }, ..ProptestConfig::default() })]

    #[test]
    fn json_is_passed_over(value in json(), behind in "[ -~]{0,70}") {
        let text = Value::from(vec![value]).to_string();
        let whole = format!("{text}{behind}");
        prop_assert_eq!(length(whole.as_bytes(), MAX_DEPTH), Some(text.len()));
    }

    #[test]
    fn what_is_passed_over_is_json(
        value in json(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), "[\\[\\]{}\",:0-9.eE+a-z\\\\ \u{1}-]"), 1..4),
    ) {
        let mut text = Value::from(vec![value]).to_string();
        for (place, with) in changes {
            let at = text.floor_char_boundary(place.index(text.len()));
            let end = text.ceil_char_boundary(at + 1);
            text.replace_range(at..end, &with);
        }
        check(&text);
    }

    #[test]
    fn short_texts_are_taken_as_the_walk_takes_them(text in "[\\[{][\\[\\]{}\",:0-9.eE+tfn\\\\ -]{0,12}") {
        check(&text);
    }
}

/// A text as long as `managedFields`, whose numbers, words and escapes are in all places of blocks.
fn long_text() -> String {
    let members = (0..90).map(|number| {
        let filler = "x".repeat(number % 13);
        format!(r#""f:{filler}":{{".":{{}},"k:{{\"n\":{number}}}":[{number},true,null,-1.5e3],"\u00e9":"{number}"}}"#)
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

#[test]
fn what_is_nearly_known_is_passed_over_as_if_it_were_new() {
    let text = long_text();
    let (mut memory, mut number) = (Memory::default(), 7_u64);
    let mut random = |limit: usize| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (number >> 33) as usize % limit
    };
    assert_eq!(length(text.as_bytes(), MAX_DEPTH), Some(text.len()));
    let mut accepted = 0;
    for round in 0..30_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..random(4) {
            let at = random(bytes.len().max(1));
            match random(6) {
                // Other lengths: what is behind moves.
                0 if at < bytes.len() => drop(bytes.remove(at)),
                0 | 1 => bytes.insert(at, b'1'),
                2 => bytes.truncate(at),
                _ if at < bytes.len() => bytes[at] = b"0a\",:{}[]\\ \n"[random(12)],
                _ => {}
            }
        }
        let depth = if round % 50 == 0 { 3 } else { MAX_DEPTH };
        let expected = length(&bytes, depth);
        accepted += usize::from(expected.is_some());
        let found = length_like(&bytes, depth, &mut memory);
        assert_eq!(found, expected, "{round}: {}", String::from_utf8_lossy(&bytes));
    }
    assert!(accepted > 10_000, "{accepted}");
}
