//! Requests over a socket, over HTTP/1.1, with as little work as there can be: what is measured is the server.

use crate::{Outcome, tls};
use std::fmt::Write as _;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Where a server is, and what it wants to be told.
#[derive(Clone, Debug)]
pub struct Server {
    /// `127.0.0.1:6443`.
    address: String,
    is_secured: bool,
    /// Each line of a request's head that does not change.
    headers: String,
}

/// A connection that is used for one request after another.
pub struct Connection {
    stream: Box<dyn Stream>,
    headers: String,
    /// What was read and not yet looked at is `read[begin..end]`.
    read: Vec<u8>,
    begin: usize,
    end: usize,
}

/// How much is read at once.
const ROOM: usize = 256 << 10;

/// How long the body of an answer is.
#[derive(Clone, Copy, Debug)]
enum Length {
    Known(u64),
    InChunks,
}

impl Server {
    /// The server at a URL, which is `http://` or `https://` and an address; `token` may be empty.
    pub fn new(url: &str, token: &str) -> Outcome<Self> {
        let (scheme, address) = url.split_once("://").ok_or("a URL without a scheme")?;
        let mut headers =
            format!("Host: {address}\r\nUser-Agent: bench\r\nAccept: application/json\r\n");
        if !token.is_empty() {
            write!(headers, "Authorization: Bearer {token}\r\n")?;
        }
        Ok(Self { address: address.to_owned(), is_secured: scheme == "https", headers })
    }

    /// A connection.
    pub async fn connect(&self) -> Outcome<Connection> {
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        let stream: Box<dyn Stream> =
            if self.is_secured { Box::new(tls::secured(stream).await?) } else { Box::new(stream) };
        Ok(Connection {
            stream,
            headers: self.headers.clone(),
            read: vec![0; ROOM],
            begin: 0,
            end: 0,
        })
    }
}

impl Connection {
    /// Posts an object and reads the answer, which must say that it was made.
    pub async fn create(&mut self, path: &str, object: &str) -> Outcome {
        let (headers, length) = (&self.headers, object.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\n{headers}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{object}"
        );
        self.stream.write_all(request.as_bytes()).await?;
        let (status, length) = self.head().await?;
        let mut answer = Vec::new();
        self.body(length, |part| {
            if status != 201 {
                answer.extend_from_slice(part)
            }
        })
        .await?;
        if status != 201 {
            return Err(format!("{path}: {status}: {}", String::from_utf8_lossy(&answer)).into());
        }
        Ok(())
    }

    /// Reads what is at a path; tells the status and how many bytes came.
    pub async fn get(&mut self, path: &str) -> Outcome<(u16, u64)> {
        let (status, length) = self.ask(path).await?;
        let mut bytes = 0;
        self.body(length, |part| bytes += part.len() as u64).await?;
        Ok((status, bytes))
    }

    /// Reads what is at a path, whole.
    pub async fn text(&mut self, path: &str) -> Outcome<String> {
        let (status, length) = self.ask(path).await?;
        let mut text = Vec::new();
        self.body(length, |part| text.extend_from_slice(part)).await?;
        if status == 200 {
            Ok(String::from_utf8(text)?)
        } else {
            Err(format!("{path}: {status}").into())
        }
    }

    /// Begins a watch.
    pub async fn watch(&mut self, path: &str) -> Outcome {
        match self.ask(path).await? {
            (200, Length::InChunks) => Ok(()),
            (status, _) => Err(format!("{path}: {status}").into()),
        }
    }

    /// Reads so many lines of what is watched.
    pub async fn lines(&mut self, count: u64) -> Outcome {
        let mut seen = 0;
        while seen < count {
            let more = self
                .chunk(&mut |part| {
                    seen += part.iter().filter(|byte| **byte == b'\n').count() as u64
                })
                .await?;
            if !more {
                return Err(format!("the watch ended after {seen} of {count}").into());
            }
        }
        if seen == count { Ok(()) } else { Err(format!("{seen} of {count} came").into()) }
    }

    async fn ask(&mut self, path: &str) -> Outcome<(u16, Length)> {
        let request = format!("GET {path} HTTP/1.1\r\n{}\r\n", self.headers);
        self.stream.write_all(request.as_bytes()).await?;
        self.head().await
    }

    /// The status, and how long the body is.
    async fn head(&mut self) -> Outcome<(u16, Length)> {
        let status = self.line().await?;
        let status = status.split(' ').nth(1).ok_or("no status")?.parse()?;
        let mut length = Length::Known(0);
        loop {
            let line = self.line().await?.to_ascii_lowercase();
            if line.is_empty() {
                return Ok((status, length));
            }
            if let Some(bytes) = line.strip_prefix("content-length:") {
                length = Length::Known(bytes.trim().parse()?);
            } else if line
                .strip_prefix("transfer-encoding:")
                .is_some_and(|how| how.trim() == "chunked")
            {
                length = Length::InChunks;
            }
        }
    }

    async fn body(&mut self, length: Length, mut each: impl FnMut(&[u8])) -> Outcome {
        match length {
            Length::Known(bytes) => self.bytes(bytes, &mut each).await,
            Length::InChunks => {
                while self.chunk(&mut each).await? {}
                Ok(())
            }
        }
    }

    /// Reads the next chunk; false after the last.
    async fn chunk(&mut self, each: &mut impl FnMut(&[u8])) -> Outcome<bool> {
        let size = u64::from_str_radix(self.line().await?.trim(), 16)?;
        self.bytes(size, each).await?;
        self.line().await?;
        Ok(size > 0)
    }

    async fn bytes(&mut self, mut left: u64, each: &mut impl FnMut(&[u8])) -> Outcome {
        while left > 0 {
            if self.begin == self.end {
                self.fill().await?;
            }
            let part = (self.end - self.begin).min(usize::try_from(left).unwrap_or(usize::MAX));
            each(&self.read[self.begin..self.begin + part]);
            self.begin += part;
            left -= part as u64;
        }
        Ok(())
    }

    /// The next line, without its end.
    async fn line(&mut self) -> Outcome<String> {
        let mut line = Vec::new();
        loop {
            if self.begin == self.end {
                self.fill().await?;
            }
            let there = &self.read[self.begin..self.end];
            match there.iter().position(|byte| *byte == b'\n') {
                Some(end) => {
                    line.extend_from_slice(&there[..end]);
                    self.begin += end + 1;
                    return Ok(String::from_utf8_lossy(line.trim_ascii_end()).into_owned());
                }
                None => line.extend_from_slice(there),
            }
            self.begin = self.end;
        }
    }

    async fn fill(&mut self) -> Outcome {
        self.begin = 0;
        self.end = self.stream.read(&mut self.read).await?;
        if self.end == 0 { Err("the connection ended".into()) } else { Ok(()) }
    }
}
