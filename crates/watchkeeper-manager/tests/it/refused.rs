//! One controller whose kind is missing, beside others that run; and limits of a kind.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{CustomResource, object};
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_controller::{Action, ControllerPhase};
use watchkeeper_derive::Object;
use watchkeeper_manager::Manager;

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "example.com", version = "v1")]
#[object(crate = "watchkeeper_api")]
struct Bar {
    metadata: ObjectMeta,
}

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn server() -> Client {
    Client::new(ApiServer::builder().seed(7).clock(Clock::default()).build())
}

async fn create_map(client: &Client, name: &str) {
    let map = object!(ConfigMap { metadata: { name: name, namespace: "default" } });
    client.api_for(&map).create(&map, &CreateOptions::default()).await.expect("made");
}

/// N-07, G7: whatever the time to sync is; and the definition may come at any time.
#[tokio::test(start_paused = true)]
async fn n_07_a_controller_whose_kind_is_missing_waits_while_the_others_run() {
    let client = server();
    create_map(&client, "a").await;
    let bar = object!(Bar { metadata: { name: "b", namespace: "default" } });
    let manager = Manager::new(&client).sync_timeout(secs(10));
    let (maps, bars) = (manager.watch::<ConfigMap>(), manager.watch::<Bar>());
    let log = Arc::new(Mutex::new(Vec::new()));
    let of_maps = manager.controller("maps", &maps).with(Arc::clone(&log)).reconcile(
        async |log, request, _ctx| {
            log.lock().expect("no panic").push(format!("map {}", request.name()));
            Ok(Action::done())
        },
    );
    let of_bars = manager.controller("bars", &bars).with(Arc::clone(&log)).reconcile(
        async |log, request, _ctx| {
            log.lock().expect("no panic").push(format!("bar {}", request.name()));
            Ok(Action::done())
        },
    );
    let take = || std::mem::take(&mut *log.lock().expect("no panic"));
    let handle = manager.clone();
    let script = async {
        sleep(secs(600)).await;
        assert_eq!(take(), ["map a"]);
        assert_eq!(of_maps.status().phase, ControllerPhase::Working);
        let [_, text] =
            &handle.controllers().iter().map(|c| c.status().to_string()).collect::<Vec<_>>()[..]
        else {
            panic!("two controllers");
        };
        let expected = "bars: waits for bars.example.com: not synced";
        assert!(text.starts_with(expected), "{text}");

        let definitions = client.api::<CustomResourceDefinition>();
        definitions.create(&Bar::crd(), &CreateOptions::default()).await.expect("installed");
        of_bars.working().await;
        client.api_for(&bar).create(&bar, &CreateOptions::default()).await.expect("made");
        sleep(secs(1)).await;
        assert_eq!(take(), ["bar b"]);

        of_maps.stop().await;
        create_map(&client, "later").await;
        sleep(secs(60)).await;
        assert_eq!(take(), [""; 0], "the manager goes on without it");
        of_maps.start();
        sleep(secs(1)).await;
        assert_eq!(take().len(), 2);
    };
    manager.run(script).await.expect("a clean stop");
}

/// What is more than a watch may take keeps back who needs it, and nobody else; a limit counts for the watches of one
/// handle of the manager.
#[tokio::test(start_paused = true)]
async fn a_kind_beyond_its_limit_keeps_back_its_controller_alone() {
    let client = server();
    create_map(&client, "a").await;
    let fill = "x".repeat(2000);
    let secret = object!(Secret {
        metadata: { name: "s", namespace: "default", annotations: { "fill": fill } },
    });
    client.api_for(&secret).create(&secret, &CreateOptions::default()).await.expect("made");
    let manager = Manager::new(&client).sync_timeout(secs(10));
    let maps = manager.watch::<ConfigMap>();
    let secrets = manager.clone().content_limit(1000).watch::<Secret>();
    let log = Arc::new(Mutex::new(Vec::new()));
    let of_maps = manager.controller("maps", &maps).with(Arc::clone(&log)).reconcile(
        async |log, request, _ctx| {
            log.lock().expect("no panic").push(request.name().to_owned());
            Ok(Action::done())
        },
    );
    let of_secrets = manager.controller("secrets", &secrets).with(Arc::clone(&log)).reconcile(
        async |log, request, _ctx| {
            log.lock().expect("no panic").push(request.name().to_owned());
            Ok(Action::done())
        },
    );
    let script = async {
        sleep(secs(600)).await;
        assert_eq!(of_maps.status().phase, ControllerPhase::Working);
        let status = of_secrets.status().to_string();
        assert!(status.starts_with("secrets: waits for secrets: not synced"), "{status}");
        assert!(status.contains("above the 1000 bytes that this copy may take"), "{status}");
        assert_eq!(*log.lock().expect("no panic"), ["a"]);
        client
            .api::<Secret>()
            .namespace("default")
            .delete("s", &Default::default())
            .await
            .expect("gone");
        of_secrets.working().await;
    };
    manager.run(script).await.expect("a clean stop");
}

/// Upstream: `GroupKindConcurrency`; here for all controllers of the kind together.
#[tokio::test(start_paused = true)]
async fn reconciles_of_a_kind_are_limited_over_all_its_controllers() {
    let client = server();
    for name in ["a", "b", "c", "d", "e", "f"] {
        create_map(&client, name).await;
    }
    let manager = Manager::new(&client);
    manager.limit_kind::<ConfigMap>(2);
    let maps = manager.watch::<ConfigMap>();
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let controller = |name| {
        let state = (Arc::clone(&running), Arc::clone(&most));
        manager.controller(name, &maps).with(state).reconcile(
            async |(running, most): &(Arc<AtomicUsize>, Arc<AtomicUsize>), _request, _ctx| {
                let now = running.fetch_add(1, Ordering::Relaxed) + 1;
                most.fetch_max(now, Ordering::Relaxed);
                sleep(secs(1)).await;
                running.fetch_sub(1, Ordering::Relaxed);
                Ok(Action::done())
            },
        )
    };
    let (one, two) = (controller("one"), controller("two"));
    assert_eq!((one.status().workers, two.status().workers), (2, 2));
    let handles = [one, two];
    manager.run(sleep(secs(60))).await.expect("a clean stop");
    assert_eq!(handles.map(|handle| handle.status().figures.succeeded), [6, 6]);
    assert_eq!(most.load(Ordering::Relaxed), 2);
}
