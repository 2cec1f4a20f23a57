//! Copies of some objects: what is written may be none of them, or not any more.

use expect_test::expect;

use super::check;

/// What is not selected never comes, so it is not waited for; what was selected before has to leave.
#[test]
fn y_07_what_is_not_selected_is_not_waited_for_and_what_was_has_to_leave() {
    check(
        "
        sees a#1@5
        begin #1 b
        stored #1 b#2@8 out
        read b
        list
        begin #2 a
        stored #2 a#1@9 out
        read a
        list
        loses a#1@9
        read a
        list
        begin #3 a
        stored #3 a#1@10
        read a
        sees a#1@10
        read a
        begin #4 a
        stored #4 a#1@11 out
        sees a#1@12
        read a
        ",
        expect![[r#"
            read b: nothing
            list: answered
            read a: held: Version(Version(9))
            list: waits for version 9
            read a: nothing
            list: answered
            read a: held: Version(Version(10))
            read a: a#1@10
            read a: a#1@12
            nothing left
        "#]],
    );
}

/// Where the server alone can tell, its event is waited for, and then it is asked.
#[test]
fn y_07_where_only_the_server_can_tell_it_is_asked_after_a_second() {
    check(
        "
        sees a#1@5
        begin #1 a
        stored #1 a#1@8 unsure
        question
        read a
        question
        sees a#1@8
        question
        read a
        begin #2 a
        stored #2 a#1@9 unsure
        begin #3 b
        stored #3 b#2@10 unsure
        list
        wait 1
        question
        ask
        told @10
        read a
        read b
        question
        ask
        told @11 b#2@10
        list
        loses a#1@9
        list
        sees b#2@10
        list
        ",
        expect![[r#"
            question: none
            read a: held: Unsure(Version(8))
            question: default/a after 1s
            question: none
            read a: a#1@8
            list: waits for version 10, if that is selected
            question: default/a after 0ns
            read a: held: Version(Version(10))
            read b: held: Unsure(Version(10))
            question: default/b after 0ns
            list: waits for version 10
            list: waits for version 10
            list: answered
            nothing left
        "#]],
    );
}

/// A newer write than the answer tells of is still to be asked for.
#[test]
fn y_07_a_write_after_the_answer_is_in_question() {
    check(
        "
        sees a#1@5
        begin #1 a
        stored #1 a#1@8 unsure
        read a
        wait 1
        ask
        begin #2 a
        stored #2 a#1@9 unsure
        told @8
        read a
        question
        ask
        told @9 a#1@9
        sees a#1@9
        read a
        ",
        expect![[r#"
            read a: held: Unsure(Version(8))
            read a: held: Unsure(Version(9))
            question: default/a after 1s
            read a: a#1@9
            nothing left
        "#]],
    );
}

/// Of many that only the server can tell of, all of their namespace is asked for.
#[test]
fn y_07_many_of_which_only_the_server_can_tell_are_one_question() {
    let mut script = "bookmark @5\n".to_owned();
    for number in 1..=20 {
        script +=
            &format!("begin #{number} x{number}\nstored #{number} x{number}@1{number:02} unsure\n");
    }
    script += "list in default\nquestion\nwait 1\nquestion\nask\ntold @130 x7@107\nquestion\n";
    script += "list\nread x7\nread x8\nsees x7@107\nlist";
    check(
        &script,
        expect![[r#"
            list in default: waits for version 120, if that is selected
            question: all in "default" after 1s
            question: all in "default" after 0ns
            question: none
            list: waits for version 107
            read x7: held: Version(Version(107))
            read x8: nothing
            list: answered
            some left
        "#]],
    );
}

/// A list asks of what it waits for, and of nothing elsewhere or known.
#[test]
fn y_07_a_list_of_a_namespace_asks_of_what_is_unsure_there_alone() {
    check(
        "
        bookmark @5
        begin #1 other/a
        stored #1 other/a@8 unsure
        begin #2 b
        stored #2 b@9
        begin #3 c
        stored #3 c@10 unsure
        list in default
        question
        ask
        question
        ",
        expect![[r#"
            list in default: waits for version 10, if that is selected
            question: default/c after 1s
            question: none
            some left
        "#]],
    );
}
