//! Conversion webhooks of custom resources (`spec.conversion` of a definition).
//!
//! Objects are stored in one version; what is read or written in another one goes through the webhook
//! (`apiextensions-apiserver/pkg/apiserver/conversion`). A step never waits: it gives up with its
//! questions, is tried anew when they are answered, and finds what was converted kept with the
//! objects. A watch does not give up: its events wait in order until they are converted
//! (docs/design/custom-resources.md).
//!
//! # Webhooks in the process
//!
//! A test answers for an address with a closure; no socket and no certificate are needed.
//!
//! ```
//! use bytes::Bytes;
//! use http_body_util::BodyExt as _;
//! use serde_json::{Value, json};
//! use watchkeeper_apiserver::ApiServer;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let server = ApiServer::new();
//! server.on_conversion("https://hooks.test/convert", async |review| {
//!     review.convert(|object, version| {
//!         let names = if version == "example.com/v1" { ("size", "scale") } else { ("scale", "size") };
//!         let mut new = object.clone();
//!         new[names.1] = new[names.0].take();
//!         Ok(new)
//!     })
//! });
//!
//! let version = |name: &str, storage: bool| json!({
//!     "name": name, "served": true, "storage": storage,
//!     "schema": {"openAPIV3Schema": {
//!         "type": "object", "x-kubernetes-preserve-unknown-fields": true,
//!     }},
//! });
//! let definition = json!({
//!     "metadata": { "name": "ships.example.com" },
//!     "spec": {
//!         "group": "example.com", "scope": "Cluster",
//!         "names": { "plural": "ships", "kind": "Ship" },
//!         "versions": [version("v1", true), version("v2", false)],
//!         "conversion": { "strategy": "Webhook", "webhook": {
//!             "clientConfig": { "url": "https://hooks.test/convert" },
//!             "conversionReviewVersions": ["v1"],
//!         } },
//!     },
//! });
//! let send = |method: &str, path: &str, body: Value| {
//!     let request = http::Request::builder().method(method).uri(path);
//!     let request = request.header("content-type", "application/json");
//!     server.answer(request.body(Bytes::from(body.to_string())).unwrap())
//! };
//! let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
//! assert_eq!(send("POST", path, definition).await.unwrap().status(), 201);
//!
//! let ship = json!({
//!     "apiVersion": "example.com/v1", "kind": "Ship", "metadata": { "name": "a" }, "scale": 3,
//! });
//! assert_eq!(send("POST", "/apis/example.com/v1/ships", ship).await.unwrap().status(), 201);
//! let answer = send("GET", "/apis/example.com/v2/ships/a", Value::Null).await.unwrap();
//! let body = answer.into_body().collect().await.unwrap().to_bytes();
//! let read: Value = serde_json::from_slice(&body).unwrap();
//! assert_eq!(read["size"], 3);
//! # }
//! ```

mod answer;
mod batch;
mod review;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::admission::OutgoingCall;
use crate::meta;
use crate::storage::{Version, VersionSchemas};

pub(crate) use batch::{Batch, Converted};
pub use review::{ConversionReview, ConversionReviewed};

/// How long a webhook has (`webhook.NewDefaultAuthenticationInfoResolver`).
const TIMEOUT: Duration = Duration::from_secs(30);

/// Who converts the objects of a definition.
pub struct Webhook {
    /// The name of the definition.
    pub definition: String,
    /// The generation of the definition; the next one may have another webhook or other schemas.
    pub generation: i64,
    /// `clientConfig`: the address or the service, and whom to trust.
    pub client_config: Value,
    /// The version of the reviews: the first one in `conversionReviewVersions` that is known.
    pub review_version: Option<&'static str>,
    /// The schemas of all versions, served or not, by `apiVersion`.
    pub schemas: Arc<VersionSchemas>,
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Webhook({} {})", self.definition, self.generation)
    }
}

impl Webhook {
    /// The webhook that a definition names; none when its versions differ in their names only.
    #[must_use]
    pub fn of(crd: &Value, schemas: &Arc<VersionSchemas>) -> Option<Self> {
        let conversion = &crd["spec"]["conversion"];
        if conversion["strategy"] != "Webhook" {
            return None;
        }
        let webhook = &conversion["webhook"];
        let mut wanted = webhook["conversionReviewVersions"].as_array().into_iter().flatten();
        let review_version = wanted.find_map(|version| match version.as_str() {
            Some("v1") => Some("v1"),
            Some("v1beta1") => Some("v1beta1"),
            _ => None,
        });
        Some(Self {
            definition: meta::name(crd).to_owned(),
            generation: meta::generation(crd),
            client_config: webhook["clientConfig"].clone(),
            review_version,
            schemas: Arc::clone(schemas),
        })
    }

    /// Whether it converts as another one does.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.definition, self.generation) == (&other.definition, other.generation)
    }

    pub(crate) fn version(&self, api_version: &str) -> Version {
        Version { api_version: api_version.to_owned(), generation: self.generation }
    }

    /// The call that asks for these objects in a version.
    ///
    /// # Errors
    ///
    /// When no version of reviews is known to both sides, or nobody is named.
    fn call(&self, uid: &str, desired: &str, objects: &[&Value]) -> Result<OutgoingCall, String> {
        let Some(version) = self.review_version else {
            return Err("no supported conversion review versions".to_owned());
        };
        let review = json!({
            "kind": "ConversionReview",
            "apiVersion": format!("apiextensions.k8s.io/{version}"),
            "request": {"uid": uid, "desiredAPIVersion": desired, "objects": objects},
        });
        OutgoingCall::new(&self.client_config, TIMEOUT, &review)
            .ok_or_else(|| "webhook configuration must have either service or URL".to_owned())
    }
}
