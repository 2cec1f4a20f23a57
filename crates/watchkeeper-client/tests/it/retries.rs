//! When a request is sent again, counted at the server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Error, Result, json, object};
use watchkeeper_client::metrics::Label;
use watchkeeper_client::wait::Backoff;
use watchkeeper_client::{
    CreateOptions, DeleteOptions, ListOptions, RateLimit, RequestMetrics, WatchEvent, WatchOptions,
    retry_on_conflict,
};

use crate::fake::{Answer, Fake, ok, reset, silence, status};
use crate::live::live;
use crate::{config_map, failure};

fn busy(code: u16) -> Answer {
    status(code, &failure(code, "TooManyRequests", "later")).retry_after(1)
}

fn found() -> Answer {
    ok(&config_map("x", 7).to_string())
}

/// The answers, then how many were asked for, and what became of it.
async fn get(answers: Vec<Answer>) -> (usize, Result<Value>) {
    let fake = Fake::new(answers);
    let client = fake.client().deadline(Duration::from_secs(60));
    let map = client.rest_for("v1").get().namespace("a").resource("configmaps").name("x");
    let result = map.do_raw().await.map(|bytes| serde_json::from_slice(&bytes).unwrap());
    (fake.asked().len(), result)
}

#[tokio::test(start_paused = true)]
async fn h_03_ten_times_when_the_server_says_when() {
    for code in [429, 500, 503] {
        let mut answers: Vec<_> = (0..10).map(|_| busy(code)).collect();
        answers.push(found());
        let (count, result) = get(answers).await;
        assert_eq!(count, 11);
        assert_eq!(result.unwrap()["kind"], "ConfigMap");
    }
    let (count, result) = get((0..20).map(|_| busy(429)).collect()).await;
    assert_eq!(count, 11);
    assert!(result.unwrap_err().is_too_many_requests());
}

#[tokio::test(start_paused = true)]
async fn h_03_not_without_the_header_and_not_after_other_answers() {
    for code in [429, 500, 503] {
        let (count, result) = get(vec![status(code, &failure(code, "", "no")), found()]).await;
        assert_eq!((count, result.is_err()), (1, true), "{code}");
    }
    for code in [301, 400, 404, 409, 410] {
        let (count, result) = get(vec![busy(code), found()]).await;
        assert_eq!((count, result.is_err()), (1, true), "{code}");
    }
}

/// As often as it says itself; sent at once many times, each is repeated by itself.
#[tokio::test(start_paused = true)]
async fn h_03_a_request_may_say_how_often() {
    for (limit, taken) in [(0, false), (1, true), (5, true)] {
        let fake = Fake::new([busy(429), found()]);
        let sent = fake.client().rest().get().path("/x").max_retries(limit).do_raw().await;
        assert_eq!((sent.is_ok(), fake.asked().len()), (taken, 1 + usize::from(taken)));
    }
    let fake = Fake::new((0..60).map(|_| busy(429)));
    let request = fake.client().rest().post().path("/x").max_retries(2);
    let sent = futures_util::future::join_all((0..20).map(|_| request.clone().do_raw())).await;
    assert!(sent.iter().all(Result::is_err));
    assert_eq!(fake.asked().len(), 60);
}

#[tokio::test(start_paused = true)]
async fn h_03_what_is_sent_again_has_its_whole_body() {
    let bodies = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&bodies);
    let fake = Fake::new([busy(429), busy(500), busy(501), busy(504), ok("{}")]);
    let client = fake.client().intercept(move |request, next| {
        let (body, kept) = (request.body().again(), Arc::clone(&kept));
        async move {
            let body = body.expect("it is whole").collect(9999).await?;
            kept.lock().unwrap().push(body);
            next.send(request).await
        }
    });
    let body = "abcd".repeat(1000);
    client.rest().put().path("/x").bytes("text/plain", body.clone()).send().await.unwrap();
    assert_eq!(*bodies.lock().unwrap(), [(); 5].map(|()| body.clone()));
}

