//! Controllers of some namespaces, which change while they run.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::core::v1::{ConfigMap, Namespace, Secret};
use watchkeeper_api::{Object, object};
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_client::{Api, Client, CreateOptions, Select};
use watchkeeper_controller::{Action, controlled_by};
use watchkeeper_manager::Manager;

async fn create(client: &Client, namespace: &str, name: &str) -> ConfigMap {
    let map = object!(ConfigMap { metadata: { name: name, namespace: namespace } });
    let maps: Api<ConfigMap> = client.api().namespace(namespace);
    maps.create(&map, &CreateOptions::default()).await.expect("made")
}

/// A server with three namespaces, and a map in each.
async fn world() -> Client {
    let client = Client::new(ApiServer::builder().seed(7).clock(Clock::default()).build());
    for name in ["bank", "mill", "shop"] {
        let namespace = object!(Namespace { metadata: { name: name } });
        let namespaces: Api<Namespace> = client.api();
        namespaces.create(&namespace, &CreateOptions::default()).await.expect("made");
        create(&client, name, "first").await;
    }
    client
}

#[tokio::test(start_paused = true)]
async fn a_controller_follows_some_namespaces_and_those_that_come() {
    let client = world().await;
    let manager = Manager::new(&client);
    let maps = manager.watch_namespaces(Select::<ConfigMap>::all(), ["shop", "bank"]);
    let secrets = manager.watch_namespaces(Select::<Secret>::all(), ["shop"]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let state = (maps.clone(), Arc::clone(&seen));
    manager.controller("maps", &maps).owns(&secrets).with(state).reconcile(
        async |(maps, seen), request, _ctx| {
            let is_there = maps.get(&request).await?.is_some();
            seen.lock().expect("no panic").push(format!("{request} {is_there}"));
            Ok(Action::done())
        },
    );
    let take = async || {
        sleep(Duration::from_secs(1)).await;
        let mut seen = std::mem::take(&mut *seen.lock().expect("no panic"));
        seen.sort();
        seen
    };
    let script = async {
        assert_eq!(take().await, ["bank/first true", "shop/first true"]);
        maps.set(["shop", "mill"]);
        assert_eq!(take().await, ["mill/first true"], "those that come are told of");
        let owner = create(&client, "shop", "second").await;
        create(&client, "bank", "second").await;
        assert_eq!(take().await, ["shop/second true"]);
        let secret = object!(Secret {
            metadata: { name: "a", namespace: "shop", owner_references: [controlled_by(&owner)] },
        });
        let secrets: Api<Secret> = client.api().namespace("shop");
        secrets.create(&secret, &CreateOptions::default()).await.expect("made");
        assert_eq!(take().await, ["shop/second true"], "what it owns leads to it");
        let shop: Api<ConfigMap> = client.api().namespace("shop");
        shop.delete(owner.name(), &Default::default()).await.expect("deleted");
        assert_eq!(take().await, ["shop/second false"]);
    };
    manager.run(script).await.expect("a clean stop");
}

/// A controller whose namespaces cannot all be listed says which.
#[tokio::test(start_paused = true)]
async fn a_controller_that_waits_for_a_namespace_tells_of_it() {
    let client = world().await.intercept(|request, next| async move {
        if request.uri().path().contains("/namespaces/bank/") {
            return std::future::pending().await;
        }
        next.send(request).await
    });
    let manager = Manager::new(&client).sync_timeout(Duration::from_secs(20));
    let maps = manager.watch_namespaces(Select::<ConfigMap>::all(), ["shop"]);
    let handle = manager.clone();
    manager.add("late", async move |_stop| {
        maps.add("bank");
        handle.controller("maps", &maps).reconcile(async |_, _| Ok(Action::done()));
        Ok::<_, watchkeeper_api::Error>(())
    });
    let text = manager.run(std::future::pending()).await.unwrap_err().to_string();
    let expected =
        "controller maps: a watch was not synced within 20s: configmaps in bank: not synced";
    assert!(text.starts_with(expected) && !text.contains("shop"), "{text}");
}

#[test]
fn what_is_followed_in_some_namespaces_is_needed_there() {
    let manager = Manager::new(&Client::unconnected());
    let maps = manager.watch_namespaces(Select::<ConfigMap>::all(), ["shop", "bank"]);
    manager
        .controller("maps", &maps)
        .applies::<Secret>()
        .reconcile(async |_, _| Ok(Action::done()));
    let mut said: Vec<_> = manager.needs().iter().map(|need| need.permission.to_string()).collect();
    said.sort();
    said.dedup();
    assert_eq!(
        said,
        [
            "create events in bank",
            "create events in shop",
            "create secrets in bank",
            "create secrets in shop",
            "list configmaps in bank",
            "list configmaps in shop",
            "patch events in bank",
            "patch events in shop",
            "patch secrets in bank",
            "patch secrets in shop",
            "watch configmaps in bank",
            "watch configmaps in shop",
        ]
    );
}
