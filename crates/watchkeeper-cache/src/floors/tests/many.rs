//! Many doubts at once: few questions are asked, and little is kept.

use expect_test::expect;

use super::check;

/// A list that is held by many asks for all of its namespace at once.
#[test]
fn many_doubts_are_one_question() {
    let mut script = "bookmark @5\n".to_owned();
    for number in 1..=20 {
        script += &format!("begin #{number} x{number}\nunknown #{number}\n");
    }
    script += "list in default\nquestion\nask\ntold @9 x7@8\nlist\nread x9\nsees x7@8\nlist";
    check(
        &script,
        expect![[r#"
            list in default: waits for what became of a write whose answer did not tell
            question: all in "default" after 0ns
            list: waits for version 8
            read x9: nothing
            list: answered
            some left
        "#]],
    );
}

/// Forty writes, of which so many namespaces each have some; and a list of everything.
fn doubts_of(namespaces: u32) -> String {
    let mut script = "bookmark @5\n".to_owned();
    for number in 1..=40 {
        let namespace = number % namespaces;
        script += &format!("begin #{number} n{namespace}/x{number}\nunknown #{number}\n");
    }
    script + "list\nquestion\nask\ntold @9\nlist\nquestion\nlist in n0"
}

/// A list that is held by many asks by namespace while those are few.
#[test]
fn many_doubts_of_few_namespaces_are_a_question_each() {
    check(
        &doubts_of(2),
        expect![[r#"
            list: waits for what became of a write whose answer did not tell
            question: all in "n0" after 0ns
            list: waits for what became of a write whose answer did not tell
            question: all in "n1" after 0ns
            list in n0: answered
            some left
        "#]],
    );
}

#[test]
fn many_doubts_of_many_namespaces_are_one_question() {
    check(
        &doubts_of(9),
        expect![[r#"
            list: waits for what became of a write whose answer did not tell
            question: all in "" after 0ns
            list: answered
            question: none
            list in n0: answered
            some left
        "#]],
    );
}

/// Of a thousand and more nobody keeps the names: the namespace is in doubt that has most of them.
#[test]
fn very_many_doubts_are_about_their_namespace() {
    let mut script = "bookmark @5\nbegin #1 shop/x\nunknown #1\n".to_owned();
    for number in 2..=1001 {
        script += &format!("begin #{number} x{number}\nunknown #{number}\n");
    }
    script += "read shop/y\nread shop/x\nread y\nask\ntold @9\nquestion\nask\ntold @9\n";
    script += "read y\nlist";
    check(
        &script,
        expect![[r#"
            read shop/y: nothing
            read shop/x: held: Unknown
            read y: held: Unknown
            question: all in "default" after 0ns
            read y: nothing
            list: answered
            some left
        "#]],
    );
}

/// Where each is of another namespace, everything is in doubt.
#[test]
fn very_many_doubts_of_as_many_namespaces_are_about_everything() {
    let mut script = "bookmark @5\n".to_owned();
    for number in 1..=1001 {
        script += &format!("begin #{number} n{number}/x\nunknown #{number}\n");
    }
    script += "read shop/y\nquestion\nask\ntold @9\nread shop/y\nlist";
    check(
        &script,
        expect![[r#"
            read shop/y: held: Unknown
            question: all in "" after 0ns
            read shop/y: nothing
            list: answered
            some left
        "#]],
    );
}

/// As many namespaces as are asked for one by one.
#[test]
fn many_doubts_of_eight_namespaces_are_a_question_each() {
    check(
        &doubts_of(8),
        expect![[r#"
            list: waits for what became of a write whose answer did not tell
            question: all in "n0" after 0ns
            list: waits for what became of a write whose answer did not tell
            question: all in "n1" after 0ns
            list in n0: answered
            some left
        "#]],
    );
}

/// A thousand are told apart; one more is too many.
#[test]
fn a_thousand_doubts_hold_nobody_else() {
    let lost = |number| format!("begin #{number} x{number}\nunknown #{number}\n");
    let mut script = "bookmark @5\n".to_owned();
    script.extend((1..=1000).map(lost));
    script += "read x7\nread y\n";
    script += &lost(1001);
    script += "read y";
    check(
        &script,
        expect![[r#"
            read x7: held: Unknown
            read y: nothing
            read y: held: Unknown
            some left
        "#]],
    );
}
