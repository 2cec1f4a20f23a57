//! Watches that end at once, and have come further all the same.

use expect_test::expect;

use super::check;

/// C-16: one event is proof enough that a watch works; nobody waits for the next.
#[test]
fn c_16_a_watch_that_told_an_event_did_work() {
    check(
        "
        failed other
        page @7
        opened
        added a@8
        closed
        opened
        modified a@opaque
        closed
        opened
        modified a@opaque
        closed
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @7
              = replaced @7
              > watch @7
            opened
              > read
            added a@8
              = added a@8
              > read
            closed
              > watch @8
            opened
              > read
            modified a@opaque
              = updated a@opaque
              > read
            closed
              > watch @opaque
            opened
              > read
            modified a@opaque
              = updated a@opaque
              > read
            closed
              > sleep 857ms
        "#]],
    );
}
