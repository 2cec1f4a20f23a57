//! Several questions at once: one that takes long, or is never answered, holds up no other.
//!
//! `ask` asks what is due, `told` answers the one that was asked first, and `fails` says that it has no answer.

use expect_test::expect;

use super::*;

/// Ten lost answers.
fn doubts() -> String {
    let lost = |number| format!("begin #{number} x{number}\nunknown #{number}\n");
    "bookmark @5\n".to_owned() + &(1..=10).map(lost).collect::<String>()
}

#[test]
fn y_07_questions_are_asked_beside_each_other() {
    check(
        "
        bookmark @5
        begin #1 *
        unknown #1
        begin #2 shop/b
        unknown #2
        list
        ask
        ask
        question
        told @9 shop/b@8
        read shop/b
        list in default
        told @10
        list in default
        ",
        expect![[r#"
            list: waits for what became of a write whose answer did not tell
            question: none
            read shop/b: held: Version(Version(8))
            list in default: waits for what became of a write whose answer did not tell
            list in default: answered
            some left
        "#]],
    );
}

/// Eight are asked at once.
#[test]
fn y_07_not_everything_is_asked_at_once() {
    let reads: String = (1..=10).map(|number| format!("read x{number}\n")).collect();
    let asks = "ask\n".repeat(8) + "question\ntold @9\nquestion\nask\nquestion";
    check(
        &(doubts() + &reads + &asks),
        expect![[r#"
        read x1: held: Unknown
        read x2: held: Unknown
        read x3: held: Unknown
        read x4: held: Unknown
        read x5: held: Unknown
        read x6: held: Unknown
        read x7: held: Unknown
        read x8: held: Unknown
        read x9: held: Unknown
        read x10: held: Unknown
        question: none
        question: default/x8 after 0ns
        question: none
        some left
    "#]],
    );
}

/// Of lists four, so that there is room for what is short.
#[test]
fn y_07_lists_leave_room_for_what_is_short() {
    let mut script = "bookmark @5\n".to_owned();
    for number in 1..=5 {
        script += &format!("begin #{number} n{number}/*\nunknown #{number}\nlist in n{number}\n");
    }
    script += &"ask\n".repeat(4);
    script += "question\nbegin #6 a\nunknown #6\nread a\nquestion\nask\nquestion\n";
    check(
        &(script + "told @9\nquestion"),
        expect![[r#"
        list in n1: waits for what became of a write whose answer did not tell
        list in n2: waits for what became of a write whose answer did not tell
        list in n3: waits for what became of a write whose answer did not tell
        list in n4: waits for what became of a write whose answer did not tell
        list in n5: waits for what became of a write whose answer did not tell
        question: none
        read a: held: Unknown
        question: default/a after 0ns
        question: none
        question: all in "n5" after 0ns
        some left
    "#]],
    );
}

/// What was not answered is asked again later each time; the others have to wait for a breath only.
#[test]
fn y_07_a_question_that_fails_delays_no_other() {
    check(
        "
        bookmark @5
        begin #1 a
        unknown #1
        read a
        ask
        fails
        begin #2 b
        unknown #2
        read b
        question
        wait 1
        ask
        question
        told @9
        wait 1
        ask
        fails
        question
        ",
        expect![[r#"
            read a: held: Unknown
            read b: held: Unknown
            question: default/b after 100ms
            question: default/a after 0ns
            question: default/a after 2.511s
            some left
        "#]],
    );
}

/// Who waits for everything waits for what is asked already, and who reads one object does not.
#[test]
fn y_07_what_is_asked_is_not_asked_in_parts() {
    let later = |number| format!("begin #1{number} x{number}\nstored #1{number} x{number}@6\n");
    let known: String = (1..=2).map(later).collect();
    let script = doubts() + "list\nask\n" + &known + "list\nquestion\nread x3\nquestion";
    check(
        &script,
        expect![[r#"
        list: waits for what became of a write whose answer did not tell
        list: waits for what became of a write whose answer did not tell
        question: none
        read x3: held: Unknown
        question: default/x3 after 0ns
        some left
    "#]],
    );
}

/// The answer to one question forgets no end that was told beside another.
#[test]
fn y_03_an_end_beside_a_question_is_remembered_until_that_is_answered() {
    check(
        "
        bookmark @5
        begin #1 a
        unknown #1
        begin #2 b
        unknown #2
        begin #3 b
        read a
        read b since #3
        ask
        ask
        absent #3
        told @8
        told @8 b#2@7
        read b
        ",
        expect![[r#"
            read a: held: Unknown
            read b since #3: held: Unknown
            read b: held: Unknown
            some left
        "#]],
    );
}

/// What became known otherwise is not asked any more, whatever else is waited for there or in question elsewhere.
#[test]
fn y_07_a_list_that_is_unsure_of_nothing_asks_nothing() {
    let unsure = |number| {
        format!("begin #{number} x{number}\nstored #{number} x{number}@1{number:02} unsure\n")
    };
    let script = "bookmark @5\n".to_owned()
        + &(1..=9).map(unsure).collect::<String>()
        + "list in default\nquestion\nbookmark @150\n"
        + "begin #10 y\nstored #10 y@200\nbegin #11 shop/z\nstored #11 shop/z@201 unsure\nquestion\n";
    check(
        &script,
        expect![[r#"
            list in default: waits for version 109, if that is selected
            question: all in "default" after 1s
            question: none
            some left
        "#]],
    );
}

/// Whoever asks is woken for these, and for nothing that comes by itself.
#[test]
fn y_07_only_what_the_server_alone_can_tell_is_asked() {
    let version = Version::parse("8").unwrap();
    let asked = [Held::Unsure(version), Held::Unknown];
    assert!(asked.iter().all(Held::is_question));
    let others = [Held::Write, Held::Version(version), Held::Deletion, Held::Unread(key("a"))];
    assert!(!others.iter().any(Held::is_question));
}
