//! Subresources that act: `eviction`, `binding`, `token`.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Error, HasBinding, HasEviction, HasToken, Object, Result, Time};

use super::Api;
use crate::options::{CreateOptions, DeleteOptions, PatchOptions};
use crate::patch::Patch;
use crate::request::Verb;

impl<K: Object> Api<K> {
    /// Asks a pod to go, if its disruption budgets allow (KEP-85).
    ///
    /// ```
    /// # use watchkeeper_api::{Result, core::v1::Pod};
    /// # use watchkeeper_client::{Api, DeleteOptions};
    /// # async fn f(pods: Api<Pod>) -> Result<()> {
    /// match pods.evict("web-0", &DeleteOptions::default()).await {
    ///     Err(error) if error.is_too_many_requests() => println!("not now: {error}"),
    ///     evicted => println!("{}", evicted?.status),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`is_too_many_requests`](watchkeeper_api::Error::is_too_many_requests) when a budget forbids it now;
    /// whatever else the server says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn evict(&self, name: &str, options: &DeleteOptions) -> Result<Status>
    where
        K: HasEviction,
    {
        let mut body = json!({
            "apiVersion": "policy/v1", "kind": "Eviction", "metadata": self.named(name),
        });
        if let Some(how) = options.body() {
            body["deleteOptions"] = serde_json::from_slice(&how).unwrap_or_default();
        }
        let options = CreateOptions { dry_run: options.dry_run, ..CreateOptions::default() };
        self.subresource("eviction").create(name, &body, &options).await
    }

    /// Gives a pod its node, once: what schedulers do.
    ///
    /// # Errors
    /// [`is_conflict`](watchkeeper_api::Error::is_conflict) when it has one; whatever else the server says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn bind(&self, name: &str, node: &str) -> Result<Status>
    where
        K: HasBinding,
    {
        let body = json!({
            "apiVersion": "v1", "kind": "Binding", "metadata": self.named(name),
            "target": { "apiVersion": "v1", "kind": "Node", "name": node },
        });
        self.subresource("binding").create(name, &body, &CreateOptions::default()).await
    }

    /// Asks for a token of a service account (KEP-1205).
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use watchkeeper_api::{Result, core::v1::ServiceAccount};
    /// # use watchkeeper_client::{Client, TokenOptions};
    /// # async fn f(client: Client) -> Result<()> {
    /// let accounts = client.api::<ServiceAccount>().namespace("shop");
    /// let options = TokenOptions {
    ///     audiences: vec!["vault".to_owned()],
    ///     lifetime: Some(Duration::from_secs(600)),
    ///     ..TokenOptions::default()
    /// };
    /// let token = accounts.token("web", &options).await?;
    /// println!("good until {:?}", token.expires); // token.as_str() is the secret
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Whatever the server says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn token(&self, name: &str, options: &TokenOptions) -> Result<Token>
    where
        K: HasToken,
    {
        let body = options.body();
        let options = CreateOptions::default();
        let answer: Value = self.subresource("token").create(name, &body, &options).await?;
        let Some(secret) = answer["status"]["token"].as_str() else {
            let error = Error::other("the answer holds no token");
            return Err(error.about(self.subject(Verb::Create, name)));
        };
        let expires = answer["status"]["expirationTimestamp"].as_str();
        let expires = expires.and_then(|time| time.parse().ok());
        Ok(Token { secret: secret.to_owned(), expires })
    }

    /// Changes parts of an object through a subresource that takes the object, such as
    /// `ephemeralcontainers` or `resize` of pods.
    ///
    /// # Errors
    /// As [`patch`](Self::patch).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn patch_subresource(
        &self,
        name: &str,
        subresource: &str,
        patch: &Patch,
        options: &PatchOptions,
    ) -> Result<K> {
        self.patch_sub(name, subresource, patch, options).await
    }

    fn named(&self, name: &str) -> Value {
        json!({ "name": name, "namespace": self.namespace })
    }
}

/// What a token is for (upstream: `TokenRequestSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenOptions {
    /// Who shall accept it; the API server when empty.
    pub audiences: Vec<String>,
    /// How long it shall be good for, in seconds; the server decides.
    pub lifetime: Option<Duration>,
    /// It ends with this object: its `apiVersion`, kind, name and uid.
    pub bound_to: Option<[String; 4]>,
}

impl TokenOptions {
    fn body(&self) -> Value {
        let mut spec = json!({ "audiences": self.audiences });
        if let Some(lifetime) = self.lifetime {
            spec["expirationSeconds"] = lifetime.as_secs().into();
        }
        if let Some([api_version, kind, name, uid]) = &self.bound_to {
            spec["boundObjectRef"] =
                json!({ "apiVersion": api_version, "kind": kind, "name": name, "uid": uid });
        }
        json!({ "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": spec })
    }
}

/// A token of a service account. It is in no debug output.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    secret: String,
    /// Until when it is good.
    pub expires: Option<Time>,
}

impl Token {
    /// The secret.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.secret
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("expires", &self.expires).finish_non_exhaustive()
    }
}
