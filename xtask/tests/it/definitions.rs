//! Definitions of our own, between them with whatever a schema can say, through types and back. Those of
//! other projects go the same way by hand.

use std::process::Command;

use crate::workspace::root;

#[test]
fn objects_come_through_the_types_of_definitions_and_back() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["conformance", "crds", "--untyped", "3", "--dir"])
        .arg(root().join("crates/watchkeeper-codegen/tests/data"))
        .output()
        .expect("xtask");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("352 objects of 11 kinds come back as they were"), "{told}");
}
