//! `bare URL CHANGES` follows the config maps of `bench-maps` as a controller does, and does nothing but to read the
//! socket: what a controller cannot be sooner than, as the kernel wakes both. It prints a line when it has the
//! present state, and another when it has read CHANGES more: nanoseconds from the server's writing of each until it
//! was read, the median, of 99 %, and the most.

#[path = "../latencies.rs"]
mod latencies;

use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;

const MARK: &[u8] = br#""sent":""#;
const PRESENT: &[u8] = b"initial-events-end";
/// What may be read at once, and what is kept of it while a mark may go on in what is read next.
const READ: usize = 256 << 10;
const KEPT: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, changes] = &args[..] else { return Err("usage: bare URL CHANGES".into()) };
    let changes = changes.parse()?;
    let host = url.strip_prefix("http://").ok_or("a URL begins with http://")?;
    let mut stream = TcpStream::connect(host)?;
    write!(
        stream,
        "GET /api/v1/configmaps?watch=true&sendInitialEvents=true HTTP/1.1\r\nhost: {host}\r\n\r\n"
    )?;
    wait_for_the_present(&mut stream)?;
    println!("ready");
    let [median, most_of_all, most] = latencies::told(&mut follow(&mut stream, changes)?);
    println!("{median} {most_of_all} {most}");
    Ok(())
}

fn wait_for_the_present(stream: &mut TcpStream) -> Result<(), Box<dyn Error>> {
    let (mut buffer, mut rest) = (vec![0; READ], Vec::new());
    while !rest.windows(PRESENT.len()).any(|part| part == PRESENT) {
        rest.drain(..rest.len().saturating_sub(KEPT));
        let length = stream.read(&mut buffer)?;
        if length == 0 {
            return Err("the server ended before the present state was sent".into());
        }
        rest.extend_from_slice(&buffer[..length]);
    }
    Ok(())
}

/// How late each change was. One that is read in two parts is counted when its time has been read.
fn follow(stream: &mut TcpStream, changes: usize) -> Result<Vec<u64>, Box<dyn Error>> {
    let (mut buffer, mut rest) = (vec![0; READ], Vec::new());
    let mut seen = Vec::with_capacity(changes);
    while seen.len() < changes {
        let length = stream.read(&mut buffer)?;
        let now = latencies::now();
        if length == 0 {
            return Err(format!("the server ended after {} changes", seen.len()).into());
        }
        rest.extend_from_slice(&buffer[..length]);
        while let Some((sent, end)) = sent(&rest)? {
            seen.push(now.saturating_sub(sent));
            rest.drain(..end);
        }
        rest.drain(..rest.len().saturating_sub(KEPT));
    }
    Ok(seen)
}

/// The first time that is written in the text, and where it ends.
fn sent(text: &[u8]) -> Result<Option<(u64, usize)>, Box<dyn Error>> {
    let Some(begin) = text.windows(MARK.len()).position(|part| part == MARK) else {
        return Ok(None);
    };
    let begin = begin + MARK.len();
    let Some(length) = text[begin..].iter().position(|byte| *byte == b'"') else { return Ok(None) };
    let end = begin + length;
    Ok(Some((std::str::from_utf8(&text[begin..end])?.parse()?, end)))
}
