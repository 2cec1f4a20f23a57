//! What a server has of itself, and was kept without.

use std::time::Duration;

use serde_json::{Value, json};
use watchkeeper_apiserver::{ApiServer, Clock, Now};

use super::{Shelf, kept, on};
use crate::support::*;

const MAPS: &str = "/api/v1/namespaces/kube-system/configmaps";
const TRACKING: &str = "kube-apiserver-legacy-service-account-token-tracking";

/// Runs a script on the server as it is kept, which makes config maps for itself.
async fn with_maps<T>(shelf: &Shelf, script: impl AsyncFnOnce(&Client) -> T) -> T {
    let start = Now(Duration::from_secs(1_800_000_000));
    let builder = ApiServer::builder().clock(Clock::Virtual(start)).control_plane_maps(Vec::new());
    let (server, keeper) = builder.build_on(shelf.clone()).expect("a server");
    kept(Client { server, agent: "tester" }, keeper, script).await
}

/// Takes so many classes of priority out of what was kept.
fn forget_classes(shelf: &Shelf, count: usize) {
    let mut books = shelf.books();
    let classes = books.objects.keys().filter(|(table, _)| table.starts_with("priorityclasses."));
    let classes: Vec<_> = classes.take(count).cloned().collect();
    for class in classes {
        books.objects.remove(&class);
    }
}

#[tokio::test(start_paused = true)]
async fn classes_of_priority_come_to_what_was_kept_without_them() {
    const CLASSES: &str = "/apis/scheduling.k8s.io/v1/priorityclasses";
    let shelf = Shelf::default();
    let values = |list: &Value| -> Vec<Value> {
        let items = list["items"].as_array().expect("items");
        items.iter().map(|class| class["value"].clone()).collect()
    };
    let before = on(&shelf, async |client| client.get(CLASSES).await.expect(200)).await;
    assert_eq!(values(&before), [json!(2_000_000_000), json!(2_000_001_000)]);
    for gone in 1..=2 {
        forget_classes(&shelf, gone);
        let after = on(&shelf, async |client| client.get(CLASSES).await.expect(200)).await;
        assert_eq!(values(&after), values(&before), "{gone}");
    }
}

#[tokio::test(start_paused = true)]
async fn api_services_come_to_what_was_kept_without_them() {
    const SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";
    let shelf = Shelf::default();
    let before = on(&shelf, async |client| {
        client.post(CRDS, &foo_crd()).await.expect(201);
        client.get(SERVICES).await.expect(200)
    })
    .await;
    assert!(names(&before).contains(&"v1.example.com".to_owned()));
    shelf.books().objects.retain(|(table, _), _| !table.starts_with("apiservices."));
    let after = on(&shelf, async |client| client.get(SERVICES).await.expect(200)).await;
    assert_eq!(names(&after), names(&before));
    let specs = |list: &Value| -> Vec<Value> {
        let items = list["items"].as_array().expect("items");
        items.iter().map(|item| item["spec"].clone()).collect()
    };
    assert_eq!(specs(&after), specs(&before));
}

#[tokio::test(start_paused = true)]
async fn the_range_of_services_comes_to_what_was_kept_without_it() {
    const RANGES: &str = "/apis/networking.k8s.io/v1/servicecidrs";
    let shelf = Shelf::default();
    let before = on(&shelf, async |client| client.get(RANGES).await.expect(200)).await;
    assert_eq!(names(&before), ["kubernetes"]);
    shelf.books().objects.retain(|(table, _), _| !table.starts_with("servicecidrs."));
    let after = on(&shelf, async |client| client.get(RANGES).await.expect(200)).await;
    assert_eq!(after["items"][0]["spec"], before["items"][0]["spec"]);
}

#[tokio::test(start_paused = true)]
async fn addresses_come_to_services_that_were_kept_without_them() {
    const ADDRESSES: &str = "/apis/networking.k8s.io/v1/ipaddresses";
    const SERVICES: &str = "/api/v1/namespaces/default/services";
    let shelf = Shelf::default();
    on(&shelf, async |client| {
        let spec = json!({"ports": [{"port": 80}], "clusterIP": "10.96.0.9"});
        let service = json!({"metadata": {"name": "a"}, "spec": spec});
        client.post(SERVICES, &service).await.expect(201);
    })
    .await;
    shelf.books().objects.retain(|(table, _), _| !table.starts_with("ipaddresses."));
    async fn list(client: &Client) -> Value {
        client.get(ADDRESSES).await.expect(200)
    }
    let after = on(&shelf, list).await;
    assert_eq!(names(&after), ["10.96.0.1", "10.96.0.9"]);
    assert_eq!(on(&shelf, list).await, after, "they are kept from now on");
    // One whose Service is gone is no more use.
    shelf.books().objects.retain(|(table, key), _| table != "services" || key != "default/a");
    assert_eq!(names(&on(&shelf, list).await), ["10.96.0.1"]);
}

#[tokio::test(start_paused = true)]
async fn a_config_map_that_was_deleted_comes_back_by_a_write_that_is_heard_of() {
    let shelf = Shelf::default();
    let path = format!("{MAPS}/{TRACKING}");
    let (before, gone) = with_maps(&shelf, async |client| {
        let before = client.get(&path).await.expect(200);
        client.delete(&path).await.expect(200);
        (before, client.server.revision())
    })
    .await;
    let again = with_maps(&shelf, async |client| {
        let since = format!("{MAPS}?watch=1&resourceVersion={gone}");
        let mut watch = client.watch(&since).await;
        let frame = watch.next().await.expect("a frame");
        assert_eq!(frame["type"], "ADDED");
        assert_eq!(frame["object"], client.get(&path).await.expect(200));
        frame["object"].clone()
    })
    .await;
    assert_ne!(again["metadata"]["uid"], before["metadata"]["uid"]);
    assert_eq!(again["metadata"]["resourceVersion"], json!((gone + 1).to_string()));
    assert_eq!(again["metadata"]["managedFields"][0]["manager"], "kube-apiserver");
    assert_eq!(again["data"], before["data"]);
    let kept = with_maps(&shelf, async |client| client.get(&path).await.expect(200)).await;
    assert_eq!(kept, again, "it stays from now on");
}

#[tokio::test(start_paused = true)]
async fn a_config_map_that_comes_back_counts_where_config_maps_are_counted() {
    const QUOTAS: &str = "/api/v1/namespaces/kube-system/resourcequotas";
    async fn used(client: &Client) -> Value {
        let quota = client.get(&format!("{QUOTAS}/q")).await.expect(200);
        quota["status"]["used"]["count/configmaps"].clone()
    }
    let shelf = Shelf::default();
    let before = with_maps(&shelf, async |client| {
        let hard = json!({"count/configmaps": "5"});
        let quota = json!({"metadata": {"name": "q"}, "spec": {"hard": hard}});
        client.post(QUOTAS, &quota).await.expect(201);
        let before = used(client).await;
        client.delete(&format!("{MAPS}/{TRACKING}")).await.expect(200);
        (before, used(client).await)
    })
    .await;
    assert_eq!(before, (json!("1"), json!("0")));
    assert_eq!(with_maps(&shelf, used).await, "1");
}
