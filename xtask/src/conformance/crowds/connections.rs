//! Many connections on which nothing sensible is said.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

use super::Address;
use crate::{Outcome, step};

/// Of the largest body that is taken.
const BODY: usize = 3 * 1024 * 1024;
/// Fewer than the 200 writes that may be under way: beyond them others are told to come again (429), as upstream does.
const BODIES: usize = 100;

/// Heads that do not end, and bodies of which a byte is missing, all held at once.
pub(super) fn half_requests(address: &Address, many: usize) -> Outcome<()> {
    let head = "GET /api/v1/namespaces HTTP/1.1\r\nHost: local";
    let mut held = Vec::new();
    for _ in 0..many - BODIES.min(many) {
        held.push(said(address, head.as_bytes())?);
    }
    let path = "/api/v1/namespaces/default/configmaps";
    let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {BODY}\r\n\r\n");
    let body = " ".repeat(BODY - 1);
    for _ in 0..BODIES.min(many) {
        held.push(said(address, format!("{head}{body}").as_bytes())?);
    }
    // The server reads what it was sent meanwhile.
    step::pause(Duration::from_secs(3));
    Ok(())
}

/// Who asks and does not wait for the answer.
pub(super) fn that_go(address: &Address, many: usize) -> Outcome<()> {
    let head = "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for _ in 0..many {
        drop(said(address, head.as_bytes())?);
    }
    Ok(())
}

fn said(address: &Address, text: &[u8]) -> Outcome<TcpStream> {
    let failed = |error: std::io::Error| format!("a connection: {error}");
    let mut stream = TcpStream::connect(address).map_err(failed)?;
    stream.write_all(text).map_err(failed)?;
    Ok(stream)
}
