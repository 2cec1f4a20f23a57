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

/// A server that went back in time has other versions: what it said of the ones before is not waited for.
#[test]
fn what_was_told_before_the_server_went_back_holds_nobody() {
    check(
        "
        sees a@5
        begin #1 *
        unknown #1
        list
        ask
        told @9
        list
        clear
        list
        ",
        expect![[r#"
            list: waits for what became of a write whose answer did not tell
            list: waits for version 9
            list: answered
            nothing left
        "#]],
    );
}

/// Nothing is kept of an answer that tells of no later version than the copy has.
#[test]
fn what_was_told_and_the_copy_has_is_forgotten() {
    check(
        "
        bookmark @9
        begin #1 *
        unknown #1
        list
        ask
        told @9
        list
        ",
        expect![[r#"
            list: waits for what became of a write whose answer did not tell
            list: answered
            nothing left
        "#]],
    );
}

/// The copy has come to the very version of the answer, and this is not told yet.
#[test]
fn a_copy_that_has_come_to_the_answer_is_not_behind_it() {
    check(
        "
        sees a@5
        begin #1 *
        unknown #1
        list
        ask
        told @9
        read a
        ahead b@9
        read a
        list
        ",
        expect![[r#"
            list: waits for what became of a write whose answer did not tell
            read a: held: Version(Version(9))
            read a: a@5
            list: answered
            some left
        "#]],
    );
}
