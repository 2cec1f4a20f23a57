//! Who calls: credentials, kept fresh.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
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
    /// What there is is not sent, as everybody on the way could read it.
    Withheld,
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
    pub(crate) fn basic(username: &str, password: &str) -> Result<Self, String> {
        let value = format!("Basic {}", BASE64.encode(format!("{username}:{password}")));
        Ok(Self::Header(secret(&value)?))
    }

    /// What to send now.
    pub(crate) async fn credentials(&self) -> Result<Credentials, BoxError> {
        match self {
            Self::None | Self::Withheld => Ok(Credentials::default()),
            Self::Header(header) => Ok(Credentials::header(header.clone())),
            Self::TokenFile(file) => Ok(Credentials::header(file.header().await?)),
            Self::Exec(plugin) => plugin.credentials().await,
            Self::Oidc(oidc) => oidc.credentials().await,
        }
    }

    /// What connections are made with for callers who say by themselves who they are: the client certificate
    /// of a plugin that ran before.
    pub(crate) fn at_hand(&self) -> Credentials {
        match self {
            Self::Exec(plugin) => Credentials { header: None, ..plugin.at_hand() },
            Self::None | Self::Withheld | Self::Header(_) | Self::TokenFile(_) | Self::Oidc(_) => {
                Credentials::default()
            }
        }
    }

    /// What the server did not know the caller by, and what to do. A client certificate that was shown beside it,
    /// such as `client-certificate /home/me/me.crt`, counts where there is nothing else.
    pub(crate) fn unknown(&self, certificate: Option<&str>) -> String {
        let is_basic = |header: &HeaderValue| header.as_bytes().starts_with(b"Basic ");
        match (self, certificate) {
            (Self::None, None) => {
                "it has no credentials; give it a token, a client certificate or a plugin".to_owned()
            }
            (Self::None, Some(certificate)) => format!(
                "the server does not know its client certificate ({certificate}); renew it, or have the server \
                 trust who signed it"
            ),
            (Self::Withheld, _) => "its credentials are not sent without TLS; should the server's address begin \
                                    with https://?"
                .to_owned(),
            (Self::Header(header), _) if is_basic(header) => {
                "the server does not know its username and password; are they right, and does the server take such? \
                 kube-apiserver takes none since 1.19"
                    .to_owned()
            }
            (Self::Header(_), _) => {
                "the server does not know its token; give it another one".to_owned()
            }
            (Self::TokenFile(file), _) => format!(
                "the server does not know the token of the file {}; see that it is renewed",
                file.path.display()
            ),
            (Self::Exec(plugin), _) => format!(
                "the server does not know what {} printed; run it by hand to log in anew",
                plugin.name()
            ),
            (Self::Oidc(oidc), _) => format!(
                "the server does not know the id-token of {}; log in again, or have the server trust that issuer",
                oidc.name()
            ),
        }
    }

    /// The server did not know these credentials: get others next time, if there are any.
    pub(crate) fn refused(&self, credentials: &Credentials) {
        match self {
            Self::None | Self::Withheld | Self::Header(_) => {}
            Self::TokenFile(file) => file.doubt(),
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
    let mut header = header.map_err(|_| {
        "it holds characters that no header may; write it on one line, in ASCII".to_owned()
    })?;
    header.set_sensitive(true);
    Ok(header)
}

/// A token in a file, read again every minute.
pub(crate) struct TokenFile {
    path: PathBuf,
    /// What is sent until the file was read once.
    first: Option<HeaderValue>,
    last: Mutex<Option<Last>>,
}

/// What a token file said last.
#[derive(Clone)]
struct Last {
    /// When it is to be read again.
    next: Instant,
    header: HeaderValue,
}

impl TokenFile {
    /// With the token that is `first`, the file need not be there yet (upstream:
    /// `NewBearerAuthWithRefreshRoundTripper`).
    pub(crate) const fn new(path: PathBuf, first: Option<HeaderValue>) -> Self {
        Self { path, first, last: Mutex::new(None) }
    }

    /// A token not older than a minute; the last good one while the file cannot be read.
    async fn header(&self) -> Result<HeaderValue, BoxError> {
        let last = self.last().clone();
        if let Some(last) = &last
            && Instant::now() < last.next
        {
            return Ok(last.header.clone());
        }
        match (self.read().await, last) {
            (Ok(header), _) => {
                let next = Instant::now() + TOKEN_FILE_AGE;
                *self.last() = Some(Last { next, header: header.clone() });
                Ok(header)
            }
            (Err(_), Some(last)) => Ok(last.header),
            (Err(error), None) => self.first.clone().ok_or(error),
        }
    }

    fn last(&self) -> MutexGuard<'_, Option<Last>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The server does not take the token: look at once. It stays the last good one until another is read.
    fn doubt(&self) {
        if let Some(last) = &mut *self.last() {
            last.next = Instant::now();
        }
    }

    async fn read(&self) -> Result<HeaderValue, BoxError> {
        let path = self.path.display();
        let token = tokio::fs::read_to_string(&self.path).await;
        let token = token.map_err(|error| format!(
                "cannot read the token file {path}: {error}; is the path right, and may this program read it?"
            ))?;
        if token.trim().is_empty() {
            return Err(format!("the token file {path} is empty; write a token into it").into());
        }
        bearer(&token).map_err(|what| format!("the token file {path} is no token: {what}").into())
    }
}
