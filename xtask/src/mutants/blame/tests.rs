use serde_json::json;

use super::*;

/// The mutants 1 and 2 of one place, 2 in what 1 is put instead of; and 3 of another.
fn files() -> BTreeMap<String, Vec<Held>> {
    let held = |number, instead, whole| Held { number, instead, whole };
    let held = vec![held(2, 30..35, 25..50), held(1, 15..20, 10..60), held(3, 75..80, 70..90)];
    BTreeMap::from([("src/state.rs".to_owned(), held)])
}

fn check(spans: &[(&str, Range<usize>, bool)], expected: &[usize]) {
    let spans: Vec<_> = spans
        .iter()
        .map(|(file, at, is_main)| {
            json!({ "file_name": file, "byte_start": at.start, "byte_end": at.end, "is_primary": is_main })
        })
        .collect();
    assert_eq!(blamed(&json!({ "spans": spans }), &files()), expected);
}

#[test]
fn who_does_what_does_not_compile_goes() {
    check(&[("src/state.rs", 16..18, true)], &[1]);
    check(&[("src/state.rs", 30..35, true), ("src/state.rs", 16..18, false)], &[2]);
}

#[test]
fn who_is_pointed_at_besides_goes_before_who_is_around() {
    check(&[("src/state.rs", 40..45, true), ("src/state.rs", 76..78, false)], &[3]);
    check(&[("src/state.rs", 40..45, true)], &[2]);
    check(&[("src/state.rs", 52..55, true)], &[1]);
}

#[test]
fn an_error_of_nobody_is_nobodys() {
    check(&[("src/state.rs", 5..8, true)], &[]);
    check(&[("src/other.rs", 16..18, true)], &[]);
    check(&[], &[]);
}

#[test]
fn an_arm_that_a_match_ended_with_goes() {
    let span = |at: Range<usize>, is_main: bool| json!({ "file_name": "src/state.rs", "byte_start": at.start, "byte_end": at.end, "is_primary": is_main });
    let held = |number, instead: Range<usize>| Held { number, whole: instead.clone(), instead };
    let arms = vec![held(1, 5..9), held(2, 20..24), held(3, 30..34), held(4, 50..54)];
    let files = BTreeMap::from([("src/state.rs".to_owned(), arms)]);
    let error = json!({
        "spans": [span(12..15, true)], "children": [{ "spans": [span(38..40, true)] }, { "spans": [] }],
    });
    assert_eq!(blamed(&error, &files), [2, 3]);
    assert_eq!(blamed(&json!({ "spans": [span(12..15, true)] }), &files), Vec::<usize>::new());
}
