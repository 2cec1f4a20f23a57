//! The log-in that a kubeconfig holds: read again, and its tokens written back.
//!
//! Other programs write there, too: who logs in anew, or refreshes with the same tokens. What they wrote is newer
//! than what was read here, and stays.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::kubeconfig::{AuthProvider, ProviderPlace, provider, with_provider_fields};
use rewrite::rewrite;

mod rewrite;
#[cfg(test)]
mod tests;

/// How long another program may hold the file's lock: this often, this long.
const TRIES: (u32, Duration) = (20, Duration::from_millis(100));

/// What a kubeconfig says of a log-in. Another one says something else.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Said {
    issuer: String,
    client: String,
    refresh: String,
}

impl Said {
    pub(super) fn of(provider: &AuthProvider) -> Self {
        let get = |name: &str| provider.config.get(name).cloned().unwrap_or_default();
        let [issuer, client, refresh] = ["idp-issuer-url", "client-id", "refresh-token"].map(get);
        Self { issuer, client, refresh }
    }
}

/// What became of tokens that were to be written.
pub(super) enum Kept {
    /// They are in the file, which says this now.
    Written(Said),
    /// There is another log-in in the file, which stays as it is.
    Newer,
}

/// What the file says of its user now. Half of what another program writes may be read; the whole is read next time.
pub(super) async fn read(place: &ProviderPlace) -> io::Result<AuthProvider> {
    let place = place.clone();
    let read = tokio::task::spawn_blocking(move || provider_at(&place, &text(&place.file)?)).await;
    read.unwrap_or_else(|ended| Err(io::Error::other(ended)))
}

/// Writes these fields of the user's `auth-provider`, all of them or none, if the file still says of the user what it
/// `said`. While another program writes the file (client-go's lock file tells), this waits for it, up to two seconds.
///
/// # Cancel safety
/// A write that has begun is done.
pub(super) async fn keep(
    place: &ProviderPlace,
    said: &Said,
    fields: &[(&'static str, String)],
) -> io::Result<Kept> {
    let mut tries = TRIES.0;
    loop {
        let (place, said, fields) = (place.clone(), said.clone(), fields.to_vec());
        let written = tokio::task::spawn_blocking(move || replace(&place, &said, &fields)).await;
        match written.unwrap_or_else(|ended| Err(io::Error::other(ended))) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries > 1 => tries -= 1,
            done => return done,
        }
        tokio::time::sleep(TRIES.1).await;
    }
}

fn replace(
    place: &ProviderPlace,
    said: &Said,
    fields: &[(&'static str, String)],
) -> io::Result<Kept> {
    let path = fs::canonicalize(&place.file)?;
    let _locked = Locks::take(&place.file, &path)?;
    let old = text(&path)?;
    if Said::of(&provider_at(place, &old)?) != *said {
        return Ok(Kept::Newer);
    }
    let new = with_provider_fields(&old, &place.user, fields).map_err(io::Error::other)?;
    if new != old {
        rewrite(&path, &old, &new)?;
    }
    Ok(Kept::Written(Said::of(&provider_at(place, &new)?)))
}

fn provider_at(place: &ProviderPlace, text: &str) -> io::Result<AuthProvider> {
    let found = provider(text, &place.user).map_err(io::Error::other)?;
    Ok(AuthProvider { place: Some(place.clone()), ..found })
}

/// What a file says. A pipe would be waited for until somebody writes into it.
fn text(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    fs::read_to_string(path)
}

/// The path with this after the name of its file.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Files that say that somebody writes the one beside them. They go when this is dropped.
struct Locks(Vec<PathBuf>);

impl Locks {
    /// That of the file as it is named, which client-go takes, and that of the file to which a link leads, which
    /// programs take that name it so.
    fn take(named: &Path, path: &Path) -> io::Result<Self> {
        let folder = named.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or_else(|| Path::new(".")))?;
        let named = folder.join(named.file_name().unwrap_or_default());
        let mut locks = Self(Vec::new());
        locks.add(beside(&named, ".lock"))?;
        if named == path {
            return Ok(locks);
        }
        match locks.add(beside(path, ".lock")) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // Where this cannot make it, others of the same user cannot either.
            _ => Ok(locks),
        }
    }

    fn add(&mut self, path: PathBuf) -> io::Result<()> {
        let taken = OpenOptions::new().write(true).create_new(true).open(&path);
        taken.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                let text = format!(
                    "{} is there: another program writes it, or died at it",
                    path.display()
                );
                io::Error::new(io::ErrorKind::AlreadyExists, text)
            }
            _ => error,
        })?;
        self.0.push(path);
        Ok(())
    }
}

impl Drop for Locks {
    fn drop(&mut self) {
        for path in &self.0 {
            let _gone = fs::remove_file(path);
        }
    }
}
