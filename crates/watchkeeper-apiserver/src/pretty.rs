//! JSON in lines, for people: where a request asks for it, and for the programs by which people look at a server
//! (`isPrettyPrint` of `apiserver/pkg/endpoints/handlers/negotiation`).

use bytes::Bytes;
use http::{HeaderMap, Response, Uri, header};

use crate::reply;
use crate::request::accept;
use crate::request::query::Query;

#[cfg(test)]
mod tests;

/// The programs, by what they call themselves.
const PROGRAMS: [&[u8]; 3] = [b"curl", b"Wget", b"Mozilla/5.0"];
/// So many times as long as it was an answer may become: the lines of what is nested deep are mostly room before them.
const MOST_TIMES: usize = 16;

/// The answer to a request, in lines if that is what its client wants.
pub(crate) fn answer(
    uri: &Uri,
    headers: &HeaderMap,
    mut response: Response<Bytes>,
) -> Response<Bytes> {
    if is_json(&response)
        && is_wanted(uri, headers)
        && let Some(lines) = lines(response.body())
    {
        *response.body_mut() = Bytes::from(lines);
    }
    response
}

/// Whether JSON in answer to a request is written in lines.
pub(crate) fn is_wanted(uri: &Uri, headers: &HeaderMap) -> bool {
    match uri.path() {
        // What the server says of itself always is, and its schemas never are.
        "/" | "/version" | "/version/" => true,
        path if path.starts_with("/openapi/") => false,
        _ => accept::wants_lines(headers) || is_asked(uri, headers),
    }
}

/// The query says so, or who asks where it says nothing.
fn is_asked(uri: &Uri, headers: &HeaderMap) -> bool {
    let query = uri.query().filter(|query| query.contains("pretty")).map(Query::parse);
    match query.as_ref().map(|query| query.text("pretty")) {
        Some(said) if !said.is_empty() => {
            // As Go's `strconv.ParseBool` reads it.
            ["1", "t", "T", "true", "TRUE", "True"].contains(&said)
        }
        _ => {
            let agent = headers.get(header::USER_AGENT).map_or(&b""[..], |agent| agent.as_bytes());
            PROGRAMS.iter().any(|program| agent.starts_with(program))
        }
    }
}

fn is_json(response: &Response<Bytes>) -> bool {
    let media_type = response.headers().get(header::CONTENT_TYPE);
    let media_type = media_type.and_then(|media_type| media_type.to_str().ok());
    media_type.and_then(|media_type| media_type.split(';').next()) == Some(reply::JSON)
}

/// JSON in lines, each by two spaces further in than what holds it, as Go's `json.MarshalIndent` writes it; none where
/// that would be too long.
fn lines(json: &[u8]) -> Option<Vec<u8>> {
    let most = json.len().saturating_mul(MOST_TIMES);
    let mut out = Vec::with_capacity(json.len().saturating_mul(2));
    let mut depth = 0_usize;
    let (mut in_text, mut is_escaped) = (false, false);
    let mut signs = json.iter().copied().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            _ if in_text => {
                in_text = is_escaped || sign != b'"';
                is_escaped = !is_escaped && sign == b'\\';
                out.push(sign);
            }
            b'{' | b'[' => {
                out.push(sign);
                let end = if sign == b'{' { b'}' } else { b']' };
                if signs.next_if_eq(&end).is_some() {
                    out.push(end);
                } else {
                    depth += 1;
                    begin(&mut out, depth);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                begin(&mut out, depth);
                out.push(sign);
            }
            b',' => {
                out.push(sign);
                begin(&mut out, depth);
            }
            b':' => out.extend_from_slice(b": "),
            _ => {
                in_text = sign == b'"';
                out.push(sign);
            }
        }
        if out.len() > most {
            return None;
        }
    }
    Some(out)
}

fn begin(out: &mut Vec<u8>, depth: usize) {
    out.push(b'\n');
    out.extend(std::iter::repeat_n(b' ', depth.saturating_mul(2)));
}
