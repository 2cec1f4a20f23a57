//! A server that answers as it is told to, in the process.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt};
use http::{Request, Response};
use http_body::Frame;
use http_body_util::StreamBody;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

/// What an answer is made of.
pub enum Answer {
    /// One document.
    Json(u16, Value),
    /// A watch: each line so long after its beginning, read or not, and then either the end or nothing more.
    Watch { lines: Vec<(Duration, Value)>, stays_open: bool },
}

/// The requests so far: `LIST configmaps`, `WATCH configmaps`, or the method.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub fn count(&self, request: &str) -> usize {
        self.0.lock().expect("no panic").iter().filter(|told| *told == request).count()
    }

    fn tell(&self, request: &str) -> usize {
        let mut log = self.0.lock().expect("no panic");
        log.push(request.to_owned());
        log.iter().filter(|told| *told == request).count()
    }
}

/// A client of a server that answers each request by what it is, and how many such there were with it.
pub fn client(answer: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> (Client, Log) {
    let log = Log::default();
    let (told, answer) = (log.clone(), Arc::new(answer));
    let service = tower::service_fn(move |request: Request<Body>| {
        let what = name_of(&request);
        let answer = answer(&what, told.tell(&what));
        async move { Ok::<_, Infallible>(response(answer)) }
    });
    (Client::new(service, "default"), log)
}

fn name_of(request: &Request<Body>) -> String {
    let plural = request.uri().path().rsplit('/').next().unwrap_or_default();
    let is_watch = request.uri().query().is_some_and(|query| query.contains("watch=true"));
    let verb = match request.method().as_str() {
        "GET" if is_watch => "WATCH",
        "GET" => "LIST",
        other => other,
    };
    format!("{verb} {plural}")
}

type Frames = BoxStream<'static, Result<Frame<Bytes>, Infallible>>;

fn response(answer: Answer) -> Response<StreamBody<Frames>> {
    let (status, frames) = match answer {
        Answer::Json(status, value) => (status, stream::iter([frame(&value)]).boxed()),
        Answer::Watch { lines, stays_open } => {
            let begin = Instant::now();
            let lines = stream::iter(lines).then(move |(after, line)| async move {
                sleep_until(begin + after).await;
                frame(&line)
            });
            let frames =
                if stays_open { lines.chain(stream::pending()).boxed() } else { lines.boxed() };
            (200, frames)
        }
    };
    let mut response = Response::new(StreamBody::new(frames));
    *response.status_mut() = http::StatusCode::from_u16(status).expect("a status");
    response
}

fn frame(value: &Value) -> Result<Frame<Bytes>, Infallible> {
    Ok(Frame::data(format!("{value}\n").into()))
}

/// A map of this name and version.
pub fn map(name: &str, version: u64) -> Value {
    json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {
            "name": name, "namespace": "default", "uid": name, "resourceVersion": version.to_string(),
        },
    })
}

/// A list with these maps.
pub fn maps(version: u64, items: &[Value]) -> Answer {
    let metadata = json!({ "resourceVersion": version.to_string() });
    let list = json!({
        "apiVersion": "v1", "kind": "ConfigMapList", "metadata": metadata, "items": items,
    });
    Answer::Json(200, list)
}

/// A refusal.
pub fn status(code: u16, reason: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Status", "metadata": {}, "status": "Failure",
        "code": code, "reason": reason, "message": reason,
    })
}

/// A watch in which nothing happens.
pub fn silence() -> Answer {
    Answer::Watch { lines: Vec::new(), stays_open: true }
}
