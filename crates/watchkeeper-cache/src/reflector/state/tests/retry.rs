//! Servers that do not do what they should, and what stands in between.

use expect_test::expect;

use super::check;

/// C-10: a stream that is not answered twice may be held up by what stands in between; a list may pass.
#[test]
fn c_10_streams_that_are_not_answered_do_not_keep_a_list_away() {
    check(
        "
        failed unreachable
        woken
        failed unreachable
        page @7 a@1
        opened
        failed expired
        woken
        failed unreachable
        woken
        failed unreachable
        failed unreachable
        woken
        failed unreachable
        page @9 a@1
        ",
        expect![[r#"
            > watch @ with initial events
            failed unreachable
              > sleep 915ms
            woken
              > watch @ with initial events
            failed unreachable
              > list @0
            page @7 a@1
              = replaced @7 a@1
              > watch @7
            opened
              > read
            failed expired
              > sleep 3s
            woken
              > watch @7 with initial events
            failed unreachable
              > sleep 4s
            woken
              > watch @7 with initial events
            failed unreachable
              > list @7
            failed unreachable
              > sleep 9s
            woken
              > watch @7 with initial events
            failed unreachable
              > list @7
            page @9 a@1
              = replaced @9 a@1
              > watch @9
        "#]],
    );
}

#[test]
fn a_server_that_says_to_stay_away_for_ever_is_not_believed() {
    check(
        "failed busy-for-ever",
        expect![[r#"
        > watch @ with initial events
        failed busy-for-ever
          > sleep 300s
    "#]],
    );
}

/// Defect of a bare `resourceVersion=`: what follows from there is everything, but not what vanished.
#[test]
fn a_version_is_not_lost_to_a_bookmark_without_one() {
    check(
        "
        opened
        end @5
        bookmark @
        failed broken
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            bookmark @
              > read
            failed broken
              > sleep 915ms
            woken
              > watch @5
        "#]],
    );
}

/// A server without versions: each time the watch has ended, the whole state is asked for again.
#[test]
fn c_20_without_a_version_what_vanished_is_found_by_the_whole_state() {
    check(
        "
        failed other
        page @ a@ b@
        opened
        added a@
        +400s
        closed
        opened
        end @
        failed unreachable
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @ a@ b@
              = replaced @ a@ b@
              > watch @
            opened
              > read
            added a@
              = added a@
              > read
            closed
              > watch @ with initial events
            opened
              > read for 30s
            end @
              = replaced @
              > read
            failed unreachable
              > sleep 1s
            woken
              > watch @ with initial events
        "#]],
    );
}

/// The same of what is added to other shards: what comes after it is not old.
#[test]
fn c_20_additions_to_other_shards_say_nothing_where_no_version_was_known() {
    check(
        "
        failed other
        page @
        opened
        elsewhere added @10
        added b@7
        elsewhere modified @11
        added c@10
        elsewhere added @12
        closed
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @
              = replaced @
              > watch @
            opened
              > read
            elsewhere added @10
              > read
            added b@7
              = added b@7
              > read
            elsewhere modified @11
              = bookmark @11
              > read
            added c@10
              > read
            elsewhere added @12
              = bookmark @12
              > read
            closed
              > watch @12
        "#]],
    );
}

/// Before the first event that is no addition the order of the versions is not known: they may be those of
/// what there was, in any order.
#[test]
fn c_20_versions_of_additions_say_nothing_where_none_was_known() {
    check(
        "
        failed other
        page @ a@
        opened
        added b@9
        added c@7
        +400s
        closed
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @ a@
              = replaced @ a@
              > watch @
            opened
              > read
            added b@9
              = added b@9
              > read
            added c@7
              = added c@7
              > read
            closed
              > watch @ with initial events
        "#]],
    );
    check(
        "
        failed other
        page @ a@
        opened
        added b@9
        modified c@10
        +400s
        closed
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @ a@
              = replaced @ a@
              > watch @
            opened
              > read
            added b@9
              = added b@9
              > read
            modified c@10
              = updated c@10
              > read
            closed
              > watch @10
        "#]],
    );
}

/// Nor may one that ends at once be asked for at once.
#[test]
fn without_a_version_a_state_that_ends_at_once_is_waited_for() {
    check(
        "
        opened
        end @
        closed
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @
              = replaced @
              > read
            closed
              > sleep 915ms
            woken
              > watch @ with initial events
        "#]],
    );
}

/// A watch that repeats what was known and ends is no more use than one that is silent.
#[test]
fn watches_that_come_no_further_are_not_asked_for_at_once() {
    check(
        "
        opened
        end @9
        closed
        opened
        bookmark @9
        closed
        woken
        opened
        modified a@9
        closed
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @9
              = replaced @9
              > read
            closed
              > watch @9
            opened
              > read
            bookmark @9
              = bookmark @9
              > read
            closed
              > sleep 812ms
            woken
              > watch @9
            opened
              > read
            modified a@9
              > read
            closed
              > sleep 3s
        "#]],
    );
}

/// A line that breaks the watch each time it is told must not keep the copy where it is.
#[test]
fn a_watch_that_breaks_at_the_same_place_is_given_up() {
    check(
        "
        opened
        end @9
        failed broken
        woken
        opened
        failed broken
        woken
        opened
        failed broken
        woken
        opened
        failed broken
        woken
        opened
        failed broken
        woken
        opened
        failed broken
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @9
              = replaced @9
              > read
            failed broken
              > sleep 915ms
            woken
              > watch @9
            opened
              > read
            failed broken
              > sleep 3s
            woken
              > watch @9
            opened
              > read
            failed broken
              > sleep 5s
            woken
              > watch @9
            opened
              > read
            failed broken
              > sleep 7s
            woken
              > watch @9
            opened
              > read
            failed broken
              > sleep 14s
            woken
              > watch @9
            opened
              > read
            failed broken
              > sleep 28s
            woken
              > watch @9 with initial events
        "#]],
    );
}

#[test]
fn what_is_gone_is_gone_although_its_last_state_cannot_be_read() {
    check(
        "
        opened
        added a@1
        added b@2
        unreadable c
        vanished b
        vanished c
        end @5
        vanished a
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            added a@1
              > read for 30s
            added b@2
              > read for 30s
            unreadable c
              > read for 30s
            vanished b
              > read for 30s
            vanished c
              > read for 30s
            end @5
              = replaced @5 a@1
              > read
            vanished a
              = vanished a
              > read
        "#]],
    );
}

/// What is too much will be too much in a second, and in a list as well.
#[test]
fn what_is_more_than_the_limit_is_asked_for_again_after_minutes() {
    check(
        "
        failed over-limit
        woken
        failed other
        failed over-limit
        woken
        end @3
        added a@4
        failed over-limit
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            failed over-limit
              > sleep 301s
            woken
              > watch @ with initial events
            failed other
              > list @0
            failed over-limit
              > sleep 303s
            woken
              > watch @ with initial events
            end @3
              = replaced @3
              > read
            added a@4
              = added a@4
              > read
            failed over-limit
              > sleep 305s
            woken
              > watch @4 with initial events
        "#]],
    );
}
