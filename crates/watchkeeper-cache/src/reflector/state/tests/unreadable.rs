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
    let mut told = BTreeMap::new();
    state.malformed_mut().tell(&mut told);
    assert_eq!(told.keys().collect::<Vec<_>>(), ["default/c"]);
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
              = unreadable a@6
              > read
            vanished a@7
              = vanished a@7
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
              = unreadable a@9
              > read
            added a@8
              > read
            watching; default/a: bad
            vanished a@10
              = vanished a@10
              > read
        "#]],
    );
}

/// Nobody waits for what was written in the version of what cannot be read. A version that is none is not
/// believed.
#[test]
fn c_46_what_cannot_be_read_moves_the_version() {
    check(
        "
        opened
        end @5
        unreadable a@6
        closed
        opened
        unreadable b
        unreadable b@x9
        unreadable b@6
        vanished a@7
        vanished c@x9
        closed
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            unreadable a@6
              = unreadable a@6
              > read
            closed
              > watch @6
            opened
              > read
            unreadable b
              > read
            unreadable b@x9
              > read
            unreadable b@6
              > read
            vanished a@7
              = vanished a@7
              > read
            vanished c@x9
              = vanished c
              > read
            closed
              > watch @7
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

/// C-18: an object whose key cannot be read may be any that the list does not name, on whatever page it is; the
/// next list counts anew.
#[test]
fn c_18_what_has_no_key_is_told_to_the_copy() {
    check(
        "
        opened
        added a@1
        unreadable ?
        vanished ?
        end @5
        status
        failed other
        woken
        failed other
        page @9 a@1 !? more=x
        page @9 b@2 !c
        failed other
        woken
        opened
        vanished ?
        end @10
        status
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            added a@1
              > read for 30s
            unreadable ?
              > read for 30s
            vanished ?
              > read for 30s
            end @5
              = replaced @5 a@1 !?
              > read
            watching; an object without a name: bad
            failed other
              > sleep 915ms
            woken
              > watch @5 with initial events
            failed other
              > list @5
            page @9 a@1 !? more=x
              > list @ limit=500 more=x
            page @9 b@2 !c
              = replaced @9 a@1 b@2 !c !?
              > watch @9
            failed other
              > sleep 3s
            woken
              > watch @9 with initial events
            opened
              > read for 30s
            vanished ?
              > read for 30s
            end @10
              = replaced @10
              > read
            watching; an object without a name: bad
        "#]],
    );
}
