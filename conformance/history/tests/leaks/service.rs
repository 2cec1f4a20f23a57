//! A server that stops answering where it is told to, and counts who is still asking.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Method, Response};
use http_body::Frame;
use watchkeeper_client::{Body, BoxError, Client, status_answer};

use crate::never;

/// How far the server lets its clients come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It is not asked: nobody runs the cache.
    Idle,
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
    pub(crate) const ALL: [Self; 12] = [
        Self::Idle,
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

/// How many requests, and their answers, are under way, and how many there were.
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

    fn one(&self) -> One {
        self.now.fetch_add(1, Ordering::Relaxed);
        self.ever.fetch_add(1, Ordering::Relaxed);
        One(Arc::clone(&self.now))
    }
}

/// One request under way.
struct One(Arc<AtomicUsize>);

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
    Client::unconnected().intercept(move |request, _| {
        let one = open.one();
        async move {
            let query = request.uri().query().unwrap_or_default();
            let (text, ends) = match *request.method() {
                Method::GET if query.contains("watch=true") => (watch(stage).await?, false),
                Method::GET => list(stage, query.contains("continue=")).await,
                _ => (written(stage).await?, true),
            };
            let Some(text) = text else { return Ok(status_answer(422, "Invalid", "no")) };
            Ok(Response::new(Body::new(Held { text: Some(text.into()), ends, _one: one })))
        }
    })
}

/// What is sent of a watch; `None` if it is refused.
async fn watch(stage: Stage) -> Result<Option<String>, BoxError> {
    let present = || events("ADDED", 1..20);
    Ok(match stage {
        Stage::Idle | Stage::Asking => never().await,
        Stage::BackingOff => return Err(io::Error::from(io::ErrorKind::ConnectionRefused).into()),
        Stage::HalfAList | Stage::BetweenPages => None,
        Stage::Initial => Some(present() + r#"{"type":"ADD"#),
        Stage::Busy => Some(present() + &end(20) + &events("MODIFIED", 21..400)),
        Stage::Watching | Stage::Resyncing | Stage::Writing | Stage::Behind | Stage::Inquiring => {
            Some(present() + &end(20))
        }
    })
}

/// What is sent of a list, and whether that is all of it.
async fn list(stage: Stage, is_later_page: bool) -> (Option<String>, bool) {
    let head = r#"{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"continue":"x"},"items":["#;
    let objects = head.to_owned() + &map(1) + "," + &map(2);
    match stage {
        Stage::HalfAList => (Some(objects + r#",{"kind":"Conf"#), false),
        Stage::BetweenPages if !is_later_page => (Some(objects + "]}"), true),
        _ => never().await,
    }
}

/// What is answered to a write.
async fn written(stage: Stage) -> Result<Option<String>, BoxError> {
    match stage {
        Stage::Behind => Ok(Some(map(1001))),
        Stage::Inquiring => Err(io::Error::from(io::ErrorKind::ConnectionReset).into()),
        _ => never().await,
    }
}

fn map(version: u32) -> String {
    let name = version % 20;
    let text = "x".repeat(300);
    format!(
        r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"o-{name}","namespace":"default","uid":"{name}","resourceVersion":"{version}"}},"data":{{"text":"{text}"}}}}"#
    )
}

fn events(verb: &str, versions: std::ops::Range<u32>) -> String {
    let event = |version| format!("{{\"type\":\"{verb}\",\"object\":{}}}\n", map(version));
    versions.map(event).collect()
}

fn end(version: u32) -> String {
    let end = r#""annotations":{"k8s.io/initial-events-end":"true"}"#;
    format!(
        "{{\"type\":\"BOOKMARK\",\"object\":{{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{{\"resourceVersion\":\"{version}\",{end}}}}}}}\n"
    )
}
