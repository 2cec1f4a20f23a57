//! How everything there is comes: as a stream, or as a list where that cannot be.

use expect_test::expect;

use super::*;

/// C-06 to C-09, C-11: a deletion among the initial events is applied, an ordinary bookmark does not end
/// them, nothing is emitted before their end, and the stream goes on as the watch.
#[test]
fn c_06_the_present_state_comes_as_a_stream_and_is_emitted_as_one() {
    check(
        "
        opened
        added b@2
        added a@1
        bookmark @3
        deleted b@4
        end @5
        modified a@6
        bookmark @9
        deleted a@10
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            added b@2
              > read for 30s
            added a@1
              > read for 30s
            bookmark @3
              > read for 30s
            deleted b@4
              > read for 30s
            end @5
              = replaced @5 a@1
              > read
            modified a@6
              = updated a@6
              > read
            bookmark @9
              = bookmark @9
              > read
            deleted a@10
              = deleted a@10
              > read
        "#]],
    );
}

/// C-10: a server that cannot stream the state is asked for a list (C-01, C-03: from its cache, in one).
#[test]
fn c_01_a_server_without_watch_list_is_listed() {
    check(
        "
        failed other
        page @7 a@1 b@2
        opened
        added c@8
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @7 a@1 b@2
              = replaced @7 a@1 b@2
              > watch @7
            opened
              > read
            added c@8
              = added c@8
              > read
        "#]],
    );
}

/// Servers of old ignore the parameter: they send what is there, and then nothing.
#[test]
fn c_12_initial_events_that_never_end_are_given_up() {
    check(
        "
        opened
        +1s
        added a@1
        +30s
        woken
        page @7 a@1
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            added a@1
              > read for 30s
            woken
              > list @0
            page @7 a@1
              = replaced @7 a@1
              > watch @7
        "#]],
    );
}

/// C-02, C-03: the list at a version that is gone is asked for again at once, without one, in pages.
#[test]
fn c_02_a_list_that_expired_drops_its_version_at_once_but_not_for_ever() {
    check(
        "
        failed other
        failed expired
        page @20 a@1 more=x
        page @20 b@2
        opened
        failed other
        woken
        failed other
        failed expired
        failed expired
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            failed expired
              > list @ limit=500
            page @20 a@1 more=x
              > list @ limit=500 more=x
            page @20 b@2
              = replaced @20 a@1 b@2
              > watch @20
            opened
              > read
            failed other
              > sleep 812ms
            woken
              > watch @20 with initial events
            failed other
              > list @20
            failed expired
              > list @ limit=500
            failed expired
              > sleep 3s
        "#]],
    );
}

/// C-04.
#[test]
fn c_04_a_page_that_expired_costs_a_full_list() {
    check(
        "
        failed other
        page @20 a@1 more=x
        failed expired
        page @21 a@1 b@2
        failed other
        woken
        failed other
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @20 a@1 more=x
              > list @ limit=500 more=x
            failed expired
              > list @0
            page @21 a@1 b@2
              = replaced @21 a@1 b@2
              > watch @21
            failed other
              > sleep 812ms
            woken
              > watch @21 with initial events
            failed other
              > list @21 limit=500
        "#]],
    );
}

#[test]
fn the_first_list_is_not_older_than_what_this_process_wrote() {
    let mut state = State::<Tiny>::new(1, "42".to_owned());
    state.start();
    let step = state.step(input("failed other"), Duration::ZERO);
    assert_eq!(show_next(&step.next, Duration::ZERO), "list @42");
}

/// It has what this process wrote before: any state will do, or one of that version, or only the newest.
#[test]
fn the_first_list_is_as_new_as_what_was_written_before() {
    let asked = |since| {
        let mut state = State::<Tiny>::since(1, since);
        state.start();
        let step = state.step(trouble("other"), Duration::ZERO);
        show_next(&step.next, Duration::ZERO)
    };
    assert_eq!(asked(Since::Ever), "list @0");
    assert_eq!(asked(Since::Version(Version::parse("7").unwrap())), "list @7");
    assert_eq!(asked(Since::Now), "list @ limit=500");
}
