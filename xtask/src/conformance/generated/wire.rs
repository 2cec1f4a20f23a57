//! Requests over one connection that is kept alive, to a server that speaks plain HTTP/1.1.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use watchkeeper_generator::{Answer, Request};

use crate::Outcome;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection, which is opened again when the server has closed it.
pub(super) struct Wire {
    address: String,
    stream: Option<BufReader<TcpStream>>,
}

impl Wire {
    pub(super) const fn to(address: String) -> Self {
        Self { address, stream: None }
    }

    /// Asks, and does not wait.
    ///
    /// # Errors
    /// That nobody is there.
    pub(super) fn ask(&mut self, request: &Request, path: &str, body: &str) -> Outcome<()> {
        let mut text = format!(
            "{} {path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: generated/1.0\r\nContent-Length: {}\r\n",
            request.method,
            body.len()
        );
        for (name, value) in
            [("Content-Type", request.content_type), ("Accept", "application/json")]
        {
            if !value.is_empty() {
                text += &format!("{name}: {value}\r\n");
            }
        }
        text += "\r\n";
        text += body;
        let failed = |error| format!("{}: {error}", self.address);
        let mut kept = self.stream.as_mut().map(BufReader::get_mut);
        if kept.as_mut().is_some_and(|stream| stream.write_all(text.as_bytes()).is_ok()) {
            return Ok(());
        }
        let mut stream = TcpStream::connect(&self.address).map_err(failed)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        stream.write_all(text.as_bytes()).map_err(failed)?;
        self.stream = Some(BufReader::new(stream));
        Ok(())
    }

    /// Reads what comes back.
    ///
    /// # Errors
    /// That nothing does, or no HTTP.
    pub(super) fn answer(&mut self) -> Outcome<Answer> {
        let answer = self.read().map_err(|error| format!("{}: {error}", self.address));
        if !matches!(answer, Ok((_, true))) {
            self.stream = None;
        }
        answer.map(|(answer, _)| answer)
    }

    /// The answer, and whether the connection goes on.
    fn read(&mut self) -> std::io::Result<(Answer, bool)> {
        let gone = || std::io::Error::other("nobody was asked");
        let stream = self.stream.as_mut().ok_or_else(gone)?;
        let status = line(stream)?;
        let code = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        let code =
            code.ok_or_else(|| std::io::Error::other(format!("no answer but {status:?}")))?;
        let (mut warnings, mut length, mut is_chunked, mut goes_on) = (Vec::new(), 0, false, true);
        loop {
            let header = line(stream)?;
            let Some((name, value)) = header.split_once(':') else { break };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "warning" => warnings.push(value.to_owned()),
                "content-length" => length = value.parse().unwrap_or_default(),
                "transfer-encoding" => is_chunked = value == "chunked",
                "connection" => goes_on = value != "close",
                _ => {}
            }
        }
        let mut body = Vec::new();
        if is_chunked {
            while let Some(next) = chunk(stream)? {
                body.extend(next);
            }
        } else {
            body.resize(length, 0);
            stream.read_exact(&mut body)?;
        }
        Ok((Answer::of(code, warnings, &body), goes_on))
    }
}

fn line(stream: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    line.truncate(line.trim_end().len());
    Ok(line)
}

/// The next piece of a body, with the line behind it.
fn chunk(stream: &mut BufReader<TcpStream>) -> std::io::Result<Option<Vec<u8>>> {
    let size = line(stream)?;
    let size = usize::from_str_radix(&size, 16);
    let size = size.map_err(|_| std::io::Error::other("a piece of a body without a size"))?;
    let mut piece = vec![0; size];
    stream.read_exact(&mut piece)?;
    line(stream)?;
    Ok(Some(piece).filter(|piece| !piece.is_empty()))
}
