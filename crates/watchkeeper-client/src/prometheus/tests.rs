use expect_test::expect;
use prometheus_client::encoding::text::encode;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::ApiServer;

use super::*;
use crate::{Client, CreateOptions, RateLimit};

fn scrape(registry: &Registry) -> String {
    let mut text = String::new();
    encode(&mut text, registry).unwrap();
    text
}

/// What a scrape answers, without explanations and buckets.
fn values(registry: &Registry) -> String {
    let told = |line: &&str| !line.starts_with("# HELP") && !line.contains("_bucket");
    scrape(registry).lines().filter(told).map(|line| format!("{line}\n")).collect()
}

#[tokio::test(start_paused = true)]
async fn requests_are_told_under_upstreams_names_and_labels() {
    let mut registry = Registry::default();
    let metrics = PrometheusMetrics::register(&mut registry);
    assert_eq!(scrape(&registry), "# EOF\n");
    let limit = RateLimit::new(1.0, 1);
    let client = Client::new(ApiServer::new()).metrics(metrics).rate_limit(limit).host("h:1");
    let maps = client.api::<ConfigMap>().namespace("default");
    let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
    maps.create(&map, &CreateOptions::default()).await.unwrap();
    maps.get("none").await.unwrap_err();
    // How large they are is the server's business.
    let told = values(&registry);
    let told: String =
        told.lines().filter(|line| !line.contains("bytes_sum")).map(|l| format!("{l}\n")).collect();
    expect![[r##"
        # TYPE rest_client_requests counter
        rest_client_requests_total{code="201",host="h:1",method="POST"} 1
        rest_client_requests_total{code="404",host="h:1",method="GET"} 1
        # TYPE rest_client_request_duration_seconds histogram
        rest_client_request_duration_seconds_sum{host="h:1",verb="GET"} 1.0
        rest_client_request_duration_seconds_count{host="h:1",verb="GET"} 1
        rest_client_request_duration_seconds_sum{host="h:1",verb="POST"} 0.0
        rest_client_request_duration_seconds_count{host="h:1",verb="POST"} 1
        # TYPE rest_client_request_size_bytes histogram
        rest_client_request_size_bytes_count{host="h:1",verb="GET"} 1
        rest_client_request_size_bytes_count{host="h:1",verb="POST"} 1
        # TYPE rest_client_response_size_bytes histogram
        rest_client_response_size_bytes_count{host="h:1",verb="POST"} 1
        # TYPE rest_client_rate_limiter_duration_seconds histogram
        rest_client_rate_limiter_duration_seconds_sum{host="h:1",verb="GET"} 1.0
        rest_client_rate_limiter_duration_seconds_count{host="h:1",verb="GET"} 1
        rest_client_rate_limiter_duration_seconds_sum{host="h:1",verb="POST"} 0.0
        rest_client_rate_limiter_duration_seconds_count{host="h:1",verb="POST"} 1
        # EOF
    "##]]
    .assert_eq(&told);
}

#[test]
fn plugins_are_told_and_what_has_no_labels() {
    let mut registry = Registry::default();
    let told = PrometheusMetrics::register(&mut registry);
    told.count(metrics::EXEC_PLUGIN_CALLS, &[("call_status", "no_error"), ("code", "0")]);
    told.observe(metrics::EXEC_PLUGIN_ROTATION_AGE, &[], 4000.0);
    told.set(metrics::EXEC_PLUGIN_TTL, &[], f64::INFINITY);
    told.set(metrics::EXEC_PLUGIN_TTL, &[], -2.5);
    told.count("of no known name", &[]);
    told.count(metrics::EXEC_PLUGIN_TTL, &[]);
    expect![[r##"
        # TYPE rest_client_exec_plugin_call counter
        rest_client_exec_plugin_call_total{call_status="no_error",code="0"} 1
        # TYPE rest_client_exec_plugin_certificate_rotation_age histogram
        rest_client_exec_plugin_certificate_rotation_age_sum 4000.0
        rest_client_exec_plugin_certificate_rotation_age_count 1
        # TYPE rest_client_exec_plugin_ttl_seconds gauge
        rest_client_exec_plugin_ttl_seconds -2.5
        # EOF
    "##]]
    .assert_eq(&values(&registry));
    let text = scrape(&registry);
    for bucket in [r#"le="3600.0"} 0"#, r#"le="14400.0"} 1"#, r#"le="124416000.0"} 1"#] {
        let line = format!("rest_client_exec_plugin_certificate_rotation_age_bucket{{{bucket}\n");
        assert!(text.contains(&line), "{text}");
    }
}

#[test]
fn the_buckets_are_upstreams() {
    let mut registry = Registry::default();
    let told = PrometheusMetrics::register(&mut registry);
    let labels = [("host", "h"), ("verb", "GET")];
    for seconds in [0.001, 0.005, 0.006, 60.0, 61.0] {
        told.observe(metrics::DURATION_SECONDS, &labels, seconds);
    }
    told.observe(metrics::RESPONSE_BYTES, &labels, 16_777_217.0);
    let text = scrape(&registry);
    let counts = |name: &str| -> Vec<String> {
        let name = format!("{name}_bucket{{le=\"");
        let lines = text.lines().filter_map(|line| line.strip_prefix(&name));
        lines.map(|line| line.replace("\",host=\"h\",verb=\"GET\"}", "")).collect()
    };
    assert_eq!(
        counts("rest_client_request_duration_seconds"),
        [
            "0.005 2", "0.025 3", "0.1 3", "0.25 3", "0.5 3", "1.0 3", "2.0 3", "4.0 3", "8.0 3",
            "15.0 3", "30.0 3", "60.0 4", "+Inf 5",
        ]
    );
    assert_eq!(
        counts("rest_client_response_size_bytes"),
        [
            "64.0 0",
            "256.0 0",
            "512.0 0",
            "1024.0 0",
            "4096.0 0",
            "16384.0 0",
            "65536.0 0",
            "262144.0 0",
            "1048576.0 0",
            "4194304.0 0",
            "16777216.0 0",
            "+Inf 1",
        ]
    );
}
