//! A server that the test plays: it sees every request and answers when and as it likes.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body::Frame;
use tokio::sync::{mpsc, oneshot};
use watchkeeper_api::pb;
use watchkeeper_client::{Body, BoxError, Client, Codec};

use crate::CODEC;

type Answer = Result<Response<Stream>, BoxError>;

/// The server's side.
pub(crate) struct Server {
    calls: mpsc::UnboundedReceiver<Call>,
}

/// A request that waits for its answer.
pub(crate) struct Call {
    pub(crate) request: String,
    answer: oneshot::Sender<Answer>,
}

/// The open end of an answer.
pub(crate) struct Open(mpsc::UnboundedSender<Bytes>);

/// A body that is written while it is read.
pub(crate) struct Stream(mpsc::UnboundedReceiver<Bytes>);

/// A client, and the server it talks to.
pub(crate) fn server() -> (Client, Server) {
    let (calls, received) = mpsc::unbounded_channel();
    (Client::new(Service(calls)).codec(CODEC), Server { calls: received })
}

impl Server {
    /// The next request.
    pub(crate) async fn call(&mut self) -> Call {
        // The clock is paused: it moves this far only if nobody is going to ask.
        let hour = std::time::Duration::from_secs(3600);
        let call = tokio::time::timeout(hour, self.calls.recv()).await;
        call.expect("nobody asks for anything").expect("the client is gone")
    }

    /// The next request, which must be this: method, path, and the parameters that say something about what
    /// is asked for.
    pub(crate) async fn expect(&mut self, request: &str) -> Call {
        let call = self.call().await;
        assert_eq!(call.request, request);
        call
    }

    /// Whether nobody asks for anything.
    pub(crate) fn is_quiet(&mut self) -> bool {
        self.calls.try_recv().is_err()
    }
}

impl Call {
    pub(crate) fn answer(self, status: u16, body: &str) {
        drop(self.open_as(status, body.as_bytes()));
    }

    /// Answers with a list of `items`.
    pub(crate) fn list(self, version: &str, more: &str, items: &[String]) {
        if CODEC == Codec::Protobuf {
            return drop(self.open_as(200, &message::list(version, more, items)));
        }
        let items = items.join(",");
        self.answer(200, &format!(
            r#"{{"kind":"ConfigMapList","apiVersion":"v1","metadata":{{"resourceVersion":"{version}","continue":"{more}"}},"items":[{items}]}}"#
        ));
    }

    /// Answers with what is no list, in protobuf where there is such a thing.
    pub(crate) fn foreign(self, body: &str) {
        match pb::body_from_json(body) {
            Ok(message) if CODEC == Codec::Protobuf => drop(self.open_as(200, &message)),
            _ => self.answer(200, body),
        }
    }

    /// Answers with a Status.
    pub(crate) fn refuse(self, code: u16, reason: &str) {
        self.answer(code, &status(code, reason));
    }

    /// Answers with a stream.
    pub(crate) fn open(self) -> Open {
        self.open_as(200, b"")
    }

    /// Whether nobody waits for the answer any more.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.answer.is_closed()
    }

    /// There is no answer.
    pub(crate) fn break_off(self) {
        let refused = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let _ = self.answer.send(Err(refused.into()));
    }

    fn open_as(self, status: u16, start: &[u8]) -> Open {
        let (open, body) = mpsc::unbounded_channel();
        let mut response = Response::builder().status(status);
        // What is no JSON says so; of the others the client looks at the bytes.
        if CODEC == Codec::Protobuf && !start.starts_with(b"{") {
            response = response.header("Content-Type", pb::WATCH_CONTENT_TYPE);
        }
        let response = response.body(Stream(body)).unwrap();
        let _ = self.answer.send(Ok(response));
        let open = Open(open);
        if !start.is_empty() {
            open.write(start);
        }
        open
    }
}

impl Open {
    fn write(&self, bytes: &[u8]) {
        self.0.send(Bytes::copy_from_slice(bytes)).expect("the watch is still read");
    }

    pub(crate) fn event(&self, verb: &str, object: &str) {
        if CODEC == Codec::Protobuf {
            return self.write(&message::event(verb, object));
        }
        self.write(format!("{{\"type\":\"{verb}\",\"object\":{object}}}\n").as_bytes());
    }

