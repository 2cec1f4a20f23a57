//! A server whose objects change by themselves, twenty times in a second of its clock.
//!
//! What happens at a version is computed from the version, so nothing has to be remembered: version `v` is
//! about object `v % OBJECTS`, and deletes it when the object has been there for its fifth version. The next
//! one has another name, as pods of a deployment have, and no text of the old one comes again.

use std::fmt::Write as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Frame;
use tokio::time::{Instant, Sleep, sleep};
use watchkeeper_client::{Body, BoxError, Client, status_answer};

/// How many objects there are at a time.
pub(crate) const OBJECTS: u64 = 200;
/// Every so many rounds an object is deleted.
const LIFE: u64 = 5;
/// The time between two changes.
const STEP: Duration = Duration::from_millis(50);
/// How far back a watch may begin.
const REMEMBERED: u64 = 3_000;

/// The server.
#[derive(Clone)]
pub(crate) struct Churn {
    begin: Instant,
    asked: Arc<AtomicU64>,
    seed: u64,
}

impl Churn {
    pub(crate) fn new(seed: u64) -> Self {
        Self { begin: Instant::now(), asked: Arc::default(), seed }
    }

    pub(crate) fn client(self) -> Client {
        Client::unconnected().intercept(move |request, _| {
            let churn = self.clone();
            async move { churn.answer(&request) }
        })
    }

    /// What an object is called at this moment.
    pub(crate) fn name(&self, object: u64) -> String {
        name(object, life(last(object, self.version())))
    }

    /// The version at this moment. The first are those of a world that has been there for a while.
    fn version(&self) -> u64 {
        let steps = self.begin.elapsed().as_millis() / STEP.as_millis();
        OBJECTS * LIFE * 2 + u64::try_from(steps).unwrap_or(u64::MAX / 2)
    }

    fn answer(&self, request: &Request<Body>) -> Result<Response<Body>, BoxError> {
        if let Some((_, name)) = request.uri().path().split_once("/configmaps/") {
            return Ok(self.one(name));
        }
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + self.seed;
        if asked % 7 == 3 {
            return Err(io::Error::from(io::ErrorKind::ConnectionRefused).into());
        }
        let query = request.uri().query().unwrap_or_default();
        if query.contains("sendInitialEvents") {
            return Ok(status_answer(422, "Invalid", "not here"));
        }
        let from = query.split('&').find_map(|part| part.strip_prefix("resourceVersion="));
        let from: u64 = from.and_then(|version| version.parse().ok()).unwrap_or(0);
        if !query.contains("watch=true") {
            return Ok(Response::new(Body::from(self.list())));
        }
        // Now and then it has forgotten everything.
        if asked % 5 == 2 || from + REMEMBERED < self.version() {
            return Ok(status_answer(410, "Expired", "too old"));
        }
        let watch = Watched { churn: self.clone(), next: from + 1, left: 1_500, sleep: None };
        Ok(Response::new(Body::new(watch)))
    }

    fn one(&self, name: &str) -> Response<Body> {
        let object = name.split('-').nth(1).and_then(|object| object.parse().ok());
        let version = object.map(|object| last(object, self.version()));
        let version = version.filter(|v| !is_end(*v) && name == self::name(*v % OBJECTS, life(*v)));
        match version {
            Some(version) => Response::new(Body::from(map(version))),
            None => status_answer(404, "NotFound", "not here"),
        }
    }

    fn list(&self) -> String {
        let now = self.version();
        let last = (0..OBJECTS).map(|object| last(object, now));
        let there: Vec<String> = last.filter(|version| !is_end(*version)).map(map).collect();
        format!(
            r#"{{"kind":"ConfigMapList","apiVersion":"v1","metadata":{{"resourceVersion":"{now}"}},"items":[{}]}}"#,
            there.join(",")
        )
    }
}

/// Whether a version is the end of its object.
const fn is_end(version: u64) -> bool {
    version / OBJECTS % LIFE == LIFE - 1
}

/// The last version of an object, up to `now`.
const fn last(object: u64, now: u64) -> u64 {
    now - (now - object) % OBJECTS
}

/// Which one of those that there were of an object a version is about.
const fn life(version: u64) -> u64 {
    version / OBJECTS / LIFE
}

fn name(object: u64, life: u64) -> String {
    format!("web-{object}-{life:010}")
}

/// The object that a version is about, as it is then.
fn map(version: u64) -> String {
    let (object, life) = (version % OBJECTS, life(version));
    let name = name(object, life);
    let uid = format!("{object:08x}-{:04x}-4000-8000-{life:012x}", life & 0xffff);
    let text = format!("{name} ").repeat(10 + usize::try_from(object / 20).unwrap_or(0));
    format!(
        r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"{name}","namespace":"default","uid":"{uid}","labels":{{"app":"web","pod":"{name}"}},"resourceVersion":"{version}"}},"data":{{"pod":"{name}","text":"{text}","v":"{}"}}}}"#,
        version % 50
    )
}

/// A watch: what happened, and what happens.
struct Watched {
    churn: Churn,
    next: u64,
    left: u32,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        loop {
            if let Some(sleep) = &mut self.sleep {
                ready!(sleep.as_mut().poll(cx));
                self.sleep = None;
            }
            if self.left == 0 {
                return Poll::Ready(None);
            }
            let now = self.churn.version();
            if self.next > now {
                self.sleep = Some(Box::pin(sleep(STEP)));
                continue;
            }
            let (mut frames, last) = (String::new(), now.min(self.next + 20));
            for version in self.next..=last {
                let verb = match version / OBJECTS % LIFE {
                    0 => "ADDED",
                    round if round == LIFE - 1 => "DELETED",
                    _ => "MODIFIED",
                };
                let _infallible =
                    writeln!(frames, r#"{{"type":"{verb}","object":{}}}"#, map(version));
            }
            self.next = last + 1;
            self.left -= 1;
            return Poll::Ready(Some(Ok(Frame::data(frames.into()))));
        }
    }
}
