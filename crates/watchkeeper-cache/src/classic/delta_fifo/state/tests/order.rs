//! Objects wait in the order in which they came, each with all that happened to it.

use expect_test::expect;

use super::*;

/// Upstream's `TestDeltaFIFO_detectLineJumpers`, `_addUpdate`, `_basic`.
#[test]
fn c_25_an_object_waits_once_at_its_first_place_with_all_that_happened() {
    check(
        "
        add a@1
        add b@2
        update a@3
        pop
        add a@4
        pop
        pop
        pop
        ",
        expect![[r#"
            add a@1
              [a: added @1], synced
            add b@2
              [a: added @1; b: added @2], synced
            update a@3
              [a: added @1, updated @3; b: added @2], synced
            pop
              -> a: added @1, updated @3
                 add default/a @1
                 update default/a @1 -> @3
              [b: added @2], synced
            add a@4
              [b: added @2; a: added @4], synced
            pop
              -> b: added @2
                 add default/b @2
              [a: added @4], synced
            pop
              -> a: added @4
                 update default/a @3 -> @4
              [], synced
            pop
              nothing
              [], synced
        "#]],
    );
}

#[test]
fn c_24_two_deletions_in_a_row_are_one_and_nothing_else_is_merged() {
    check(
        "
        known a@1
        known b@1
        delete a@2
        delete a@3
        vanish b
        delete b@4
        vanish b
        add b@5
        update b@6
        update b@6
        ",
        expect![[r#"
            known a@1
              []
            known b@1
              []
            delete a@2
              [a: deleted @2], synced
            delete a@3
              [a: deleted @2], synced
            vanish b
              [a: deleted @2; b: deleted, last seen @1], synced
            delete b@4
              [a: deleted @2; b: deleted @4], synced
            vanish b
              [a: deleted @2; b: deleted @4], synced
            add b@5
              [a: deleted @2; b: deleted @4, added @5], synced
            update b@6
              [a: deleted @2; b: deleted @4, added @5, updated @6], synced
            update b@6
              [a: deleted @2; b: deleted @4, added @5, updated @6, updated @6], synced
        "#]],
    );
}

/// Upstream's `TestDeltaFIFO_DeleteExistingNonPropagated`, `_enqueueingNoLister`, `_enqueueingWithLister`.
#[test]
fn c_26_the_deletion_of_what_nobody_knows_is_dropped() {
    check(
        "
        delete a@1
        add b@2
        delete b@3
        known c@1
        delete c@4
        ",
        expect![[r#"
            delete a@1
              [], synced
            add b@2
              [b: added @2], synced
            delete b@3
              [b: added @2, deleted @3], synced
            known c@1
              [b: added @2, deleted @3], synced
            delete c@4
              [b: added @2, deleted @3; c: deleted @4], synced
        "#]],
    );
}
