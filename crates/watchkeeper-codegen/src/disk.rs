//! The committed files against what the generator would write.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use watchkeeper_schema::facts::Facts;

use crate::clientset::{calls, facade_features};
use crate::diff;
use crate::{Groups, cargo_features, client_features, clientset, generate, splice_features};

/// A file that is not what the generator would write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleFile {
    /// The file.
    pub path: PathBuf,
    /// How it differs.
    pub how: Stale,
}

/// How a file differs. The texts are for [`StaleFile::diff`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stale {
    /// It is not there.
    Missing {
        /// What should be there.
        wanted: String,
    },
    /// The generator does not write it any more.
    Extra {
        /// What is there.
        is: String,
    },
    /// It is another one.
    Differs {
        /// What is there.
        is: String,
        /// What should be there.
        wanted: String,
    },
}

impl StaleFile {
    /// All that is to be changed, as a unified diff: `git apply` takes it, from the folder that the paths
    /// start in.
    #[must_use]
    pub fn diff(&self) -> String {
        let path = self.path.display().to_string();
        let path = path.trim_start_matches('/');
        let (old, new) = (format!("a/{path}"), format!("b/{path}"));
        let nothing = || "/dev/null".to_owned();
        let (old, new, hunks) = match &self.how {
            Stale::Missing { wanted } => (nothing(), new, diff::hunks("", wanted)),
            Stale::Extra { is } => (old, nothing(), diff::hunks(is, "")),
            Stale::Differs { is, wanted } => (old, new, diff::hunks(is, wanted)),
        };
        format!("--- {old}\n+++ {new}\n{hunks}")
    }
}

/// In one line; [`StaleFile::diff`] tells all.
impl fmt::Display for StaleFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.how {
            Stale::Missing { .. } => write!(f, "{path} is missing"),
            Stale::Extra { .. } => write!(f, "{path} is not generated any more"),
            Stale::Differs { .. } => write!(f, "{path} is stale"),
        }
    }
}

/// What is stale as one text: how many files, then [`StaleFile::diff`] of each; nothing where none is.
/// What a check fails with.
///
/// ```
/// use watchkeeper_codegen::{Stale, StaleFile, differences};
/// let stale = StaleFile { path: "crds.rs".into(), how: Stale::Missing { wanted: "// Lamps.\n".into() } };
/// assert_eq!(
///     differences(&[stale]).as_deref(),
///     Some("1 file is stale:\n--- /dev/null\n+++ b/crds.rs\n@@ -0,0 +1 @@\n+// Lamps.\n"),
/// );
/// assert_eq!(differences(&[]), None);
/// ```
#[must_use]
pub fn differences(stale: &[StaleFile]) -> Option<String> {
    let mut text = match stale.len() {
        0 => return None,
        1 => "1 file is stale:\n".to_owned(),
        count => format!("{count} files are stale:\n"),
    };
    text.extend(stale.iter().map(StaleFile::diff));
    Some(text)
}

/// A crate with generated files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crate {
    /// `watchkeeper-api`: the types.
    Api,
    /// `watchkeeper-client`: the accessors, and the table of a test that calls each.
    Client,
    /// `watchkeeper`: the features of both, forwarded.
    Facade,
}

impl Crate {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Api, Self::Client, Self::Facade];

    /// The folder of the crate, below `crates/`.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Api => "watchkeeper-api",
            Self::Client => "watchkeeper-client",
            Self::Facade => "watchkeeper",
        }
    }

    /// The folder below `src/` in which everything is generated, if there is one.
    const fn generated(self) -> Option<&'static str> {
        match self {
            Self::Api => Some("src/generated"),
            Self::Client => Some("src/clientset"),
            Self::Facade => None,
        }
    }
}

/// The files of the crate in `crate_dir` that are stale. Each begins with `header`, a licence; lines of it
/// that are no comments become some.
///
/// # Errors
///
/// The facts or the files cannot be read, or the manifest has no place for the features.
pub fn stale(which: Crate, crate_dir: &Path, header: &str) -> io::Result<Vec<StaleFile>> {
    let wanted = wanted(which, crate_dir, header)?;
    let mut stale = stale_of(&wanted)?;
    if let Some(folder) = which.generated() {
        for path in files_below(&crate_dir.join(folder))? {
            if !wanted.contains_key(&path) {
                stale.push(extra(path)?);
            }
        }
    }
    Ok(stale)
}

/// A file that is not generated any more.
pub(crate) fn extra(path: PathBuf) -> io::Result<StaleFile> {
    // It may be anybody's, and no text at all.
    let is = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
    Ok(StaleFile { path, how: Stale::Extra { is } })
}

