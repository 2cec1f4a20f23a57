//! Shutdown and drain.

use super::*;

#[test]
fn w_07_after_a_shutdown_nothing_is_accepted() {
    check(
        "
        shut_down
        add a
        later b 5
        at 5
        len
        next
        ",
        expect![[r#"
            len 0
            -
        "#]],
    );
}

#[test]
fn w_07_a_held_key_that_is_added_after_a_shutdown_does_not_run_again() {
    check(
        "
        add a
        next
        shut_down
        add a
        done a
        next
        ",
        expect![[r#"
            a
            -
        "#]],
    );
}

/// controller-runtime's queue drops what is queued.
#[test]
fn p_08_what_is_queued_at_a_shutdown_is_handed_out() {
    check(
        "
        add a b
        add low at -100
        shut_down
        next
        next
        next
        next
        ",
        expect![[r#"
            a
            b
            low
            -
        "#]],
    );
}

#[test]
fn w_10_a_drain_waits_for_held_keys_and_not_for_queued_ones() {
    check(
        "
        add a b
        drained
        next
        drain
        drained
        done a
        drained
        len
        ",
        expect![[r#"
            drained false
            a
            drained false
            drained true
            len 1
        "#]],
    );
}

/// Upstream's `TestQueueDrainageUsingShutDownWithDrainWithDirtyItem`.
#[test]
fn w_10_a_drain_waits_for_a_key_that_was_added_while_held() {
    check(
        "
        add a
        next
        add a
        drain
        done a
        drained
        next
        drained
        done a
        drained
        ",
        expect![[r#"
            a
            drained false
            a
            drained false
            drained true
        "#]],
    );
}

#[test]
fn w_11_a_shutdown_ends_a_drain() {
    check(
        "
        add a
        next
        drain
        drained
        shut_down
        drained
        ",
        expect![[r#"
            a
            drained false
            drained true
        "#]],
    );
}

#[test]
fn keys_that_are_forgotten_at_a_shutdown_are_freed() {
    let key = std::rc::Rc::new("a");
    let mut state = State::default();
    state.add_at(key.clone(), Duration::from_millis(1), 0);
    assert_eq!(std::rc::Rc::strong_count(&key), 2);
    state.shut_down();
    assert_eq!((std::rc::Rc::strong_count(&key), state.delayed()), (1, 0));
}
