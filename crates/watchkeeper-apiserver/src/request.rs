//! From an HTTP request to a call: path, query, representation and body.

pub mod accept;
pub mod body;
pub mod options;
pub mod query;
pub mod route;
pub mod shards;
pub(crate) mod syntax;

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, Method, header};

use crate::error::{ApiError, Result};
use crate::resource::Resource;
use crate::rng::Rng;
use crate::step::Ticket;
use crate::user::User;
use accept::Form;
use query::Query;

/// A request for a resource, taken apart.
#[derive(Clone)]
pub struct Call {
    /// The HTTP method.
    pub method: Method,
    /// The resource in the version that was asked for.
    pub resource: Arc<Resource>,
    /// The namespace, empty when none was given.
    pub namespace: String,
    /// The name, empty for collections.
    pub name: String,
    /// What follows the name, empty for the object itself.
    pub subresource: String,
    /// Whether the path began with `/watch/`.
    pub watch_path: bool,
    /// The query.
    pub query: Query,
    /// How to write objects.
    pub form: Form,
    /// Who calls.
    pub user: Arc<User>,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// Neither headers nor body: tokens are in those, secrets in this.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, namespace, name, subresource, body, .. } = self;
        let plural = &self.resource.plural;
        write!(f, "Call({method} {plural} {namespace}/{name} {subresource}, {} bytes)", body.len())
    }
}

impl Call {
    /// The media type of the body, without parameters.
    #[must_use]
    pub fn content_type(&self) -> &str {
        media_type(&self.headers)
    }

    /// Who calls: the user agent up to the first `/`.
    #[must_use]
    pub fn actor(&self) -> String {
        actor(&self.headers)
    }

    /// The field manager: the parameter, or else who calls.
    #[must_use]
    pub fn manager(&self) -> String {
        match self.query.get("fieldManager") {
            Some(manager) if !manager.is_empty() => manager.to_owned(),
            _ => self.actor(),
        }
    }

    /// Whether nothing may be stored.
    ///
    /// # Errors
    ///
    /// 422 for a value other than `All`.
    pub fn dry_run(&self) -> Result<bool> {
        options::dry_run(&self.query)
    }

    /// The storage key of the object the call names.
    #[must_use]
    pub fn key(&self) -> crate::storage::Key {
        crate::storage::key(&self.namespace, &self.name)
    }

    /// 404 for the object the call names.
    #[must_use]
    pub fn not_found(&self) -> ApiError {
        ApiError::not_found(&self.resource, &self.name)
    }
}

/// The media type of the body, without parameters.
#[must_use]
pub fn media_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().split(';').next().unwrap_or_default().trim()
}

/// The user agent up to the first `/`.
#[must_use]
pub fn actor(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    let name = agent.unwrap_or_default().split('/').next().unwrap_or_default();
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

/// The header by which a request is found in an audit log (V1.6).
pub(crate) const AUDIT_ID: HeaderName = HeaderName::from_static("audit-id");

/// The name that a client gave its request, or one that follows from its number, so that each run of a
/// program has the same ones.
pub(crate) fn audit_id(headers: &HeaderMap, ticket: Ticket) -> String {
    let own = headers.get(AUDIT_ID).and_then(|value| value.to_str().ok());
    own.filter(|own| !own.is_empty()).map_or_else(|| Rng::new(!ticket.0).uuid(), str::to_owned)
}
