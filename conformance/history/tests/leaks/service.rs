//! A server that stops answering where it is told to, and counts who is still asking.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body::Frame;
use watchkeeper_client::{Body, BoxError, Client, status_answer};

use crate::usage::until;

mod words;

/// How far the server lets its clients come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It is not asked: nobody runs the cache.
    Idle,
    /// It does not say what it serves.
    Discovering,
    /// It has said half of what it serves.
    HalfDiscovered,
    /// It does not answer.
    Asking,
    /// It refuses connections.
    BackingOff,
    /// Half of a list has come.
    HalfAList,
    /// A page has come, and the next is asked for.
    BetweenPages,
    /// Some of the initial events have come, and half of one more.
    Initial,
    /// The copy follows, and nothing happens.
    Watching,
    /// More has happened than the handlers have been told.
    Busy,
    /// A resync is due.
    Resyncing,
    /// An own write is under way, and its reader waits.
    Writing,
    /// An own write was answered and has not come, and its reader waits.
    Behind,
    /// The answer to an own write was lost: the server is asked what became of it, and its reader waits.
    Inquiring,
}

impl Stage {
    pub(crate) const ALL: [Self; 14] = [
        Self::Idle,
        Self::Discovering,
        Self::HalfDiscovered,
        Self::Asking,
        Self::BackingOff,
        Self::HalfAList,
        Self::BetweenPages,
        Self::Initial,
        Self::Watching,
        Self::Busy,
        Self::Resyncing,
        Self::Writing,
        Self::Behind,
        Self::Inquiring,
    ];

    /// Whether it is before anybody asks for objects whose kind is known.
    pub(crate) const fn is_of_discovery(self) -> bool {
        matches!(self, Self::Discovering | Self::HalfDiscovered)
    }

    /// Whether the copy has its first list.
    pub(crate) const fn is_synced(self) -> bool {
        matches!(self, Self::Watching | Self::Busy | Self::Resyncing) || self.is_of_writes()
    }

    /// Whether this process writes, and reads that.
    pub(crate) const fn is_of_writes(self) -> bool {
        matches!(self, Self::Writing | Self::Behind | Self::Inquiring)
    }

    /// Whether a request is under way.
    pub(crate) const fn is_open(self) -> bool {
        !matches!(self, Self::Idle | Self::BackingOff)
    }
}

/// How many requests, and their answers, are under way, and how many there were for objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open {
    now: Arc<AtomicUsize>,
    ever: Arc<AtomicUsize>,
}

impl Open {
    pub(crate) fn count(&self) -> usize {
        self.now.load(Ordering::Relaxed)
    }

    pub(crate) fn ever(&self) -> usize {
        self.ever.load(Ordering::Relaxed)
    }

    /// Waits for the request that is under way for as long as the stage lasts.
    pub(crate) async fn asked(&self, stage: Stage) {
        let objects = usize::from(!stage.is_of_discovery());
        let is_asked = || self.count() > 0 && self.ever() >= objects;
        if stage.is_open() {
            until("a request is under way", is_asked).await;
        }
    }

    /// One more.
    pub(crate) fn one(&self) -> One {
        self.ever.fetch_add(1, Ordering::Relaxed);
        self.question()
    }

    /// One that is not for objects.
    fn question(&self) -> One {
        self.now.fetch_add(1, Ordering::Relaxed);
        One(Arc::clone(&self.now))
    }
}

/// One request under way.
pub(crate) struct One(Arc<AtomicUsize>);

impl Drop for One {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Bytes, and then the end, or nothing more as long as it is held.
struct Held {
    text: Option<Bytes>,
    ends: bool,
    _one: One,
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match self.text.take() {
            Some(text) => Poll::Ready(Some(Ok(Frame::data(text)))),
            None if self.ends => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

/// A client of this server.
pub(crate) fn client(stage: Stage, open: &Open) -> Client {
    let open = open.clone();
    Client::unconnected().intercept(move |request, _| answer(stage, &open, &request))
}

/// The answer to a request, which is under way until all of both is dropped.
pub(crate) fn answer<B>(
    stage: Stage,
    open: &Open,
    request: &Request<B>,
) -> impl Future<Output = Result<Response<Body>, BoxError>> + Send + use<B> {
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let one = if words::is_discovery(&uri) { open.question() } else { open.one() };
    async move {
        let Some((text, ends)) = words::said(stage, &method, &uri).await? else {
            return Ok(status_answer(422, "Invalid", "no"));
        };
        Ok(Response::new(Body::new(Held { text: Some(text.into()), ends, _one: one })))
    }
}
