//! A manager with a registry beside it.

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::sync::Notify;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_controller::Action;
use watchkeeper_manager::{Manager, Metrics};

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
            "workqueue_adds_total{name=\"foo\"} 1\n",
            // What was there at the start goes after what changes.
            "workqueue_depth{name=\"foo\",priority=\"-100\"} 0\n",
            "informer_store_objects{name=\"mine\",group=\"\",version=\"v1\",resource=\"configmaps\"} 1\n",
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
    assert!(!text.contains("workqueue") && !text.contains("informer"), "{text}");
    assert!(text.contains("rest_client_requests_total"), "{text}");
}
