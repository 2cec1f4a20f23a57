//! A WebSocket whose halves may be used at once, the writing one by many, with pings.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use bytes::Bytes;
use futures_util::{Sink, Stream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Error as WsError, Message};
use watchkeeper_api::error::Subject;

use super::pulse::{Due, PATIENCE, Pulse};
use super::wakers::Wakers;
use crate::body::BoxError;
use crate::fail::Why;
use crate::upgrade::Duplex;

pub(super) type Ws = WebSocketStream<Box<dyn Duplex>>;

/// The half that reads, and pings meanwhile.
pub(super) struct Socket {
    shared: Arc<Shared>,
    pub(super) subject: Subject,
    pulse: Pulse,
    ended: bool,
}

struct Shared {
    ws: Mutex<Ws>,
    /// Who waits for room to write, or for everything to be out. The socket keeps one waker for all that write.
    writers: Arc<Wakers>,
}

impl Socket {
    pub(super) fn new(ws: Ws, subject: Subject) -> Self {
        let shared = Arc::new(Shared { ws: Mutex::new(ws), writers: Arc::default() });
        Self { shared, subject, pulse: Pulse::new(), ended: false }
    }

    /// The half that writes.
    pub(super) fn sender(&self) -> Sender {
        Sender { shared: Arc::clone(&self.shared), name: self.shared.writers.name() }
    }

    /// The next message; `None` at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Why> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, Why>> {
        loop {
            if self.ended {
                return Poll::Ready(Ok(None));
            }
            let message = Pin::new(&mut *self.shared.lock()).poll_next(cx);
            let message = match message {
                Poll::Ready(message) => message,
                Poll::Pending => {
                    let asked = match ready!(self.pulse.poll(cx)) {
                        Due::Ping => self.ping(),
                        Due::Late => Err(Why::Deadline(PATIENCE)),
                    };
                    if let Err(why) = asked {
                        self.ended = true;
                        return Poll::Ready(Err(why));
                    }
                    continue;
                }
            };
            self.pulse.hear();
            match message {
                Some(Ok(Message::Binary(bytes))) => return Poll::Ready(Ok(Some(bytes))),
                Some(Ok(Message::Text(text))) => return Poll::Ready(Ok(Some(text.into()))),
                // The answer to it is sent by the next read or write.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Close(_))) | None => self.ended = true,
                Some(Err(error)) => {
                    self.ended = true;
                    return Poll::Ready(Err(Why::Broken(broken(error))));
                }
            }
        }
    }

    /// Asks for a sign of life.
    fn ping(&self) -> Result<(), Why> {
        let mut ws = self.shared.lock();
        let mut ws = Pin::new(&mut *ws);
        // Those who wait to write are woken in its place.
        let waker = Waker::from(Arc::clone(&self.shared.writers));
        let mut cx = Context::from_waker(&waker);
        if ws.as_mut().poll_ready(&mut cx).is_ready() {
            let ping = Message::Ping(Bytes::new());
            ws.as_mut().start_send(ping).map_err(|error| Why::Broken(broken(error)))?;
            // What does not go now goes with the next message or ping.
            let _flushed = ws.poll_flush(&mut cx);
        }
        Ok(())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Ws> {
        self.ws.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of those who write. One message at a time: the caller holds it by `&mut`.
pub(super) struct Sender {
    shared: Arc<Shared>,
    name: u64,
}

impl Sender {
    /// Sends a message. Dropping the future may or may not have sent it.
    pub(super) async fn send(&mut self, message: Bytes) -> Result<(), Why> {
        poll_fn(|cx| self.poll_room(cx)).await?;
        self.put(message)?;
        poll_fn(|cx| self.poll_flush(cx)).await
    }

    /// Ready when a message may be put.
    pub(super) fn poll_room(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Why>> {
        self.poll(cx, |ws, cx| ws.poll_ready(cx))
    }

    /// Puts a message, which goes out with the next flush at the latest.
    pub(super) fn put(&mut self, message: Bytes) -> Result<(), Why> {
        let mut ws = self.shared.lock();
        let put = Pin::new(&mut *ws).start_send(Message::Binary(message));
        put.map_err(|error| Why::Broken(broken(error)))
    }

    /// Ready when everything is out.
    pub(super) fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Why>> {
        self.poll(cx, |ws, cx| ws.poll_flush(cx))
    }

    /// Ends the stream.
    pub(super) fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Why>> {
        self.poll(cx, |ws, cx| ws.poll_close(cx))
    }

    fn poll(
        &mut self,
        cx: &mut Context<'_>,
        step: impl FnOnce(Pin<&mut Ws>, &mut Context<'_>) -> Poll<Result<(), WsError>>,
    ) -> Poll<Result<(), Why>> {
        let writers = &self.shared.writers;
        writers.wait(self.name, cx.waker());
        let waker = Waker::from(Arc::clone(writers));
        let done = step(Pin::new(&mut *self.shared.lock()), &mut Context::from_waker(&waker));
        if done.is_ready() {
            writers.leave(self.name);
            // There may be room for the others now, too.
            waker.wake();
        }
        done.map_err(|error| Why::Broken(broken(error)))
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.shared.writers.leave(self.name);
    }
}

/// What may go wrong below, without the crate's own type.
fn broken(error: WsError) -> BoxError {
    match error {
        WsError::Io(error) => error.into(),
        other => other.to_string().into(),
    }
}

impl fmt::Debug for Socket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Socket({})", self.subject)
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sender")
    }
}
