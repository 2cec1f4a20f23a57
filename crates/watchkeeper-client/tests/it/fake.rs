//! A server that answers what the test says, in order, and remembers what it was asked.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Frame;
use tokio::time::{Sleep, sleep};
use tower_service::Service;
use watchkeeper_client::{Body, BoxError, Client};

/// One answer.
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    chunks: Vec<Bytes>,
    end: End,
    /// How long each chunk is waited for.
    pace: Duration,
}

/// How an answer ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Clean,
    /// The connection breaks.
    Reset,
    /// Nothing more comes.
    Silence,
    /// There is not even a head.
    NoHead,
    /// The connection breaks before the head.
    ResetBeforeHead,
}

pub(crate) fn ok(body: &str) -> Answer {
    status(200, body)
}

pub(crate) fn status(status: u16, body: &str) -> Answer {
    Answer { status, ..bytes_of(body.as_bytes()) }
}

pub(crate) fn bytes_of(body: &[u8]) -> Answer {
    let chunks = vec![Bytes::copy_from_slice(body)];
    Answer { status: 200, headers: Vec::new(), chunks, end: End::Clean, pace: Duration::ZERO }
}

pub(crate) fn silence() -> Answer {
    Answer { end: End::NoHead, ..ok("") }
}

pub(crate) fn reset() -> Answer {
    Answer { end: End::ResetBeforeHead, ..ok("") }
}

impl Answer {
    pub(crate) fn retry_after(mut self, seconds: u32) -> Self {
        self.headers.push(("Retry-After", seconds.to_string()));
        self
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The same bytes in pieces of `size`.
    pub(crate) fn sliced(mut self, size: usize) -> Self {
        let all: Vec<u8> = self.chunks.concat();
        self.chunks = all.chunks(size).map(Bytes::copy_from_slice).collect();
        self
    }

    /// Each piece comes `pace` after the one before.
    pub(crate) fn paced(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }

    /// The same bytes in pieces of these sizes, over and over. Without any it stays whole.
    pub(crate) fn cut(mut self, sizes: &[u8]) -> Self {
        let mut rest = Bytes::from(std::mem::take(&mut self.chunks).concat());
        let mut sizes = sizes.iter().map(|size| usize::from(*size).max(1)).cycle();
        while !rest.is_empty() {
            let size = sizes.next().unwrap_or(rest.len()).min(rest.len());
            self.chunks.push(rest.split_to(size));
        }
        self
    }

    pub(crate) fn then_reset(mut self) -> Self {
        self.end = End::Reset;
        self
    }

    pub(crate) fn then_silence(mut self) -> Self {
        self.end = End::Silence;
        self
    }
}

/// The server.
#[derive(Clone, Default)]
pub(crate) struct Fake(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    answers: VecDeque<Answer>,
    asked: Vec<String>,
}

impl Fake {
    pub(crate) fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        let state = State { answers: answers.into_iter().collect(), asked: Vec::new() };
        Self(Arc::new(Mutex::new(state)))
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.clone())
    }

    /// What was asked since the last time: `GET /api/v1/pods`.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().asked)
    }
}

impl Service<Request<Body>> for Fake {
    type Response = Response<Chunks>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Chunks>, BoxError>> + Send>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let mut state = self.0.lock().unwrap();
        state.asked.push(format!("{} {}", request.method(), request.uri()));
        let answer = state.answers.pop_front().expect("no more answers");
        Box::pin(async move {
            match answer.end {
                End::NoHead => std::future::pending().await,
                End::ResetBeforeHead => Err(io::Error::from(io::ErrorKind::ConnectionReset).into()),
                End::Clean | End::Reset | End::Silence => {
                    let mut response = Response::builder().status(answer.status);
                    for (name, value) in answer.headers {
                        response = response.header(name, value);
                    }
                    let chunks = answer.chunks.into();
                    let Answer { end, pace, .. } = answer;
                    Ok(response.body(Chunks { chunks, end, pace, next: None })?)
                }
            }
        })
    }
}

/// A body in pieces.
pub(crate) struct Chunks {
    chunks: VecDeque<Bytes>,
    end: End,
    pace: Duration,
    next: Option<Pin<Box<Sleep>>>,
}

impl http_body::Body for Chunks {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let pace = self.pace;
        if !pace.is_zero() {
            let next = self.next.get_or_insert_with(|| Box::pin(sleep(pace)));
            ready!(next.as_mut().poll(cx));
            self.next = None;
        }
        if let Some(chunk) = self.chunks.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(chunk))));
        }
        match self.end {
            End::Reset => Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into()))),
            End::Silence => Poll::Pending,
            _ => Poll::Ready(None),
        }
    }
}
