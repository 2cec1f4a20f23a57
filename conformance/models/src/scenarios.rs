//! Who waits and who wakes, each as one run of a model.
//!
//! A scenario that ends is a good one: what waits for ever is loom's deadlock.

#![expect(clippy::missing_panics_doc, reason = "a scenario that fails panics; that is its purpose")]

pub mod cache;
pub mod classic;
pub mod queue;

use loom::thread::JoinHandle;

/// Runs `scenario` through every schedule with at most three preemptions, or as many as are asked for.
///
/// # Panics
/// When a schedule deadlocks, or the scenario panics in one.
pub fn every_schedule(scenario: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions());
    builder.max_branches = 20_000;
    builder.check(scenario);
}

/// How often a thread is interrupted where it could have gone on. Two are too few for the mistakes known;
/// `WATCHKEEPER_PREEMPTIONS` asks for more.
fn preemptions() -> usize {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a test may take is its caller's choice"
    )]
    let asked = std::env::var("WATCHKEEPER_PREEMPTIONS");
    asked.ok().and_then(|text| text.parse().ok()).map_or(3, |asked: usize| asked.max(3))
}

fn ended<T>(thread: JoinHandle<T>) -> T {
    match thread.join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
