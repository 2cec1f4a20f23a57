//! Answers that come late, of objects whose newest state cannot be read.

use expect_test::expect;

use super::check;

/// The copy has what was written, and nothing of what came after it.
#[test]
fn y_02_an_own_write_that_is_shown_is_read_although_a_later_state_cannot_be() {
    check(
        "
        begin #1 a
        sees a@8
        spoils a@9
        stored #1 a@8
        read a
        ",
        expect![[r#"
            read a: a@8
            some left
        "#]],
    );
}

/// A deletion that began before the write was answered ends the life that it names, and no other.
#[test]
fn y_03_the_end_that_was_told_of_a_life_is_that_of_what_cannot_be_read() {
    check(
        "
        bookmark @5
        begin #1 a
        begin #2 a
        stored #1 a#1@8
        spoils a#1@8
        read a since #2
        deleted #2 a 1
        read a
        begin #3 b
        begin #4 b
        stored #3 b#3@9
        spoils b#3@9
        deleted #4 b 2
        read b
        ",
        expect![[r#"
            read a since #2: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read a: nothing
            read b: held: Unread(ObjectKey { namespace: "default", name: "b" })
            some left
        "#]],
    );
}

/// The same before the copy came to it.
#[test]
fn y_03_the_end_that_was_told_of_a_life_is_that_of_what_is_yet_to_come() {
    check(
        "
        bookmark @5
        begin #1 a
        begin #2 a
        stored #1 a#1@8
        deleted #2 a 1
        spoils a#1@8
        read a
        begin #3 b
        begin #4 b
        stored #3 b#3@9
        deleted #4 b 2
        spoils b#3@9
        read b
        ",
        expect![[r#"
            read a: nothing
            read b: held: Unread(ObjectKey { namespace: "default", name: "b" })
            some left
        "#]],
    );
}

/// What left the selection is not missed; what left before the write is none of its end.
#[test]
fn y_03_what_came_back_to_the_selection_and_cannot_be_read_is_told() {
    check(
        "
        sees a#1@5
        begin #1 a
        stored #1 a#1@7 out
        begin #2 a
        stored #2 a#1@8
        spoils a#1@8
        read a
        begin #3 a
        begin #4 a
        stored #3 a#1@20
        spoils a#1@20
        stored #4 a#1@15 out
        read a
        ",
        expect![[r#"
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            some left
        "#]],
    );
}

/// An answer of before an end that is known brings nothing back: the object left the selection, or was deleted.
#[test]
fn y_03_an_answer_of_before_the_end_is_not_missed() {
    check(
        "
        bookmark @5
        begin #1 a
        begin #2 a
        begin #3 a
        stored #1 a#1@8
        spoils a#1@8
        stored #3 a#1@10 out
        bookmark @10
        stored #2 a#1@9
        read a
        begin #4 b
        begin #5 b
        stored #5 b#2@19
        spoils b#2@19
        begin #6 b
        deleted #6 b 2
        stored #4 b#1@18
        read b
        ",
        expect![[r#"
            read a: nothing
            read b: nothing
            some left
        "#]],
    );
}

/// The end of a life says nothing of the next one, which cannot be read.
#[test]
fn y_03_a_late_answer_of_a_life_that_is_over_hides_no_later_one() {
    check(
        "
        bookmark @5
        begin #1 a
        begin #2 a
        deleted #2 a 1
        begin #3 a
        stored #3 a#2@20
        spoils a#2@20
        stored #1 a#1@8
        read a
        ",
        expect![[r#"
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            some left
        "#]],
    );
}

/// What the server was found to have has no life; the answer that comes late says of which it was.
#[test]
fn y_03_the_answer_to_what_was_asked_about_tells_whose_end_it_was() {
    check(
        "
        bookmark @5
        begin #1 a
        begin #2 a
        unknown #2
        begin #3 a
        read a since #1
        ask
        told @8 a#1@8
        spoils a#1@8
        deleted #3 a 1
        read a since #1
        stored #1 a#1@8
        read a
        ",
        expect![[r#"
            read a since #1: held: Unknown
            read a since #1: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read a: nothing
            some left
        "#]],
    );
}

/// A question about a whole namespace tells of what was in doubt by name, also whether it can be read.
#[test]
fn y_07_what_was_asked_about_with_others_and_cannot_be_read_is_told() {
    check(
        "
        sees a@5
        begin #1 a
        unknown #1
        begin #2 *
        unknown #2
        list
        ask
        told @9 a@8
        spoils a@8
        read a
        ",
        expect![[r#"
            list: waits for what became of a write whose answer did not tell
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            some left
        "#]],
    );
}
