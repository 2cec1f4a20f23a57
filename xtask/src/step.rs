//! Steps of a chore, each printed with the time it took.

use crate::Outcome;
use std::time::{Duration, Instant};

/// Runs one step and prints how long it took.
///
/// # Errors
/// What the step answers.
pub(crate) fn timed<T>(name: &str, step: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    let start = now();
    let outcome = step();
    let verdict = if outcome.is_ok() { "" } else { " FAILED" };
    eprintln!("{name:<32} {:>8.1} s{verdict}", start.elapsed().as_secs_f64());
    outcome
}

/// Runs something and tells how many seconds it took.
pub(crate) fn measured<T>(step: impl FnOnce() -> T) -> (f64, T) {
    let start = now();
    let outcome = step();
    (start.elapsed().as_secs_f64(), outcome)
}

/// Asks again and again until the answer is yes.
///
/// # Errors
/// When `limit` has passed without a yes, or the question itself fails.
pub(crate) fn until(limit: Duration, mut ready: impl FnMut() -> Outcome<bool>) -> Outcome<()> {
    let start = now();
    while !ready()? {
        if start.elapsed() > limit {
            return Err(format!("not ready after {} s", limit.as_secs()));
        }
        pause(Duration::from_millis(100));
    }
    Ok(())
}

/// Does something again and again for a while; whether it said yes, with which it ends.
///
/// # Errors
/// What it answers.
pub(crate) fn within(limit: Duration, mut act: impl FnMut() -> Outcome<bool>) -> Outcome<bool> {
    let start = now();
    while start.elapsed() < limit {
        if act()? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[expect(clippy::disallowed_methods, reason = "a chore measures wall-clock time")]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "a chore has no runtime to block")]
pub(crate) fn pause(time: Duration) {
    std::thread::sleep(time);
}
