//! Servers that say of every version that it is gone.

use expect_test::expect;

use super::check;

/// C-10, C-15: the newest state is asked for once as a stream and then as a list, and after that it is waited:
/// a server that has no state to give is not asked in a circle.
#[test]
fn c_10_a_server_that_knows_no_version_at_all_is_not_asked_in_a_circle() {
    check(
        "
        failed expired
        failed expired
        failed expired
        woken
        opened
        end @5
        failed expired
        woken
        failed expired
        failed expired
        failed expired
        woken
        failed expired
        page @9
        closed
        ",
        expect![[r#"
            > watch @ with initial events
            failed expired
              > list @0
            failed expired
              > list @ limit=500
            failed expired
              > sleep 915ms
            woken
              > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            failed expired
              > sleep 3s
            woken
              > watch @5 with initial events
            failed expired
              > watch @ with initial events
            failed expired
              > list @ limit=500
            failed expired
              > sleep 4s
            woken
              > watch @ with initial events
            failed expired
              > list @ limit=500
            page @9
              = replaced @9
              > watch @9
            closed
              > sleep 12s
        "#]],
    );
}
