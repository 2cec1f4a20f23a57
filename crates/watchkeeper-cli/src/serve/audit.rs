//! The file that requests are written to.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::Outcome;

/// A file at whose end lines are written. That it cannot be written is told once: the server goes on.
#[derive(Debug)]
pub(super) struct AuditFile {
    file: File,
    path: PathBuf,
    is_lame: bool,
}

impl AuditFile {
    /// Opens the file, which need not be there. Nobody else on the machine may read it: it tells who did what.
    ///
    /// # Errors
    /// It cannot be opened.
    pub(super) fn open(path: &Path) -> Outcome<Self> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(|error| {
            format!("the audit log {} cannot be opened: {error}", path.display())
        })?;
        Ok(Self { file, path: path.to_owned(), is_lame: false })
    }
}

impl Write for AuditFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        if let Err(error) = &written
            && error.kind() != io::ErrorKind::Interrupted
            && !self.is_lame
        {
            self.is_lame = true;
            eprintln!("the audit log {} has gaps from now on: {error}", self.path.display());
        }
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
