//! Large answers in less bytes, for clients that take gzip (apiserver's `responsewriters`).

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, Response, header};

/// The smallest body that is worth it (`defaultGzipThresholdBytes`).
pub(crate) const THRESHOLD: usize = 128 * 1024;
/// `defaultGzipContentEncodingLevel`.
const LEVEL: u32 = 1;

/// The answer, compressed if it is large and the client takes that.
pub(crate) fn answer(headers: &HeaderMap, mut response: Response<Bytes>) -> Response<Bytes> {
    if response.body().len() < THRESHOLD || !takes_gzip(headers) {
        return response;
    }
    let Some(small) = gzip(response.body()) else { return response };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    *response.body_mut() = small;
    response
}

/// Upstream looks for the bare word; one with a quality is none.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.unwrap_or_default().split(',').any(|one| one.trim() == "gzip")
}

fn gzip(body: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
    encoder.write_all(body).ok()?;
    encoder.finish().ok().map(Bytes::from)
}
