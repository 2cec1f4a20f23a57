use std::time::Duration;

use expect_test::expect;
use prometheus_client::encoding::text::encode;
use tokio::time::advance;

use super::*;
use crate::{AddOptions, QueueOptions, RateLimitingQueue, per_item_rate_limiter};

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn queue(name: &str, metrics: &Arc<PrometheusMetrics>) -> RateLimitingQueue<&'static str> {
    let metrics = Some(Arc::clone(metrics) as Arc<dyn MetricsProvider>);
    let options = QueueOptions { name: name.to_owned(), metrics, ..QueueOptions::default() };
    RateLimitingQueue::with_options(per_item_rate_limiter(), options)
}

/// What a scrape answers, without buckets.
fn scrape(registry: &Registry) -> String {
    let mut text = String::new();
    encode(&mut text, registry).unwrap();
    let told = |line: &&str| !line.starts_with("# HELP") && !line.contains("_bucket");
    text.lines().filter(told).map(|line| format!("{line}\n")).collect()
}

#[tokio::test(start_paused = true)]
async fn w_32_durations_are_told_by_decades() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let queue = queue("q", &metrics);
    queue.add("a");
    advance(ms(5)).await;
    queue.next().await.unwrap().done();
    let mut text = String::new();
    encode(&mut text, &registry).unwrap();
    let bucket = |line: &&str| line.starts_with("workqueue_queue_duration_seconds_bucket");
    let counts: Vec<_> =
        text.lines().filter(bucket).filter_map(|line| line.split("le=").nth(1)).collect();
    assert_eq!(counts[5], "\"0.001\",name=\"q\"} 0");
    assert_eq!(counts[6], "\"0.01\",name=\"q\"} 1");
    assert_eq!(counts[12..], ["\"+Inf\",name=\"q\"} 1"]);
}

#[tokio::test(start_paused = true)]
async fn w_32_the_metrics_have_upstreams_names() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let queue = queue("pods", &metrics);
    queue.add("a");
    queue.add_with("b", AddOptions { priority: -100, ..AddOptions::default() });
    queue.add_after("c", ms(20_000));
    let job = queue.next().await.unwrap();
    advance(ms(2000)).await;
    expect![[r##"
        # TYPE workqueue_depth gauge
        workqueue_depth{name="pods",priority="0"} 0
        workqueue_depth{name="pods",priority="-100"} 1
        # TYPE workqueue_adds counter
        workqueue_adds_total{name="pods"} 2
        # TYPE workqueue_queue_duration_seconds histogram
        workqueue_queue_duration_seconds_sum{name="pods"} 0.0
        workqueue_queue_duration_seconds_count{name="pods"} 1
        # TYPE workqueue_work_duration_seconds histogram
        workqueue_work_duration_seconds_sum{name="pods"} 0.0
        workqueue_work_duration_seconds_count{name="pods"} 0
        # TYPE workqueue_unfinished_work_seconds gauge
        workqueue_unfinished_work_seconds{name="pods"} 2.0
        # TYPE workqueue_longest_running_processor_seconds gauge
        workqueue_longest_running_processor_seconds{name="pods"} 2.0
        # TYPE workqueue_retries counter
        workqueue_retries_total{name="pods"} 1
        # EOF
    "##]]
    .assert_eq(&scrape(&registry));
    job.retry();
    assert_eq!(queue.next().await.as_deref(), Some(&"b"));
    expect![[r##"
        # TYPE workqueue_depth gauge
        workqueue_depth{name="pods",priority="0"} 0
        workqueue_depth{name="pods",priority="-100"} 0
        # TYPE workqueue_adds counter
        workqueue_adds_total{name="pods"} 2
        # TYPE workqueue_queue_duration_seconds histogram
        workqueue_queue_duration_seconds_sum{name="pods"} 2.0
        workqueue_queue_duration_seconds_count{name="pods"} 2
        # TYPE workqueue_work_duration_seconds histogram
        workqueue_work_duration_seconds_sum{name="pods"} 2.0
        workqueue_work_duration_seconds_count{name="pods"} 2
        # TYPE workqueue_unfinished_work_seconds gauge
        workqueue_unfinished_work_seconds{name="pods"} 0.0
        # TYPE workqueue_longest_running_processor_seconds gauge
        workqueue_longest_running_processor_seconds{name="pods"} 0.0
        # TYPE workqueue_retries counter
        workqueue_retries_total{name="pods"} 3
        # EOF
    "##]]
    .assert_eq(&scrape(&registry));
}

#[tokio::test(start_paused = true)]
async fn w_33_a_queue_without_a_name_tells_nothing() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let queue = queue("", &metrics);
    queue.add("a");
    assert_eq!(scrape(&registry), "# EOF\n");
}

/// Upstream's `TestMetricShutdown` looks for a goroutine that ends. Here there is none.
#[tokio::test(start_paused = true)]
async fn w_33_what_a_queue_told_is_gone_with_it() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let (one, other) = (queue("one", &metrics), queue("other", &metrics));
    let again = queue("one", &metrics);
    one.add("a");
    again.add("a");
    other.add("a");
    assert!(scrape(&registry).contains("workqueue_adds_total{name=\"one\"} 2\n"));
    drop(one);
    drop(again.clone());
    assert!(scrape(&registry).contains("workqueue_adds_total{name=\"one\"} 1\n"));
    drop(again);
    let text = scrape(&registry);
    assert!(!text.contains("one") && text.contains("other"), "{text}");
    drop(other);
    assert_eq!(scrape(&registry), "# EOF\n");
    assert_eq!(metrics.queues.lock().unwrap().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn queues_that_are_gone_do_not_pile_up_where_nobody_asks() {
    let metrics = Arc::new(PrometheusMetrics::default());
    for _ in 0..100 {
        queue("brief", &metrics);
    }
    assert_eq!(metrics.queues.lock().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn p_09_priorities_beyond_the_limit_have_one_label() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let metrics = Some(metrics as Arc<dyn MetricsProvider>);
    let options = QueueOptions { name: "q".to_owned(), metrics, ..QueueOptions::default() };
    let queue = RateLimitingQueue::with_options(per_item_rate_limiter(), options);
    for key in 0..30 {
        queue.add_with(key, AddOptions { priority: key, ..AddOptions::default() });
    }
    let text = scrape(&registry);
    assert!(text.contains("workqueue_depth{name=\"q\",priority=\"24\"} 1\n"), "{text}");
    let others = "workqueue_depth{name=\"q\",priority=\"exceeded_cardinality_limit\"} 5\n";
    assert!(text.contains(others) && !text.contains("priority=\"25\""), "{text}");
}
