//! A manager with a registry beside it.

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::sync::Notify;
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_api::object;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_controller::Action;
use watchkeeper_manager::{LeaderElection, Manager, Metrics};

fn scrape(registry: &Registry) -> String {
    let mut text = String::new();
    encode(&mut text, registry).expect("a text takes all");
    text
}

#[tokio::test(start_paused = true)]
async fn prometheus_is_told_of_requests_informers_and_queues_while_a_manager_runs() {
    let server = ApiServer::new();
    let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
    let outside = Client::new(server.clone());
    outside.api_for(&map).create(&map, &CreateOptions::default()).await.unwrap();

    let mut registry = Registry::default();
    let client = Client::new(server).host("h:1");
    let manager = Manager::new(&client).metrics(Metrics::register(&mut registry).name("mine"));
    let (maps, seen) = (manager.watch::<ConfigMap>(), Arc::new(Notify::new()));
    manager.controller("foo", &maps).with(Arc::clone(&seen)).reconcile(
        async |seen, request, ctx| {
            tokio::time::sleep(Duration::from_millis(70)).await;
            ctx.client()
                .api::<ConfigMap>()
                .namespace(&*request.namespace)
                .get(&request.name)
                .await?;
            seen.notify_one();
            Ok(Action::done())
        },
    );
    drop(maps);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let looking = async {
        seen.notified().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        let text = scrape(&registry);
        for line in [
            "workqueue_adds_total{name=\"foo\",controller=\"foo\"} 1\n",
            // What was there at the start goes after what changes.
            "workqueue_depth{name=\"foo\",controller=\"foo\",priority=\"-100\"} 0\n",
            "informer_store_objects{name=\"mine\",group=\"\",version=\"v1\",resource=\"configmaps\"} 1\n",
            "controller_runtime_reconcile_total{controller=\"foo\",result=\"success\"} 1\n",
            "controller_runtime_reconcile_time_seconds_bucket{le=\"0.05\",controller=\"foo\"} 0\n",
            "controller_runtime_reconcile_time_seconds_bucket{le=\"0.1\",controller=\"foo\"} 1\n",
            "controller_runtime_max_concurrent_reconciles{controller=\"foo\"} 1\n",
            // The stream of the cache, and the read of the reconcile function.
            "rest_client_requests_total{code=\"200\",host=\"h:1\",method=\"GET\"} 2\n",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        drop(stop);
    };
    let (ended, ()) = tokio::join!(manager.run(async { drop(stopped.await) }), looking);
    ended.unwrap();
    // What followed the server was ended, and goes when its turn comes.
    tokio::time::sleep(Duration::from_millis(1)).await;
    let text = scrape(&registry);
    for gone in ["workqueue", "informer", "controller_runtime"] {
        assert!(!text.contains(gone), "{text}");
    }
    assert!(text.contains("rest_client_requests_total"), "{text}");
}

/// The value of a gauge of an informer.
fn gauge(text: &str, name: &str, resource: &str) -> Option<u64> {
    let line =
        format!("{name}{{name=\"mine\",group=\"\",version=\"v1\",resource=\"{resource}\"}} ");
    let value = text.lines().find_map(|told| told.strip_prefix(&line))?;
    Some(value.parse().expect("a number"))
}

/// What a copy takes by itself is known whatever its size; the bytes of what is in it are noted for each object, and so
/// only where they have a limit.
#[tokio::test(start_paused = true)]
async fn each_informer_tells_what_it_holds_and_one_with_a_limit_how_far_it_is_from_it() {
    let client = Client::new(ApiServer::new());
    for name in ["a", "b"] {
        let map = object!(ConfigMap {
            metadata: { name: name, namespace: "default" }, data: { "fill": "x".repeat(1000) },
        });
        client.api_for(&map).create(&map, &CreateOptions::default()).await.unwrap();
    }
    let mut registry = Registry::default();
    let metrics = Metrics::register(&mut registry).name("mine");
    let manager = Manager::new(&client).metrics(metrics);
    let maps = manager.watch::<ConfigMap>();
    let secrets = manager.clone().content_limit(1 << 20).watch::<Secret>();
    let script = async {
        maps.synced().await.expect("synced");
        secrets.synced().await.expect("synced");
        let text = scrape(&registry);
        let of = |name: &str| ["configmaps", "secrets"].map(|kind| gauge(&text, name, kind));
        assert_eq!(of("informer_store_objects"), [Some(2), Some(0)]);
        let own = gauge(&text, "informer_store_own_bytes", "configmaps").expect("a gauge");
        let least = 2 * u64::try_from(size_of::<ConfigMap>()).expect("few bytes");
        assert!(
            (least..3 * least).contains(&own),
            "{own} bytes, {least} of which the objects take"
        );
        assert_eq!(of("informer_store_own_bytes")[1], Some(0));
        assert_eq!(of("informer_store_content_bytes"), [None, Some(0)]);
        assert_eq!(of("informer_store_content_limit_bytes"), [None, Some(1 << 20)]);
    };
    manager.run(script).await.unwrap();
}

/// Every name that controller-runtime's dashboards and alerts may ask for.
const NAMES: &[&str] = &[
    "controller_runtime_active_workers gauge",
    "controller_runtime_max_concurrent_reconciles gauge",
    "controller_runtime_reconcile_errors_total counter",
    "controller_runtime_reconcile_panics_total counter",
    "controller_runtime_reconcile_time_seconds histogram",
    "controller_runtime_reconcile_timeouts_total counter",
    "controller_runtime_reconcile_total counter",
    "controller_runtime_terminal_reconcile_errors_total counter",
    "leader_election_master_status gauge",
    "leader_election_slowpath_total counter",
    "rest_client_requests_total counter",
    "workqueue_adds_total counter",
    "workqueue_depth gauge",
    "workqueue_longest_running_processor_seconds gauge",
    "workqueue_queue_duration_seconds histogram",
    "workqueue_retries_total counter",
    "workqueue_unfinished_work_seconds gauge",
    "workqueue_work_duration_seconds histogram",
    #[cfg(feature = "tls")]
    "certwatcher_read_certificate_errors_total counter",
    #[cfg(feature = "tls")]
    "certwatcher_read_certificate_total counter",
    #[cfg(feature = "webhooks")]
    "controller_runtime_conversion_webhook_panics_total counter",
    #[cfg(feature = "webhooks")]
    "controller_runtime_webhook_latency_seconds histogram",
    #[cfg(feature = "webhooks")]
    "controller_runtime_webhook_panics_total counter",
    #[cfg(feature = "webhooks")]
    "controller_runtime_webhook_requests_in_flight gauge",
    #[cfg(feature = "webhooks")]
    "controller_runtime_webhook_requests_total counter",
];

/// As a scraper sees them: the name of a counter is that of its lines.
fn names(text: &str) -> Vec<String> {
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    types.map(|line| line.replace(" counter", "_total counter")).collect()
}

#[tokio::test(start_paused = true)]
async fn every_name_of_controller_runtime_is_told() {
    let mut registry = Registry::default();
    let manager = Manager::new(&Client::new(ApiServer::new()))
        .metrics(Metrics::register(&mut registry))
        .leader_election(LeaderElection::new("mine").namespace("default"));
    #[cfg(feature = "webhooks")]
    let manager = {
        use watchkeeper_manager::webhook::{Reviewed, WebhookServer, Webhooks, admitting};
        let webhooks = Webhooks::new().admission("/a", admitting(|_| Reviewed::allowed()));
        let (listener, _) = crate::probes::free_port();
        let tls = watchkeeper_manager::Tls::self_signed();
        manager.serve_webhooks(WebhookServer::new(listener, tls, webhooks))
    };
    let maps = manager.watch::<ConfigMap>();
    manager.controller("foo", &maps).reconcile(async |_, _| Ok(Action::done()));
    drop(maps);
    let (before, standby) = (scrape(&registry), manager.clone());
    assert!(before.contains("leader_election_master_status{name=\"mine\"} 0\n"), "{before}");
    let script = async {
        standby.elected().await;
        drop(standby);
        tokio::time::sleep(Duration::from_secs(1)).await;
        let text = scrape(&registry);
        let told = names(&text);
        let missing: Vec<_> =
            NAMES.iter().filter(|name| !told.iter().any(|told| told == *name)).collect();
        assert!(missing.is_empty(), "{missing:?} are not in {told:?}");
        assert!(text.contains("leader_election_master_status{name=\"mine\"} 1\n"), "{text}");
    };
    manager.run(script).await.unwrap();
    let text = scrape(&registry);
    for gone in ["leader_election", "controller_runtime_webhook"] {
        assert!(!text.contains(gone), "gone with its manager: {text}");
    }
}

#[cfg(feature = "webhooks")]
mod webhook {
    use watchkeeper_api::admissionregistration::v1::ValidatingWebhookConfiguration;
    use watchkeeper_api::{ByteString, json};
    use watchkeeper_manager::webhook::{
        Admission, Review, Reviewed, SelfMade, WebhookServer, Webhooks,
    };

    use super::*;

    /// Longer than the buckets up to ten milliseconds, and far shorter than anybody waits.
    const THINKS: Duration = Duration::from_millis(20);

    /// Takes its time, and then does not mind.
    struct Slow;

    impl Admission for Slow {
        async fn admit(&self, _review: &Review) -> Reviewed {
            tokio::time::sleep(THINKS).await;
            Reviewed::allowed()
        }
    }

    fn configuration(url: &str, ca_bundle: ByteString) -> ValidatingWebhookConfiguration {
        let rule = serde_json::json!({
            "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"],
            "operations": ["CREATE"],
        });
        let configuration = serde_json::json!({
            "metadata": { "name": "slow" },
            "webhooks": [{
                "name": "slow.example.com", "sideEffects": "None",
                "admissionReviewVersions": ["v1"], "rules": [rule],
                "clientConfig": { "url": url },
            }],
        });
        let mut read: ValidatingWebhookConfiguration =
            json::from_value(&configuration).expect("a configuration");
        read.webhooks[0].client_config.ca_bundle = ca_bundle;
        read
    }

    /// How many the histogram of a path has up to a bound.
    fn up_to(text: &str, bound: &str) -> u64 {
        let name = "controller_runtime_webhook_latency_seconds_bucket";
        let line = format!("{name}{{le=\"{bound}\",webhook=\"/slow\"}} ");
        let value = text.lines().find_map(|told| told.strip_prefix(&line));
        value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{line}: {text}"))
    }

    /// Each request of the API server is in a bucket, and in none that ends before it did.
    #[tokio::test]
    async fn a_webhook_that_takes_its_time_is_measured() {
        let mut registry = Registry::default();
        let client = Client::new(ApiServer::new());
        let (listener, address) = crate::probes::free_port();
        let made = SelfMade::certificate(["localhost"]).expect("a certificate");
        let webhooks = Webhooks::new().admission("/slow", Slow);
        let server = WebhookServer::new(listener, made.tls(), webhooks);
        let manager =
            Manager::new(&client).metrics(Metrics::register(&mut registry)).serve_webhooks(server);
        let started = manager.webhooks_started();
        let script = async {
            started().await.expect("it listens");
            let url = format!("https://localhost:{}/slow", address.port());
            let configuration = configuration(&url, made.ca_bundle());
            let options = CreateOptions::default();
            client.api_for(&configuration).create(&configuration, &options).await.expect("made");
            for name in ["a", "b", "c"] {
                let map = object!(ConfigMap { metadata: { name: name, namespace: "default" } });
                client.api_for(&map).create(&map, &options).await.expect("allowed");
            }
            let text = scrape(&registry);
            assert_eq!(["0.01", "+Inf"].map(|bound| up_to(&text, bound)), [0, 3]);
            let of = |what: &str| format!("controller_runtime_webhook_{what}");
            let told = |line: String| assert!(text.contains(&line), "{line} is not in {text}");
            told(of("latency_seconds_count{webhook=\"/slow\"} 3\n"));
            told(of("requests_total{code=\"200\",webhook=\"/slow\"} 3\n"));
            told(of("requests_in_flight{webhook=\"/slow\"} 0\n"));
            let sum = of("latency_seconds_sum{webhook=\"/slow\"} ");
            let sum = text.lines().find_map(|line| line.strip_prefix(&sum));
            let sum: f64 = sum.and_then(|sum| sum.parse().ok()).expect("a number");
            assert!(sum >= 3.0 * THINKS.as_secs_f64(), "{sum}");
        };
        manager.run(script).await.expect("a clean stop");
    }
}