/// Those of the files that differ.
pub(crate) fn stale_of(files: &BTreeMap<PathBuf, String>) -> io::Result<Vec<StaleFile>> {
    let mut stale = Vec::new();
    for (path, text) in files {
        if let Some(how) = compare(path, text)? {
            stale.push(StaleFile { path: path.clone(), how });
        }
    }
    Ok(stale)
}

/// Writes the stale files of the crate in `crate_dir`, removes the extra ones, and tells which they
/// were. `header` is as for [`stale`].
///
/// # Errors
///
/// As for [`stale`], and when a file cannot be written.
pub fn write(which: Crate, crate_dir: &Path, header: &str) -> io::Result<Vec<StaleFile>> {
    let wanted = wanted(which, crate_dir, header)?;
    let stale = stale(which, crate_dir, header)?;
    for StaleFile { path, .. } in &stale {
        match wanted.get(path) {
            None => std::fs::remove_file(path)?,
            Some(text) => {
                if let Some(dir) = path.parent() {
                    std::fs::create_dir_all(dir)?;
                }
                std::fs::write(path, text)?;
            }
        }
    }
    Ok(stale)
}

/// Below the folder of `watchkeeper-client`.
const CALLS: &str = "tests/it/clientset/calls.rs";

/// Everything that the generator answers for, by path.
fn wanted(which: Crate, crate_dir: &Path, header: &str) -> io::Result<BTreeMap<PathBuf, String>> {
    let groups = Groups::kubernetes();
    let facts = Facts::builtin().map_err(io::Error::other)?;
    let manifest = crate_dir.join("Cargo.toml");
    let old = std::fs::read_to_string(&manifest)?;
    let (files, text) = match which {
        Crate::Api => {
            let features = cargo_features(&facts, &groups).map_err(io::Error::other)?;
            (generate(&facts, &groups), splice_features(&old, &features))
        }
        Crate::Client => {
            let text = client_features(&old, &facts, &groups).map_err(io::Error::other)?;
            let calls = calls(&facts, &groups).map_err(io::Error::other)?;
            let files = clientset(&facts, &groups).map(|mut files| {
                files.push((PathBuf::from(CALLS), calls));
                files
            });
            (files, text)
        }
        Crate::Facade => {
            let text = facade_features(&old, &facts, &groups).map_err(io::Error::other)?;
            (Ok(Vec::new()), text)
        }
    };
    let files = files.map_err(io::Error::other)?;
    let header = match comment(header) {
        header if header.is_empty() => header,
        header => header + "\n",
    };
    let place = |path: PathBuf| match path.starts_with("tests") {
        true => crate_dir.join(path),
        false => crate_dir.join("src").join(path),
    };
    let mut wanted: BTreeMap<_, _> =
        files.into_iter().map(|(path, text)| (place(path), format!("{header}{text}"))).collect();
    let text =
        text.ok_or_else(|| io::Error::other("the manifest has no place for generated features"))?;
    wanted.insert(manifest, text);
    Ok(wanted)
}

/// A text as comments of Rust, line by line.
pub(crate) fn comment(text: &str) -> String {
    let line = |line: &str| match line.trim_end() {
        line if line.is_empty() || line.starts_with("//") => format!("{line}\n"),
        line => format!("// {line}\n"),
    };
    text.trim_end().lines().map(line).collect()
}

fn compare(path: &Path, text: &str) -> io::Result<Option<Stale>> {
    let wanted = text.to_owned();
    match std::fs::read(path) {
        Ok(is) if is == text.as_bytes() => Ok(None),
        Ok(is) => {
            let is = String::from_utf8_lossy(&is).into_owned();
            Ok(Some(Stale::Differs { is, wanted }))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(Some(Stale::Missing { wanted }))
        }
        Err(error) => Err(error),
    }
}

/// Writes those of the files that differ, and tells which they were.
pub(crate) fn write_all(
    files: impl IntoIterator<Item = (PathBuf, String)>,
) -> io::Result<Vec<StaleFile>> {
    let files: BTreeMap<_, _> = files.into_iter().collect();
    let stale = stale_of(&files)?;
    for StaleFile { path, .. } in &stale {
        if let (Some(dir), Some(text)) = (path.parent(), files.get(path)) {
            std::fs::create_dir_all(dir)?;
            std::fs::write(path, text)?;
        }
    }
    Ok(stale)
}

/// Removes a file, and the directories below `top` that are empty then.
pub(crate) fn remove(path: &Path, top: &Path) -> io::Result<()> {
    std::fs::remove_file(path)?;
    let below = path.ancestors().skip(1).take_while(|dir| *dir != top && dir.starts_with(top));
    for dir in below {
        match std::fs::remove_dir(dir) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Every file below a directory, sorted; none if there is no such directory.
pub(crate) fn files_below(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut left = vec![dir.to_owned()];
    while let Some(dir) = left.pop() {
        let entries = match std::fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() { left.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}
