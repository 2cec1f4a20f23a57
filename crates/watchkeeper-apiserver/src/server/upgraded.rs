//! A connection that stops to be HTTP, and who works at its other end.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf};

/// How many bytes may be on their way in each direction.
const ROOM: usize = 64 << 10;

/// Among the extensions of an answer 101: what the connection becomes. Listeners, and clients without a
/// socket, take it.
#[derive(Clone)]
pub struct Upgrade(Arc<Mutex<Option<Upgraded>>>);

impl fmt::Debug for Upgrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Upgrade")
    }
}

impl Upgrade {
    pub(crate) fn to<F>(work: impl FnOnce(DuplexStream) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (near, far) = tokio::io::duplex(ROOM);
        let upgraded =
            Upgraded { io: near, work: Some(Box::pin(work(far))), wakers: Arc::default() };
        Self(Arc::new(Mutex::new(Some(upgraded))))
    }

    /// The stream, once.
    #[must_use]
    pub fn take(&self) -> Option<Upgraded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The client's end of a connection. Whoever reads or writes it also drives the other end, and dropping it
/// ends that: there is no task.
pub struct Upgraded {
    io: DuplexStream,
    work: Option<Work>,
    wakers: Arc<Wakers>,
}

impl fmt::Debug for Upgraded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Upgraded")
    }
}

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Who reads and who writes may be two tasks: what the work waits for concerns both.
#[derive(Default)]
struct Wakers {
    reader: Mutex<Option<Waker>>,
    writer: Mutex<Option<Waker>>,
}

impl Wake for Wakers {
    fn wake(self: Arc<Self>) {
        for waker in [&self.reader, &self.writer] {
            let waker = waker.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }
}

fn listen(slot: &Mutex<Option<Waker>>, cx: &Context<'_>) {
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(cx.waker().clone());
}

impl Upgraded {
    /// The stream alone, and who works at its other end, for somebody who drives both.
    pub(crate) fn apart(self) -> (DuplexStream, impl Future<Output = ()> + Send) {
        let Self { io, work, .. } = self;
        let work = async move {
            if let Some(work) = work {
                work.await;
            }
        };
        (io, work)
    }

    fn drive(&mut self) {
        let waker = Waker::from(self.wakers.clone());
        if let Some(work) = &mut self.work
            && work.as_mut().poll(&mut Context::from_waker(&waker)).is_ready()
        {
            self.work = None;
        }
    }
}

impl AsyncRead for Upgraded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        listen(&self.wakers.reader, cx);
        self.drive();
        Pin::new(&mut self.io).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Upgraded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        listen(&self.wakers.writer, cx);
        let mut written = Pin::new(&mut self.io).poll_write(cx, bytes);
        self.drive();
        if written.is_pending() {
            written = Pin::new(&mut self.io).poll_write(cx, bytes);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let ended = Pin::new(&mut self.io).poll_shutdown(cx);
        self.drive();
        ended
    }
}
