//! HTTP answers.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use serde_json::Value;

use crate::error::ApiError;

/// The media type of every answer of the API.
pub(crate) const JSON: &str = "application/json";

/// An answer with a JSON body.
#[must_use]
pub(crate) fn json(code: u16, body: Bytes) -> Response<Bytes> {
    typed(code, JSON, body)
}

/// An answer with a JSON value.
#[must_use]
pub(crate) fn value(code: u16, value: &Value) -> Response<Bytes> {
    json(code, Bytes::from(value.to_string()))
}

/// An answer in plain text.
#[must_use]
pub(crate) fn text(code: u16, body: impl Into<Bytes>) -> Response<Bytes> {
    typed(code, "text/plain; charset=utf-8", body.into())
}

/// An answer of that media type.
#[must_use]
pub(crate) fn typed(code: u16, media_type: &str, body: Bytes) -> Response<Bytes> {
    let mut response = Response::new(body);
    *response.status_mut() =
        StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Ok(media_type) = HeaderValue::from_str(media_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    }
    let cache = HeaderValue::from_static("no-cache, private");
    response.headers_mut().insert(header::CACHE_CONTROL, cache);
    response
}

/// An error as a Status object, with `Retry-After` where the client shall come back.
#[must_use]
pub(crate) fn error(error: &ApiError) -> Response<Bytes> {
    let mut response = value(error.code, &error.to_json());
    if let Some(seconds) = error.retry_seconds() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Adds `Warning: 299` headers (KEP-1693).
pub(crate) fn warn(response: &mut Response<Bytes>, warnings: &[String]) {
    for warning in warnings {
        let text: String = warning.chars().filter(|c| !c.is_control()).collect();
        let quoted = text.replace('\\', r"\\").replace('"', "\\\"");
        if let Ok(line) = HeaderValue::from_str(&format!("299 - \"{quoted}\"")) {
            response.headers_mut().append(header::WARNING, line);
        }
    }
}
