//! Who calls: credentials, kept fresh.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::HeaderValue;
use tokio::time::Instant;
use watchkeeper_client::BoxError;

use crate::exec::Plugin;
use crate::oidc::Oidc;
use crate::tls::Identity;

#[cfg(test)]
mod tests;

/// How long a token read from a file is used (upstream: `cachingTokenSource`).
const TOKEN_FILE_AGE: Duration = Duration::from_secs(60);

/// Where credentials come from.
pub(crate) enum Auth {
    /// Nothing is sent; the server may know the caller by a client certificate.
    None,
    /// The same header for ever.
    Header(HeaderValue),
    /// A token that somebody renews.
    TokenFile(TokenFile),
    /// A program that prints credentials.
    Exec(Box<Plugin>),
    /// An identity provider's tokens.
    Oidc(Box<Oidc>),
}

/// What a request carries.
#[derive(Clone, Default)]
pub(crate) struct Credentials {
    pub(crate) header: Option<HeaderValue>,
    /// A client certificate that came with them.
    pub(crate) identity: Option<Identity>,
    /// The plugin's run that brought them; 0 for credentials that stay.
    pub(crate) run: u64,
}

impl Credentials {
    fn header(header: HeaderValue) -> Self {
        Self { header: Some(header), ..Self::default() }
    }
}

impl Auth {
    pub(crate) fn bearer(token: &str) -> Result<Self, String> {
        Ok(Self::Header(bearer(token)?))
    }

    pub(crate) fn basic(username: &str, password: &str) -> Result<Self, String> {
        let value = format!("Basic {}", BASE64.encode(format!("{username}:{password}")));
        Ok(Self::Header(secret(&value)?))
    }

    /// What to send now.
    pub(crate) async fn credentials(&self) -> Result<Credentials, BoxError> {
        match self {
            Self::None => Ok(Credentials::default()),
            Self::Header(header) => Ok(Credentials::header(header.clone())),
            Self::TokenFile(file) => Ok(Credentials::header(file.header().await?)),
            Self::Exec(plugin) => plugin.credentials().await,
            Self::Oidc(oidc) => oidc.credentials().await,
        }
    }

    /// The server did not know these credentials: get others next time, if there are any.
    pub(crate) fn refused(&self, credentials: &Credentials) {
        match self {
            Self::None | Self::Header(_) => {}
            Self::TokenFile(file) => file.keep(None),
            Self::Exec(plugin) => plugin.forget(credentials),
            Self::Oidc(oidc) => oidc.forget(credentials),
        }
    }
}

/// `Bearer <token>`, marked as a secret.
pub(crate) fn bearer(token: &str) -> Result<HeaderValue, String> {
    secret(&format!("Bearer {}", token.trim()))
}

fn secret(value: &str) -> Result<HeaderValue, String> {
    let header = HeaderValue::from_str(value);
    let mut header = header.map_err(|_| "it holds characters that no header may".to_owned())?;
    header.set_sensitive(true);
    Ok(header)
}

/// A token in a file, read again every minute.
pub(crate) struct TokenFile {
    path: PathBuf,
    last: Mutex<Option<(Instant, HeaderValue)>>,
}

impl TokenFile {
    pub(crate) const fn new(path: PathBuf) -> Self {
        Self { path, last: Mutex::new(None) }
    }

    /// A token not older than a minute; the last good one while the file cannot be read.
    async fn header(&self) -> Result<HeaderValue, BoxError> {
        let last = self.last();
        if let Some((read, header)) = &last
            && read.elapsed() < TOKEN_FILE_AGE
        {
            return Ok(header.clone());
        }
        match (self.read().await, last) {
            (Ok(header), _) => {
                self.keep(Some((Instant::now(), header.clone())));
                Ok(header)
            }
            (Err(_), Some((_, header))) => Ok(header),
            (Err(error), None) => Err(error),
        }
    }

    fn last(&self) -> Option<(Instant, HeaderValue)> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, token: Option<(Instant, HeaderValue)>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = token;
    }

    async fn read(&self) -> Result<HeaderValue, BoxError> {
        let path = self.path.display();
        let token = tokio::fs::read_to_string(&self.path).await;
        let token = token.map_err(|error| format!("cannot read the token file {path}: {error}"))?;
        if token.trim().is_empty() {
            return Err(format!("the token file {path} is empty").into());
        }
        bearer(&token).map_err(|what| format!("the token file {path} is no token: {what}").into())
    }
}
