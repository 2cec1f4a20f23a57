//! What becomes of watches that end or fail, and of the version they go on from.

use expect_test::expect;

use super::*;

/// C-10, C-14: waiting is enough, and the wait is the server's if that is longer.
#[test]
fn c_10_a_busy_or_absent_server_is_waited_for_without_a_list() {
    check(
        "
        failed unreachable
        woken
        failed busy-60s
        woken
        opened
        end @5
        closed
        failed unreachable
        woken
        failed busy
        woken
        opened
        failed broken
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            failed unreachable
              > sleep 915ms
            woken
              > watch @ with initial events
            failed busy-60s
              > sleep 60s
            woken
              > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            closed
              > watch @5
            failed unreachable
              > sleep 4s
            woken
              > watch @5
            failed busy
              > sleep 9s
            woken
              > watch @5
            opened
              > read
            failed broken
              > sleep 16s
            woken
              > watch @5
        "#]],
    );
}

/// C-15 and defect c of kube-rs: 410 as the answer to the request and as an event in the stream.
#[test]
fn c_15_gone_both_ways_leads_to_a_relist() {
    check(
        "
        opened
        end @5
        failed expired
        woken
        failed expired
        opened
        end @20
        closed
        failed expired
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            failed expired
              > sleep 915ms
            woken
              > watch @5 with initial events
            failed expired
              > watch @ with initial events
            opened
              > read for 30s
            end @20
              = replaced @20
              > read
            closed
              > watch @20
            failed expired
              > sleep 3s
            woken
              > watch @20 with initial events
        "#]],
    );
}

/// C-16.
#[test]
fn c_16_a_watch_that_ends_is_opened_again_where_it_was() {
    check(
        "
        failed other
        page @7 a@1
        opened
        +400s
        closed
        opened
        bookmark @9
        closed
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @7 a@1
              = replaced @7 a@1
              > watch @7
            opened
              > read
            closed
              > watch @7
            opened
              > read
            bookmark @9
              = bookmark @9
              > read
            closed
              > watch @9
        "#]],
    );
}

/// C-16: a watch that ends at once did not work; in the end its version is given up.
#[test]
fn c_16_watches_that_end_at_once_are_not_asked_for_at_once() {
    check(
        "
        opened
        end @9
        closed
        opened
        closed
        woken
        opened
        closed
        woken
        opened
        closed
        woken
        opened
        closed
        woken
        opened
        closed
        woken
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
            closed
              > sleep 812ms
            woken
              > watch @9
            opened
              > read
            closed
              > sleep 3s
            woken
              > watch @9
            opened
              > read
            closed
              > sleep 4s
            woken
              > watch @9
            opened
              > read
            closed
              > sleep 9s
            woken
              > watch @9
            opened
              > read
            closed
              > sleep 16s
            woken
              > watch @9 with initial events
        "#]],
    );
}

#[test]
fn c_15_internal_errors_are_borne_for_a_minute() {
    check(
        "
        opened
        end @5
        failed internal
        +2s
        woken
        opened
        failed internal
        +61s
        woken
        opened
        failed internal
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            failed internal
              > sleep 915ms
            woken
              > watch @5
            opened
              > read
            failed internal
              > sleep 3s
            woken
              > watch @5
            opened
              > read
            failed internal
              > sleep 5s
            woken
              > watch @5 with initial events
        "#]],
    );
}

/// C-15: after just a minute its version is given up.
#[test]
fn c_15_internal_errors_of_a_whole_minute_cost_a_list() {
    check(
        "
        opened
        end @5
        failed internal
        status
        woken
        opened
        +59s
        failed internal
        status
        woken
        opened
        +1s
        failed internal
        status
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            failed internal
              > sleep 915ms
            asleep, then a watch; internal
            woken
              > watch @5
            opened
              > read
            failed internal
              > sleep 3s
            asleep, then a watch; internal
            woken
              > watch @5
            opened
              > read
            failed internal
              > sleep 5s
            asleep, then a list; internal
        "#]],
    );
}

/// A proxy, or a server that came back, may tell again what was told before the version asked for: the time
/// goes on, and nothing is told twice. Versions that are no numbers have no order, and are believed.
#[test]
fn a_watch_that_tells_again_what_was_told_does_not_turn_back_the_time() {
    check(
        "
        opened
        added a@2
        end @5
        deleted a@6
        modified a@4
        deleted a@6
        bookmark @3
        added b@7
        modified b@opaque
        modified b@7
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            added a@2
              > read for 30s
            end @5
              = replaced @5 a@2
              > read
            deleted a@6
              = deleted a@6
              > read
            modified a@4
              > read
            deleted a@6
              > read
            bookmark @3
              > read
            added b@7
              = added b@7
              > read
            modified b@opaque
              = updated b@opaque
              > read
            modified b@7
              = updated b@7
              > read
        "#]],
    );
}

#[test]
fn the_same_seed_waits_the_same() {
    let waits = |seed| {
        let mut state = State::<Tiny>::new(seed, String::new());
        state.start();
        let mut now = Duration::ZERO;
        let mut waits = Vec::new();
        for _ in 0..20 {
            if let Next::Sleep { until } = state.step(trouble("unreachable"), now).next {
                now = until;
                waits.push(until);
            }
            state.step(Input::Woken, now);
        }
        waits
    };
    assert_eq!(waits(7), waits(7));
    assert_ne!(waits(7), waits(8));
}
