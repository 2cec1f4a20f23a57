//! Keys that wait for their time.

use super::*;

#[test]
fn w_16_the_earliest_time_of_a_key_wins() {
    check(
        "
        later a 30
        later a 15
        later b 10
        later b 40
        at 14
        next
        next
        at 15
        next
        at 40
        next
        ",
        expect![[r#"
            b
            - wake at 15
            a
            -
        "#]],
    );
}

#[test]
fn w_17_keys_become_ready_by_time_and_in_the_order_they_came_at_one_time() {
    check(
        "
        later a 30
        later b 10
        later d 20
        later c 20
        next
        at 30
        len
        next
        next
        next
        next
        next
        ",
        expect![[r#"
            - wake at 10
            len 0
            b
            d
            c
            a
            -
        "#]],
    );
}

/// P-06: the same with controller-runtime's queue loses the timer.
#[test]
fn w_18_a_delayed_key_added_at_once_runs_now_and_again_at_its_time() {
    check(
        "
        later a 10
        add a
        next
        done a
        next
        at 10
        next
        ",
        expect![[r#"
            a
            - wake at 10
            a
        "#]],
    );
}

#[test]
fn p_06_adding_a_delayed_key_does_not_take_its_timer() {
    check(
        "
        later a 10 -5
        add a at 3
        add b
        next
        done a
        next
        at 10
        next
        ",
        expect![[r#"
            a
            b
            a
        "#]],
    );
}

#[test]
fn a_delayed_key_that_is_held_at_its_time_runs_after_done() {
    check(
        "
        add a
        next
        later a 10
        at 10
        next
        done a
        next
        ",
        expect![[r#"
            a
            -
            a
        "#]],
    );
}

#[test]
fn a_delayed_key_that_is_queued_at_its_time_runs_once() {
    check(
        "
        later a 10
        at 9
        add a
        at 10
        next
        done a
        next
        ",
        expect![[r#"
            a
            -
        "#]],
    );
}

#[test]
fn w_19_delayed_keys_are_lost_at_a_shutdown() {
    check(
        "
        later a 10
        shut_down
        later b 10
        at 10
        next
        ",
        expect![[r#"
            -
        "#]],
    );
}
