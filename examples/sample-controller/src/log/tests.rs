//! What is made of an event's fields.

use super::Words;

fn words(fields: &[(&str, &str)]) -> (String, String) {
    let mut words = Words::default();
    for (field, value) in fields {
        words.take(field, value);
    }
    let text = words.text();
    (words.name, text)
}

#[test]
fn a_failed_reconcile_reads_as_a_sentence() {
    let fields = [
        ("message", "reconcile failed"),
        ("controller", "sample-controller"),
        ("key", "default/a"),
        ("failure", "no luck"),
        ("retry", "after 3s"),
    ];
    let (name, text) = words(&fields);
    assert_eq!((&*name, &*text), ("default/a", "reconcile failed: no luck, retry after 3s"));
}

#[test]
fn another_controller_is_named() {
    let fields = [("message", "reconcile failed"), ("controller", "node"), ("error", "no luck")];
    assert_eq!(words(&fields).1, "node: reconcile failed: no luck");
}

#[test]
fn an_aside_is_one_line() {
    assert_eq!(words(&[("message", "failed"), ("error", "one\ntwo")]).1, "failed: one two");
}
