//! Many who watch, and some who do not listen.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use super::{Address, PATIENCE};
use crate::Outcome;
use crate::conformance::http;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
/// How large a write is that the deaf are told of, in bytes, and how many there are: far more than a kernel keeps.
const LARGE: usize = 100_000;
const WRITES: usize = 1_200;
/// What ends the body of an answer whose length nobody knew.
const LAST_PIECE: &str = "\r\n0\r\n\r\n";
/// For each of them the kernel keeps some MiB, too.
const DEAF_PER_MANY: usize = 500;

/// All are told of a write.
pub(super) fn all_hear(address: &Address, many: usize) -> Outcome<()> {
    let mut watches = opened(address, many)?;
    write(address, "POST", MAPS, "x", 201)?;
    for watch in &mut watches {
        let mut heard = String::new();
        while !heard.contains("\"ADDED\"") || !heard.contains("\"told\"") {
            heard += &read(watch)?.ok_or_else(|| format!("a watch ended with {heard}"))?;
        }
    }
    Ok(())
}

/// Who does not read is cut, and what is kept for it does not grow with what is written.
pub(super) fn the_deaf_are_cut(address: &Address, many: usize) -> Outcome<()> {
    let mut watches = opened(address, many / DEAF_PER_MANY)?;
    write(address, "POST", MAPS, "x", 201)?;
    let one = format!("{MAPS}/told");
    for number in 0..WRITES {
        write(address, "PUT", &one, &format!("{number:010}").repeat(LARGE / 10), 200)?;
    }
    for watch in &mut watches {
        let mut bytes = 0;
        while let Some(heard) = read(watch)? {
            bytes += heard.len();
            if heard.ends_with(LAST_PIECE) {
                break;
            }
        }
        if bytes >= WRITES * LARGE {
            return Err("a watch that nobody read was told everything".to_owned());
        }
    }
    Ok(())
}

/// Each in a connection of its own, and answered.
fn opened(address: &Address, many: usize) -> Outcome<Vec<TcpStream>> {
    (0..many)
        .map(|number| watch(address).map_err(|problem| format!("watch {number}: {problem}")))
        .collect()
}

fn watch(address: &Address) -> Outcome<TcpStream> {
    let failed = |error: std::io::Error| error.to_string();
    let mut stream = TcpStream::connect(address).map_err(failed)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    let path = format!("{MAPS}?watch=1&fieldSelector=metadata.name%3Dtold");
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(head.as_bytes()).map_err(failed)?;
    let mut heard = String::new();
    while !heard.contains("\r\n\r\n") {
        heard += &read(&mut stream)?.ok_or("it ended")?;
    }
    if heard.starts_with("HTTP/1.1 200 ") { Ok(stream) } else { Err(heard) }
}

/// What came next; none when the server has ended the connection.
fn read(stream: &mut TcpStream) -> Outcome<Option<String>> {
    let mut piece = [0; 64 * 1024];
    match stream.read(&mut piece) {
        Ok(0) => Ok(None),
        Ok(read) => Ok(Some(String::from_utf8_lossy(&piece[..read]).into_owned())),
        Err(error) if error.kind() == ErrorKind::ConnectionReset => Ok(None),
        Err(error) => Err(format!("a watch says nothing: {error}")),
    }
}

/// A config map that the watches are for.
fn write(address: &Address, method: &str, path: &str, text: &str, wanted: u16) -> Outcome<()> {
    let map = json!({"metadata": {"name": "told"}, "data": {"text": text}});
    let answer = http::send(address, method, path, &[], &map.to_string())?;
    if answer.code == wanted { Ok(()) } else { Err(format!("{method}: {}", answer.body)) }
}
