//! What the tests of this crate share.

use std::path::PathBuf;

/// A folder of its own for a test, empty.
pub(crate) fn folder(test: &str) -> PathBuf {
    let name = format!("watchkeeper-connect-{}-{test}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _absent = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder
}
