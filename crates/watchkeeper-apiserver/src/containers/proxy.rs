//! Requests that are handed on to what is behind a node, a pod or a service (`rest.Connecter` of
//! `kubernetes/pkg/registry/core/{node,pod,service}`, `apimachinery/pkg/util/proxy`).

#[cfg(test)]
mod tests;

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, header};
use serde_json::json;

use super::{Connect, Forward, options, place};
use crate::error::ApiError;
use crate::handlers::{self, Handled};
use crate::reply;
use crate::request::Call;
use crate::request::query::decode_segment;
use crate::turn::{Outcome, Turn};

/// The subresource below which such requests lie.
pub(crate) const PROXY: &str = "proxy";

/// What a request is handed on to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behind {
    /// The kubelet of this node, or another port of the node.
    Node(String),
    /// A port of a pod.
    Pod(Forward),
}

/// A request that is handed on.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxied {
    /// To what.
    pub to: Behind,
    /// The host and the port of that, as errors tell them.
    pub address: String,
    /// The method.
    pub method: Method,
    /// The path and the query.
    pub target: String,
    /// The headers, without what told the server who makes the request.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// Neither headers nor body: there may be secrets in them.
impl fmt::Debug for Proxied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { to, address, method, target, .. } = self;
        write!(f, "Proxied({to:?} at {address}, {method} {target})")
    }
}

impl Proxied {
    /// What is said where nobody listens.
    pub(crate) fn refused(&self) -> String {
        format!("dial tcp {}: connect: connection refused", self.address)
    }
}

/// What is handed on.
const METHODS: [Method; 7] = [
    Method::GET,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::HEAD,
    Method::OPTIONS,
];

/// Hands a request on, once admission let it pass and there is a place that it may go to.
pub(crate) fn hand_on(turn: &mut Turn<'_>, call: &Call, request: &Request<Bytes>) -> Handled {
    let Some(sub) = call.resource.subresource(PROXY) else {
        return Err(ApiError::no_path().into());
    };
    if !METHODS.contains(&call.method) {
        return Err(handlers::not_allowed().into());
    }
    super::handle::refuse_dry_run(call)?;
    let asked = below(request.uri().path());
    let mut shown = json!({"kind": sub.kind, "apiVersion": "v1"});
    if !asked.is_empty() {
        shown["path"] = asked.into();
    }
    let admitted = options::admitted(turn, call, shown)?;
    let place = place::find(turn, call)?;
    let path = cleaned(admitted["path"].as_str().unwrap_or_default());
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    if path.is_empty() && matches!(call.method, Method::GET | Method::HEAD) {
        let to = format!("{}/{query}", request.uri().path());
        return Ok(Outcome::Reply(moved(&to)));
    }
    let target = format!("{}{query}", encoded(&path));
    let headers = handed_on(&call.headers, request.uri().path());
    let (method, body) = (call.method.clone(), call.body.clone());
    let proxied = Proxied { to: place.to, address: place.address, method, target, headers, body };
    Ok(Outcome::Connect(Box::new(Connect::Proxy(Box::new(proxied)))))
}

/// What follows the subresource, as it is told to admission.
fn below(path: &str) -> String {
    let decoded = decode_segment(path);
    let parts: Vec<&str> = decoded.trim_matches('/').split('/').collect();
    let before = if parts.get(2) == Some(&"namespaces") { 7 } else { 5 };
    let mut below = parts.get(before..).unwrap_or_default().join("/");
    if !below.is_empty() {
        below.insert(0, '/');
    }
    if decoded.ends_with('/') && !below.ends_with('/') {
        below.push('/');
    }
    below
}

/// A path without segments that are empty or lead elsewhere (Go's `path.Clean`); a slash at the end stays.
fn cleaned(path: &str) -> String {
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => _ = segments.pop(),
            other => segments.push(other),
        }
    }
    let mut clean: String = segments.iter().flat_map(|segment| ["/", segment]).collect();
    if path.ends_with('/') {
        clean.push('/');
    }
    clean
}

/// A path as a request has it (Go's `URL.EscapedPath`).
fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => encoded.push(byte.into()),
            _ if b"-_.~$&+,/:;=@".contains(&byte) => encoded.push(byte.into()),
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

/// What is between two ends of a connection only, or for this server only.
const OWN: [HeaderName; 10] = [
    header::AUTHORIZATION,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    HeaderName::from_static("keep-alive"),
];

/// The headers for whoever answers: not who makes the request, but whence it comes.
fn handed_on(headers: &HeaderMap, path: &str) -> HeaderMap {
    let mut headers = without_own(headers.clone());
    let impersonating = |name: &&HeaderName| name.as_str().starts_with("impersonate-");
    let names: Vec<HeaderName> = headers.keys().filter(impersonating).cloned().collect();
    for name in names {
        headers.remove(name);
    }
    if let Ok(path) = HeaderValue::from_str(path) {
        headers.insert("x-forwarded-uri", path);
    }
    headers
}

/// Headers without those that end here.
pub(crate) fn without_own(mut headers: HeaderMap) -> HeaderMap {
    let named = headers.get_all(header::CONNECTION).iter().filter_map(|value| value.to_str().ok());
    let named: Vec<String> =
        named.flat_map(|value| value.split(',')).map(|name| name.trim().to_lowercase()).collect();
    for name in named {
        headers.remove(name);
    }
    for name in OWN {
        headers.remove(name);
    }
    headers
}

/// What has no path is sent to the path that ends with a slash.
fn moved(to: &str) -> Response<Bytes> {
    let mut moved = reply::typed(301, "text/plain", Bytes::new());
    moved.headers_mut().remove(header::CONTENT_TYPE);
    if let Ok(to) = HeaderValue::from_str(to) {
        moved.headers_mut().insert(header::LOCATION, to);
    }
    moved
}
