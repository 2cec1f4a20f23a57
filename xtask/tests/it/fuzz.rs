//! What `cargo xtask fuzz` says where there is no nightly Rust.

use std::process::{Command, Output};

/// Runs it where no program is found, and so no `rustup`.
fn fuzz(args: &[&str]) -> Output {
    let mut fuzz = Command::new(env!("CARGO_BIN_EXE_xtask"));
    fuzz.arg("fuzz").args(args).env("PATH", "").output().expect("it starts")
}

#[test]
fn what_cannot_be_fuzzed_is_no_success_unless_asked_for() {
    let missed = fuzz(&[]);
    let told = String::from_utf8_lossy(&missed.stderr).into_owned();
    assert!(
        !missed.status.success() && told.contains("rustup toolchain install nightly"),
        "{told}"
    );
    let passed_over = fuzz(&["--if-there"]);
    let told = String::from_utf8_lossy(&passed_over.stderr).into_owned();
    assert!(passed_over.status.success() && told.contains("not fuzzed"), "{told}");
}
