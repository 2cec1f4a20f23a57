//! What a request asks for.

use http::{HeaderMap, Request, header};
use watchkeeper_client::Body;

/// As much of a request as counts here.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    pub(super) namespace: String,
    /// `configmaps`, `secrets` or `namespaces`.
    pub(super) resource: String,
    /// Of one object, if it is one.
    pub(super) name: String,
    /// The answer may be protobuf, or metadata only.
    pub(super) message: bool,
    pub(super) metadata: bool,
    /// What is written is protobuf.
    pub(super) writes_message: bool,
    pub(super) watch: bool,
    pub(super) initial: bool,
    pub(super) bookmarks: bool,
    /// Only what has the label.
    pub(super) even: bool,
    /// Not zero.
    pub(super) version: Option<u64>,
    pub(super) limit: Option<usize>,
    /// The version of a list, and the last name of the page before.
    pub(super) continued: Option<(u64, String)>,
    pub(super) timeout: Option<u64>,
}

impl Asked {
    pub(super) fn of(request: &Request<Body>) -> Self {
        let accept = text(request.headers(), &header::ACCEPT);
        let first = accept.split(',').next().unwrap_or_default();
        let mut asked = Self {
            message: first.contains("protobuf"),
            metadata: first.contains("PartialObjectMetadata"),
            writes_message: text(request.headers(), &header::CONTENT_TYPE).contains("protobuf"),
            ..Self::default()
        };
        let mut path =
            request.uri().path().trim_start_matches("/api/v1/").split('/').map(str::to_owned);
        let mut next = || path.next().unwrap_or_default();
        (asked.resource, asked.namespace) = (next(), next());
        let resource = next();
        if !resource.is_empty() {
            (asked.resource, asked.name) = (resource, next());
        }
        for parameter in request.uri().query().unwrap_or_default().split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            match name {
                "watch" => asked.watch = is(value),
                "sendInitialEvents" => asked.initial = is(value),
                "allowWatchBookmarks" => asked.bookmarks = is(value),
                "labelSelector" => asked.even = value.starts_with(crate::told::EVEN),
                "resourceVersion" => {
                    asked.version = value.parse().ok().filter(|version| *version > 0);
                }
                "limit" => asked.limit = value.parse().ok().filter(|limit| *limit > 0),
                "timeoutSeconds" => asked.timeout = value.parse().ok(),
                "continue" => {
                    let token = value.split_once('.');
                    asked.continued = token
                        .and_then(|(version, last)| Some((version.parse().ok()?, last.to_owned())));
                }
                _ => {}
            }
        }
        asked
    }
}

fn is(value: &str) -> bool {
    matches!(value, "true" | "1")
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
