//! The committed files are those that the generator writes.

use std::path::Path;

use watchkeeper_codegen::{Crate, StaleFile};

#[test]
fn generated_files_are_fresh() {
    for which in Crate::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(which.folder());
        let stale = watchkeeper_codegen::stale(which, &folder, "").expect("the files can be read");
        let diff: String = stale.iter().map(StaleFile::diff).collect();
        assert!(stale.is_empty(), "run `cargo xtask codegen`; stale:\n{diff}");
    }
}

#[test]
fn a_licence_is_asked_of_every_generated_file() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let licence = "Copyright Lamp Makers\n\nAll lamps reserved";
    for which in [Crate::Api, Crate::Client] {
        let folder = crates.join(which.folder());
        let stale = watchkeeper_codegen::stale(which, &folder, licence).expect("it can be read");
        let all = stale.iter().all(|file| file.path.extension().is_some_and(|end| end == "rs"));
        assert!(all && stale.len() > 20, "the manifest has none: {}", stale.len());
        for file in &stale {
            let diff = file.diff();
            let lines: Vec<&str> = diff.lines().skip(3).take(5).collect();
            let wanted = ["+// Copyright Lamp Makers", "+", "+// All lamps reserved", "+"];
            assert_eq!(lines[..4], wanted, "{diff}");
            assert!(lines[4].starts_with(" //"), "the file goes on as it was: {diff}");
        }
    }
}
