//! Kubeconfigs: their text, and the files that go with an endpoint.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use watchkeeper_api::{ByteString, Error, Result};

/// How a kubeconfig begins that an endpoint may replace.
const OURS: &str =
    "# Written by Watchkeeper for an embedded cluster, and removed when that ends.\n";

/// What a kubeconfig says.
pub(super) struct Entry {
    pub(super) server: String,
    /// The certificate (PEM) that the server's leads to.
    pub(super) root_ca: Option<String>,
    pub(super) token: Option<String>,
}

impl Entry {
    pub(super) fn text(&self) -> String {
        let server = &self.server;
        let user = self.token.as_ref().map(|token| format!(" token: {token} ")).unwrap_or_default();
        let authority = self.root_ca.as_ref().map(|pem| {
            let data = ByteString::from(pem.as_bytes().to_vec()).to_base64();
            format!(", certificate-authority-data: {data}")
        });
        let authority = authority.unwrap_or_default();
        format!(
            "{OURS}apiVersion: v1\nkind: Config\ncurrent-context: watchkeeper\nclusters:\n\
             - name: watchkeeper\n  cluster: {{ server: \"{server}\"{authority} }}\ncontexts:\n\
             - name: watchkeeper\n  context: {{ cluster: watchkeeper, user: watchkeeper }}\n\
             users:\n- name: watchkeeper\n  user: {{{user}}}\n"
        )
    }
}

/// Kubeconfigs in a folder that goes with them.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// How many users have one.
    pub(super) users: u32,
}

impl Folder {
    pub(super) fn make(address: SocketAddr) -> Result<Self> {
        let name = format!("watchkeeper-{}-{}", std::process::id(), address.port());
        let path = std::env::temp_dir().join(name);
        // Only a dead process of the same id can have left one.
        let _left = std::fs::remove_dir_all(&path);
        // Not one that somebody else made: what is written into it would be theirs to choose.
        private_folder(&path).map_err(cannot)?;
        Ok(Self { path, users: 0 })
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.path.join(name);
        std::fs::write(&path, text).map_err(cannot)?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The folder of temporary files is cleared by others if not by us.
        let _left = std::fs::remove_dir_all(&self.path);
    }
}

fn cannot(error: io::Error) -> Error {
    let parent = std::env::temp_dir();
    Error::other(format!(
        "no kubeconfig can be written below {}: {error}; set TMPDIR to a folder that can be written \
         to",
        parent.display()
    ))
}

/// A folder that nobody else looks into, where the system knows such: tokens are in it.
fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// A kubeconfig where somebody wants it.
#[derive(Debug)]
pub(super) struct OneFile {
    path: PathBuf,
    text: Text,
    /// Locked as long as the endpoint is there, even if it is killed. Shared, so that everybody may read it on
    /// systems that hold readers to locks.
    _held: File,
}

/// Not to be printed: there is a token in it.
struct Text(String);

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

impl OneFile {
    /// Writes the file, of which nobody sees a part.
    pub(super) fn write(path: &Path, text: String) -> Result<Self> {
        let shown = path.display();
        match Found::at(path) {
            Ok(Found::Nothing | Found::Left) => {}
            Ok(Found::Strangers) => {
                return Err(Error::usage(format!(
                    "{shown} is not a kubeconfig of an embedded cluster and stays as it is; name \
                     another file"
                )));
            }
            Ok(Found::Held) => {
                return Err(Error::usage(format!(
                    "{shown} is the kubeconfig of an embedded cluster that still runs, and stays as it \
                     is; end that one, or name another file"
                )));
            }
            Err(error) => return Err(Error::other(format!("{shown} cannot be read: {error}"))),
        }
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}", std::process::id()));
        let beside = PathBuf::from(beside);
        let written = held_file(&beside, &text)
            .and_then(|held| std::fs::rename(&beside, path).map(|()| held));
        let held = written.map_err(|error| {
            let _left = std::fs::remove_file(&beside);
            Error::other(format!("{shown} cannot be written: {error}"))
        })?;
        Ok(Self { path: path.to_owned(), text: Text(text), _held: held })
    }

    /// Whether it is the file at this path.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        self.path == path
    }
}

impl Drop for OneFile {
    fn drop(&mut self) {
        // What another endpoint has written there meanwhile is its own.
        if std::fs::read_to_string(&self.path).is_ok_and(|text| text == self.text.0) {
            let _gone = std::fs::remove_file(&self.path);
        }
    }
}

/// What is where a kubeconfig shall be.
enum Found {
    Nothing,
    /// An endpoint's that ended without removing it.
    Left,
    /// An endpoint's that is still there.
    Held,
    Strangers,
}

impl Found {
    fn at(path: &Path) -> io::Result<Self> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Nothing),
            Err(error) => return Err(error),
        };
        let mut start = Vec::new();
        (&file).take(OURS.len() as u64).read_to_end(&mut start)?;
        if start != OURS.as_bytes() {
            return Ok(Self::Strangers);
        }
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(Self::Held),
            // Where files cannot be locked nobody holds one.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self::Left),
        }
    }
}

/// Writes a file for its owner alone, which is locked while what comes back is there.
fn held_file(path: &Path, text: &str) -> io::Result<File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    // Some file systems have no locks: there it may be replaced.
    let _locked = file.try_lock_shared();
    Ok(file)
}
