//! What cannot be read, and what nobody asked for.

use expect_test::expect;

use super::*;

/// C-18, and the promise that one malformed object costs nobody else.
#[test]
fn c_18_what_cannot_be_read_is_set_aside() {
    check(
        "
        opened
        added a@1
        unreadable b
        end @5
        unreadable c
        failed other
        woken
        failed other
        page @9 a@1 !b
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            added a@1
              > read for 30s
            unreadable b
              > read for 30s
            end @5
              = replaced @5 a@1 !b
              > read
            unreadable c
              > read
            failed other
              > sleep 915ms
            woken
              > watch @5 with initial events
            failed other
              > list @5
            page @9 a@1 !b
              = replaced @9 a@1 !b
              > watch @9
        "#]],
    );
}

#[test]
fn what_could_not_be_read_is_named_until_it_can_be() {
    let mut state = State::<Tiny>::new(1, String::new());
    state.start();
    for line in ["opened", "unreadable b", "unreadable c", "end @5", "modified b@6"] {
        state.step(input(line), Duration::ZERO);
    }
    assert_eq!(state.unreadable().keys().collect::<Vec<_>>(), ["default/c"]);
}

/// A watch that tells again what was told before its version: what is there now is another life of the name.
#[test]
fn the_end_of_what_could_not_be_read_is_believed_once() {
    check(
        "
        opened
        end @5
        unreadable a@6
        vanished a@7
        added a@8
        unreadable a@6
        vanished a@7
        status
        unreadable a@9
        added a@8
        status
        vanished a@10
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            unreadable a@6
              > read
            vanished a@7
              = vanished a
              > read
            added a@8
              = added a@8
              > read
            unreadable a@6
              > read
            vanished a@7
              > read
            watching
            unreadable a@9
              > read
            added a@8
              > read
            watching; default/a: bad
            vanished a@10
              = vanished a
              > read
        "#]],
    );
}

/// An answer that was not asked for neither panics nor is believed.
#[test]
fn an_input_out_of_place_starts_over() {
    check(
        "
        page @7 a@1
        woken
        opened
        ",
        expect![[r#"
            > watch @ with initial events
            page @7 a@1
              > sleep 915ms
            woken
              > watch @ with initial events
            opened
              > read for 30s
        "#]],
    );
}
