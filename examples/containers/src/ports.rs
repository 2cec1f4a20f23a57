//! What listens to the ports of every pod: something that repeats what it hears, and a page.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use watchkeeper::cluster::containers::{Forward, PortStream};

/// The port of old that repeats what it hears (RFC 862).
pub(crate) const ECHO: u16 = 7;
/// The port of the page.
pub(crate) const HTTP: u16 = 80;
/// How long the head of a request may be.
const LONGEST: u64 = 8 << 10;

/// Repeats all, as it comes.
pub(crate) async fn echo(_: Forward, stream: PortStream) -> Result<(), String> {
    let (mut from, mut to) = tokio::io::split(stream);
    tokio::io::copy(&mut from, &mut to).await.map(drop).map_err(|error| error.to_string())
}

/// Answers one request of HTTP/1.1 with the name of the pod and what was asked for.
pub(crate) async fn http(asked: Forward, mut stream: PortStream) -> Result<(), String> {
    let head = head(&mut stream).await.map_err(|error| error.to_string())?;
    let (status, text) = match head.split_once(' ') {
        Some(("GET", rest)) => {
            let path = rest.split(' ').next().unwrap_or_default();
            ("200 OK", format!("{path} of {}\n", asked.pod))
        }
        _ => ("400 Bad Request", "there is GET, and nothing else\n".to_owned()),
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
        text.len()
    );
    stream.write_all(answer.as_bytes()).await.map_err(|error| error.to_string())
}

/// The lines before a body; all that came if there are none.
async fn head(stream: &mut PortStream) -> std::io::Result<String> {
    let mut head = Vec::new();
    let mut left = stream.take(LONGEST);
    while !head.ends_with(b"\r\n\r\n") && left.read_buf(&mut head).await? > 0 {}
    Ok(String::from_utf8_lossy(&head).into_owned())
}
