//! Who waits and who wakes, each as one run of a model.
//!
//! A scenario that ends is a good one: what waits for ever is loom's deadlock.

#![expect(clippy::missing_panics_doc, reason = "a scenario that fails panics; that is its purpose")]

pub mod applying;
pub mod cache;
pub mod classic;
pub mod floors;
pub mod inquiry;
pub mod listeners;
pub mod queue;
pub mod running;
pub mod sharing;
pub mod store;
pub mod wakers;

use loom::thread::JoinHandle;

use crate::sync;

/// Runs `scenario` through every schedule with at most three preemptions, or as many as are asked for. What is
/// done under a lock of the store is one step.
///
/// # Panics
/// When a schedule deadlocks, or the scenario panics in one.
pub fn every_schedule(scenario: impl Fn() + Send + Sync + 'static) {
    run(LEAST + more(), false, scenario);
}

/// The same with the locks of the store in sight. There are so many more schedules that the caller says how
/// many preemptions will do.
///
/// # Panics
/// As [`every_schedule`].
pub fn every_schedule_of_the_store(
    preemptions: usize,
    scenario: impl Fn() + Send + Sync + 'static,
) {
    run(preemptions + more(), true, scenario);
}

/// As [`every_schedule`], with the flags of listeners in sight, too.
///
/// # Panics
/// As [`every_schedule`].
pub fn every_schedule_of_the_flags(scenario: impl Fn() + Send + Sync + 'static) {
    run(LEAST + more(), true, scenario);
}

fn run(preemptions: usize, in_sight: bool, scenario: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 20_000;
    builder.check(move || {
        sync::in_sight(in_sight);
        scenario();
    });
}

/// How often a thread is interrupted where it could have gone on. Two are too few for the wake-ups that the
/// mistaken shells lose.
const LEAST: usize = 3;

/// How many interruptions more than those `WATCHKEEPER_PREEMPTIONS` asks for.
fn more() -> usize {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a test may take is its caller's choice"
    )]
    let asked = std::env::var("WATCHKEEPER_PREEMPTIONS");
    let asked = asked.ok().and_then(|text| text.parse().ok());
    asked.map_or(0, |asked: usize| asked.saturating_sub(LEAST))
}

fn ended<T>(thread: JoinHandle<T>) -> T {
    match thread.join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
