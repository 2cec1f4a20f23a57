//! Tokens of service accounts: JSON web tokens that the server signs and reads
//! (`kubernetes/pkg/serviceaccount`).
//!
//! They are signed with HMAC-SHA256. The key is drawn from the operating system, or follows from the
//! dice of a server whose seed was given, so that one seed gives the same tokens. Dice are no
//! secret: every uid shows their state, so such tokens keep nobody out.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde_json::{Map, Value, json};

use super::rule::quoted_list;
use crate::clock::Now;
use crate::meta;
use crate::rng::Rng;
use crate::storage::{Store, Stored};
use crate::user::User;

/// Who issues the tokens, and whom they are for, unless told otherwise.
pub(crate) const ISSUER: &str = "https://kubernetes.default.svc.cluster.local";
/// `{"alg":"HS256","typ":"JWT"}`
const HEADER: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";
/// How long a token outlives the moment from which on its account, or what it is bound to, is being
/// deleted (the leeway of upstream's reader of tokens).
const LEEWAY: Duration = Duration::from_secs(60);
/// The claim with what Kubernetes knows of an account.
const CLAIM: &str = "kubernetes.io";

/// The key that tokens are signed with. Not to be printed.
pub(crate) struct Signer(hmac::Key);

impl Signer {
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    /// That of [`key_of_dice`].
    pub(crate) fn of_dice(rng: &Rng) -> Self {
        Self::new(&key_of_dice(rng))
    }

    /// A token that says these claims.
    pub(crate) fn sign(&self, claims: &Value) -> String {
        let head = format!("{HEADER}.{}", URL_SAFE_NO_PAD.encode(claims.to_string()));
        let signature = hmac::sign(&self.0, head.as_bytes());
        format!("{head}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// What a token says, if this server signed it.
    pub(crate) fn read(&self, token: &str) -> Option<Value> {
        let (head, signature) = token.rsplit_once('.')?;
        let (header, claims) = head.split_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        hmac::verify(&self.0, head.as_bytes(), &signature).ok()?;
        let claims = URL_SAFE_NO_PAD.decode(claims).ok().filter(|_| header == HEADER)?;
        serde_json::from_slice(&claims).ok()
    }
}

/// The key that follows from the dice of the server, which are not rolled for it.
pub(crate) fn key_of_dice(rng: &Rng) -> [u8; 32] {
    let mut rng = Rng::new(rng.clone().next_u64() ^ 0x7365_7276_6963_6521);
    let mut key = [0; 32];
    for bytes in key.chunks_exact_mut(8) {
        bytes.copy_from_slice(&rng.next_u64().to_le_bytes());
    }
    key
}

/// What a new token is for.
pub(crate) struct Wanted<'a> {
    pub(crate) issuer: &'a str,
    pub(crate) account: &'a Stored,
    pub(crate) audiences: &'a [String],
    /// The object whose end is the token's, as `("pod", name, uid)`.
    pub(crate) bound: Vec<(&'static str, String, String)>,
    pub(crate) seconds: u64,
    pub(crate) id: String,
}

/// The claims of a new token.
pub(crate) fn claims(wanted: &Wanted<'_>, now: Now) -> Value {
    let account = wanted.account;
    let (namespace, name) = (account.namespace(), account.name());
    let mut own = Map::new();
    own.insert("namespace".to_owned(), namespace.into());
    let account = account.value();
    let uid = meta::text(&account, "uid");
    own.insert("serviceaccount".to_owned(), json!({"name": name, "uid": uid}));
    for (kind, name, uid) in &wanted.bound {
        let of =
            if uid.is_empty() { json!({"name": name}) } else { json!({"name": name, "uid": uid}) };
        own.insert((*kind).to_owned(), of);
    }
    let now = now.0.as_secs();
    json!({
        "aud": wanted.audiences,
        "exp": now.saturating_add(wanted.seconds),
        "iat": now,
        "iss": wanted.issuer,
        "jti": wanted.id,
        CLAIM: own,
        "nbf": now,
        "sub": format!("system:serviceaccount:{namespace}:{name}"),
    })
}

/// Whom a token names, and which of the audiences it is for.
pub(crate) struct Judged {
    pub(crate) user: User,
    pub(crate) audiences: Vec<String>,
}

/// Judges the claims of a token.
///
/// # Errors
///
/// Why it does not hold.
pub(crate) fn judge(
    store: &Store,
    claims: &Value,
    audiences: &[String],
    now: Now,
) -> Result<Judged, String> {
    let second = |name: &str| claims[name].as_u64().unwrap_or_default();
    if now.0.as_secs() >= second("exp") {
        return Err("service account token has expired".to_owned());
    }
    if now.0.as_secs() < second("nbf") {
        return Err("service account token is not valid yet".to_owned());
    }
    let own = claims["aud"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let own: Vec<String> = own.map(str::to_owned).collect();
    let common: Vec<String> = audiences.iter().filter(|one| own.contains(one)).cloned().collect();
    if common.is_empty() {
        let (own, wanted) = (quoted_list(&own), quoted_list(audiences));
        return Err(format!("token audiences {own} is invalid for the target audiences {wanted}"));
    }
    let about = &claims[CLAIM];
    let text = |part: &str, name: &str| about[part][name].as_str().unwrap_or_default().to_owned();
    let namespace = about["namespace"].as_str().unwrap_or_default();
    let name = text("serviceaccount", "name");
    let held = |table: &str, namespace: &str, part: &str| {
        let key = crate::storage::key(namespace, &text(part, "name"));
        let found = store.get(table, &key).filter(|found| {
            // A finalizer may keep what is being deleted for ever.
            meta::text(&found.value(), "uid") == text(part, "uid")
        })?;
        Some(!is_gone(&found.value(), now))
    };
    match held("serviceaccounts", namespace, "serviceaccount") {
        Some(true) => {}
        Some(false) => return Err(format!("service account {namespace}/{name} has been deleted")),
        None => return Err(format!("serviceaccounts {} not found", crate::error::quoted(&name))),
    }
    let mut user = User::service_account(namespace, &name);
    user.uid = text("serviceaccount", "uid");
    let id = format!("JTI={}", claims["jti"].as_str().unwrap_or_default());
    let mut extra = |name: &str, value: String| {
        user.extra.insert(format!("authentication.kubernetes.io/{name}"), vec![value]);
    };
    extra("credential-id", id);
    for (part, table, of) in [("pod", "pods", namespace), ("secret", "secrets", namespace)] {
        if about[part].is_null() {
            continue;
        }
        if held(table, of, part) != Some(true) {
            return Err(format!("service account token has been invalidated: its {part} is gone"));
        }
        if part == "pod" {
            extra("pod-name", text(part, "name"));
            extra("pod-uid", text(part, "uid"));
        }
    }
    if !about["node"].is_null() {
        // That of a pod may be gone: it is the pod whose end is the token's.
        if about["pod"].is_null() && held("nodes", "", "node") != Some(true) {
            return Err("service account token has been invalidated: its node is gone".to_owned());
        }
        extra("node-name", text("node", "name"));
        if !text("node", "uid").is_empty() {
            extra("node-uid", text("node", "uid"));
        }
    }
    Ok(Judged { user, audiences: common })
}

/// Whether an object has been on its way out for longer than a token outlives it.
fn is_gone(object: &Value, now: Now) -> bool {
    let since = Now::parse(meta::text(object, "deletionTimestamp"));
    since.is_some_and(|since| since.plus(LEEWAY) < now)
}

#[cfg(test)]
mod tests;
