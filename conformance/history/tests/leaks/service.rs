//! A server that stops answering where it is told to, and counts who is still asking.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::Response;
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
    /// Some of the initial events have come, and half of one more.
    Initial,
    /// The copy follows, and nothing happens.
    Watching,
    /// More has happened than the handlers have been told.
    Busy,
}

impl Stage {
    pub(crate) const ALL: [Self; 7] = [
        Self::Idle,
        Self::Asking,
        Self::BackingOff,
        Self::HalfAList,
        Self::Initial,
        Self::Watching,
        Self::Busy,
    ];

    /// Whether the copy has its first list.
    pub(crate) const fn is_synced(self) -> bool {
        matches!(self, Self::Watching | Self::Busy)
    }

    /// Whether a request is under way.
    pub(crate) const fn is_open(self) -> bool {
        !matches!(self, Self::Idle | Self::BackingOff)
    }
}

/// How many requests, and their answers, are under way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open(Arc<AtomicUsize>);

impl Open {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn one(&self) -> One {
        self.0.fetch_add(1, Ordering::Relaxed);
        One(Arc::clone(&self.0))
    }
}

/// One request under way.
struct One(Arc<AtomicUsize>);

impl Drop for One {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Bytes, and then nothing more, as long as it is held.
struct Held {
    text: Option<Bytes>,
    _one: One,
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        self.text.take().map_or(Poll::Pending, |text| Poll::Ready(Some(Ok(Frame::data(text)))))
    }
}

/// A client of this server.
pub(crate) fn client(stage: Stage, open: &Open) -> Client {
    let open = open.clone();
    Client::unconnected().intercept(move |request, _| {
        let one = open.one();
        async move {
            let query = request.uri().query().unwrap_or_default().to_owned();
            let text = match stage {
                Stage::Idle | Stage::Asking => never().await,
                Stage::BackingOff => {
                    return Err(io::Error::from(io::ErrorKind::ConnectionRefused).into());
                }
                Stage::HalfAList if query.contains("watch=true") => {
                    return Ok(status_answer(422, "Invalid", "no"));
                }
                Stage::HalfAList => {
                    let list = r#"{"kind":"ConfigMapList","apiVersion":"v1","items":["#.to_owned();
                    list + &map(1) + "," + &map(2) + r#",{"kind":"Conf"#
                }
                Stage::Initial => events("ADDED", 1..20) + r#"{"type":"ADD"#,
                Stage::Watching => events("ADDED", 1..20) + &end(20),
                Stage::Busy => events("ADDED", 1..20) + &end(20) + &events("MODIFIED", 21..400),
            };
            Ok(Response::new(Body::new(Held { text: Some(text.into()), _one: one })))
        }
    })
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
