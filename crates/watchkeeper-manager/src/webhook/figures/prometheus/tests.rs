//! The lines of a scrape, after requests that took so long and so long.

use std::time::Duration;

use prometheus_client::encoding::text::encode;
use tokio::time::advance;

use super::*;

fn lines(registry: &Registry, of: &str) -> Vec<String> {
    let mut text = String::new();
    encode(&mut text, registry).expect("a text takes all");
    let lines = text.lines().filter(|line| line.starts_with(of));
    lines.map(|line| line[of.len()..].to_owned()).collect()
}

/// A request to `/a` that took so long.
async fn answered(figures: &Figures, code: u16, took: Duration) {
    let in_flight = figures.of("/a").expect("a path that is known").begin();
    advance(took).await;
    in_flight.answered(code);
}

#[tokio::test(start_paused = true)]
async fn a_request_is_counted_in_the_bucket_of_its_time_and_by_its_code() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let figures = Arc::new(Figures::new(["/a", "/b"].into_iter()));
    metrics.served(&figures);
    for millis in [1, 2, 10, 20, 1_500] {
        answered(&figures, 200, Duration::from_millis(millis)).await;
    }
    answered(&figures, 500, Duration::from_secs(2_000)).await;
    let of = |bound: &str, count: u64| format!("_bucket{{le=\"{bound}\",webhook=\"/a\"}} {count}");
    let expected = [
        "_sum{webhook=\"/a\"} 2001.533".to_owned(),
        "_count{webhook=\"/a\"} 6".to_owned(),
        of("1e-8", 0),
        of("1e-7", 0),
        of("0.000001", 0),
        of("0.00001", 0),
        of("0.0001", 0),
        of("0.001", 1),
        of("0.01", 3),
        of("0.1", 4),
        of("1.0", 4),
        of("10.0", 5),
        of("100.0", 5),
        of("1000.0", 5),
        of("+Inf", 6),
    ];
    let told = lines(&registry, "controller_runtime_webhook_latency_seconds");
    assert_eq!(told[..expected.len()], expected);
    let silent = &told[expected.len()..];
    assert!(
        silent.iter().all(|line| line.contains("/b") && line.ends_with(" 0")
            || line.contains("_sum{webhook=\"/b\"} 0.0")),
        "{silent:?}"
    );
    let requests = lines(&registry, "controller_runtime_webhook_requests_total");
    let of = |code: u16, path: &str, count: u64| {
        format!("{{code=\"{code}\",webhook=\"{path}\"}} {count}")
    };
    assert_eq!(requests, [of(200, "/a", 5), of(500, "/a", 1), of(200, "/b", 0), of(500, "/b", 0)]);
}

/// And two servers at one path are told as one; one that is gone is told no more.
#[tokio::test(start_paused = true)]
async fn requests_in_flight_are_those_that_have_no_answer() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let (one, other) = (Figures::new(["/a"].into_iter()), Figures::new(["/a"].into_iter()));
    let (one, other) = (Arc::new(one), Arc::new(other));
    metrics.served(&one);
    metrics.served(&other);
    let in_flight = || lines(&registry, "controller_runtime_webhook_requests_in_flight");
    let held = [&one, &other, &one].map(|figures| figures.of("/a").expect("a path").begin());
    assert_eq!(in_flight(), ["{webhook=\"/a\"} 3"]);
    let [first, second, third] = held;
    advance(Duration::from_millis(5)).await;
    first.answered(200);
    drop(second);
    assert_eq!(in_flight(), ["{webhook=\"/a\"} 1"]);
    let latency = lines(&registry, "controller_runtime_webhook_latency_seconds");
    let latency = |line: &str| latency.contains(&line.to_owned());
    assert!(latency("_count{webhook=\"/a\"} 1"), "who went had no answer");
    assert!(latency("_sum{webhook=\"/a\"} 0.005"));
    drop((one, third));
    assert_eq!(in_flight(), ["{webhook=\"/a\"} 0"]);
    drop(other);
    assert!(in_flight().is_empty());
}
