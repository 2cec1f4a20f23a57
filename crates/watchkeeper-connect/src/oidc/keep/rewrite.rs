//! A file whose text becomes another.
//!
//! A rename is safest: who reads meanwhile finds the old text or the new one, and no crash leaves half. But it makes
//! another file of it. Where that would take from it what it is to others (its owner, its other names), or is not
//! possible (the file is a mount of its own, as in containers), the text is written in place, as client-go does.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek as _, Write as _};
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, fchown};
use std::path::{Path, PathBuf};

use super::beside;

/// Gives the file, which holds the `old` text, the `new` one. Its owner and its mode stay. The caller holds its lock.
///
/// # Errors
/// When it cannot be written; the old text is in it then.
pub(super) fn rewrite(path: &Path, old: &str, new: &str) -> io::Result<()> {
    rewrite_by(path, old, new, |from, to| fs::rename(from, to))
}

pub(super) fn rewrite_by(
    path: &Path,
    old: &str,
    new: &str,
    rename: impl FnOnce(&Path, &Path) -> io::Result<()>,
) -> io::Result<()> {
    // Who may not write the file is not to replace it either.
    let mut file = OpenOptions::new().write(true).open(path)?;
    let is = file.metadata()?;
    if !has_other_names(&is)
        && let Some(copy) = Successor::of(path, new, &is)?
        && rename(&copy.0, path).is_ok()
    {
        return Ok(());
    }
    let written = fill(&mut file, new);
    if written.is_err() {
        // There was room for it.
        let _as_before = fill(&mut file, old);
    }
    written
}

/// Nothing is cut off before all is written, so that a full disk cannot take what was there.
fn fill(file: &mut File, text: &str) -> io::Result<()> {
    file.rewind()?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    file.sync_all()
}

/// A file beside another that is to take its place. It goes when this is dropped, unless it has.
struct Successor(PathBuf);

impl Successor {
    /// One that differs in its text only; `None` where there cannot be one.
    ///
    /// # Errors
    /// When there is no room for the text.
    fn of(path: &Path, text: &str, is: &Metadata) -> io::Result<Option<Self>> {
        let beside = beside(path, ".watchkeeper");
        // Who holds the lock finds only what is left of one who died at it.
        let _absent = fs::remove_file(&beside);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        options.mode(0o600);
        let Ok(mut file) = options.open(&beside) else { return Ok(None) };
        let copy = Self(beside);
        file.write_all(text.as_bytes())?;
        if give(&file, is).and_then(|()| file.set_permissions(is.permissions())).is_err() {
            return Ok(None);
        }
        file.sync_all()?;
        Ok(Some(copy))
    }
}

impl Drop for Successor {
    fn drop(&mut self) {
        let _renamed = fs::remove_file(&self.0);
    }
}

#[cfg(unix)]
fn has_other_names(is: &Metadata) -> bool {
    is.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Gives the file to the owner and the group of the other, as root can.
#[cfg(unix)]
fn give(file: &File, other: &Metadata) -> io::Result<()> {
    let is = file.metadata()?;
    if (is.uid(), is.gid()) == (other.uid(), other.gid()) {
        return Ok(());
    }
    fchown(file, Some(other.uid()), Some(other.gid()))
}

#[cfg(not(unix))]
fn give(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
