//! Many connections to the ports of a pod over one WebSocket (`SPDY/3.1+portforward.k8s.io`).
//!
//! Nobody drives the tunnel but those who use it: whoever reads or writes moves everything that can move, and
//! wakes the others.

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use watchkeeper_api::error::Subject;

use super::pulse::{Due, PATIENCE, Pulse};
use super::session::{Opening, Pair, Reading, Session};
use super::socket::{Sender, Socket};
use super::wakers::Wakers;
use crate::fail::Why;

/// A WebSocket and the connections in it.
pub(super) struct Spdy {
    state: Mutex<State>,
    /// Who waits for the tunnel. It is the waker of the socket: whatever happens there, all look again.
    waiting: Arc<Wakers>,
    pub(super) subject: Subject,
}

struct State {
    socket: Socket,
    sender: Sender,
    session: Session,
    /// The pod's node; that of the API server is with the socket.
    pulse: Pulse,
    is_flushed: bool,
    over: Option<Over>,
}

/// Why nothing arrives any more.
#[derive(Clone)]
enum Over {
    Ended,
    Silent(Duration),
    Broken(String),
}

impl Over {
    fn why(self) -> Why {
        match self {
            Self::Ended => Why::Broken("the server ended the tunnel".into()),
            Self::Silent(patience) => Why::Deadline(patience),
            Self::Broken(what) => Why::Broken(what.into()),
        }
    }
}

impl Spdy {
    pub(super) fn new(socket: Socket) -> Arc<Self> {
        let (sender, subject) = (socket.sender(), socket.subject.clone());
        let (session, pulse) = (Session::default(), Pulse::new());
        let state = State { socket, sender, session, pulse, is_flushed: true, over: None };
        Arc::new(Self { state: Mutex::new(state), waiting: Arc::default(), subject })
    }

    /// Connects to a port, which the server has taken then.
    pub(super) async fn connect(self: &Arc<Self>, port: u16) -> Result<TunnelStream, Why> {
        let pair = {
            let mut state = self.lock();
            if let Some(over) = state.over.clone() {
                return Err(over.why());
            }
            state.session.open(port).map_err(|what| Why::Broken(what.into()))?
        };
        let [reader, writer] = [self.waiting.name(), self.waiting.name()];
        // From here on, dropping it tells the server.
        let stream = TunnelStream { spdy: Arc::clone(self), pair, reader, writer };
        let opened = |state: &mut State| match (state.session.opening(pair), state.over.clone()) {
            (Opening::Done, _) => Some(Ok(())),
            (Opening::Failed(what), _) => Some(Err(Why::Nonsense(what))),
            (Opening::Wait, over) => over.map(|over| Err(over.why())),
        };
        poll_fn(|cx| self.poll(reader, cx, opened)).await?;
        Ok(stream)
    }

    /// Keeps the tunnel alive, and tells why it ended.
    pub(super) async fn closed(&self) -> Why {
        let waiter = Waiter { spdy: self, name: self.waiting.name() };
        poll_fn(|cx| self.poll(waiter.name, cx, |state| state.over.clone())).await.why()
    }

    /// Whether it has ended, as far as somebody has seen.
    pub(super) fn is_closed(&self) -> bool {
        let state = self.lock();
        state.over.is_some() || state.session.is_going()
    }

