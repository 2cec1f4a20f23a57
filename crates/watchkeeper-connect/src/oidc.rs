//! OpenID Connect tokens, refreshed (upstream: `client-go/plugin/pkg/client/auth/oidc`).
//!
//! The identity token of the kubeconfig is used until it expires or the server refuses it; then the
//! issuer's token endpoint gives another for the refresh token. Both are written back into the kubeconfig,
//! as issuers may let a refresh token be used once; for the same reason a refresh goes on when its callers go.
//! Unlike upstream only the tokens' own text changes there: comments, order and all else stay. And before tokens
//! are asked for, the file is: who logged in anew, or used the refresh token first, wrote better ones.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE_NO_PAD};
use http::Uri;
use watchkeeper_client::BoxError;

use crate::auth::{Credentials, bearer};
use crate::config::{not_base64, without_password};
use crate::flight::{EndsWith, SingleFlight};
use crate::kubeconfig::{AuthProvider, ProviderPlace};
use crate::pem::Pem;
use issuer::{Given, Issuer};
use keep::{Kept, Said};

mod issuer;
mod keep;
#[cfg(test)]
mod tests;

/// A token about to expire is not worth sending (upstream: `expiryDelta`).
const SKEW: Duration = Duration::from_secs(10);

/// Tokens, and what gets others.
pub(crate) struct Oidc {
    tokens: Arc<Tokens>,
    /// A refresh token may be good for once: what the issuer gives for it is taken, whoever waits for it.
    refreshes: SingleFlight<Result<(), String>>,
}

/// The tokens of one log-in after the other.
struct Tokens {
    /// Where the kubeconfig holds them.
    place: Option<ProviderPlace>,
    state: Mutex<State>,
    /// Tokens up to this number were refused by the server.
    refused: AtomicU64,
}

/// An issuer, and the tokens that it gave.
#[derive(Clone)]
struct State {
    issuer: Arc<Issuer>,
    id: String,
    refresh: String,
    /// What the kubeconfig said last: what was read from there, or written into it.
    said: Said,
    /// Counts the identity tokens.
    number: u64,
    /// Whether these were got because the server refused those before, though they were good.
    after_refusal: bool,
}

impl Oidc {
    /// # Errors
    /// What is missing in the configuration.
    pub(crate) fn new(provider: &AuthProvider) -> Result<Self, String> {
        let tokens = Tokens {
            place: provider.place.clone(),
            state: Mutex::new(State::of(provider, 1)?),
            refused: AtomicU64::new(0),
        };
        Ok(Self { tokens: Arc::new(tokens), refreshes: SingleFlight::new() })
    }

    /// A token that has not expired. Several callers wait for one refresh.
    ///
    /// # Cancel safety
    /// A refresh under way goes on, for who comes next. It ends with the connection.
    pub(crate) async fn credentials(&self) -> Result<Credentials, BoxError> {
        let state = self.tokens.state().clone();
        if !self.tokens.is_due(&state) {
            return state.credentials();
        }
        let refresh = || Arc::clone(&self.tokens).refresh();
        let done = self.refreshes.run(EndsWith::Owner, refresh).await;
        done.unwrap_or_else(|| {
            Err(state.sentence("was left in the middle of a refresh; call again"))
        })?;
        let state = self.tokens.state().clone();
        state.credentials()
    }

    /// `the OIDC issuer https://idp`, for messages.
    pub(crate) fn name(&self) -> String {
        self.tokens.state().name()
    }

    pub(crate) fn forget(&self, credentials: &Credentials) {
        self.tokens.refused.fetch_max(credentials.run, Ordering::AcqRel);
    }
}

impl State {
    /// # Errors
    /// What is missing in the configuration.
    fn of(provider: &AuthProvider, number: u64) -> Result<Self, String> {
        let get = |name: &str| provider.config.get(name).cloned().unwrap_or_default();
        let needed = |name: &str| match get(name) {
            value if value.is_empty() => {
                Err(format!("its auth-provider \"oidc\" has no {name}; set it"))
            }
            value => Ok(value),
        };
        let url = needed("idp-issuer-url")?;
        let url: Uri = url
            .parse()
            .ok()
            .filter(|url: &Uri| matches!(url.scheme_str(), Some("http" | "https")))
            .ok_or_else(|| {
                let url = without_password(&url);
                format!(
                    "its idp-issuer-url {url:?} is no http or https URL; write it as https://HOST"
                )
            })?;
        let issuer = Issuer {
            url,
            client: needed("client-id")?,
            secret: get("client-secret"),
            ca: authority(provider)?,
        };
        let (id, refresh) = (get("id-token"), get("refresh-token"));
        if id.is_empty() && refresh.is_empty() {
            return Err("its auth-provider \"oidc\" has neither an id-token nor a refresh-token; \
                        log in first"
                .to_owned());
        }
        Ok(Self {
            issuer: Arc::new(issuer),
            id,
            refresh,
            said: Said::of(provider),
            number,
            after_refusal: false,
        })
    }

