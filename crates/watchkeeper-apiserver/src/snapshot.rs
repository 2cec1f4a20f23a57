//! All that a server holds as YAML, and a server that begins with it.
//!
//! What is written are the objects as they were stored last: whole, in the version that is stored, with their
//! uids, revisions and managers. What is read is what a server could have written; it goes the way of what a
//! journal has kept ([`journal`](crate::journal)).
//!
//! ```text
//!  Store ──Record──▶ write ──YAML──▶ read ──Snapshot──▶ Core::restore
//! ```

mod documents;
mod kinds;
mod read;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::clock::Now;
use crate::journal::{Kept, Saved, SigningKey};

pub(crate) use write::Picture;

/// All that a server held, read back from what [`ApiServer::export`](crate::ApiServer::export) wrote.
///
/// ```
/// use watchkeeper_apiserver::ApiServer;
/// use watchkeeper_apiserver::snapshot::Snapshot;
///
/// let server = ApiServer::new();
/// let snapshot: Snapshot = server.export().parse()?;
/// assert_eq!(snapshot.revision(), server.revision());
/// # Ok::<(), watchkeeper_apiserver::snapshot::ImportError>(())
/// ```
#[derive(Clone)]
pub struct Snapshot {
    revision: u64,
    objects: Arc<[Kept]>,
}

/// Tells how much it is, never what: secrets may be in it.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { revision, objects } = self;
        write!(f, "Snapshot({} objects at {revision})", objects.len())
    }
}

impl Snapshot {
    /// The revision that a server has which begins with it.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The same as a journal would have it that got all of it now.
    pub(crate) fn saved(&self, signing_key: SigningKey, now: Now) -> Saved {
        let objects = self.objects.iter().cloned().map(|kept| Kept { at: now, ..kept });
        Saved { revision: self.revision, objects: objects.collect(), signing_key }
    }
}

impl FromStr for Snapshot {
    type Err = ImportError;

    /// # Errors
    ///
    /// Which document of the text a server cannot have written, and why; nothing of the text is used then.
    fn from_str(text: &str) -> Result<Self, ImportError> {
        read::snapshot(text)
    }
}

/// Why a text is not what a server holds: one sentence that names the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// Which document, and the line that it begins at, both counted from 1; `None` of the whole text.
    place: Option<(usize, usize)>,
    what: String,
}

impl ImportError {
    fn of_all(what: impl Into<String>) -> Self {
        Self { place: None, what: what.into() }
    }

    /// The number of the document that is wrong, counted from 1; `None` where it is the whole text.
    #[must_use]
    pub fn document(&self) -> Option<usize> {
        self.place.map(|(document, _)| document)
    }
}

/// The place first.
impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((document, line)) = self.place {
            write!(f, "document {document}, at line {line}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for ImportError {}
