//! The committed types of `watchkeeper-api` are those that the generator writes.

use std::path::Path;

#[test]
fn generated_files_are_fresh() {
    let api = Path::new(env!("CARGO_MANIFEST_DIR")).join("../watchkeeper-api");
    let stale = watchkeeper_codegen::stale(&api).expect("the files can be read");
    let list: Vec<String> = stale.iter().map(ToString::to_string).collect();
    assert!(list.is_empty(), "run `cargo xtask codegen`; stale:\n{}", list.join("\n"));
}
