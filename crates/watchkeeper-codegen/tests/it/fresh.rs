//! The committed files are those that the generator writes.

use std::path::Path;

use watchkeeper_codegen::{Crate, StaleFile};

#[test]
fn generated_files_are_fresh() {
    for which in Crate::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(which.folder());
        let stale = watchkeeper_codegen::stale(which, &folder).expect("the files can be read");
        let diff: String = stale.iter().map(StaleFile::diff).collect();
        assert!(stale.is_empty(), "run `cargo xtask codegen`; stale:\n{diff}");
    }
}