    pub(crate) fn bookmark(&self, version: &str) {
        self.event("BOOKMARK", &format!(
            r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"resourceVersion":"{version}"}}}}"#
        ));
    }

    /// The present state has been sent.
    pub(crate) fn end_of_state(&self, version: &str) {
        self.event("BOOKMARK", &format!(
            r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"resourceVersion":"{version}","annotations":{{"k8s.io/initial-events-end":"true"}}}}}}"#
        ));
    }

    pub(crate) fn error(&self, code: u16, reason: &str) {
        self.event("ERROR", &status(code, reason));
    }

    /// Waits until nobody reads this any more.
    pub(crate) async fn abandoned(&self) {
        let hour = std::time::Duration::from_secs(3600);
        tokio::time::timeout(hour, self.0.closed()).await.expect("it is still read");
    }
}

/// What is in an object that cannot be read.
pub(crate) const SECRET: &str = "hunter2";

/// A config map: `name@version` or `name#uid@version`.
pub(crate) fn map(text: &str) -> String {
    let (rest, version) = text.split_once('@').unwrap();
    let (name, uid) = rest.split_once('#').unwrap_or((rest, rest));
    format!(
        r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"{name}","namespace":"default","uid":"{uid}","resourceVersion":"{version}"}},"data":{{"version":"{version}"}}}}"#
    )
}

fn status(code: u16, reason: &str) -> String {
    format!(
        r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","message":"the server says {reason}","reason":"{reason}","code":{code}}}"#
    )
}

#[derive(Clone)]
struct Service(mpsc::UnboundedSender<Call>);

impl tower_service::Service<Request<Body>> for Service {
    type Response = Response<Stream>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Answer> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let (answer, answered) = oneshot::channel();
        let _ = self.0.send(Call { request: show(&request), answer });
        Box::pin(async move { answered.await? })
    }
}

/// Without what is the same in every request.
fn show(request: &Request<Body>) -> String {
    let noise = ["allowWatchBookmarks", "timeoutSeconds", "fieldManager", "watch"];
    let query = request.uri().query().unwrap_or_default();
    let mut text = request.method().to_string();
    if query.contains("watch=true") {
        assert!(query.contains("allowWatchBookmarks=true"), "{query}");
        text = "WATCH".to_owned();
    }
    text.push(' ');
    text.push_str(request.uri().path());
    let told =
        |parameter: &&str| !noise.iter().any(|name| parameter.starts_with(&format!("{name}=")));
    for parameter in query.split('&').filter(|p| !p.is_empty()).filter(told) {
        text.push(' ');
        text.push_str(parameter);
    }
    text
}

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// The same in protobuf.
mod message {
    use watchkeeper_api::core::v1::ConfigMap;
    use watchkeeper_api::meta::v1::ListMeta;
    use watchkeeper_api::{Metadata, json, pb};

    /// Bytes, a text or a message as a field; none is longer than two bytes of length tell.
    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let length = u16::try_from(bytes.len()).unwrap();
        let length = [length as u8 & 0x7f | 0x80, (length >> 7) as u8];
        [&[number << 3 | 2][..], &length, bytes].concat()
    }

    fn body(kind: &str, message: &[u8]) -> Vec<u8> {
        let names = [field(1, b"v1"), field(2, kind.as_bytes())].concat();
        [&pb::MAGIC[..], &field(1, &names), &field(2, message)].concat()
    }

    /// The message of a config map. Of one that is none the metadata can be read, and no more.
    fn map(text: &str) -> Vec<u8> {
        if let Ok(map) = json::from_str::<ConfigMap>(text) {
            return pb::to_vec(&map);
        }
        let Metadata { metadata, .. } = json::from_str::<Metadata<ConfigMap>>(text).unwrap();
        let map = ConfigMap { metadata, ..ConfigMap::default() };
        let secret = super::SECRET.as_bytes();
        let entry = field(2, &[field(1, secret), field(2, secret)].concat());
        [pb::to_vec(&map), entry, b"\x12\x02\x08\x01".to_vec()].concat()
    }

    pub(super) fn list(version: &str, more: &str, items: &[String]) -> Vec<u8> {
        let metadata = ListMeta {
            resource_version: version.into(),
            continue_: more.into(),
            ..ListMeta::default()
        };
        let mut list = field(1, &pb::to_vec(&metadata));
        items.iter().for_each(|item| list.extend(field(2, &map(item))));
        body("ConfigMapList", &list)
    }

    pub(super) fn event(verb: &str, object: &str) -> Vec<u8> {
        let object = pb::body_from_json(object).unwrap_or_else(|_| body("ConfigMap", &map(object)));
        let event = [field(1, verb.as_bytes()), field(2, &field(1, &object))].concat();
        let length = u32::try_from(event.len()).unwrap().to_be_bytes();
        [&length[..], &event].concat()
    }
}
