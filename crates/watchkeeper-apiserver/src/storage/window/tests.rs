//! What is forgotten when.

use std::time::Duration;

use super::Window;
use crate::clock::Now;

#[test]
fn what_was_reached_before_the_time_is_forgotten_and_nothing_after_it() {
    let (mut window, time) = (Window::default(), Duration::from_secs(10));
    let mut pass = |second, revision| window.pass(Now(Duration::from_secs(second)), revision, time);
    assert_eq!([pass(0, 1), pass(5, 3), pass(5, 4), pass(10, 4)], [None; 4]);
    assert_eq!(pass(11, 9), Some(1), "of what was there at the beginning");
    assert_eq!(pass(15, 9), None, "ten seconds are not over ten");
    assert_eq!(pass(16, 9), Some(4));
    assert_eq!(pass(22, 9), Some(9), "all of it, when nothing happens");
    assert_eq!(pass(60, 9), None, "once");
}
