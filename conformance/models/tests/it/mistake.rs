//! What a scenario must say of a mistaken shell. loom aborts the process at a deadlock, so it happens in
//! another one: this test binary again, with that one test.

use std::process::Command;

use watchkeeper_models::scenarios::every_schedule_of_the_store;

const INSIDE: &str = "WATCHKEEPER_MODEL_INSIDE";

/// Wants loom to find a schedule in which `scenario`, the one of the test called `name`, waits for ever.
pub(crate) fn must_deadlock(name: &str, scenario: fn()) {
    must_fail(name, scenario, "deadlock; threads = ");
}

/// Wants loom to find a schedule in which `scenario`, the one of the test called `name`, says `how` it fails.
pub(crate) fn must_fail(name: &str, scenario: fn(), how: &str) {
    let inside = std::env::var_os(INSIDE).is_some();
    if inside {
        return every_schedule_of_the_store(3, scenario);
    }
    let itself = std::env::current_exe().expect("this test binary");
    let output = Command::new(itself)
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(INSIDE, "1")
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("this test binary runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "the mistake was not caught");
    assert!(told.contains(how), "it ended otherwise: {told}");
}
