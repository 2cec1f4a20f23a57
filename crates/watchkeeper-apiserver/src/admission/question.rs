//! What a request must know before it goes on, and what it has learned.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::Value;

use crate::clock::Now;
use crate::convert::webhook::{Batch, Converted};
use crate::rng::Rng;

/// A call that a request waits for. Whoever drives the core makes it and sends
/// [`Input::Called`](crate::Input::Called).
#[derive(Clone, PartialEq, Eq)]
pub struct OutgoingCall {
    /// Tells the calls of a ticket apart.
    pub id: u64,
    /// Where to POST: `https://…`, without the query.
    pub url: String,
    /// How long the other side has, as it is told by `?timeout=`.
    pub timeout: Duration,
    /// The service that is meant, by namespace, name and port; its address is looked up.
    pub service: Option<(String, String, u16)>,
    /// The certificates to trust, as PEM.
    pub ca_bundle: Vec<u8>,
    /// The body, as JSON.
    pub body: Bytes,
}

/// Without the body: it may hold a secret.
impl fmt::Debug for OutgoingCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OutgoingCall({}, {}, {} bytes)", self.id, self.url, self.body.len())
    }
}

impl OutgoingCall {
    /// The call to whom a `clientConfig` names; none when it names nobody.
    pub(crate) fn new(config: &Value, timeout: Duration, review: &Value) -> Option<Self> {
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let service = &config["service"];
        let (url, service) = if service.is_object() {
            let (namespace, name) = (text(service, "namespace"), text(service, "name"));
            let port = service["port"].as_u64().and_then(|port| u16::try_from(port).ok());
            let (port, path) = (port.unwrap_or(443), text(service, "path"));
            let path = path.trim_start_matches('/');
            let url = format!("https://{name}.{namespace}.svc:{port}/{path}");
            (url, Some((namespace, name, port)))
        } else {
            (text(config, "url"), None)
        };
        if url.is_empty() {
            return None;
        }
        let ca_bundle = STANDARD.decode(text(config, "caBundle")).unwrap_or_default();
        Some(Self {
            id: 0,
            url,
            timeout,
            service,
            ca_bundle,
            body: Bytes::from(review.to_string()),
        })
    }

    /// The address with the query that tells the time limit.
    #[must_use]
    pub fn address(&self) -> String {
        format!("{}?timeout={}s", joined(&self.url), self.timeout.as_secs())
    }
}

/// A URL with the path that client-go makes of it: without segments that are empty or lead elsewhere, so
/// that `https://host//check/` is `https://host/check`. envtest writes such.
fn joined(url: &str) -> String {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url[host..].find('/').map_or(url.len(), |at| host + at);
    let mut segments = Vec::new();
    for segment in url[path..].split('/') {
        match segment {
            "" | "." => {}
            ".." => _ = segments.pop(),
            other => segments.push(other),
        }
    }
    format!("{}/{}", &url[..path], segments.join("/"))
}

/// Why there is no answer to a call, in the words of Go's HTTP client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallError(pub String);

/// What is asked: the same question need not be asked twice for one write.
#[derive(Clone, PartialEq)]
pub(crate) struct Topic {
    /// What tells the webhook from all others.
    pub hook: String,
    /// 1 when webhooks are asked again.
    pub round: u8,
    /// The request of the review, without its uid.
    pub request: Value,
}

/// Without the request: it may hold a secret.
impl fmt::Debug for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Topic({}, {})", self.hook, self.round)
    }
}

/// What a question is about.
#[derive(Debug)]
pub(crate) enum Subject {
    /// A write that somebody may change or refuse.
    Admission(Topic),
    /// Objects that are wanted in another version.
    Conversion(Batch),
}

/// A question.
#[derive(Debug)]
pub(crate) struct Question {
    pub subject: Subject,
    pub uid: String,
    pub call: OutgoingCall,
}

/// A question and its answer.
#[derive(Clone)]
pub(crate) struct Answered {
    pub topic: Topic,
    pub uid: String,
    pub answer: Result<Bytes, CallError>,
}

/// Without the answer: its patch may tell a secret.
impl fmt::Debug for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answered({:?}, {})", self.topic, self.uid)
    }
}

/// What outlives one try of a request.
#[derive(Debug)]
pub(crate) struct Session {
    /// When the request began; what it writes has this time.
    pub began: Now,
    /// Its own dice, thrown alike at each try.
    pub rng: Option<Rng>,
    pub known: Known,
}

/// What was learned at earlier tries.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// What webhooks say of the write.
    pub answers: Vec<Answered>,
    /// What was converted.
    pub conversions: Vec<Converted>,
    /// The revision that a read first looked at. It is answered from there, so a busy server does not
    /// make it ask for ever.
    pub pinned: Option<u64>,
}

/// A request that waits for answers.
#[derive(Debug)]
pub(crate) struct Asking {
    session: Session,
    pending: Vec<Pending>,
}

#[derive(Debug)]
struct Pending {
    id: u64,
    subject: Subject,
    uid: String,
    address: String,
    deadline: Now,
}

impl Asking {
    /// Lets the session wait, and gives the calls to be made.
    pub(crate) fn new(
        session: Session,
        questions: Vec<Question>,
        now: Now,
    ) -> (Self, Vec<OutgoingCall>) {
        let known = &session.known;
        let first = (known.answers.len() + known.conversions.len()) as u64;
        let (mut pending, mut calls) = (Vec::new(), Vec::new());
        for (id, Question { subject, uid, mut call }) in (first..).zip(questions) {
            call.id = id;
            let deadline = now.plus(call.timeout);
            pending.push(Pending { id, subject, uid, address: call.address(), deadline });
            calls.push(call);
        }
        (Self { session, pending }, calls)
    }

    /// When the first of the calls is given up.
    pub(crate) fn deadline(&self) -> Option<Now> {
        self.pending.iter().map(|pending| pending.deadline).min()
    }

    /// Takes an answer; one that nobody waits for any more is dropped.
    pub(crate) fn answer(&mut self, id: u64, answer: Result<Bytes, CallError>) {
        let Some(at) = self.pending.iter().position(|pending| pending.id == id) else { return };
        let Pending { subject, uid, .. } = self.pending.remove(at);
        let known = &mut self.session.known;
        match subject {
            Subject::Admission(topic) => known.answers.push(Answered { topic, uid, answer }),
            Subject::Conversion(batch) => known.conversions.push(batch.settle(&uid, answer)),
        }
    }

    /// Gives up the calls whose time is over.
    pub(crate) fn give_up(&mut self, now: Now) {
        let late: Vec<(u64, String)> = self
            .pending
            .iter()
            .filter(|pending| pending.deadline <= now)
            .map(|pending| (pending.id, pending.address.clone()))
            .collect();
        for (id, address) in late {
            let quoted = crate::error::quoted(&address);
            self.answer(id, Err(CallError(format!("Post {quoted}: context deadline exceeded"))));
        }
    }

    /// Whether all answers are there.
    pub(crate) fn is_complete(&self) -> bool {
        self.pending.is_empty()
    }

    /// Goes on with what was learned.
    pub(crate) fn into_session(self) -> Session {
        self.session
    }
}

#[cfg(test)]
mod tests;
