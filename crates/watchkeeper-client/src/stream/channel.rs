//! A connection to a port of a pod over a WebSocket of its own (`v4.channel.k8s.io`, as the kubelet takes it):
//! the way of servers that know no tunnel.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::socket::{Sender, Socket};
use crate::fail::Why;

pub(super) const PROTOCOL: &str = "v4.channel.k8s.io";
const DATA: u8 = 0;
const ERROR: u8 = 1;
/// What is sent at once of a long text.
const PIECE: usize = 32 << 10;

/// One connection, which is a WebSocket of its own.
pub(super) struct ChannelStream {
    socket: Socket,
    sender: Sender,
    /// Who reads sends what the writer left behind.
    flusher: Sender,
    is_flushed: bool,
    /// What was received and not read yet.
    left: Bytes,
    /// Whether a channel has told its port.
    begun: [bool; 2],
}

impl ChannelStream {
    pub(super) fn new(socket: Socket) -> Self {
        let [sender, flusher] = [socket.sender(), socket.sender()];
        let left = Bytes::new();
        Self { socket, sender, flusher, is_flushed: true, left, begun: [false; 2] }
    }

    /// Takes a message apart: content goes to `left`, an error comes out.
    fn take(&mut self, mut message: Bytes) -> io::Result<()> {
        let Some(channel) = message.first().copied() else { return Ok(()) };
        message.advance(1);
        let Some(begun) = self.begun.get_mut(usize::from(channel)) else { return Ok(()) };
        if !std::mem::replace(begun, true) {
            // The first message of a channel repeats its port.
            message.advance(message.len().min(2));
        }
        match channel {
            DATA => self.left = message,
            ERROR if !message.is_empty() => {
                let told = String::from_utf8_lossy(&message);
                let why = Why::Nonsense(told.trim().to_owned());
                return Err(self.failed(why));
            }
            _ => {}
        }
        Ok(())
    }

    fn failed(&self, why: Why) -> io::Error {
        io::Error::other(why.into_error(&self.socket.subject))
    }
}

impl AsyncRead for ChannelStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.is_flushed {
            // A failure is told by reading, after what has arrived.
            self.is_flushed = self.flusher.poll_flush(cx).is_ready();
        }
        while self.left.is_empty() {
            let message = ready!(self.socket.poll_next(cx));
            match message.map_err(|why| self.failed(why))? {
                Some(message) => self.take(message)?,
                None => return Poll::Ready(Ok(())),
            }
        }
        let count = self.left.len().min(buffer.remaining());
        buffer.put_slice(&self.left.split_to(count));
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ChannelStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        text: &[u8],
    ) -> Poll<io::Result<usize>> {
        let room = ready!(self.sender.poll_room(cx));
        room.map_err(|why| self.failed(why))?;
        let taken = text.len().min(PIECE);
        let mut message = BytesMut::with_capacity(taken + 1);
        message.extend_from_slice(&[DATA]);
        message.extend_from_slice(&text[..taken]);
        self.sender.put(message.freeze()).map_err(|why| self.failed(why))?;
        // Also without a flush of the caller's: as TCP streams do.
        self.is_flushed = false;
        if let Poll::Ready(flushed) = self.sender.poll_flush(cx) {
            flushed.map_err(|why| self.failed(why))?;
            self.is_flushed = true;
        }
        Poll::Ready(Ok(taken))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = ready!(self.sender.poll_flush(cx));
        self.is_flushed = true;
        Poll::Ready(flushed.map_err(|why| self.failed(why)))
    }

    /// Ends both directions: there is no ending one of them.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = ready!(self.sender.poll_close(cx));
        Poll::Ready(closed.map_err(|why| self.failed(why)))
    }
}

impl fmt::Debug for ChannelStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChannelStream({})", self.socket.subject)
    }
}
