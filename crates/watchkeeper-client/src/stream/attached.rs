//! The streams of a process (`v5.channel.k8s.io`, KEP-4006).

use bytes::{Bytes, BytesMut};
use serde_json::json;
use watchkeeper_api::error::Subject;
use watchkeeper_api::json as codec;
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Error, HasStreams, Object, Result};

use super::ExecOptions;
use super::handshake::connect;
use super::socket::{Sender, Socket};
use crate::api::Api;
use crate::fail::Why;

const PROTOCOL: &str = "v5.channel.k8s.io";
const STDIN: u8 = 0;
const STDOUT: u8 = 1;
const STDERR: u8 = 2;
const ERROR: u8 = 3;
const RESIZE: u8 = 4;
const CLOSE: u8 = 255;
/// What is sent at once of a long input.
const PIECE: usize = 32 << 10;
/// A Status is no longer than this.
const STATUS_LIMIT: usize = 1 << 20;

/// What a process wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// To standard output.
    Stdout(Bytes),
    /// To standard error.
    Stderr(Bytes),
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// 0 when all went well.
    pub code: i32,
}

impl Exit {
    /// Whether all went well.
    #[must_use]
    pub const fn success(self) -> bool {
        self.code == 0
    }
}

/// What a process wrote until its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// To standard output.
    pub stdout: Vec<u8>,
    /// To standard error.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub exit: Exit,
}

impl<K: Object> Api<K> {
    /// Runs a program in a pod's container.
    ///
    /// ```
    /// # use watchkeeper_api::{core::v1::Pod, Result};
    /// # use watchkeeper_client::{Client, ExecOptions};
    /// # async fn f(client: Client) -> Result<()> {
    /// let pods = client.api::<Pod>().namespace("shop");
    /// let done = pods.exec("web-0", &ExecOptions::new(["ls", "/tmp"])).await?.finish(1 << 20).await?;
    /// println!("{} {}", done.exit.code, String::from_utf8_lossy(&done.stdout));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Whatever the server says; a service that cannot upgrade connections; a client of
    /// [dry runs](crate::Client::dry_run), as the program would run.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; the program may run nevertheless.
    pub async fn exec(&self, name: &str, options: &ExecOptions) -> Result<Attached>
    where
        K: HasStreams,
    {
        self.attached("exec", name, options).await
    }

    /// Takes the streams of what a pod's container runs.
    ///
    /// # Errors
    /// As of [`exec`](Self::exec).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn attach(&self, name: &str, options: &ExecOptions) -> Result<Attached>
    where
        K: HasStreams,
    {
        let options = ExecOptions { command: Vec::new(), ..options.clone() };
        self.attached("attach", name, &options).await
    }

    async fn attached(
        &self,
        part: &'static str,
        name: &str,
        options: &ExecOptions,
    ) -> Result<Attached> {
        let (subject, uri) = self.streaming(part, name, &options.query())?;
        let socket = connect(self.client(), subject, uri, PROTOCOL).await?;
        Ok(Attached { socket, status: BytesMut::new(), exit: None })
    }
}

/// The streams of a process. Dropping it ends them; what the process does then is its own business.
pub struct Attached {
    socket: Socket,
    /// What came of the Status.
    status: BytesMut,
    exit: Option<Exit>,
}

