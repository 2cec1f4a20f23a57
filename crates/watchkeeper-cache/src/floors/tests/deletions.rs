//! Lives that are over.

use expect_test::expect;

use super::*;

/// Y-03: also for what was created and deleted before the copy saw any of it.
#[test]
fn y_03_a_deleted_object_is_not_read_again() {
    check(
        "
        sees a#1@5
        begin #1 a
        deleted #1 a 1
        read a
        sees a#1@6
        read a
        loses a#1@7
        read a
        begin #2 a
        stored #2 a#2@8
        begin #3 a
        deleted #3 a 2
        read a
        sees a#2@8
        read a
        loses a#2@9
        read a
        ",
        expect![[r#"
            read a: held: Deletion
            read a: held: Deletion
            read a: nothing
            read a: held: Version(Version(8))
            read a: held: Deletion
            read a: nothing
            nothing left
        "#]],
    );
}

/// Y-03: a deletion whose answer was lost, tried again: what the copy held when that began is gone, and what
/// was made since is not.
#[test]
fn y_03_what_there_is_no_more_is_not_read_again() {
    check(
        "
        sees a#1@5
        begin #1 a
        refused #1
        read a
        begin #2 a
        absent #2
        read a
        sees a#1@6
        read a
        loses a#1@7
        read a
        sees a#2@8
        begin #3 a
        loses a#2@9
        sees a#3@10
        absent #3
        read a
        begin #4 b
        absent #4
        read b
        ",
        expect![[r#"
            read a: a#1@5
            read a: held: Deletion
            read a: held: Deletion
            read a: nothing
            read a: a#3@10
            read b: nothing
            some left
        "#]],
    );
}

/// Y-03: the life that is over is the one that an own write made, and the copy has yet to see it.
#[test]
fn y_03_what_the_copy_has_not_seen_may_be_gone() {
    check(
        "
        bookmark @5
        begin #1 a
        stored #1 a#1@8
        begin #2 a
        absent #2
        begin #3 b
        stored #3 b#2@9
        begin #4 b
        deleted #4 b
        sees a#1@8
        sees b#2@9
        read a
        read b
        loses a#1@10
        loses b#2@11
        read a
        read b
        ",
        expect![[r#"
            read a: held: Deletion
            read b: held: Deletion
            read a: nothing
            read b: nothing
            nothing left
        "#]],
    );
}

/// Y-03: what an update was answered with, before the deletion that crossed it, is not read again.
#[test]
fn y_03_an_answer_that_crosses_that_of_a_deletion_does_not_undo_it() {
    check(
        "
        sees a#1@5
        begin #1 a
        begin #2 a
        deleted #2 a 1
        stored #1 a#1@6
        sees a#1@6
        read a
        loses a#1@7
        read a
        ",
        expect![[r#"
            read a: held: Deletion
            read a: nothing
            nothing left
        "#]],
    );
}

#[test]
fn a_namesake_made_since_is_not_held() {
    check(
        "
        sees a#1@5
        begin #1 a
        deleted #1 a 1
        read a
        sees a#2@9
        read a
        ",
        expect![[r#"
            read a: held: Deletion
            read a: a#2@9
            some left
        "#]],
    );
}

/// Y-03: the copy has yet to come to the life that was deleted; the one before it is over, too.
#[test]
fn y_03_what_was_shown_before_the_deleted_life_is_not_read_again() {
    check(
        "
        sees a#1@5
        begin #1 a
        deleted #1 a 2
        read a
        list
        loses a#1@6
        read a
        sees a#2@7
        read a
        loses a#2@8
        read a
        ",
        expect![[r#"
            read a: held: Deletion
            list: waits for the end of an object that was deleted
            read a: nothing
            read a: held: Deletion
            read a: nothing
            nothing left
        "#]],
    );
}

/// Before the first list nobody knows which life it was: the server is asked.
#[test]
fn y_03_what_was_absent_before_the_first_list_is_asked_about() {
    check(
        "
        unlisted
        begin #1 a
        absent #1
        begin #2 b
        deleted #2 b
        listed @5
        sees a#1@5
        read a
        ask
        told @9
        read a
        loses a#1@8
        read a
        read b
        ",
        expect![[r#"
            read a: held: Unknown
            read a: held: Version(Version(9))
            read a: nothing
            read b: held: Unknown
            some left
        "#]],
    );
}

/// Lives that the copy never had are dropped; those that it has yet to lose are kept, and not looked at again
/// for every write.
#[test]
fn pending_deletes_are_swept_and_seldom() {
    let mut floors = Floors::default();
    let looked = std::cell::Cell::new(0);
    for number in 0..10_000_u64 {
        let key = key(&format!("x{number}"));
        floors.finish(number, Outcome::Deleted { key, uid: number.to_string() }, None);
        floors.sweep(|_, uid| {
            looked.set(looked.get() + 1);
            uid.parse::<u64>().is_ok_and(|number| number.is_multiple_of(2))
        });
    }
    let mut held = |number: u64| {
        let uid = number.to_string();
        let seen = Seen { uid: &uid, version: "" };
        let reading = Reading { seal: 10_000, reached: None, now: Duration::ZERO };
        floors.held(&key(&format!("x{number}")), Some(seen), reading) == Some(Held::Deletion)
    };
    assert!((0..10_000).step_by(2).all(&mut held), "one that may be read was dropped");
    assert!(floors.ends.len() < 9000, "{} are kept", floors.ends.len());
    assert!(looked.get() < 50_000, "{} looks for 10000 writes", looked.get());
}

/// What leaves the selection may come back before it ends: the copy shows again what is over.
#[test]
fn y_03_what_left_and_came_back_before_its_end_is_not_read_again() {
    check(
        "
        sees a#1@5
        begin #1 a
        deleted #1 a 1
        leaves a#1@6
        read a
        sees a#1@7
        read a
        leaves a#1@8
        read a
        begin #2 b
        stored #2 b@9
        sees b@9
        read a
        sees a#2@10
        read a
        ",
        expect![[r#"
            read a: nothing
            read a: held: Deletion
            read a: nothing
            read a: nothing
            read a: a#2@10
            nothing left
        "#]],
    );
}

#[test]
fn y_01_a_read_does_not_wait_for_the_end_that_a_later_write_was_told() {
    check(
        "
        sees a#1@5
        begin #1 a
        deleted #1 a 1
        read a since #1
        read a since #2
        ",
        expect![[r#"
            read a since #1: a#1@5
            read a since #2: held: Deletion
            some left
        "#]],
    );
}

/// An answer that shows a life refutes that there was nothing, unless another named that life as the one it ended.
#[test]
fn y_03_an_answer_that_shows_the_life_undoes_an_end_that_nobody_named() {
    check(
        "
        sees a#1@5
        begin #1 a
        begin #2 a
        absent #1
        read a since #2
        stored #2 a#1@6
        sees a#1@6
        read a
        begin #3 a
        begin #4 a
        begin #5 a
        absent #4
        deleted #5 a 1
        stored #3 a#1@7
        sees a#1@7
        read a
        loses a#1@8
        read a
        ",
        expect![[r#"
            read a since #2: held: Deletion
            read a: a#1@6
            read a: held: Deletion
            read a: nothing
            nothing left
        "#]],
    );
}

/// Nothing was found, and nothing ended: that is not asked again.
#[test]
fn y_03_what_was_absent_beside_the_question_and_was_not_found_is_absent() {
    check(
        "
        bookmark @5
        begin #1 a
        unknown #1
        begin #2 a
        read a since #2
        ask
        absent #2
        told @8
        read a
        ",
        expect![[r#"
            read a since #2: held: Unknown
            read a: nothing
            some left
        "#]],
    );
}
