//! Who makes a request: what the listener says, what a token says, or nobody.

use std::collections::BTreeMap;
use std::sync::Arc;

use http::Extensions;
use http::header::AUTHORIZATION;
use http::request::Parts;

use super::Authorization;
use super::account::{self, Judged, Signer};
use crate::clock::Now;
use crate::config::Config;
use crate::error::ApiError;
use crate::rng::Rng;
use crate::storage::Store;
use crate::user::User;

/// Who makes a request, noted in its extensions once that is known.
#[derive(Clone)]
pub(crate) struct Who(pub(crate) Arc<User>);

/// Among the extensions of a request: who makes it showed a certificate that nobody vouches for.
#[derive(Clone, Copy)]
pub(crate) struct Untrusted;

/// Who makes a request that has been let in.
pub(crate) fn user(extensions: &Extensions) -> Arc<User> {
    extensions.get::<Who>().map_or_else(|| Arc::new(User::anonymous()), |Who(user)| user.clone())
}

/// What the server knows of credentials.
pub(crate) struct Credentials {
    /// Users by their tokens.
    tokens: BTreeMap<String, User>,
    pub(crate) signer: Signer,
    /// Who issues tokens; they are for the same.
    pub(crate) issuer: String,
    admin: Arc<User>,
}

impl Credentials {
    pub(crate) fn new(config: &Config, rng: &Rng) -> Self {
        let admin = config.token.iter().map(|token| (token.clone(), User::admin()));
        let tokens = admin.chain(config.users.iter().cloned()).collect();
        let signer = match &config.signing_key {
            Some(key) => Signer::new(key),
            None => Signer::of_dice(rng),
        };
        let issuer = config.issuer.clone();
        Self { tokens, signer, issuer, admin: Arc::new(User::admin()) }
    }

    pub(crate) fn add(&mut self, token: String, user: User) {
        self.tokens.insert(token, user);
    }

    /// The audiences of this server.
    pub(crate) fn audiences(&self) -> Vec<String> {
        vec![self.issuer.clone()]
    }

    /// Whom a token names.
    ///
    /// # Errors
    ///
    /// Why it names nobody.
    pub(crate) fn judge(
        &self,
        store: &Store,
        token: &str,
        audiences: &[String],
        now: Now,
    ) -> Result<Judged, String> {
        if let Some(user) = self.tokens.get(token) {
            // They are for this server.
            let own = self.audiences();
            let audiences: Vec<String> =
                audiences.iter().filter(|one| own.contains(one)).cloned().collect();
            if audiences.is_empty() {
                return Err("invalid bearer token".to_owned());
            }
            return Ok(Judged { user: user.clone().authenticated(), audiences });
        }
        let claims = self.signer.read(token).ok_or("invalid bearer token")?;
        let judged = account::judge(store, &claims, audiences, now);
        judged.map_err(|why| format!("[invalid bearer token, {why}]"))
    }
}

/// Finds who makes a request.
///
/// # Errors
///
/// 401 for credentials that name nobody, and for none where they are asked for.
pub(crate) fn login(
    store: &Store,
    config: &Config,
    credentials: &Credentials,
    head: &mut Parts,
    now: Now,
) -> Result<Arc<User>, ApiError> {
    // A listener knows better than a header.
    if let Some(user) = head.extensions.remove::<User>() {
        return Ok(Arc::new(user.authenticated()));
    }
    let is_untrusted = head.extensions.remove::<Untrusted>().is_some();
    let is_open = !asks_for_credentials(config);
    if let Some(token) = bearer(head) {
        return match credentials.judge(store, token, &credentials.audiences(), now) {
            Ok(judged) => Ok(Arc::new(judged.user)),
            Err(_) if is_open => Ok(credentials.admin.clone()),
            Err(_) => Err(unauthorized()),
        };
    }
    if is_open {
        return Ok(credentials.admin.clone());
    }
    if is_untrusted {
        // Who says who they are, and lies, is nobody's guest.
        return Err(unauthorized());
    }
    let health = ["/healthz", "/livez", "/readyz", "/version", "/version/"];
    if config.anonymous || health.contains(&head.uri.path()) {
        return Ok(Arc::new(User::anonymous()));
    }
    Err(unauthorized())
}

/// Whether a request without credentials is anybody's but the administrator's.
fn asks_for_credentials(config: &Config) -> bool {
    config.token.is_some()
        || !config.users.is_empty()
        || config.authorization != Authorization::AlwaysAllow
}

/// V12.1.
fn unauthorized() -> ApiError {
    ApiError::new(401, "Unauthorized", "Unauthorized")
}

/// The token of a head; the scheme is written in any case.
fn bearer(head: &Parts) -> Option<&str> {
    let value = head.headers.get(AUTHORIZATION)?.to_str().ok()?.trim();
    let (scheme, token) = value.split_once(' ')?;
    let token = token.split(' ').next().unwrap_or_default();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

#[cfg(test)]
mod tests;
