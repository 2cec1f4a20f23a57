//! PEM text, in the kubeconfig or in a file beside it.

use std::fmt;
use std::path::PathBuf;

/// Where a certificate or a key is written.
#[derive(Clone)]
pub(crate) struct Pem {
    /// What the kubeconfig calls it.
    what: &'static str,
    place: Place,
}

#[derive(Clone)]
enum Place {
    Data(Vec<u8>),
    File(PathBuf),
}

impl Pem {
    pub(crate) const fn data(what: &'static str, data: Vec<u8>) -> Self {
        Self { what, place: Place::Data(data) }
    }

    pub(crate) const fn file(what: &'static str, path: PathBuf) -> Self {
        Self { what, place: Place::File(path) }
    }

    /// Whether somebody may change it.
    pub(crate) const fn is_file(&self) -> bool {
        matches!(self.place, Place::File(_))
    }

    /// `client-certificate /home/me/me.crt`, for messages.
    pub(crate) fn name(&self) -> String {
        match &self.place {
            Place::Data(_) => format!("{}-data", self.what),
            Place::File(path) => format!("{} {}", self.what, path.display()),
        }
    }

    pub(crate) fn read(&self) -> Result<Vec<u8>, String> {
        match &self.place {
            Place::Data(data) => Ok(data.clone()),
            Place::File(path) => std::fs::read(path).map_err(|error| self.unreadable(&error)),
        }
    }

    pub(crate) async fn read_again(&self) -> Result<Vec<u8>, String> {
        match &self.place {
            Place::Data(data) => Ok(data.clone()),
            Place::File(path) => {
                tokio::fs::read(path).await.map_err(|error| self.unreadable(&error))
            }
        }
    }

    fn unreadable(&self, error: &std::io::Error) -> String {
        format!(
            "cannot read {}: {error}; is the path right, and may this program read it?",
            self.name()
        )
    }
}

/// Tells the place, never the content, which may be a key.
impl fmt::Debug for Pem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}
