//! Reads of everything, and of a namespace.
//!
//! `list` says whether a read of everything is answered. `ahead` puts an object into the copy whose floors
//! were not told of it yet; `clear` is a server that went back in time.

use expect_test::expect;

use super::check;

/// Y-01, Y-02, Y-03 for what reads more than one object: it waits for every write that began before it, for
/// the highest floor and for the last deletion.
#[test]
fn y_04_a_read_of_everything_waits_for_every_own_write() {
    check(
        "
        bookmark @5
        list
        begin #1 a
        list since #1
        list
        stored #1 a#1@8
        begin #2 b
        stored #2 b#2@9
        list
        read c
        sees a#1@8
        list
        sees b#2@9
        list
        begin #3 a
        deleted #3 a 1
        list
        read b
        loses a#1@10
        list
        ",
        expect![[r#"
            list: answered
            list since #1: answered
            list: waits for the answer to a write
            list: waits for version 9
            read c: nothing
            list: waits for version 9
            list: answered
            list: waits for the end of an object that was deleted
            read b: b#2@9
            list: answered
            nothing left
        "#]],
    );
}

/// The store is changed first and the floors are told then: who looks in between has what was written.
#[test]
fn y_02_a_floor_that_the_copy_has_reached_holds_nobody() {
    check(
        "
        bookmark @5
        begin #1 a
        stored #1 a@8
        ahead a@8
        read a
        list
        ",
        expect![[r#"
            read a: a@8
            list: answered
            some left
        "#]],
    );
}

/// Y-02: answers come in any order, and the highest version counts.
#[test]
fn y_02_an_older_answer_does_not_lower_a_floor() {
    check(
        "
        bookmark @5
        begin #1 a
        begin #2 a
        stored #2 a@9
        stored #1 a@8
        read a
        sees a@8
        read a
        begin #3 a
        stored #3 a@12
        read a
        list
        sees a@9
        read a
        sees a@12
        read a
        list
        ",
        expect![[r#"
            read a: held: Version(Version(9))
            read a: held: Version(Version(9))
            read a: held: Version(Version(12))
            list: waits for version 12
            read a: held: Version(Version(12))
            read a: a@12
            list: answered
            nothing left
        "#]],
    );
}

/// Y-04: a list of one namespace waits for the writes there, whoever writes elsewhere.
#[test]
fn y_04_a_list_of_a_namespace_waits_for_own_writes_there() {
    check(
        "
        bookmark @5
        begin #1 shop/a
        list in shop
        list in bank
        stored #1 shop/a#1@8
        list in shop
        list in bank
        begin #2 bank/b
        stored #2 bank/b#2@9
        sees shop/a#1@8
        list in shop
        list in bank
        begin #3 shop/a
        deleted #3 shop/a 1
        sees bank/b#2@9
        list in bank
        list in shop
        loses shop/a#1@10
        list in shop
        begin #4 ?
        list in shop
        list in default
        read a
        ",
        expect![[r#"
            list in shop: waits for the answer to a write
            list in bank: answered
            list in shop: waits for version 8
            list in bank: answered
            list in shop: answered
            list in bank: waits for version 9
            list in bank: answered
            list in shop: waits for the end of an object that was deleted
            list in shop: answered
            list in shop: answered
            list in default: waits for the answer to a write
            read a: nothing
            some left
        "#]],
    );
}

/// Versions from before a restore mean nothing; a write that is under way may be one of after it.
#[test]
fn a_server_that_went_back_in_time_holds_nobody() {
    check(
        "
        sees b#2@5
        begin #1 a
        stored #1 a#1@8
        begin #2 b
        deleted #2 b 2
        begin #3 c
        clear
        read a
        read b
        read c
        refused #3
        list
        ",
        expect![[r#"
            read a: nothing
            read b: b#2@5
            read c: held: Write
            list: answered
            nothing left
        "#]],
    );
}