    /// Moves what can move, then asks. Who gets no answer is woken when something has changed.
    fn poll<T>(
        &self,
        name: u64,
        cx: &mut Context<'_>,
        mut question: impl FnMut(&mut State) -> Option<T>,
    ) -> Poll<T> {
        let mut state = self.lock();
        self.waiting.wait(name, cx.waker());
        state.pump(&self.waiting, Some(name));
        let Some(answer) = question(&mut state) else { return Poll::Pending };
        self.waiting.leave(name);
        // What was written goes out, and there may be room for more to arrive.
        state.pump(&self.waiting, Some(name));
        Poll::Ready(answer)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Sends and receives what can be, and wakes whoever it may concern but `caller`.
    fn pump(&mut self, waiting: &Arc<Wakers>, caller: Option<u64>) {
        if self.over.is_some() {
            return;
        }
        let waker = Waker::from(Arc::clone(waiting));
        let mut cx = Context::from_waker(&waker);
        let has_changed = match self.step(&mut cx) {
            Ok(has_moved) => has_moved,
            Err(over) => {
                self.over = Some(over);
                true
            }
        };
        if has_changed {
            waiting.wake_others(caller);
        }
    }

    /// Whether anything has moved.
    fn step(&mut self, cx: &mut Context<'_>) -> Result<bool, Over> {
        let mut has_moved = self.send(cx)?;
        has_moved |= self.receive(cx)?;
        self.beat(cx)?;
        has_moved |= self.send(cx)?;
        Ok(has_moved)
    }

    /// Asks the pod's node for a sign of life when it is time to, or gives up.
    ///
    /// It is asked in the tunnel, too, because an API server whose node is gone says so to nobody who is silent:
    /// kube-apiserver waits for the next bytes of the client before it closes, and pings of the WebSocket, which
    /// it answers meanwhile, are none.
    fn beat(&mut self, cx: &mut Context<'_>) -> Result<(), Over> {
        // Who does not read hears nothing.
        while !self.session.is_full() {
            match self.pulse.poll(cx) {
                Poll::Ready(Due::Late) if self.session.owes_a_sign() => {
                    return Err(Over::Silent(PATIENCE));
                }
                Poll::Ready(_) => self.session.ping(),
                Poll::Pending => break,
            }
        }
        Ok(())
    }

    /// Whether there is more room to write now, or everything is out.
    fn send(&mut self, cx: &mut Context<'_>) -> Result<bool, Over> {
        let mut has_sent = false;
        while self.session.has_unsent() {
            self.is_flushed = false;
            match self.sender.poll_room(cx) {
                Poll::Ready(room) => room.map_err(over)?,
                Poll::Pending => return Ok(has_sent),
            }
            self.sender.put(self.session.unsent()).map_err(over)?;
            has_sent = true;
        }
        if !self.is_flushed
            && let Poll::Ready(flushed) = self.sender.poll_flush(cx)
        {
            flushed.map_err(over)?;
            self.is_flushed = true;
            has_sent = true;
        }
        Ok(has_sent)
    }

    /// Whether something has arrived.
    fn receive(&mut self, cx: &mut Context<'_>) -> Result<bool, Over> {
        let mut has_received = false;
        while !self.session.is_full() {
            match self.socket.poll_next(cx) {
                Poll::Ready(message) => {
                    let message = message.map_err(over)?.ok_or(Over::Ended)?;
                    self.pulse.hear();
                    let taken = self.session.take(message);
                    taken.map_err(|what| Over::Broken(what.to_owned()))?;
                    has_received = true;
                }
                Poll::Pending => break,
            }
        }
        Ok(has_received)
    }
}

fn over(why: Why) -> Over {
    match why {
        Why::Deadline(patience) => Over::Silent(patience),
        Why::Broken(error) => Over::Broken(error.to_string()),
        Why::Nonsense(what) | Why::Asked(what) => Over::Broken(what),
        Why::Refused(_) | Why::Unreadable(_) => Over::Broken("what came is no message".to_owned()),
    }
}

/// Somebody who waits, until dropped.
struct Waiter<'a> {
    spdy: &'a Spdy,
    name: u64,
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.spdy.waiting.leave(self.name);
    }
}

/// One connection. Dropping it tells the server that it is given up.
pub(super) struct TunnelStream {
    spdy: Arc<Spdy>,
    pair: Pair,
    /// Who waits when a read waits, and when a write does.
    reader: u64,
    writer: u64,
}

impl TunnelStream {
    fn failed(&self, why: Why) -> io::Error {
        io::Error::other(why.into_error(&self.spdy.subject))
    }
}

impl AsyncRead for TunnelStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (pair, most) = (self.pair, buffer.remaining());
        let read = self.spdy.poll(self.reader, cx, |state| {
            match (state.session.read(pair, most), state.over.clone()) {
                (Reading::Bytes(bytes), _) => Some(Ok(bytes)),
                (Reading::End, _) => Some(Ok(Default::default())),
                (Reading::Failed(what), _) => Some(Err(Why::Nonsense(what))),
                (Reading::Wait, over) => over.map(|over| Err(over.why())),
            }
        });
        buffer.put_slice(&ready!(read).map_err(|why| self.failed(why))?);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for TunnelStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        text: &[u8],
    ) -> Poll<io::Result<usize>> {
        if text.is_empty() {
            return Poll::Ready(Ok(0));
        }
        let pair = self.pair;
        let written = self.spdy.poll(self.writer, cx, |state| {
            if let Some(over) = state.over.clone() {
                return Some(Err(over.why()));
            }
            if state.session.is_over(pair) || state.session.is_finished(pair) {
                return Some(Ok(None));
            }
            let taken = state.session.write(pair, text);
            (taken > 0).then_some(Ok(Some(taken)))
        });
        match ready!(written).map_err(|why| self.failed(why))? {
            Some(taken) => Poll::Ready(Ok(taken)),
            None => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = self.spdy.poll(self.writer, cx, |state| match state.over.clone() {
            Some(over) => Some(Err(over.why())),
            None => (!state.session.has_unsent() && state.is_flushed).then_some(Ok(())),
        });
        Poll::Ready(ready!(flushed).map_err(|why| self.failed(why)))
    }

    /// Ends this direction alone: what the pod says still comes.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.spdy.lock().session.finish(self.pair);
        self.poll_flush(cx)
    }
}

impl Drop for TunnelStream {
    fn drop(&mut self) {
        let mut state = self.spdy.lock();
        state.session.give_up(self.pair);
        self.spdy.waiting.leave(self.reader);
        self.spdy.waiting.leave(self.writer);
        // What does not go now goes when somebody else reads or writes.
        state.pump(&self.spdy.waiting, None);
    }
}

impl fmt::Debug for Spdy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spdy({})", self.subject)
    }
}

impl fmt::Debug for TunnelStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TunnelStream").field("pair", &self.pair).finish_non_exhaustive()
    }
}
