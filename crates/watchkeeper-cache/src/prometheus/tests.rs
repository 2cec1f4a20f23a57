//! What a scrape answers.

use expect_test::expect;
use prometheus_client::encoding::text::encode;

use super::*;

/// An informer whose figures are these.
struct Told(Figures);

impl Measured for Told {
    fn figures(&self) -> Figures {
        self.0.clone()
    }
}

fn name(group: &str, resource: &str) -> InformerName {
    let (name, group) = ("mine".to_owned(), group.to_owned());
    InformerName { name, group, version: "v1".to_owned(), resource: resource.to_owned() }
}

fn informer(figures: Figures) -> Arc<dyn Measured> {
    Arc::new(Told(figures))
}

/// What a scrape answers, without the explanations.
fn scrape(registry: &Registry) -> String {
    let mut text = String::new();
    encode(&mut text, registry).unwrap();
    let told = |line: &&str| !line.starts_with("# HELP");
    text.lines().filter(told).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_metrics_have_upstreams_names_and_labels() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let mut processing_latency =
        Latency { sum: Duration::from_millis(20_002), ..Latency::default() };
    (processing_latency.counts[1], processing_latency.counts[12]) = (1, 2);
    let deployments = informer(Figures {
        queued_items: 3,
        processing_latency,
        store_resource_version: 567_890_123_456_789,
        store_objects: 2,
        store_own_bytes: 500,
        store_content: Some(Content { bytes: 300, limit: 1000 }),
        handlers: vec![("printer".to_owned(), 1), ("sorter".to_owned(), 0)],
    });
    metrics.informer_made(&name("apps", "deployments"), Arc::downgrade(&deployments));
    expect![[r##"
        # TYPE informer_queued_items gauge
        informer_queued_items{name="mine",group="apps",version="v1",resource="deployments"} 3
        # TYPE informer_processing_latency_seconds histogram
        informer_processing_latency_seconds_sum{name="mine",group="apps",version="v1",resource="deployments"} 20.002
        informer_processing_latency_seconds_count{name="mine",group="apps",version="v1",resource="deployments"} 3
        informer_processing_latency_seconds_bucket{le="0.001",name="mine",group="apps",version="v1",resource="deployments"} 0
        informer_processing_latency_seconds_bucket{le="0.005",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="0.01",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="0.025",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="0.05",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="0.1",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="0.25",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="0.5",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="1.0",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="2.5",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="5.0",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="10.0",name="mine",group="apps",version="v1",resource="deployments"} 1
        informer_processing_latency_seconds_bucket{le="+Inf",name="mine",group="apps",version="v1",resource="deployments"} 3
        # TYPE informer_store_resource_version gauge
        informer_store_resource_version{name="mine",group="apps",version="v1",resource="deployments"} 567890123456789
        # TYPE informer_store_objects gauge
        informer_store_objects{name="mine",group="apps",version="v1",resource="deployments"} 2
        # TYPE informer_store_own_bytes gauge
        informer_store_own_bytes{name="mine",group="apps",version="v1",resource="deployments"} 500
        # TYPE informer_store_content_bytes gauge
        informer_store_content_bytes{name="mine",group="apps",version="v1",resource="deployments"} 300
        # TYPE informer_store_content_limit_bytes gauge
        informer_store_content_limit_bytes{name="mine",group="apps",version="v1",resource="deployments"} 1000
        # TYPE informer_handler_pending_changes gauge
        informer_handler_pending_changes{name="mine",group="apps",version="v1",resource="deployments",handler="printer"} 1
        informer_handler_pending_changes{name="mine",group="apps",version="v1",resource="deployments",handler="sorter"} 0
        # EOF
    "##]]
    .assert_eq(&scrape(&registry));
}

#[test]
fn informers_of_one_name_are_told_as_one_until_each_is_gone() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    let of = |objects, version| {
        let store_resource_version = version;
        informer(Figures { store_objects: objects, store_resource_version, ..Figures::default() })
    };
    let (shop, bank, secrets) = (of(2, 9), of(3, 7), of(1, 8));
    for maps in [&shop, &bank] {
        metrics.informer_made(&name("", "configmaps"), Arc::downgrade(maps));
    }
    metrics.informer_made(&name("", "secrets"), Arc::downgrade(&secrets));
    let has = |metric: &str, resource: &str, value: u64| {
        let labels = format!("name=\"mine\",group=\"\",version=\"v1\",resource=\"{resource}\"");
        let text = scrape(&registry);
        assert!(text.contains(&format!("{metric}{{{labels}}} {value}\n")), "{text}");
    };
    has("informer_store_objects", "configmaps", 5);
    has("informer_store_resource_version", "configmaps", 7);
    has("informer_store_objects", "secrets", 1);
    drop(bank);
    has("informer_store_objects", "configmaps", 2);
    has("informer_store_resource_version", "configmaps", 9);
    drop(shop);
    assert!(!scrape(&registry).contains("configmaps"));
    drop(secrets);
    assert_eq!(scrape(&registry), "# EOF\n");
    assert_eq!(lock(&metrics.informers).len(), 0);
}

#[test]
fn informers_that_are_gone_do_not_pile_up_where_nobody_asks() {
    let metrics = PrometheusMetrics::default();
    for _ in 0..100 {
        let brief = informer(Figures::default());
        metrics.informer_made(&name("", "secrets"), Arc::downgrade(&brief));
    }
    assert_eq!(lock(&metrics.informers).len(), 1);
}