    fn credentials(&self) -> Result<Credentials, BoxError> {
        let header = bearer(&self.id).map_err(|what| format!("its id-token is none: {what}"))?;
        Ok(Credentials { header: Some(header), identity: None, run: self.number })
    }

    fn is_usable(&self) -> bool {
        !self.id.is_empty() && !has_expired(&self.id, now())
    }

    fn name(&self) -> String {
        format!("the OIDC issuer {}", without_password(&self.issuer.url.to_string()))
    }

    fn sentence(&self, what: &str) -> String {
        format!("{} {what}", self.name())
    }
}

impl Tokens {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether another token is to be got. One that was refused is sent on where there is no way to another, and where
    /// another did not help: a server that takes none would have the issuer asked with each call.
    fn is_due(&self, state: &State) -> bool {
        let refused = self.refused.load(Ordering::Acquire) >= state.number;
        !state.is_usable() || (refused && !state.after_refusal && !state.refresh.is_empty())
    }

    async fn refresh(self: Arc<Self>) -> Result<(), String> {
        self.look().await;
        loop {
            let old = self.state().clone();
            // Another refresh may have ended between the caller's look and this.
            if !self.is_due(&old) {
                return Ok(());
            }
            if old.refresh.is_empty() {
                return Err("its id-token has expired and there is no refresh-token; log in again"
                    .to_owned());
            }
            match old.issuer.refresh(&old.refresh).await {
                Ok(given) => {
                    self.take(old, given).await;
                    return Ok(());
                }
                // Another program may have used it up, and written what it got for it.
                Err(what) if !self.look().await => return Err(old.sentence(&what)),
                Err(_) => {}
            }
        }
    }

    /// Takes the log-in that another program wrote into the kubeconfig, if there is one.
    async fn look(&self) -> bool {
        let Some(place) = &self.place else { return false };
        // What cannot be read, or is no log-in, is no better one.
        let Ok(provider) = keep::read(place).await else { return false };
        let mut state = self.state();
        if Said::of(&provider) == state.said {
            return false;
        }
        let Ok(newer) = State::of(&provider, state.number + 1) else { return false };
        *state = newer;
        true
    }

    /// Takes what the issuer gave for the `old` tokens, and keeps it.
    async fn take(&self, old: State, given: Given) {
        let refresh = given.refresh.unwrap_or_else(|| old.refresh.clone());
        let fields = [("id-token", given.id.clone()), ("refresh-token", refresh.clone())];
        let (said, number) = (old.said.clone(), old.number + 1);
        let after_refusal = old.is_usable();
        *self.state() = State { id: given.id, refresh, number, after_refusal, ..old };
        let Some(place) = &self.place else { return };
        let (user, file) = (&place.user, place.file.display());
        match keep::keep(place, &said, &fields).await {
            Ok(Kept::Written(said)) => self.state().said = said,
            Ok(Kept::Newer) => tracing::info!(
                "user {user:?} has logged in anew in {file}: that log-in stays there, and is used when the tokens at \
                 hand expire"
            ),
            Err(error) => tracing::warn!(
                "the tokens of user {user:?} are not written back into {file}: {error}; they are kept in memory \
                 until this program ends, after which a new log-in may be needed"
            ),
        }
    }
}

/// A path is relative to the kubeconfig, as every other path in it.
fn authority(provider: &AuthProvider) -> Result<Option<Pem>, String> {
    const NAME: &str = "idp-certificate-authority";
    let get = |name: &str| provider.config.get(name).filter(|value| !value.is_empty());
    if let Some(data) = get("idp-certificate-authority-data") {
        let data = BASE64.decode(data.trim()).map_err(|_| not_base64(NAME))?;
        return Ok(Some(Pem::data(NAME, data)));
    }
    let folder = provider
        .place
        .as_ref()
        .and_then(|place| place.file.parent())
        .unwrap_or_else(|| Path::new(""));
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
