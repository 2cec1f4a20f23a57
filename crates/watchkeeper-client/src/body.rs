//! The one body type of requests and answers.
//!
//! A request's body is known whole; an answer's is whatever the service brings, frame by frame.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};

/// An error of a service or of its body, before it becomes ours.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

type Stream = Pin<Box<dyn HttpBody<Data = Bytes, Error = BoxError> + Send>>;

/// A request's or an answer's body.
pub struct Body(Inner);

enum Inner {
    /// All the bytes, until they are taken.
    Whole(Bytes),
    /// Frames still to come.
    Stream(Stream),
}

impl Body {
    /// A body of no bytes.
    #[must_use]
    pub fn empty() -> Self {
        Self(Inner::Whole(Bytes::new()))
    }

    /// Any body, boxed.
    pub fn new<B>(body: B) -> Self
    where
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Self(Inner::Stream(Box::pin(Erased { body: Box::pin(body) })))
    }

    /// The same body once more, so that a request can be sent again; `None` of one that comes in frames.
    #[must_use]
    pub fn again(&self) -> Option<Self> {
        match &self.0 {
            Inner::Whole(bytes) => Some(Self(Inner::Whole(bytes.clone()))),
            Inner::Stream(_) => None,
        }
    }

    /// The next data frame; `None` at the end. Trailers are passed over.
    ///
    /// # Errors
    /// What the service says of a broken stream.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub async fn data(&mut self) -> Result<Option<Bytes>, BoxError> {
        loop {
            let frame = poll_fn(|cx| Pin::new(&mut *self).poll_frame(cx)).await;
            match frame.transpose()?.map(Frame::into_data) {
                None => return Ok(None),
                Some(Ok(data)) => return Ok(Some(data)),
                Some(Err(_trailers)) => {}
            }
        }
    }

    /// All of it, at most `limit` bytes.
    ///
    /// # Errors
    /// A broken stream, or more than `limit` bytes.
    ///
    /// # Cancel safety
    /// Dropping the future ends the request; what was read of the answer is lost with it.
    pub async fn collect(mut self, limit: usize) -> Result<Bytes, BoxError> {
        let Some(first) = self.data().await? else { return Ok(Bytes::new()) };
        let Some(mut next) = self.data().await? else { return within(limit, first) };
        let mut all = Vec::from(first);
        loop {
            if all.len().saturating_add(next.len()) > limit {
                return Err(too_large(limit));
            }
            all.extend_from_slice(&next);
            match self.data().await? {
                Some(more) => next = more,
                None => return Ok(all.into()),
            }
        }
    }
}

fn within(limit: usize, bytes: Bytes) -> Result<Bytes, BoxError> {
    if bytes.len() > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn too_large(limit: usize) -> BoxError {
    format!("the answer is larger than {limit} bytes").into()
}

impl Default for Body {
    fn default() -> Self {
        Self::empty()
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self(Inner::Whole(bytes))
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Bytes::from(text).into()
    }
}

impl From<&'static str> for Body {
    fn from(text: &'static str) -> Self {
        Bytes::from_static(text.as_bytes()).into()
    }
}

/// Tells the size, never the content: bodies hold secrets.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Inner::Whole(bytes) => write!(f, "Body({} bytes)", bytes.len()),
            Inner::Stream(_) => f.write_str("Body(stream)"),
        }
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match &mut self.0 {
            Inner::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Inner::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Inner::Stream(stream) => stream.as_mut().poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Inner::Whole(bytes) => bytes.is_empty(),
            Inner::Stream(stream) => stream.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inner::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Inner::Stream(stream) => stream.size_hint(),
        }
    }
}

/// A body whose error is boxed on the way.
struct Erased<B> {
    body: Pin<Box<B>>,
}

impl<B> HttpBody for Erased<B>
where
    B: HttpBody<Data = Bytes>,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        self.body.as_mut().poll_frame(cx).map_err(Into::into)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
