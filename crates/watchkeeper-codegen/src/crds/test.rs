//! The test that goes with definitions: a server takes them, and every rule in them.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::Crds;
use crate::disk::{self, StaleFile};

const ABOUT: &str =
    "//! A server takes the definitions of this crate, and every rule in CEL that is in them.
//!
//! Written by `watchkeeper crds --test`; do not edit.
";

const TEST: &str = r#"
#[test]
fn a_server_takes_the_definitions() {
    if let Err(refused) = watchkeeper::apiserver::crd::install(&DEFINITIONS.concat()) {
        panic!("a server refuses these definitions:\n{refused}");
    }
}
"#;

impl Crds {
    /// A test for the program's crate, to be written to `test`, of the files of definitions: an API server in
    /// the process gets all of them, compiles every rule in CEL, and says which is wrong, where, and why. The
    /// crate has `watchkeeper` with the feature `apiserver` (or `test`) among its dev-dependencies, and so the
    /// program has no parser of CEL.
    ///
    /// The files are those that [`Crds::write`] or [`Crds::write_files`] writes. Paths are relative to the
    /// current folder, or absolute.
    ///
    /// ```
    /// use std::path::Path;
    /// use watchkeeper_codegen::Crds;
    ///
    /// # fn main() -> std::io::Result<()> {
    /// let text = Crds::new().test(&["config/crd.yaml".into()], Path::new("tests/crds.rs"))?;
    /// assert!(text.contains("include_str!(\"../config/crd.yaml\")"));
    /// assert!(text.contains("watchkeeper::apiserver::crd::install"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// There is no current folder.
    pub fn test(&self, files: &[PathBuf], test: &Path) -> io::Result<String> {
        let mut text = match disk::comment(&self.header) {
            header if header.is_empty() => header,
            header => header + "\n",
        };
        text += ABOUT;
        // One file would fit on a line, several would not: rustfmt is not to care.
        text += "\n#[rustfmt::skip]\n";
        text += &format!("const DEFINITIONS: [&str; {}] = [\n", files.len());
        let folder = plain(test)?;
        let folder = folder.parent().unwrap_or(&folder);
        for file in files {
            text += &format!("    include_str!({:?}),\n", relative(folder, &plain(file)?));
        }
        text += "];\n";
        text += TEST;
        Ok(text)
    }

    /// Writes [`Crds::test`] where `test` has another text; whether it had.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written.
    pub fn write_test(&self, files: &[PathBuf], test: &Path) -> io::Result<bool> {
        let wanted = (test.to_owned(), self.test(files, test)?);
        Ok(!disk::write_all([wanted])?.is_empty())
    }

    /// Whether and how [`Crds::test`] is not what is on disk.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn stale_test(&self, files: &[PathBuf], test: &Path) -> io::Result<Option<StaleFile>> {
        let wanted = [(test.to_owned(), self.test(files, test)?)].into();
        Ok(disk::stale_of(&wanted)?.into_iter().next())
    }
}

/// The path from the root on, without steps back.
fn plain(path: &Path) -> io::Result<PathBuf> {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    Ok(plain)
}

/// The way from a folder to a file, as the compiler takes it everywhere.
fn relative(folder: &Path, file: &Path) -> String {
    let (folder, file): (Vec<_>, Vec<_>) =
        (folder.components().collect(), file.components().collect());
    let same = folder.iter().zip(&file).take_while(|(a, b)| a == b).count();
    let back = folder[same..].iter().map(|_| "..".into());
    let on = file[same..].iter().map(|part| part.as_os_str().to_string_lossy());
    back.chain(on).collect::<Vec<_>>().join("/")
}
