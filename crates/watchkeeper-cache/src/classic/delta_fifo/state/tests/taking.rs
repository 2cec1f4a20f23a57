//! What was taken out, and what an informer is told of it.

use expect_test::expect;

use super::*;

/// What was popped and is not applied is neither queued nor known, and yet there.
#[test]
fn what_is_in_hand_can_be_deleted_and_vanish() {
    check(
        "
        add a@1
        hold
        delete a@2
        pop
        add b@3
        hold
        replace @5
        pop
        pop
        ",
        expect![[r#"
            add a@1
              [a: added @1], synced
            hold
              -> a: added @1
              [], synced
            delete a@2
              [a: deleted @2], synced
            pop
              -> a: deleted @2
                 delete default/a @2
              [], synced
            add b@3
              [b: added @3], synced
            hold
              -> b: added @3
              [], synced
            replace @5
              [b: deleted, last seen @3], synced
            pop
              -> b: deleted, last seen @3
              [], synced
            pop
              nothing
              [], synced
        "#]],
    );
}

/// The version told is never ahead of what was applied, whatever the order.
#[test]
fn an_informer_is_told_how_far_it_is() {
    check(
        "
        replace @5 a@1 b@2
        update a@6
        add c@7
        next
        next
        next
        next
        next
        next
        bookmark @9
        next
        next
        ",
        expect![[r#"
            replace @5 a@1 b@2
              [a: replaced @1; b: replaced @2]
            update a@6
              [a: replaced @1, updated @6; b: replaced @2]
            add c@7
              [a: replaced @1, updated @6; b: replaced @2; c: added @7]
            next
              -> a: replaced @1, updated @6
                 add default/a @1 (initial)
                 update default/a @1 -> @6
              [b: replaced @2; c: added @7]
            next
              -> b: replaced @2
                 add default/b @2 (initial)
              [c: added @7], synced
            next
              -> at 6
              [c: added @7], synced
            next
              -> c: added @7
                 add default/c @7
              [], synced
            next
              -> at 7
              [], synced
            next
              nothing
              [], synced
            bookmark @9
              [], synced
            next
              -> at 9
              [], synced
            next
              nothing
              [], synced
        "#]],
    );
}

#[test]
fn an_informer_is_told_that_the_first_list_was_empty() {
    check(
        "
        replace @5
        next
        next
        ",
        expect![[r#"
            replace @5
              [], synced
            next
              -> at 5
              [], synced
            next
              nothing
              [], synced
        "#]],
    );
}
