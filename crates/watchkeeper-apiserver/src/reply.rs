//! HTTP answers.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use serde_json::Value;

use crate::error::ApiError;
use crate::request::accept::Codec;
use crate::{protobuf, yaml};

/// The media type of what nobody asked for otherwise.
pub(crate) const JSON: &str = "application/json";

/// The media type of YAML.
pub(crate) const YAML: &str = "application/yaml";

/// An answer whose body is written.
#[must_use]
pub(crate) fn body(code: u16, codec: Codec, body: Bytes) -> Response<Bytes> {
    typed(code, codec.media_type(), body)
}

/// An answer with a value that says its kind.
#[must_use]
pub(crate) fn value(code: u16, codec: Codec, value: &Value) -> Response<Bytes> {
    let (codec, bytes) = encoded(codec, value);
    body(code, codec, bytes)
}

/// A value that says its kind as bytes; in JSON where the kind has no protobuf.
#[must_use]
pub(crate) fn encoded(codec: Codec, value: &Value) -> (Codec, Bytes) {
    let body = match codec {
        Codec::Json => None,
        Codec::Yaml => Some(Bytes::from(yaml::text(value))),
        Codec::Protobuf => protobuf::body(value),
    };
    match body {
        Some(body) => (codec, body),
        None => (Codec::Json, Bytes::from(value.to_string())),
    }
}

/// An answer in plain text.
#[must_use]
pub(crate) fn text(code: u16, body: impl Into<Bytes>) -> Response<Bytes> {
    typed(code, "text/plain; charset=utf-8", body.into())
}

/// An answer of that media type.
#[must_use]
pub(crate) fn typed<B>(code: u16, media_type: &str, body: B) -> Response<B> {
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
pub(crate) fn error(codec: Codec, error: &ApiError) -> Response<Bytes> {
    let mut response = value(error.code, codec, &error.to_json());
    if let Some(seconds) = error.retry_seconds() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Adds `Warning: 299` headers (KEP-1693).
pub(crate) fn warn<B>(response: &mut Response<B>, warnings: &[String]) {
    /// Characters of all together, beyond which each is cut, as upstream's (`endpoints/filters`, warnings).
    const ALL: usize = 4096;
    const EACH: usize = 256;
    let length = |text: &String| text.chars().count();
    let longest = if warnings.iter().map(length).sum::<usize>() > ALL { EACH } else { usize::MAX };
    let mut told = 0;
    for warning in warnings {
        if told >= ALL {
            return;
        }
        let text: String = warning.chars().take(longest).filter(|c| !c.is_control()).collect();
        told += length(&text);
        let quoted = text.replace('\\', r"\\").replace('"', "\\\"");
        if let Ok(line) = HeaderValue::from_str(&format!("299 - \"{quoted}\"")) {
            response.headers_mut().append(header::WARNING, line);
        }
    }
}
