//! docs/api-server.md tells what the suite has found.

use std::process::Command;

#[test]
fn what_the_page_says_of_the_suite_is_fresh() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["conformance", "page", "--check"])
        .output()
        .expect("xtask");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