/// Once they have begun they are not: what was read of them would come twice.
#[tokio::test(start_paused = true)]
async fn h_03_streams_and_watches_are_asked_for_again_until_they_begin() {
    let answers = || {
        let begun = || ok(&format!("{}\n", json_event())).then_reset();
        [busy(429), reset(), busy(503), begun(), begun()]
    };
    let fake = Fake::new(answers());
    let mut body = fake.client().rest().get().path("/x").stream().await.unwrap();
    assert!(body.data().await.unwrap().is_some());
    body.data().await.unwrap_err();
    assert_eq!(fake.asked().len(), 4);

    let fake = Fake::new(answers());
    let maps = fake.client().api::<ConfigMap>();
    let start = Instant::now();
    let mut watch = maps.watch(&WatchOptions::since("6")).await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_secs(3), "as the server says, and a second");
    assert!(matches!(watch.next().await, Some(Ok(WatchEvent::Added(_)))));
    assert!(watch.next().await.unwrap().unwrap_err().is_transport());
    assert!(watch.next().await.is_none());
    assert_eq!(fake.asked().len(), 4);

    let fake = Fake::new((0..6).map(|_| busy(503)));
    let maps = fake.client().retries(2).api::<ConfigMap>();
    let refused = maps.watch(&WatchOptions::since("6")).await.err().unwrap();
    assert_eq!((refused.status().unwrap().code, refused.earlier().attempts()), (503, 2));
    fake.client().rest().get().path("/x").max_retries(2).stream().await.unwrap_err();
    assert_eq!(fake.asked().len(), 6);
}

fn json_event() -> Value {
    serde_json::json!({ "type": "ADDED", "object": config_map("x", 7) })
}

