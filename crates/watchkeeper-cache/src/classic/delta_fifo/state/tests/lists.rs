//! What lists and resyncs make of what waits, and when the first list is through.

use expect_test::expect;

use super::*;

/// Upstream's `TestDeltaFIFO_ReplaceMakesDeletions`, `_ReplaceMakesDeletionsForObjectsOnlyInQueue`,
/// `_replaceWithDeleteDeltaIn`, `_addReplace`, `_ReplaceDeltaType`.
#[test]
fn c_27_a_list_replaces_what_it_has_and_deletes_what_it_has_not() {
    check(
        "
        known a@1
        known b@1
        known kept@1
        add c@2
        delete b@3
        replace @5 a@4 d@5 !kept
        ",
        expect![[r#"
            known a@1
              []
            known b@1
              []
            known kept@1
              []
            add c@2
              [c: added @2], synced
            delete b@3
              [c: added @2; b: deleted @3], synced
            replace @5 a@4 d@5 !kept
              [c: added @2, deleted, last seen @2; b: deleted @3; a: replaced @4; d: replaced @5], synced
        "#]],
    );
}

/// C-18: an object whose key cannot be read may be any that the list does not name.
#[test]
fn c_18_a_list_with_an_object_of_no_key_deletes_nothing() {
    check(
        "
        known a@1
        known b@1
        add c@2
        replace @5 a@4 !?
        replace @6 a@4
        ",
        expect![[r#"
            known a@1
              []
            known b@1
              []
            add c@2
              [c: added @2], synced
            replace @5 a@4 !?
              [c: added @2; a: replaced @4], synced
            replace @6 a@4
              [c: added @2, deleted, last seen @2; a: replaced @4, replaced @4; b: deleted, last seen @1], synced
        "#]],
    );
}

#[test]
fn c_27_lists_can_be_told_as_syncs() {
    let mut state = State::new();
    state.lists_as_syncs = true;
    state.push(replacement("5", &["a@1"]), None);
    let deltas = state.pop().unwrap();
    assert_eq!(show(&deltas.key, &deltas.list), "a: sync @1");
}

/// Upstream's `TestDeltaFIFO_HasSynced`, `_HasSyncedCorrectOnDeletion`.
#[test]
fn c_28_it_has_synced_when_the_last_of_the_first_list_is_popped() {
    check(
        "
        known gone@1
        replace @5 a@1 b@2
        add c@6
        hold
        hold
        hold
        replace @7
        ",
        expect![[r#"
            known gone@1
              []
            replace @5 a@1 b@2
              [a: replaced @1; b: replaced @2; gone: deleted, last seen @1]
            add c@6
              [a: replaced @1; b: replaced @2; gone: deleted, last seen @1; c: added @6]
            hold
              -> a: replaced @1
              [b: replaced @2; gone: deleted, last seen @1; c: added @6]
            hold
              -> b: replaced @2
              [gone: deleted, last seen @1; c: added @6]
            hold
              -> gone: deleted, last seen @1
              [c: added @6], synced
            replace @7
              [c: added @6, deleted, last seen @6], synced
        "#]],
    );
}

#[test]
fn c_28_it_has_synced_at_once_if_the_first_list_is_empty_or_something_came_before_it() {
    check(
        "replace @5",
        expect![[r#"
        replace @5
          [], synced
    "#]],
    );
    check(
        "
        add a@1
        replace @5 a@1 b@2
        ",
        expect![[r#"
            add a@1
              [a: added @1], synced
            replace @5 a@1 b@2
              [a: added @1, replaced @1; b: replaced @2], synced
        "#]],
    );
}

/// Upstream's `TestDeltaFIFO_ResyncNonExisting`, `_Resync`, `_UpdateResyncRace`.
#[test]
fn c_29_a_resync_skips_what_has_deltas_and_what_is_in_hand() {
    check(
        "
        known a@1
        known b@1
        known c@1
        update a@2
        update b@2
        hold
        resync
        pop
        pop
        ",
        expect![[r#"
            known a@1
              []
            known b@1
              []
            known c@1
              []
            update a@2
              [a: updated @2], synced
            update b@2
              [a: updated @2; b: updated @2], synced
            hold
              -> a: updated @2
              [b: updated @2], synced
            resync
              [b: updated @2; c: sync @1], synced
            pop
              -> b: updated @2
                 update default/b @1 -> @2
              [c: sync @1], synced
            pop
              -> c: sync @1
                 resync default/c @1
              [], synced
        "#]],
    );
}
