//! Each namespace has its service account and its root certificate, whatever is done to them.

use serde_json::json;
use watchkeeper_api::core::v1::{ConfigMap, Namespace, ServiceAccount};
use watchkeeper_api::{IStr, Object};
use watchkeeper_client::{DeleteOptions, Patch, PatchOptions};

use crate::world::{World, run};

const ROOT_CA: &str = "kube-root-ca.crt";

async fn has_both(world: &World, namespace: &str) -> bool {
    let accounts = world.client.api::<ServiceAccount>().namespace(namespace);
    let maps = world.client.api::<ConfigMap>().namespace(namespace);
    let account = accounts.get_opt("default").await.expect("a read").is_some();
    let map = maps.get_opt(ROOT_CA).await.expect("a read");
    let certificate = map.as_ref().and_then(|map| map.data.get("ca.crt"));
    let told = map.as_ref().and_then(|map| map.annotation("kubernetes.io/description"));
    let is_told =
        told.is_some_and(|text| text.starts_with("Contains a CA bundle that can be used"));
    let is_right = |pem: &IStr| pem.starts_with("-----BEGIN CERTIFICATE-----");
    account && is_told && certificate.is_some_and(is_right)
}

#[tokio::test(start_paused = true)]
async fn every_namespace_has_both_old_and_new() {
    run(0, async |world| {
        for namespace in ["default", "kube-system", "kube-public", "kube-node-lease"] {
            assert!(has_both(world, namespace).await, "{namespace}");
        }
        let shop = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}});
        world.make::<Namespace>(shop).await;
        world.settled().await;
        assert!(has_both(world, "shop").await);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn both_come_back_and_the_certificate_is_set_back() {
    run(0, async |world| {
        let accounts = world.client.api::<ServiceAccount>().namespace("default");
        accounts.delete("default", &DeleteOptions::default()).await.expect("a deletion");
        let maps = world.client.api::<ConfigMap>().namespace("default");
        let change = Patch::merge(&json!({"data": {"ca.crt": "mine"}}));
        maps.patch(ROOT_CA, &change, &PatchOptions::default()).await.expect("a patch");
        world.settled().await;
        assert!(has_both(world, "default").await, "the account is back, the certificate right");
        let change = json!({"metadata": {"annotations": {"kubernetes.io/description": null}}});
        maps.patch(ROOT_CA, &Patch::merge(&change), &PatchOptions::default()).await.expect("one");
        world.settled().await;
        assert!(has_both(world, "default").await, "it is told again what it is for");
        maps.delete(ROOT_CA, &DeleteOptions::default()).await.expect("a deletion");
        world.settled().await;
        assert!(has_both(world, "default").await, "the certificate is back");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_namespace_that_goes_gets_nothing_any_more() {
    run(0, async |world| {
        let shop = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}});
        world.make::<Namespace>(shop).await;
        world.settled().await;
        let held = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {
            "name": "held", "namespace": "shop", "finalizers": ["example.com/hold"]}});
        world.make::<ConfigMap>(held).await;
        let namespaces = world.client.api::<Namespace>();
        namespaces.delete("shop", &DeleteOptions::default()).await.expect("a deletion");
        world.settled().await;
        let accounts = world.client.api::<ServiceAccount>().namespace("shop");
        assert!(accounts.get_opt("default").await.expect("a read").is_none());
        let maps = world.client.api::<ConfigMap>().namespace("shop");
        assert!(maps.get_opt(ROOT_CA).await.expect("a read").is_none());
        assert!(maps.get_opt("held").await.expect("a read").is_some());
    })
    .await;
}
