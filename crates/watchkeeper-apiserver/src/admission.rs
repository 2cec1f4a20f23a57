//! Admission: who may change or refuse a write before it is stored.
//!
//! The order is upstream's (`k8s.io/apiserver/pkg/admission`): what changes goes first, webhooks by
//! the names of their configurations and once again where they ask for it; then the object is
//! completed and validated; then policies judge, what only judges is asked, all at once, and quotas
//! are counted. What is configured are stored objects: webhook configurations, and
//! policies with their bindings. Plugins are built in.
//!
//! A step never waits. A write that must ask a webhook gives up with the questions, waits under its
//! ticket without holding anything, and is tried anew from its beginning when the answers are there:
//! against the newest state of the store. An answer counts for the question it was given to, so a
//! write whose object changed meanwhile asks again, and one that no longer holds fails as it would
//! have at first (docs/design/admission.md).
//!
//! # Webhooks in the process
//!
//! A test answers for an address with a closure; no socket and no certificate are needed.
//!
//! ```
//! use bytes::Bytes;
//! use serde_json::json;
//! use watchkeeper_apiserver::ApiServer;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let server = ApiServer::new();
//! server.on_webhook("https://hooks.test/check", async |review| {
//!     let named = &review.object()["metadata"]["labels"]["team"];
//!     if named.is_null() { review.deny("no team") } else { review.allow() }
//! });
//!
//! let post = |path: &str, body: serde_json::Value| {
//!     let request = http::Request::post(path).header("content-type", "application/json");
//!     server.answer(request.body(Bytes::from(body.to_string())).unwrap())
//! };
//! let configuration = json!({
//!     "metadata": { "name": "teams" },
//!     "webhooks": [{
//!         "name": "teams.hooks.test",
//!         "clientConfig": { "url": "https://hooks.test/check" },
//!         "rules": [{
//!             "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"],
//!             "resources": ["configmaps"],
//!         }],
//!         "sideEffects": "None",
//!         "admissionReviewVersions": ["v1"],
//!     }],
//! });
//! let path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
//! assert_eq!(post(path, configuration).await.unwrap().status(), 201);
//!
//! let config_map = json!({ "metadata": { "name": "a" } });
//! let answer = post("/api/v1/namespaces/default/configmaps", config_map).await.unwrap();
//! assert_eq!(answer.status(), 400);
//! # }
//! ```

mod attributes;
mod audit;
mod conditions;
mod hook;
mod mutate;
mod outcome;
mod permissions;
pub(crate) mod plugins;
mod policy;
mod question;
mod review;
mod validate;

pub use audit::AuditAnnotation;
pub use question::{CallError, OutgoingCall};
pub use review::{Review, Reviewed};

pub(crate) use attributes::{Attributes, Operation};
pub(crate) use audit::AuditLog;
pub(crate) use conditions::Expressions;
pub(crate) use mutate::mutate;
pub(crate) use question::{Asking, Known, Question, Session, Subject};
pub(crate) use validate::validate;

use crate::storage::Store;
use crate::turn::Turn;

/// The tables of what is configured.
const MUTATING: &str = "mutatingwebhookconfigurations.admissionregistration.k8s.io";
const VALIDATING: &str = "validatingwebhookconfigurations.admissionregistration.k8s.io";

/// Whether a write may have to ask anybody.
pub(crate) fn is_configured(store: &Store) -> bool {
    [MUTATING, VALIDATING, policy::mutating::POLICIES, policy::validating::POLICIES]
        .into_iter()
        .any(|table| store.table(table).is_some_and(|objects| !objects.is_empty()))
}

/// Whether a write may be changed by what is configured.
pub(crate) fn may_change(store: &Store) -> bool {
    policies_may_change(store) || store.table(MUTATING).is_some_and(|objects| !objects.is_empty())
}

/// Whether a write may be changed by policies.
pub(crate) fn policies_may_change(store: &Store) -> bool {
    store.table(policy::mutating::POLICIES).is_some_and(|objects| !objects.is_empty())
}

/// Whether this write is subject to admission: not what the server does by itself, and not what
/// is configured, which nobody may lock.
pub(crate) fn applies(turn: &Turn<'_>, attributes: &Attributes<'_>) -> bool {
    !turn.by_itself && is_configured(&turn.core.store) && !attributes.is_exempt()
}
