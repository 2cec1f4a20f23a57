//! The streams of a program, as the program has them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// The streams of a program, or of who attaches to one.
pub struct Terminal {
    pub(crate) input: mpsc::Receiver<Bytes>,
    pub(crate) output: mpsc::Sender<(u8, Bytes)>,
    pub(crate) size: TerminalSize,
}

/// What the client has told of its size last.
#[derive(Clone, Default)]
pub(crate) struct TerminalSize(Arc<Mutex<Option<Size>>>);

impl TerminalSize {
    pub(crate) fn set(&self, size: Size) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(size);
    }

    fn get(&self) -> Option<Size> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How large a terminal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

/// The numbers of streams on the wire (`remotecommand/constants.go`).
pub(crate) const STDIN: u8 = 0;
pub(crate) const STDOUT: u8 = 1;
pub(crate) const STDERR: u8 = 2;
pub(crate) const STATUS: u8 = 3;
pub(crate) const RESIZE: u8 = 4;
/// Of `v5.channel.k8s.io`: a stream has ended.
pub(crate) const CLOSE: u8 = 255;

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Terminal({:?})", self.size())
    }
}

impl Terminal {
    /// The next piece of standard input; none at its end, or where there is none.
    ///
    /// # Cancel safety
    ///
    /// Nothing is lost when the future is dropped.
    pub async fn read(&mut self) -> Option<Bytes> {
        self.input.recv().await
    }

    /// Writes to standard output; where nobody wants it, it is dropped.
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, nothing or everything is written.
    pub async fn print(&self, text: impl Into<Bytes> + Send) {
        self.send(STDOUT, text.into()).await;
    }

    /// Writes to standard error; where nobody wants it, it is dropped.
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, nothing or everything is written.
    pub async fn print_error(&self, text: impl Into<Bytes> + Send) {
        self.send(STDERR, text.into()).await;
    }

    /// How large the client's terminal is, once it has told.
    #[must_use]
    pub fn size(&self) -> Option<Size> {
        self.size.get()
    }

    async fn send(&self, stream: u8, text: Bytes) {
        // A client that has left wants nothing.
        let _ = self.output.send((stream, text)).await;
    }
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// With this code.
    Code(i32),
    /// It could not be run, and why.
    Failed(String),
}

impl Exit {
    /// The Status at the end of the streams (`cri-streaming`'s `remotecommand/exec.go`, apiserver's
    /// `streamtranslator.go`).
    pub(crate) fn status(&self) -> Value {
        match self {
            Self::Code(0) => json!({"metadata": {}, "status": "Success"}),
            // The API server heard it from the kubelet as a client of its own, in whose words it hands it on.
            Self::Code(code) => json!({
                "metadata": {},
                "status": "Failure",
                "message": format!(
                    "command terminated with non-zero exit code: command terminated with exit code \
                     {code}"
                ),
                "reason": "NonZeroExitCode",
                "details": {"causes": [{"reason": "ExitCode", "message": code.to_string()}]},
            }),
            // The kubelet says that it is one, and the API server, which hands it on, says so again.
            Self::Failed(why) => internal(&format!("{INTERNAL}: {why}")),
        }
    }
}

const INTERNAL: &str = "Internal error occurred";

/// The Status of what went wrong on the way to a program.
pub(crate) fn internal(why: &str) -> Value {
    json!({
        "metadata": {},
        "status": "Failure",
        "message": format!("{INTERNAL}: {why}"),
        "reason": "InternalError",
        "details": {"causes": [{"message": why}]},
        "code": 500,
    })
}
