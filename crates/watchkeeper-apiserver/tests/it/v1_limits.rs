//! V1.5: how many requests may be under way, and how long one may take.

use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::Frame;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tower_service::Service as _;
use watchkeeper_apiserver::hooks::{Admission, Arrival};
use watchkeeper_apiserver::{ApiServer, Hook};

use crate::support::*;

/// A revision that never comes.
const AHEAD: &str = "/api/v1/namespaces/default/configmaps?resourceVersion=1000";

fn tester(server: ApiServer) -> Client {
    Client { server, agent: "tester" }
}

/// Polls once.
async fn start<F: Future + ?Sized>(future: Pin<&mut F>) {
    let mut future = future;
    std::future::poll_fn(|cx| {
        assert!(future.as_mut().poll(cx).is_pending());
        Poll::Ready(())
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn v1_5_reads_beyond_the_limit_shall_come_again() {
    let client = tester(ApiServer::builder().max_requests_in_flight(2).build());
    let (mut one, mut two) = (pin!(client.get(AHEAD)), pin!(client.get(AHEAD)));
    start(one.as_mut()).await;
    start(two.as_mut()).await;
    let refused = client.get(CONFIG_MAPS).await;
    assert_eq!(refused.headers["retry-after"], "1");
    let status = refused.expect(429);
    assert_eq!(status["reason"], "TooManyRequests");
    assert_eq!(status["message"], "Too many requests, please try again later.");
    assert_eq!(status["details"], json!({"retryAfterSeconds": 1}));
    client.config_map("a", "1").await;
    assert_eq!(one.await.code, 504);
    client.get(CONFIG_MAPS).await.expect(200);
    assert_eq!(two.await.code, 504);
}

#[tokio::test(start_paused = true)]
async fn v1_5_a_client_that_leaves_makes_room() {
    let client = tester(ApiServer::builder().max_requests_in_flight(1).build());
    {
        let mut waits = pin!(client.get(AHEAD));
        start(waits.as_mut()).await;
        assert_eq!(client.get(CONFIG_MAPS).await.code, 429);
    }
    assert_eq!(client.get(CONFIG_MAPS).await.code, 200);
}

#[tokio::test(start_paused = true)]
async fn v1_5_watches_do_not_count() {
    let client = tester(ApiServer::builder().max_requests_in_flight(1).build());
    let ahead = format!("{CONFIG_MAPS}?watch=1&resourceVersion=1000");
    let watches = [client.watch(&ahead).await, client.watch(&ahead).await];
    let mut waits = pin!(client.get(AHEAD));
    start(waits.as_mut()).await;
    assert_eq!(client.get(CONFIG_MAPS).await.code, 429);
    let more = client.watch(&format!("/api/v1/watch/{}", &CONFIG_MAPS["/api/v1/".len()..])).await;
    assert_eq!(client.server.open_requests(), watches.len() + 2);
    drop(more);
}

/// Holds up everything that the path names.
struct Slow(&'static str, Duration);

impl Hook for Slow {
    fn on_arrival(&mut self, arrival: &Arrival<'_>) -> Admission {
        if arrival.path.ends_with(self.0) { Admission::Delay(self.1) } else { Admission::Proceed }
    }
}

#[tokio::test(start_paused = true)]
async fn v1_5_writes_have_a_limit_of_their_own() {
    let server = ApiServer::builder().max_mutating_requests_in_flight(1).build();
    server.add_hook(Slow("/slow", Duration::from_secs(5)));
    let client = tester(server);
    client.config_map("slow", "1").await;
    let path = format!("{CONFIG_MAPS}/slow");
    let change = json!({"data": {"value": "2"}});
    let mut slow = pin!(client.merge(&path, &change));
    start(slow.as_mut()).await;
    assert_eq!(client.post(CONFIG_MAPS, &json!({"metadata": {"name": "b"}})).await.code, 429);
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), ["slow"]);
    let begun = Instant::now();
    assert_eq!(slow.await.expect(200)["data"]["value"], "2");
    assert_eq!(begun.elapsed(), Duration::from_secs(5));
    client.post(CONFIG_MAPS, &json!({"metadata": {"name": "b"}})).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v1_5_without_a_limit_nobody_is_sent_away() {
    let client = tester(ApiServer::builder().max_requests_in_flight(0).build());
    let mut waiting: Vec<_> = (0..500).map(|_| Box::pin(client.get(AHEAD))).collect();
    for one in &mut waiting {
        start(one.as_mut()).await;
    }
    assert_eq!(client.get(CONFIG_MAPS).await.code, 200);
}

/// The time an answer took, and the answer.
async fn timed(answer: impl Future<Output = Answer>) -> (u64, Answer) {
    let begun = Instant::now();
    let answer = answer.await;
    (begun.elapsed().as_secs(), answer)
}

fn timeout(why: &str) -> Value {
    json!({
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": format!("Timeout: {why}"),
        "reason": "Timeout",
        "details": {},
        "code": 504,
    })
}

const ALLOTTED: &str = "request did not complete within the allotted timeout";

#[tokio::test(start_paused = true)]
async fn v1_5_delayed_requests_end_at_their_deadline() {
    let server = ApiServer::new();
    server.add_hook(Slow("/slow", Duration::from_secs(100)));
    let client = tester(server);
    client.config_map("slow", "1").await;
    let path = format!("{CONFIG_MAPS}/slow");
    let (seconds, answer) = timed(client.get(&path)).await;
    assert_eq!((seconds, answer.expect(504)), (60, timeout(ALLOTTED)));
    let (seconds, answer) = timed(client.merge(&path, &json!({"data": {"value": "2"}}))).await;
    let why = "request did not complete within requested timeout - context deadline exceeded";
    assert_eq!((seconds, answer.expect(504)), (34, timeout(why)));
    let list = client.get(CONFIG_MAPS).await.expect(200);
    assert_eq!(list["items"][0]["data"]["value"], "1", "what timed out was not done");
}

#[tokio::test(start_paused = true)]
async fn v1_5_a_request_may_ask_for_less_time() {
    let client = client();
    let (seconds, answer) = timed(client.get(&format!("{AHEAD}&timeout=1s"))).await;
    assert_eq!((seconds, answer.expect(504)), (1, timeout(ALLOTTED)));
    let (seconds, answer) = timed(client.get(&format!("{AHEAD}&timeout=10m"))).await;
    assert_eq!((seconds, answer.code), (3, 504));
    assert_eq!(
        client.get(&format!("{CONFIG_MAPS}?timeout=5")).await.line(),
        "400 BadRequest: invalid timeout specified in the request URL - time: missing unit in duration \"5\""
    );
}

/// A body whose parts come from elsewhere.
struct Trickle(mpsc::UnboundedReceiver<Bytes>);

impl http_body::Body for Trickle {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.poll_recv(cx).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

fn trickling(body: Trickle) -> http::Request<Trickle> {
    let request = http::Request::post(CONFIG_MAPS).header("content-type", "application/json");
    request.body(body).expect("a request")
}

#[tokio::test(start_paused = true)]
async fn v1_5_a_body_that_trickles_in_holds_nobody_up() {
    use http_body_util::BodyExt as _;

    let client = client();
    let (sender, body) = mpsc::unbounded_channel();
    let mut answer = client.server.clone().call(trickling(Trickle(body)));
    let begun = Instant::now();
    let trickle = async {
        for _ in 0..200 {
            sender.send(Bytes::from_static(b" ")).expect("still read");
            client.get(CONFIG_MAPS).await.expect(200);
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    let answer = tokio::select! {
        biased;
        answer = &mut answer => answer.expect("an answer"),
        () = trickle => panic!("read on"),
    };
    assert_eq!((answer.status().as_u16(), begun.elapsed().as_secs()), (504, 60));
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    assert_eq!(serde_json::from_slice::<Value>(&body).expect("JSON"), timeout(ALLOTTED));
    assert_eq!(client.server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn v1_5_a_body_may_take_its_time() {
    let client = client();
    let (sender, body) = mpsc::unbounded_channel();
    let mut answer = client.server.clone().call(trickling(Trickle(body)));
    start(answer.as_mut()).await;
    assert_eq!(client.server.open_requests(), 1, "it counts from its head on");
    for part in [r#"{"metadata":"#, r#"{"name":"a"}}"#] {
        tokio::time::sleep(Duration::from_secs(10)).await;
        sender.send(Bytes::from_static(part.as_bytes())).expect("still read");
    }
    drop(sender);
    assert_eq!(answer.await.expect("an answer").status(), 201);
}
