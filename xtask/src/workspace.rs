//! Where the workspace is and where it keeps what is not committed.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The folder for things that are costly to make again, apart from cargo's
/// target directory and ignored by git.
pub(crate) fn cache() -> PathBuf {
    root().join(".cache")
}

/// Cargo's target directory, however it was chosen: this program is in the folder of a profile in it.
pub(crate) fn target() -> PathBuf {
    let itself = std::env::current_exe().ok();
    let target = itself.as_deref().and_then(|itself| itself.ancestors().nth(2));
    target.map_or_else(|| root().join("target"), Path::to_path_buf)
}
