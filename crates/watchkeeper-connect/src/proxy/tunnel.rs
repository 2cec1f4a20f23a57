//! `CONNECT` (RFC 9110, 9.3.6).

use http::{HeaderValue, Uri};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::connector::Wire;

/// As much as is read of an answer's head.
const HEAD_LIMIT: usize = 16 << 10;

pub(super) async fn open(
    wire: &mut Wire,
    target: &Uri,
    authorization: Option<HeaderValue>,
) -> Result<(), String> {
    let host = target.host().unwrap_or_default();
    let place = format!("{host}:{}", super::port(target));
    let mut head = format!("CONNECT {place} HTTP/1.1\r\nhost: {place}\r\n").into_bytes();
    if let Some(value) = authorization {
        head.extend_from_slice(b"proxy-authorization: ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
    let lost = |error: std::io::Error| format!("hung up ({error})");
    wire.write_all(&head).await.map_err(lost)?;
    wire.flush().await.map_err(lost)?;
    let answer = answer(wire).await?;
    judge(&answer, &place)
}

/// The head of the answer. Nothing follows it before we speak again.
async fn answer(wire: &mut Wire) -> Result<Vec<u8>, String> {
    let mut head = Vec::new();
    loop {
        let read = wire.read_buf(&mut head).await.map_err(|error| format!("hung up ({error})"))?;
        let end = head.windows(4).position(|four| four == b"\r\n\r\n");
        match end {
            Some(end) if end + 4 == head.len() => return Ok(head),
            // A refusal may have a body.
            Some(end) if !is_success(&head) => {
                head.truncate(end);
                return Ok(head);
            }
            Some(_) => return Err("speaks before it is asked; is it an HTTP proxy?".to_owned()),
            None if read == 0 => return Err("hung up; is it an HTTP proxy?".to_owned()),
            None if head.len() > HEAD_LIMIT => {
                return Err("does not come to an end; is it an HTTP proxy?".to_owned());
            }
            None => {}
        }
    }
}

fn is_success(head: &[u8]) -> bool {
    code(head).is_some_and(|code| (200..300).contains(&code))
}

/// `HTTP/1.1 200 OK`
fn code(head: &[u8]) -> Option<u16> {
    let line = head.split(|byte| *byte == b'\r').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let (version, rest) = line.split_once(' ')?;
    let code = rest.split(' ').next()?;
    version.starts_with("HTTP/1.").then(|| code.parse().ok())?
}

fn judge(head: &[u8], place: &str) -> Result<(), String> {
    match code(head) {
        Some(200..=299) => Ok(()),
        Some(407) => Err("wants to know who we are; put a name and a password into its URL \
                          (http://name:password@host:port)"
            .to_owned()),
        Some(code @ (502..=504)) => {
            Err(format!("does not reach {place} ({code}); does it know that name?"))
        }
        Some(code) => Err(format!("refused the way to {place} ({code}); does it allow that port?")),
        None => Err("does not speak HTTP/1.1; is it an HTTP proxy?".to_owned()),
    }
}
