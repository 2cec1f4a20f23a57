//! Own writes that came in states which cannot be read: `spoils` is such an event, `lists` names those of a list.

use expect_test::expect;

use super::{Floors, check, key};

/// The copy has come to the write, and does not have it. What it was told before, or is later, it has.
#[test]
fn y_02_an_own_write_that_cannot_be_read_is_not_taken_for_read() {
    check(
        "
        sees a@5
        begin #1 a
        stored #1 a@8
        read a
        spoils a@8
        read a
        read b
        list
        list in default
        list in shop
        spoils a@9
        read a
        sees a@10
        read a
        list
        spoils a@11
        read a
        ",
        expect![[r#"
            read a: held: Version(Version(8))
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read b: nothing
            list: waits for a state of default/a that can be read
            list in default: waits for a state of default/a that can be read
            list in shop: answered
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read a: a@10
            list: answered
            read a: a@10
            nothing left
        "#]],
    );
}

/// An answer may come after the event, and after events of other objects.
#[test]
fn y_02_an_own_write_that_was_answered_late_is_not_taken_for_read() {
    check(
        "
        sees a@5
        begin #1 a
        begin #2 a
        spoils a@7
        bookmark @9
        stored #2 a@7
        stored #1 a@6
        read a
        read a since #1
        read a since #2
        loses a@10
        read a
        ",
        expect![[r#"
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read a since #1: a@5
            read a since #2: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read a: nothing
            nothing left
        "#]],
    );
}

/// What was made and cannot be read is not "nothing".
#[test]
fn y_02_what_was_made_and_cannot_be_read_is_not_absent() {
    check(
        "
        bookmark @5
        begin #1 a
        stored #1 a@8
        begin #2 b
        stored #2 b@9 unsure
        begin #3 c
        stored #3 c@10 out
        spoils a@8
        spoils b@9
        spoils c@10
        read a
        read b
        read c
        ",
        expect![[r#"
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read b: held: Unread(ObjectKey { namespace: "default", name: "b" })
            read c: nothing
            some left
        "#]],
    );
}

/// A list says of all that there is what cannot be read.
#[test]
fn y_02_a_list_tells_which_own_writes_cannot_be_read() {
    check(
        "
        sees a@5
        sees b@5
        begin #1 a
        stored #1 a@8
        begin #2 b
        stored #2 b@9
        lists @9 a
        read a
        read b
        lists @10 a b
        read a
        read b
        lists @11 b
        read a
        list
        ",
        expect![[r#"
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read b: b@5
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read b: b@5
            read a: a@5
            list: answered
            nothing left
        "#]],
    );
}

/// A write whose answer was lost is asked about, and what the server has of its object may be unreadable here.
#[test]
fn y_07_what_was_asked_about_and_cannot_be_read_is_told() {
    check(
        "
        sees a@5
        begin #1 a
        unknown #1
        read a
        ask
        told @9 a@8
        spoils a@8
        read a
        clear
        read a
        ",
        expect![[r#"
            read a: held: Unknown
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read a: a@5
            nothing left
        "#]],
    );
}

/// What is to go is waited for: its end can be told although it cannot be read.
#[test]
fn y_03_the_end_of_what_cannot_be_read_is_waited_for() {
    check(
        "
        sees a#1@5
        begin #1 a
        stored #1 a#1@8
        spoils a#1@8
        begin #2 a
        deleted #2 a 1
        read a
        list
        loses a#1@9
        read a
        ",
        expect![[r#"
            read a: held: Deletion
            list: waits for the end of an object that was deleted
            read a: nothing
            nothing left
        "#]],
    );
}

/// Of versions without an order nobody can tell.
#[test]
fn versions_without_an_order_are_read_although_another_cannot_be() {
    check(
        "
        sees a@x5
        begin #1 a
        spoils a@8
        stored #1 a@8
        read a
        ",
        expect![[r#"
            read a: a@x5
            some left
        "#]],
    );
}

/// What went with an own write, or left the selection with one, is not there: no state of it is missed.
#[test]
fn y_03_what_cannot_be_read_and_is_over_is_absent() {
    check(
        "
        bookmark @5
        begin #1 a
        stored #1 a#1@8
        begin #2 b
        stored #2 b#2@9
        begin #3 c
        stored #3 c#3@10
        begin #4 d
        stored #4 d#4@11
        spoils a#1@8
        spoils b#2@9
        spoils c#3@10
        spoils d#4@11
        begin #5 a
        deleted #5 a 1
        read a since #5
        read a
        begin #6 b
        stored #6 b#2@13 out
        read b
        begin #7 c
        absent #7
        read c
        begin #8 *
        unknown #8
        list
        ask
        told @16
        read d
        list
        begin #9 a
        stored #9 a#9@17
        spoils a#9@17
        read a
        ",
        expect![[r#"
            read a since #5: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read a: nothing
            read b: nothing
            read c: nothing
            list: waits for what became of a write whose answer did not tell
            read d: nothing
            list: answered
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            some left
        "#]],
    );
}

/// What is over is so whether the copy comes to what was made before it is told of the end or after.
#[test]
fn y_03_what_was_over_before_the_copy_came_to_it_is_absent() {
    check(
        "
        bookmark @5
        begin #1 a
        stored #1 a#1@8
        begin #2 a
        deleted #2 a 1
        spoils a#1@8
        read a
        begin #3 b
        unknown #3
        read b
        ask
        told @10 b#2@10
        begin #4 b
        deleted #4 b 2
        spoils b#2@10
        read b
        begin #5 c
        unknown #5
        read c
        ask
        begin #6 c
        deleted #6 c 3
        told @12 c#3@12
        spoils c#3@12
        read c
        begin #7 d
        unknown #7
        read d
        ask
        begin #8 d
        absent #8
        told @14 d#4@14
        spoils d#4@14
        read d
        begin #9 e
        stored #9 e#5@15
        begin #10 e
        stored #10 e#5@16 out
        spoils e#5@15
        read e
        read e since #10
        begin #11 f
        begin #12 f
        deleted #12 f 6
        stored #11 f#6@17
        spoils f#6@17
        read f
        ",
        expect![[r#"
            read a: nothing
            read b: held: Unknown
            read b: nothing
            read c: held: Unknown
            read c: nothing
            read d: held: Unknown
            read d: nothing
            read e: nothing
            read e since #10: held: Unread(ObjectKey { namespace: "default", name: "e" })
            read f: nothing
            some left
        "#]],
    );
}

/// A deletion beside the question may have come before what was found, or after it: the server is asked again.
#[test]
fn y_03_what_ended_beside_the_question_is_asked_about_again() {
    check(
        "
        bookmark @5
        begin #1 a
        unknown #1
        begin #2 a
        read a since #2
        ask
        absent #2
        told @8 a#1@7
        read a
        ask
        told @9 a#1@7
        spoils a#1@7
        read a
        begin #3 b
        unknown #3
        begin #4 b
        read b since #4
        ask
        told @10 b#2@10
        deleted #4 b 2
        spoils b#2@10
        read b
        ask
        told @12
        read b
        ",
        expect![[r#"
            read a since #2: held: Unknown
            read a: held: Unknown
            read a: held: Unread(ObjectKey { namespace: "default", name: "a" })
            read b since #4: held: Unknown
            read b: held: Unknown
            read b: nothing
            some left
        "#]],
    );
}

/// While it is so, no delta is looked through for who waits for what cannot be read.
#[test]
fn whether_everything_can_be_read_is_told() {
    let mut floors = Floors::default();
    assert!(floors.is_all_readable());
    floors.set_aside(key("a"));
    floors.set_aside(key("b"));
    floors.told(&key("a"));
    assert!(!floors.is_all_readable());
    floors.listed(&[key("c")]);
    assert!(!floors.is_all_readable());
    floors.listed(&[]);
    assert!(floors.is_all_readable());
}
