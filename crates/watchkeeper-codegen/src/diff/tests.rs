//! Diffs of small texts, and that a diff leads from one text to the other.

use expect_test::{Expect, expect};

use super::*;

fn check(old: &str, new: &str, wanted: Expect) {
    wanted.assert_eq(&hunks(old, new));
}

#[test]
fn equal_texts_differ_in_nothing() {
    check("a\nb\n", "a\nb\n", expect![""]);
}

#[test]
fn a_change_stands_between_three_lines_on_each_side() {
    check(
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
        "1\n2\n3\n4\nfive\nfive and a half\n6\n7\n8\n9\n",
        expect![[r"
            @@ -2,7 +2,8 @@
             2
             3
             4
            -5
            +five
            +five and a half
             6
             7
             8
        "]],
    );
}

#[test]
fn changes_far_apart_are_hunks_of_their_own() {
    let old: String = (1..=20).map(|number| format!("{number}\n")).collect();
    let new = old.replace("\n5\n", "\n").replace("\n16\n", "\n16\nmore\n");
    check(
        &old,
        &new,
        expect![[r"
            @@ -2,7 +2,6 @@
             2
             3
             4
            -5
             6
             7
             8
            @@ -14,6 +13,7 @@
             14
             15
             16
            +more
             17
             18
             19
        "]],
    );
}

#[test]
fn a_text_that_is_new_is_all_added() {
    check(
        "",
        "a\nb",
        expect![[r"
        @@ -0,0 +1,2 @@
        +a
        +b
        \ No newline at end of file
    "]],
    );
}

/// The new text, made of the old one and the runs.
fn patched<'a>(old: &[&'a str], new: &[&'a str], runs: &[Run]) -> Vec<&'a str> {
    let mut made = Vec::new();
    let mut at = 0;
    for run in runs {
        made.extend(&old[at..run.old.start]);
        assert_eq!(made.len(), run.new.start);
        made.extend(&new[run.new.clone()]);
        at = run.old.end;
    }
    made.extend(&old[at..]);
    made
}

/// Every text of up to five lines of two sorts.
fn texts() -> Vec<Vec<&'static str>> {
    let mut all = vec![Vec::new()];
    for length in 1..=5 {
        for bits in 0..1_u32 << length {
            let line = |at: u32| if bits >> at & 1 == 1 { "a\n" } else { "b\n" };
            all.push((0..length).map(line).collect());
        }
    }
    all
}

#[test]
fn a_diff_leads_from_one_text_to_the_other() {
    let texts = texts();
    for old in &texts {
        for new in &texts {
            let runs = changes(old, new);
            assert_eq!(&patched(old, new, &runs), new, "{old:?} {runs:?}");
            let same = runs.is_empty();
            assert_eq!(same, old == new, "{old:?} {new:?}");
        }
    }
}

#[test]
fn texts_with_nothing_in_common_are_told_whole() {
    let old: String = (0..3000).map(|number| format!("old {number}\n")).collect();
    let new: String = (0..3000).map(|number| format!("new {number}\n")).collect();
    let text = hunks(&old, &new);
    assert!(text.starts_with("@@ -1,3000 +1,3000 @@\n-old 0\n"), "{}", &text[..40]);
    assert_eq!(text.lines().count(), 6001);
}