#[tokio::test(start_paused = true)]
async fn h_03_a_read_is_repeated_when_the_connection_breaks() {
    let start = Instant::now();
    let (count, result) = get(vec![reset(), ok("{\"kind\":").then_reset(), found()]).await;
    assert_eq!((count, result.is_ok()), (3, true));
    assert_eq!(start.elapsed(), Duration::from_secs(2), "a second before each");
    let (count, result) = get((0..20).map(|_| reset()).collect()).await;
    assert_eq!(count, 11);
    let error = result.unwrap_err();
    assert!(error.is_transport());
    let said: Vec<_> = error.earlier().said().map(|(_, times)| times).collect();
    assert_eq!((error.earlier().attempts(), said.as_slice()), (10, &[10][..]));
    assert!(error.to_string().ends_with(", 10 times)"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn h_03_the_last_error_tells_what_the_earlier_attempts_said() {
    let (_, result) =
        get(vec![busy(503), busy(503), reset(), status(403, &failure(403, "Forbidden", "no"))])
            .await;
    let error = result.unwrap_err();
    assert!(error.is_forbidden(), "the last answer counts: {error}");
    assert_eq!(error.earlier().attempts(), 3);
    let told = error.to_string();
    let before =
        told.split_once("get configmaps a/x: no (attempt 4; before: 503, later, 2 times; ");
    assert!(before.is_some_and(|(_, last)| last.contains("reset")), "{told}");

    let (count, result) = get(vec![busy(429), silence()]).await;
    let error = result.unwrap_err();
    assert_eq!((count, error.is_timeout()), (2, true));
    assert!(error.to_string().ends_with("within 60s (attempt 2; before: 429, later)"), "{error}");

    let (_, result) = get(vec![status(404, &failure(404, "NotFound", "none"))]).await;
    assert_eq!(result.unwrap_err().to_string(), "get configmaps a/x: none");
}

#[tokio::test(start_paused = true)]
async fn h_03_no_write_is_sent_twice_that_may_have_happened() {
    let map = object!(ConfigMap { metadata: { name: "x", namespace: "a" } });
    let busy_500 = || status(500, &failure(500, "InternalError", "later")).retry_after(1);
    for (first, count) in [(reset(), 1), (busy_500(), 1), (busy(429), 2)] {
        let fake = Fake::new([first, found()]);
        let api = fake.client().api::<ConfigMap>();
        let created = api.create(&map, &CreateOptions::default()).await;
        assert_eq!((fake.asked().len(), created.is_ok()), (count, count == 2));

        let fake = Fake::new([if count == 2 { busy(429) } else { busy_500() }, found()]);
        let post = fake.client().rest_for("v1").post().namespace("a").resource("configmaps");
        let posted = post.body(&map).send().await;
        assert_eq!((fake.asked().len(), posted.is_ok()), (count, count == 2));
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_would_outlast_the_deadline_is_not_begun() {
    let later = status(429, &failure(429, "TooManyRequests", "later")).retry_after(60);
    let fake = Fake::new([later]);
    let start = Instant::now();
    let error = fake.client().server_version().await.unwrap_err();
    assert!(error.is_too_many_requests(), "{error}");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(60)));
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn every_call_has_a_deadline_unless_asked_otherwise() {
    let fake = Fake::new((0..4).map(|_| silence()));
    let client = fake.client();
    let start = Instant::now();
    assert!(client.server_version().await.unwrap_err().is_timeout());
    assert_eq!(start.elapsed(), Duration::from_secs(30));
    let rest = client.rest();
    let short = rest.get().path("/x").timeout(Duration::from_secs(1)).do_raw();
    assert!(short.await.unwrap_err().is_timeout());
    assert_eq!(start.elapsed(), Duration::from_secs(31));
    let hour = Duration::from_secs(3600);
    let patient = tokio::time::timeout(hour, rest.get().path("/x").no_timeout().do_raw());
    assert!(patient.await.is_err(), "it waits for ever");
    let patient = client.without_deadline();
    assert!(tokio::time::timeout(hour, patient.server_version()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_list_that_trickles_in_is_late_as_a_whole() {
    let page = r#"{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}"#;
    let trickle = || ok(page).sliced(10).paced(Duration::from_secs(9));
    let fake = Fake::new((0..4).map(|_| trickle()));
    let maps = fake.client().api::<ConfigMap>();
    let start = Instant::now();
    let late = maps.list(&ListOptions::default()).await.unwrap_err();
    assert!(late.is_timeout());
    assert_eq!(late.to_string(), "list configmaps: no answer within 30s");
    assert_eq!(start.elapsed(), Duration::from_secs(30));
    let late = maps.delete_collection(&DeleteOptions::default(), &ListOptions::default()).await;
    assert!(late.unwrap_err().is_timeout());
    assert_eq!(start.elapsed(), Duration::from_secs(60));
    // As a stream it may take as long as it makes progress.
    let stream = maps.list_stream(&ListOptions::default()).await.unwrap();
    assert_eq!(stream.collect().await.unwrap().resource_version, "7");
    assert!(start.elapsed() > Duration::from_secs(120));
    let patient = fake.client().without_deadline().api::<ConfigMap>();
    assert_eq!(patient.list(&ListOptions::default()).await.unwrap().resource_version, "7");
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_goes_away_takes_the_request_along() {
    let live = live();
    let maps = live.client.api::<ConfigMap>();
    let mut watch = maps.watch(&WatchOptions::default()).await.unwrap();
    assert_eq!(live.server.open_requests(), 1);
    let waiting = tokio::time::timeout(Duration::from_secs(1), async {
        while watch.next().await.is_some() {}
    });
    assert!(waiting.await.is_err());
    assert_eq!(live.server.open_requests(), 1);
    drop(watch);
    assert_eq!(live.server.open_requests(), 0);

    // A list that waits for a revision which never comes.
    let future = live.client.rest_for("v1").get().resource("pods");
    let future =
        future.query("resourceVersion", 999_999).query("resourceVersionMatch", "NotOlderThan");
    let waiting = tokio::time::timeout(Duration::from_millis(100), future.do_raw());
    assert!(waiting.await.is_err());
    assert_eq!(live.server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn f_03_a_conflict_is_tried_again_with_what_was_read_anew() {
    let live = live();
    let maps = live.client.api::<ConfigMap>().namespace("default");
    let map = object!(ConfigMap { metadata: { name: "x" }, data: { "n": "0" } });
    maps.create(&map, &CreateOptions::default()).await.unwrap();
    let mut tries = 0;
    let written = retry_on_conflict(Backoff::conflict(), async || {
        tries += 1;
        let mut mine = maps.get("x").await?;
        if tries < 3 {
            let mut theirs = mine.clone();
            theirs.data.insert("n", format!("{tries}"));
            maps.update(&theirs).await?;
        }
        mine.data.insert("mine", "1");
        maps.update(&mine).await
    });
    let written = written.await.unwrap();
    assert_eq!(tries, 3);
    assert_eq!((written.data.get("n").unwrap().as_str(), written.data.len()), ("2", 2));
}

#[tokio::test(start_paused = true)]
async fn f_03_when_the_steps_run_out_the_last_conflict_is_the_answer() {
    let conflict = |n: i32| {
        let status = failure(409, "Conflict", &format!("try {n}"));
        Error::from(watchkeeper_api::error::Why::Status(Box::new(json::from_str(&status).unwrap())))
    };
    let start = Instant::now();
    let mut tries = 0;
    let error =
        retry_on_conflict::<()>(Backoff { jitter: 0.0, ..Backoff::conflict() }, async || {
            tries += 1;
            Err(conflict(tries))
        });
    let error = error.await.unwrap_err();
    assert!(error.is_conflict());
    assert_eq!((error.to_string().as_str(), start.elapsed().as_millis()), ("try 5", 40));
    let mut tries = 0;
    let other = retry_on_conflict::<()>(Backoff::conflict(), async || {
        tries += 1;
        Err(Error::other("no"))
    });
    assert_eq!(other.await.unwrap_err().to_string(), "no");
    assert_eq!(tries, 1);
}

/// Writes down what is counted, and how often something is measured.
#[derive(Default)]
struct Counted(Mutex<Vec<String>>);

impl RequestMetrics for Counted {
    fn count(&self, name: &'static str, labels: &[Label<'_>]) {
        self.0.lock().unwrap().push(format!("{name} {labels:?}"));
    }

    fn observe(&self, name: &'static str, _: &[Label<'_>], value: f64) {
        self.0.lock().unwrap().push(format!("{name} {value}"));
    }
}

#[tokio::test(start_paused = true)]
async fn requests_are_counted_under_upstreams_names() {
    let fake = Fake::new([busy(429), reset(), ok("{}")]);
    let counted = Arc::new(Counted::default());
    let client = fake
        .client()
        .metrics(Arc::clone(&counted) as _)
        .rate_limit(RateLimit::new(1.0, 1))
        .host("h:1");
    client.server_version().await.unwrap();
    let expected = [
        "rest_client_request_size_bytes 0",
        "rest_client_rate_limiter_duration_seconds 0",
        r#"rest_client_requests_total [("code", "429"), ("host", "h:1"), ("method", "GET")]"#,
        r#"rest_client_request_retries_total [("code", "429"), ("host", "h:1"), ("verb", "GET")]"#,
        "rest_client_rate_limiter_duration_seconds 0",
        r#"rest_client_requests_total [("code", "<error>"), ("host", "h:1"), ("method", "GET")]"#,
        r#"rest_client_request_retries_total [("code", "<error>"), ("host", "h:1"), ("verb", "GET")]"#,
        "rest_client_rate_limiter_duration_seconds 0",
        r#"rest_client_requests_total [("code", "200"), ("host", "h:1"), ("method", "GET")]"#,
        "rest_client_response_size_bytes 2",
        "rest_client_request_duration_seconds 2",
    ];
    assert_eq!(*counted.0.lock().unwrap(), expected);
}

#[tokio::test(start_paused = true)]
async fn h_01_there_is_no_limit_unless_asked_for() {
    let start = Instant::now();
    let fake = Fake::new((0..100).map(|_| ok("{}")));
    for _ in 0..100 {
        fake.client().server_version().await.unwrap();
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn h_02_a_limit_holds_requests_and_no_watches() {
    let live = live();
    let client = live.client.clone().rate_limit(RateLimit::new(1.0, 1));
    let start = Instant::now();
    for _ in 0..3 {
        client.clone().server_version().await.unwrap();
    }
    let limited = start.elapsed();
    assert!((1999..2010).contains(&limited.as_millis()), "{limited:?}");
    for _ in 0..3 {
        client.api::<ConfigMap>().watch(&WatchOptions::default()).await.unwrap();
    }
    assert_eq!(start.elapsed(), limited);
}

#[tokio::test(start_paused = true)]
async fn f_02_of_a_client_that_may_send_nothing_only_watches_reach_the_server() {
    let live = live();
    let maps = live.client.clone().rate_limit(RateLimit::never()).api::<ConfigMap>();
    assert!(maps.list(&ListOptions::default()).await.unwrap_err().is_timeout());
    assert_eq!(live.asked(), [""; 0]);
    maps.watch(&WatchOptions::default()).await.unwrap();
    assert_eq!(live.asked().len(), 1);
}
