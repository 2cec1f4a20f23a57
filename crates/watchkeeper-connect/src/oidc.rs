//! OpenID Connect tokens, refreshed (upstream: `client-go/plugin/pkg/client/auth/oidc`).
//!
//! The identity token of the kubeconfig is used until it expires or the server refuses it; then the
//! issuer's token endpoint gives another for the refresh token. Both are written back into the kubeconfig,
//! as issuers may let a refresh token be used once. Unlike upstream only the tokens' own text changes there:
//! comments, order and all else stay.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE_NO_PAD};
use http::Uri;
use tokio::sync::Mutex;
use watchkeeper_client::BoxError;

use crate::auth::{Credentials, bearer};
use crate::kubeconfig::AuthProvider;
use crate::pem::Pem;
use issuer::Issuer;

mod issuer;
mod keep;
#[cfg(test)]
mod tests;

/// A token about to expire is not worth sending (upstream: `expiryDelta`).
const SKEW: Duration = Duration::from_secs(10);

/// An issuer, and the tokens that it gave.
pub(crate) struct Oidc {
    issuer: Issuer,
    /// The kubeconfig that holds the tokens.
    file: Option<PathBuf>,
    state: Mutex<State>,
    /// Tokens up to this number were refused by the server.
    refused: AtomicU64,
}

struct State {
    id: String,
    refresh: String,
    /// Counts the identity tokens.
    number: u64,
}

impl Oidc {
    /// # Errors
    /// What is missing in the configuration.
    pub(crate) fn new(provider: &AuthProvider) -> Result<Self, String> {
        let get = |name: &str| provider.config.get(name).cloned().unwrap_or_default();
        let needed = |name: &str| match get(name) {
            value if value.is_empty() => Err(format!("its auth-provider \"oidc\" has no {name}")),
            value => Ok(value),
        };
        let url = needed("idp-issuer-url")?;
        let url: Uri = url
            .parse()
            .ok()
            .filter(|url: &Uri| matches!(url.scheme_str(), Some("http" | "https")))
            .ok_or_else(|| format!("its idp-issuer-url {url:?} is no http or https URL"))?;
        let issuer = Issuer {
            url,
            client: needed("client-id")?,
            secret: get("client-secret"),
            ca: authority(provider)?,
        };
        let state = State { id: get("id-token"), refresh: get("refresh-token"), number: 1 };
        if state.id.is_empty() && state.refresh.is_empty() {
            return Err("its auth-provider \"oidc\" has neither an id-token nor a refresh-token; \
                        log in first"
                .to_owned());
        }
        let file = provider.file.clone();
        Ok(Self { issuer, file, state: Mutex::new(state), refused: AtomicU64::new(0) })
    }

    /// A token that has not expired. Several callers wait for one refresh.
    ///
    /// # Cancel safety
    /// A refresh under way is given up; what the issuer answers to it is lost.
    pub(crate) async fn credentials(&self) -> Result<Credentials, BoxError> {
        let mut state = self.state.lock().await;
        let refused = self.refused.load(Ordering::Acquire) >= state.number;
        let usable = !state.id.is_empty() && !has_expired(&state.id, now());
        if !usable && state.refresh.is_empty() {
            return Err(
                "its id-token has expired and there is no refresh-token; log in again".into()
            );
        }
        if !usable || (refused && !state.refresh.is_empty()) {
            self.refresh(&mut state).await.map_err(|what| self.sentence(&what))?;
        }
        let header = bearer(&state.id).map_err(|what| format!("its id-token is none: {what}"))?;
        Ok(Credentials { header: Some(header), identity: None, run: state.number })
    }

    pub(crate) fn forget(&self, credentials: &Credentials) {
        self.refused.fetch_max(credentials.run, Ordering::AcqRel);
    }

    async fn refresh(&self, state: &mut State) -> Result<(), String> {
        let given = self.issuer.refresh(&state.refresh).await?;
        let refresh = given.refresh.unwrap_or_else(|| state.refresh.clone());
        let changes =
            [(state.id.clone(), given.id.clone()), (state.refresh.clone(), refresh.clone())];
        *state = State { id: given.id, refresh, number: state.number + 1 };
        if let Some(file) = &self.file {
            // Who cannot write there has them in memory.
            let _kept = keep::replace(file, &changes).await;
        }
        Ok(())
    }

    fn sentence(&self, what: &str) -> String {
        format!("the OIDC issuer {} {what}", self.issuer.url)
    }
}

/// A path is relative to the kubeconfig, as every other path in it.
fn authority(provider: &AuthProvider) -> Result<Option<Pem>, String> {
    const NAME: &str = "idp-certificate-authority";
    let get = |name: &str| provider.config.get(name).filter(|value| !value.is_empty());
    if let Some(data) = get("idp-certificate-authority-data") {
        let data = BASE64.decode(data.trim()).map_err(|_| format!("{NAME}-data is not base64"))?;
        return Ok(Some(Pem::data(NAME, data)));
    }
    let folder = provider.file.as_deref().and_then(Path::parent).unwrap_or_else(|| Path::new(""));
    Ok(get(NAME).map(|path| Pem::file(NAME, folder.join(path))))
}

/// What does not say when it expires is believed to last.
fn has_expired(token: &str, now: SystemTime) -> bool {
    let claims = token.split('.').nth(1).and_then(|part| URL_SAFE_NO_PAD.decode(part).ok());
    let claims: Option<serde_json::Value> =
        claims.and_then(|claims| serde_json::from_slice(&claims).ok());
    let expires = claims.and_then(|claims| {
        let seconds = claims.get("exp")?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "seconds; `as` saturates"
        )]
        let whole = || seconds.as_f64().map(|seconds| seconds as u64);
        let seconds = seconds.as_u64().or_else(whole)?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
    });
    expires.is_some_and(|expires| now + SKEW >= expires)
}

#[expect(clippy::disallowed_methods, reason = "this crate is the edge that reads the clock")]
fn now() -> SystemTime {
    SystemTime::now()
}
