//! What is answered, and to whom.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::Request;
use tokio::time::advance;
use watchkeeper_apiserver::{ApiServer, User};
use watchkeeper_client::status_answer;

use super::*;

fn endpoint() -> MetricsEndpoint {
    MetricsEndpoint::new("0", |text| {
        text.push_str("# EOF\n");
        Ok(())
    })
}

fn answers(endpoint: MetricsEndpoint, reviews: Option<Client>) -> Arc<dyn Answers> {
    MetricsEndpoint::answers(endpoint.pages, reviews)
}

async fn asked(answers: &Arc<dyn Answers>, request: &str, token: &str) -> (u16, String) {
    let (method, target) = request.split_once(' ').expect("a method and a target");
    let mut request = Request::builder().method(method).uri(target);
    if !token.is_empty() {
        request = request.header("authorization", token);
    }
    let (request, ()) = request.body(()).expect("a request").into_parts();
    let (head, body) = Arc::clone(answers).answer(request, Body::empty()).await.into_parts();
    let body = body.collect(1 << 20).await.expect("a body");
    (head.status.as_u16(), String::from_utf8(body.to_vec()).expect("text"))
}

fn said(status: u16, text: &str) -> (u16, String) {
    (status, text.to_owned())
}

#[tokio::test]
async fn metrics_and_pages_are_told_and_nothing_else() {
    let page = async |request: Parts| Response::new(Body::from(request.uri.to_string()));
    let answers = answers(endpoint().page("/debug/a", page).page("/metrics", page), None);
    assert_eq!(asked(&answers, "GET /metrics", "").await, said(200, "# EOF\n"));
    assert_eq!(asked(&answers, "GET /debug/a?b", "").await, said(200, "/debug/a?b"));
    assert_eq!(asked(&answers, "POST /metrics", "").await.0, 405);
    for missing in ["GET /", "GET /metrics/", "GET /debug"] {
        assert_eq!(asked(&answers, missing, "").await, said(404, "404 page not found\n"));
    }
    let (request, ()) = Request::get("/metrics").body(()).expect("a request").into_parts();
    let kind =
        Arc::clone(&answers).answer(request, Body::empty()).await.headers()["content-type"].clone();
    assert_eq!(kind, OPEN_METRICS);
}

#[tokio::test]
async fn metrics_that_cannot_be_written_are_an_error() {
    let answers = answers(MetricsEndpoint::new("0", |_text| Err(fmt::Error)), None);
    let cannot = said(500, "the metrics cannot be written\n");
    assert_eq!(asked(&answers, "GET /metrics", "").await, cannot);
}

/// A server with three users, and a client that counts what it is asked.
fn world() -> (Client, Arc<AtomicUsize>) {
    let monitor = User::new("prometheus").in_group("system:monitoring");
    let server = ApiServer::builder().rbac().user("m", monitor).user("a", User::new("alice"));
    let client = Client::new(server.build().acting_as(User::admin()));
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let client = client.intercept(move |request, next| {
        counted.fetch_add(1, Ordering::Relaxed);
        next.send(request)
    });
    (client, count)
}

#[tokio::test(start_paused = true)]
async fn only_who_may_is_told() {
    let (client, _) = world();
    let page = async |_: Parts| Response::new(Body::from("secret"));
    let answers = answers(endpoint().page("/debug", page).authorized(), Some(client));
    assert_eq!(asked(&answers, "GET /metrics", "Bearer m").await, said(200, "# EOF\n"));
    assert_eq!(asked(&answers, "GET /metrics", " bearer m ").await.0, 200);
    let denied = said(403, "Authorization denied for user alice\n");
    assert_eq!(asked(&answers, "GET /metrics", "Bearer a").await, denied);
    // The role is of one path and one verb.
    let denied = said(403, "Authorization denied for user prometheus\n");
    assert_eq!(asked(&answers, "GET /debug", "Bearer m").await, denied);
    assert_eq!(asked(&answers, "PUT /metrics", "Bearer m").await, denied);
    for nobody in ["", "Bearer", "Bearer ", "Bearer x", "Basic m", "m"] {
        let answer = asked(&answers, "GET /metrics", nobody).await;
        assert_eq!(answer, said(401, "Unauthorized\n"), "{nobody}");
    }
    // Who may not know is not told that there is nothing.
    assert_eq!(asked(&answers, "GET /nothing", "").await.0, 404);
}

#[tokio::test(start_paused = true)]
async fn what_the_server_said_is_believed_for_a_while() {
    let (client, count) = world();
    let answers = answers(endpoint().authorized(), Some(client));
    let asks = async |token: &str| {
        let before = count.load(Ordering::Relaxed);
        asked(&answers, "GET /metrics", token).await;
        count.load(Ordering::Relaxed) - before
    };
    for token in ["Bearer m", "Bearer a"] {
        assert_eq!(asks(token).await, 2, "whose it is, and what they may");
        assert_eq!(asks(token).await, 0);
    }
    assert_eq!(asks("Bearer x").await, 1, "it is nobody's");
    assert_eq!(asks("Bearer x").await, 0);
    advance(Duration::from_secs(31)).await;
    assert_eq!(asks("Bearer m").await, 0);
    assert_eq!(asks("Bearer a").await, 1, "a no is asked again after half a minute");
    advance(Duration::from_secs(30)).await;
    assert_eq!(asks("Bearer m").await, 1, "a token after a minute");
    assert_eq!(asks("Bearer x").await, 1);
    advance(Duration::from_secs(241)).await;
    assert_eq!(asks("Bearer m").await, 2, "a yes after five");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_cannot_say_lets_nobody_in() {
    let (client, _) = world();
    let broken = Arc::new(AtomicUsize::new(0));
    let breaks = Arc::clone(&broken);
    let client = client.intercept(move |request, next| {
        let is_review = request.uri().path().ends_with("/subjectaccessreviews");
        let breaks = breaks.load(Ordering::Relaxed) > usize::from(is_review);
        async move {
            if breaks {
                return Ok(status_answer(500, "InternalError", "etcd is down"));
            }
            next.send(request).await
        }
    });
    let answers = answers(endpoint().authorized(), Some(client));
    broken.store(1, Ordering::Relaxed);
    let failed = said(500, "Authentication failed\n");
    assert_eq!(asked(&answers, "GET /metrics", "Bearer m").await, failed);
    broken.store(0, Ordering::Relaxed);
    assert_eq!(asked(&answers, "GET /metrics", "Bearer m").await.0, 200, "it is not remembered");
    broken.store(2, Ordering::Relaxed);
    assert_eq!(asked(&answers, "GET /metrics", "Bearer m").await.0, 200, "it is known");
    advance(Duration::from_secs(301)).await;
    assert_eq!(asked(&answers, "GET /metrics", "Bearer m").await, failed);
}

/// However many tokens are tried, no more than so many answers are kept, and those are right.
#[tokio::test(start_paused = true)]
async fn many_tokens_take_no_more_room() {
    let (client, count) = world();
    let answers = answers(endpoint().authorized(), Some(client));
    for number in 0..1030 {
        assert_eq!(asked(&answers, "GET /metrics", &format!("Bearer {number}")).await.0, 401);
    }
    let before = count.load(Ordering::Relaxed);
    assert_eq!(asked(&answers, "GET /metrics", "Bearer 1").await.0, 401);
    assert_eq!(count.load(Ordering::Relaxed), before + 1, "it had to make room");
    assert_eq!(asked(&answers, "GET /metrics", "Bearer m").await.0, 200);
}
