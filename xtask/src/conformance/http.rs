//! One request over plain HTTP, in a connection of its own.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::Outcome;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer that has been read.
pub(super) struct Answer {
    pub(super) code: u16,
    /// The body; as a text if it is no JSON.
    pub(super) body: Value,
}

/// An answer as it came.
pub(super) struct Raw {
    pub(super) code: u16,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) text: String,
}

/// Asks.
///
/// # Errors
/// That there is no answer.
pub(super) fn send(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(String, String)],
    body: &str,
) -> Outcome<Answer> {
    let Raw { code, text, .. } = ask(address, method, path, headers, body.as_bytes())?;
    Ok(Answer { code, body: serde_json::from_str(&text).unwrap_or_else(|_| text.into()) })
}

/// Asks with a body that need not be a text.
///
/// # Errors
/// That there is no answer.
pub(super) fn ask(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> Outcome<Raw> {
    let answer = exchange(address, method, path, headers, body);
    let answer = answer.map_err(|error| format!("{method} {path}: {error}"))?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, text) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    let code = code.ok_or_else(|| format!("{method} {path}: no answer but {head:?}"))?;
    let lines = head.lines().skip(1).filter_map(|line| line.split_once(": "));
    let headers = lines.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    Ok(Raw { code, headers, text: text.to_owned() })
}

fn exchange(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    // The old version has bodies in one piece that end with the connection.
    let mut head = format!("{method} {path} HTTP/1.0\r\nHost: localhost\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Content-Length: {}\r\n\r\n", body.len());
    // In one piece: a server that refuses by the head would close before the body comes, and a body that
    // nobody reads resets the connection with the answer in it.
    stream.write_all(&[head.as_bytes(), body].concat())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}
