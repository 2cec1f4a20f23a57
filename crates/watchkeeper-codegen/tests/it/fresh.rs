//! The committed files are those that the generator writes.

use std::path::Path;

use watchkeeper_codegen::Crate;

#[test]
fn generated_files_are_fresh() {
    for which in Crate::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(which.folder());
        let stale = watchkeeper_codegen::stale(which, &folder).expect("the files can be read");
        let list: Vec<String> = stale.iter().map(ToString::to_string).collect();
        assert!(list.is_empty(), "run `cargo xtask codegen`; stale:\n{}", list.join("\n"));
    }
}
