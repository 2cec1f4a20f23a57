//! As much of HTTP/1.1 as the clients speak.

use std::io::{BufRead, BufReader, Error, Result, Write};
use std::net::TcpStream;

/// What is asked for, as far as it matters.
#[derive(Debug)]
pub struct Request {
    pub path: String,
    query: String,
    /// Whether protobuf is the first wish.
    pub protobuf: bool,
}

/// Longer heads are nobody's.
const LONGEST: usize = 16 << 10;

impl Request {
    /// The next request of a connection, if there is one. None that is answered has a body.
    pub fn read(from: &mut BufReader<TcpStream>) -> Result<Option<Self>> {
        let (mut first, mut protobuf, mut length) = (String::new(), false, 0);
        from.read_line(&mut first)?;
        let Some(target) = first.split(' ').nth(1) else { return Ok(None) };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (path, query) = (path.to_owned(), query.to_owned());
        let mut line = String::new();
        while from.read_line(&mut line)? > 0 && !line.trim_end().is_empty() {
            let (name, value) = line.split_once(':').unwrap_or_default();
            let wish = value.split(',').next().unwrap_or_default();
            protobuf |= name.eq_ignore_ascii_case("accept") && wish.contains("protobuf");
            length += line.len();
            line.clear();
            if length > LONGEST {
                return Err(Error::other("the head is too long"));
            }
        }
        Ok(Some(Self { path, query, protobuf }))
    }

    /// A member of the query.
    pub fn asked(&self, name: &str) -> Option<&str> {
        let mut members = self.query.split('&').filter_map(|member| member.split_once('='));
        members.find(|(of, _)| *of == name).map(|(_, value)| value)
    }

    pub fn is(&self, name: &str) -> bool {
        matches!(self.asked(name), Some("true" | "1"))
    }
}

/// Answers with a body whose length is known.
pub fn whole(to: &mut TcpStream, status: &str, media_type: &str, body: &[&[u8]]) -> Result<()> {
    let length: usize = body.iter().map(|part| part.len()).sum();
    let mut head = head(status, media_type);
    head.push_str(&format!("content-length: {length}\r\n\r\n"));
    let mut to = std::io::BufWriter::with_capacity(CHUNK, to);
    to.write_all(head.as_bytes())?;
    body.iter().try_for_each(|part| to.write_all(part))?;
    to.flush()
}

pub const JSON: &str = "application/json";

/// Answers what clients ask for beside objects: the version, and nothing else.
pub fn other(to: &mut TcpStream, path: &str) -> Result<()> {
    if path == "/version" {
        let version = br#"{"major":"1","minor":"36","gitVersion":"v1.36.0"}"#;
        return whole(to, "200 OK", JSON, &[version]);
    }
    let text = format!(
        r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","message":"{path} is not served","code":404}}"#
    );
    whole(to, "404 Not Found", JSON, &[text.as_bytes()])
}

fn head(status: &str, media_type: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-type: {media_type}\r\n")
}

/// So much is gathered before it is sent.
const CHUNK: usize = 256 << 10;
/// Bytes of the line before a chunk that tells its length: eight digits.
const LENGTH: usize = 10;

/// A body in chunks, which ends with the connection if it is not ended.
pub struct Chunks<'a> {
    to: &'a mut TcpStream,
    /// Room for the length, then what is gathered.
    buffer: Vec<u8>,
}

impl<'a> Chunks<'a> {
    pub fn begin(to: &'a mut TcpStream, media_type: &str) -> Result<Self> {
        let head = head("200 OK", media_type) + "transfer-encoding: chunked\r\n\r\n";
        to.write_all(head.as_bytes())?;
        let mut buffer = Vec::with_capacity(CHUNK);
        buffer.resize(LENGTH, b'0');
        Ok(Self { to, buffer })
    }

    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        if self.buffer.len() + bytes.len() > CHUNK {
            self.flush()?;
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    pub fn flush(&mut self) -> Result<()> {
        if self.buffer.len() == LENGTH {
            return Ok(());
        }
        let mut length = [0; LENGTH];
        write!(
            &mut length[..],
            "{:0digits$x}\r\n",
            self.buffer.len() - LENGTH,
            digits = LENGTH - 2
        )?;
        self.buffer[..LENGTH].copy_from_slice(&length);
        self.buffer.extend_from_slice(b"\r\n");
        // At once: a client that reads the length alone is woken twice.
        self.to.write_all(&self.buffer)?;
        self.buffer.truncate(LENGTH);
        Ok(())
    }

    /// Ends the body, so that the connection can be used again.
    pub fn end(mut self) -> Result<()> {
        self.flush()?;
        self.to.write_all(b"0\r\n\r\n")
    }
}
