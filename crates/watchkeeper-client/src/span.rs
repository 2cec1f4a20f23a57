//! The span around each attempt of a request, under the names of OpenTelemetry's conventions for HTTP
//! clients where there are such. No query, no header and no body is in it.

use std::cell::LazyCell;

use http::{Response, StatusCode};
use tracing::Span;
use tracing::field::Empty;

use crate::body::BoxError;
use crate::request::Call;
use crate::rest::Info;

/// What a path says, of which nothing is copied unless somebody listens.
struct About<'a> {
    path: &'a str,
    info: Option<Info>,
}

impl<'a> About<'a> {
    fn of(call: &'a Call) -> Self {
        let path = call.uri.split('?').next().unwrap_or_default();
        Self { path, info: Info::of(path) }
    }

    /// As in `kubectl auth can-i`: `deployments.apps/status`; a path that is no resource as it is.
    fn resource(&self) -> String {
        let Some(info) = &self.info else { return self.path.to_owned() };
        let parts = [("", &info.resource), (".", &info.group), ("/", &info.subresource)];
        let said = parts.into_iter().filter(|(_, part)| !part.is_empty());
        said.flat_map(|(before, part)| [before, part]).collect()
    }

    fn namespace(&self) -> Option<&str> {
        self.info.as_ref().map(|info| &*info.namespace).filter(|text| !text.is_empty())
    }

    fn name(&self) -> Option<&str> {
        self.info.as_ref().map(|info| &*info.name).filter(|text| !text.is_empty())
    }
}

/// A span for one attempt; `again` says how many there were before.
pub(crate) fn of_attempt(call: &Call, host: &str, again: u32) -> Span {
    let about = LazyCell::new(|| About::of(call));
    let resource = LazyCell::new(|| about.resource());
    let (address, port) = parts_of(host);
    let verb = call.verb.as_str();
    tracing::debug_span!(
        "request",
        verb,
        resource = resource.as_str(),
        k8s.namespace.name = about.namespace(),
        name = about.name(),
        http.request.method = call.method.as_str(),
        http.request.resend_count = (again > 0).then_some(again),
        http.response.status_code = Empty,
        url.path = about.path,
        server.address = address,
        server.port = port,
        error.type = Empty,
        otel.name = format_args!("{verb} {}", resource.as_str()),
        otel.kind = "client",
        otel.status_code = Empty,
    )
}

/// What became of the attempt.
pub(crate) fn ended<B>(span: &Span, answer: &Result<Response<B>, BoxError>) {
    let code = match answer {
        Ok(answer) => answer.status(),
        Err(_) => {
            span.record("error.type", "no_answer");
            span.record("otel.status_code", "ERROR");
            return;
        }
    };
    span.record("http.response.status_code", code.as_u16());
    if is_failure(code) {
        span.record("error.type", code.as_str());
        span.record("otel.status_code", "ERROR");
    }
}

/// The conventions call every 4xx an error of a client's span.
fn is_failure(code: StatusCode) -> bool {
    code.is_client_error() || code.is_server_error()
}

/// `host:port` apart.
fn parts_of(host: &str) -> (Option<&str>, Option<u16>) {
    let known = |address| Some(address).filter(|address: &&str| !address.is_empty());
    match host.rsplit_once(':').map(|(address, port)| (address, port.parse().ok())) {
        Some((address, Some(port))) => (known(address), Some(port)),
        _ => (known(host), None),
    }
}
