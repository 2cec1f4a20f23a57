//! What a scrape answers.

use expect_test::expect;
use prometheus_client::encoding::text::encode;

use super::*;
use crate::figures::Figures;

struct Counted(Measures);

impl Measured for Counted {
    fn measures(&self) -> Measures {
        self.0.clone()
    }
}

fn scrape(registry: &Registry) -> String {
    let mut text = String::new();
    encode(&mut text, registry).expect("a text takes all");
    text
}

fn measured(active: usize) -> Arc<dyn Measured> {
    let figures = Figures {
        succeeded: 1,
        asked_again: 2,
        failed: 3,
        terminal: 1,
        panics: 1,
        timeouts: 1,
        active,
        ..Figures::default()
    };
    let mut times = ReconcileTimes::default();
    times.counts[0] = 5;
    times.counts[40] = 1;
    times.sum = Duration::from_millis(61_010);
    Arc::new(Counted(Measures { figures, workers: 4, times }))
}

#[test]
fn the_metrics_have_controller_runtimes_names() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let (one, two) = (measured(1), measured(2));
    metrics.controller_made("foo", Arc::downgrade(&one));
    let text = scrape(&registry);
    let told = |line: &&str| !line.starts_with("# HELP") && !line.contains("_bucket");
    let text: String = text.lines().filter(told).map(|line| format!("{line}\n")).collect();
    expect![[r##"
        # TYPE controller_runtime_reconcile counter
        controller_runtime_reconcile_total{controller="foo",result="error"} 3
        controller_runtime_reconcile_total{controller="foo",result="requeue"} 0
        controller_runtime_reconcile_total{controller="foo",result="requeue_after"} 2
        controller_runtime_reconcile_total{controller="foo",result="success"} 1
        # TYPE controller_runtime_reconcile_errors counter
        controller_runtime_reconcile_errors_total{controller="foo"} 3
        # TYPE controller_runtime_terminal_reconcile_errors counter
        controller_runtime_terminal_reconcile_errors_total{controller="foo"} 1
        # TYPE controller_runtime_reconcile_panics counter
        controller_runtime_reconcile_panics_total{controller="foo"} 1
        # TYPE controller_runtime_reconcile_timeouts counter
        controller_runtime_reconcile_timeouts_total{controller="foo"} 1
        # TYPE controller_runtime_reconcile_time_seconds histogram
        controller_runtime_reconcile_time_seconds_sum{controller="foo"} 61.01
        controller_runtime_reconcile_time_seconds_count{controller="foo"} 6
        # TYPE controller_runtime_max_concurrent_reconciles gauge
        controller_runtime_max_concurrent_reconciles{controller="foo"} 4
        # TYPE controller_runtime_active_workers gauge
        controller_runtime_active_workers{controller="foo"} 1
        # EOF
    "##]]
    .assert_eq(&text);

    // Two of one name are told as one, until each is gone.
    metrics.controller_made("foo", Arc::downgrade(&two));
    assert!(scrape(&registry).contains("active_workers{controller=\"foo\"} 3\n"));
    drop(one);
    assert!(scrape(&registry).contains("active_workers{controller=\"foo\"} 2\n"));
    drop(two);
    assert_eq!(scrape(&registry), "# EOF\n");
}

#[test]
fn the_buckets_are_controller_runtimes() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let one = measured(1);
    metrics.controller_made("foo", Arc::downgrade(&one));
    let text = scrape(&registry);
    let bounds: Vec<_> = text
        .lines()
        .filter_map(|line| {
            line.strip_prefix("controller_runtime_reconcile_time_seconds_bucket{le=\"")
        })
        .filter_map(|line| line.split('"').next())
        .collect();
    expect!["0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1.0 1.25 1.5 1.75 2.0 2.5 3.0 3.5 4.0 4.5 5.0 6.0 7.0 8.0 9.0 10.0 15.0 20.0 25.0 30.0 40.0 50.0 60.0 +Inf"]
        .assert_eq(&bounds.join(" "));
    assert!(text.contains("le=\"60.0\",controller=\"foo\"} 5\n"), "{text}");
    assert!(text.contains("le=\"+Inf\",controller=\"foo\"} 6\n"), "{text}");
}