impl Attached {
    /// What the process writes next; `None` after its end, and then [`exit`](Self::exit) is there. Reading
    /// keeps the connection alive, too. It waits as long as the program says nothing, without a deadline.
    ///
    /// # Errors
    /// A connection that broke or fell silent; an end without a word on how; a program that could not be
    /// started. That it ended with a code other than zero is no error.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub async fn next(&mut self) -> Result<Option<Output>> {
        while let Some(mut message) = self.message().await? {
            if message.is_empty() {
                continue;
            }
            let channel = message.split_to(1)[0];
            match channel {
                // Streams are opened by messages without content.
                STDOUT | STDERR if message.is_empty() => {}
                STDOUT => return Ok(Some(Output::Stdout(message))),
                STDERR => return Ok(Some(Output::Stderr(message))),
                ERROR if self.status.len() + message.len() <= STATUS_LIMIT => {
                    self.status.extend_from_slice(&message);
                }
                _ => {}
            }
        }
        if self.exit.is_none() {
            self.exit = Some(exit_of(&self.status, &self.socket.subject)?);
        }
        Ok(None)
    }

    /// How the process ended, once all it wrote was taken.
    #[must_use]
    pub const fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// The way in, which may be used while somebody reads. There may be many at once, one to write and one to
    /// tell the terminal's size; of two that write, what one writes may come between pieces of the other's.
    #[must_use]
    pub fn input(&self) -> Input {
        Input { sender: self.socket.sender(), subject: self.socket.subject.clone() }
    }

    /// All that the process writes, up to `limit` bytes, and how it ends.
    ///
    /// It waits as long as the program runs, which no deadline of the client's bounds: that one ends with the
    /// handshake. Only a connection that breaks or falls silent ends it sooner. Who cannot wait so long says so:
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use watchkeeper_client::Attached;
    /// # async fn f(program: Attached) {
    /// match tokio::time::timeout(Duration::from_secs(60), program.finish(1 << 20)).await {
    ///     Ok(done) => println!("{done:?}"),
    ///     Err(_) => println!("it still runs, and nobody listens any more"),
    /// }
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`next`](Self::next); more than `limit` bytes.
    ///
    /// # Cancel safety
    /// Dropping the future ends the streams.
    pub async fn finish(mut self, limit: usize) -> Result<Finished> {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        while let Some(output) = self.next().await? {
            match output {
                Output::Stdout(bytes) => stdout.extend_from_slice(&bytes),
                Output::Stderr(bytes) => stderr.extend_from_slice(&bytes),
            }
            if stdout.len() + stderr.len() > limit {
                return Err(self.fail(Why::Nonsense(format!("more than {limit} bytes of output"))));
            }
        }
        let exit = self.exit.unwrap_or(Exit { code: 0 });
        Ok(Finished { stdout, stderr, exit })
    }

    async fn message(&mut self) -> Result<Option<Bytes>> {
        let message = self.socket.next().await;
        message.map_err(|why| self.fail(why))
    }

    fn fail(&self, why: Why) -> Error {
        why.into_error(&self.socket.subject)
    }
}

/// The Status at the end (upstream: `remotecommand/v4.go`).
fn exit_of(text: &[u8], subject: &Subject) -> Result<Exit> {
    if text.is_empty() {
        let why = "the stream ended without telling how the program did";
        return Err(Why::Nonsense(why.to_owned()).into_error(subject));
    }
    let status: Status =
        codec::from_slice(text).map_err(|error| Why::Unreadable(error).into_error(subject))?;
    if status.status == "Success" {
        return Ok(Exit { code: 0 });
    }
    let causes = status.details.as_ref().map_or(&[][..], |details| &details.causes);
    let code = causes.iter().find(|cause| cause.reason == "ExitCode");
    match code.and_then(|cause| cause.message.parse().ok()) {
        Some(code) if status.reason == "NonZeroExitCode" => Ok(Exit { code }),
        _ => Err(Why::Refused(Box::new(status)).into_error(subject)),
    }
}

/// The way into a process.
pub struct Input {
    sender: Sender,
    subject: Subject,
}

impl Input {
    /// Writes to standard input.
    ///
    /// # Errors
    /// A connection that broke or ended.
    ///
    /// # Cancel safety
    /// When the future is dropped, some of `bytes` may be written.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        for piece in bytes.chunks(PIECE) {
            self.send(STDIN, piece).await?;
        }
        Ok(())
    }

    /// Ends standard input. The rest of the streams goes on.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    ///
    /// # Cancel safety
    /// When the future is dropped, standard input may be ended.
    pub async fn close(&mut self) -> Result<()> {
        self.send(CLOSE, &[STDIN]).await
    }

    /// Tells the terminal its size.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    ///
    /// # Cancel safety
    /// When the future is dropped, the size may be told.
    pub async fn resize(&mut self, columns: u16, rows: u16) -> Result<()> {
        let size = json!({ "Width": columns, "Height": rows });
        self.send(RESIZE, size.to_string().as_bytes()).await
    }

    async fn send(&mut self, channel: u8, bytes: &[u8]) -> Result<()> {
        let mut message = BytesMut::with_capacity(bytes.len() + 1);
        message.extend_from_slice(&[channel]);
        message.extend_from_slice(bytes);
        let sent = self.sender.send(message.freeze()).await;
        sent.map_err(|why| why.into_error(&self.subject))
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Input({})", self.subject)
    }
}

impl std::fmt::Debug for Attached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let subject = &self.socket.subject;
        f.debug_struct("Attached").field("subject", subject).field("exit", &self.exit).finish()
    }
}
