//! Writes of which nobody knows what became.
//!
//! `unknown` ends a write without an answer that tells; `question` says what is asked of the server and when,
//! `ask` asks it, `told` is what it has, in which version.

use expect_test::expect;

use super::check;

/// Whoever reads what may have been written waits until the server was asked, and for what it said.
#[test]
fn y_07_a_lost_answer_holds_reads_until_the_server_was_asked() {
    check(
        "
        sees b@5
        begin #1 a
        unknown #1
        question
        read b
        list in bank
        question
        read a
        list
        question
        ask
        told @9 a#1@8
        read a
        list
        sees a#1@8
        read a
        list
        ",
        expect![[r#"
            question: none
            read b: b@5
            list in bank: answered
            question: none
            read a: held: Unknown
            list: waits for what became of a write whose answer did not tell
            question: default/a after 0ns
            read a: held: Version(Version(8))
            list: waits for version 8
            read a: a#1@8
            list: answered
            nothing left
        "#]],
    );
}

/// It was not carried out, or was undone: what the copy shows of before has to leave, and nothing else is
/// waited for.
#[test]
fn y_07_what_the_server_does_not_have_has_to_leave() {
    check(
        "
        sees b#1@5
        begin #1 a
        unknown #1
        begin #2 b
        unknown #2
        read a
        ask
        told @9
        read a
        read b
        ask
        told @9
        read b
        list
        sees a#2@7
        read a
        list
        loses a#2@8
        read a
        list
        loses b#1@9
        list
        ",
        expect![[r#"
            read a: held: Unknown
            read a: nothing
            read b: held: Unknown
            read b: held: Version(Version(9))
            list: waits for version 9
            read a: held: Version(Version(9))
            list: waits for version 9
            read a: nothing
            list: waits for version 9
            list: answered
            nothing left
        "#]],
    );
}

/// The answer to a question tells of writes that were over when it was asked.
#[test]
fn y_07_what_is_in_doubt_since_is_asked_again() {
    check(
        "
        sees a#1@5
        begin #1 a
        unknown #1
        read a
        ask
        begin #2 a
        unknown #2
        told @6 a#1@6
        sees a#1@6
        read a
        question
        ask
        told @7 a#1@7
        sees a#1@7
        read a
        ",
        expect![[r#"
            read a: held: Unknown
            read a: held: Unknown
            question: default/a after 0ns
            read a: a#1@7
            nothing left
        "#]],
    );
}

/// What is written later and answered tells what there is.
#[test]
fn y_07_a_later_write_that_is_answered_leaves_no_doubt() {
    check(
        "
        sees a#1@5
        begin #1 a
        begin #2 a
        unknown #1
        stored #2 a#1@6
        sees a#1@6
        read a
        begin #3 a
        stored #3 a#1@7
        read a
        sees a#1@7
        read a
        begin #4 a
        unknown #4
        begin #5 a
        deleted #5 a 1
        loses a#1@9
        read a
        begin #6 a
        unknown #6
        begin #7 a
        absent #7
        read a
        ",
        expect![[r#"
            read a: held: Unknown
            read a: held: Version(Version(7))
            read a: a#1@7
            read a: nothing
            read a: held: Unknown
            some left
        "#]],
    );
}

/// Y-06: of a deletion of many, and of a name that the server was to choose, everything there is asked.
#[test]
fn y_06_after_a_deletion_of_many_the_server_is_asked_for_all_there_is() {
    check(
        "
        sees a@5
        sees b@6
        sees shop/c@7
        begin #1 *
        read a
        unknown #1
        read shop/c
        list in shop
        read b
        list
        question
        ask
        told @11 b@10
        read a
        read b
        list in default
        list in shop
        loses a@9
        read a
        list
        sees b@10
        read b
        list
        sees d@8
        read d
        list
        loses d@11
        list
        begin #2 ?
        unknown #2
        read e
        list in default
        question
        ask
        told @14 b@10 e@13
        list
        bookmark @14
        list
        ",
        expect![[r#"
            read a: held: Write
            read shop/c: shop/c@7
            list in shop: answered
            read b: held: Unknown
            list: waits for what became of a write whose answer did not tell
            question: all in "default" after 0ns
            read a: held: Version(Version(11))
            read b: held: Version(Version(10))
            list in default: waits for version 10
            list in shop: answered
            read a: nothing
            list: waits for version 10
            read b: b@10
            list: answered
            read d: held: Version(Version(11))
            list: waits for version 11
            list: answered
            read e: held: Unknown
            list in default: waits for what became of a write whose answer did not tell
            question: all in "default" after 0ns
            list: waits for version 13
            list: answered
            nothing left
        "#]],
    );
}

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

/// A server that will not say lets reads go.
#[test]
fn a_question_that_is_not_answered_holds_nobody() {
    check(
        "
        sees a@5
        begin #1 a
        unknown #1
        begin #2 b
        stored #2 b@8 unsure
        read a
        read b
        ask
        told nothing
        read a
        wait 1
        ask
        told nothing
        read b
        list
        ",
        expect![[r#"
            read a: held: Unknown
            read b: held: Unsure(Version(8))
            read a: a@5
            read b: nothing
            list: answered
            nothing left
        "#]],
    );
}
