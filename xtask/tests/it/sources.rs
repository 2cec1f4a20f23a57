//! The sources of the crates.

use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::root;

/// Every source below `src` of every crate, except modules of tests.
pub(crate) fn of_the_crates() -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    for folder in ["crates", "interop"] {
        for member in fs::read_dir(root().join(folder)).expect("the crates") {
            let source = member.expect("a crate").path().join("src");
            if source.is_dir() {
                collect(&source, &mut sources);
            }
        }
    }
    assert!(sources.len() > 200, "only {} sources", sources.len());
    sources.sort();
    sources
}

fn collect(folder: &Path, sources: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|rs| rs == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).expect("a source");
            sources.push((path, text));
        }
    }
}
