//! The namespaces of one cluster as clusters.

use watchkeeper_api::core::v1::{ConfigMap, Namespace};
use watchkeeper_api::object;
use watchkeeper_client::{Client, CreateOptions, DeleteOptions};
use watchkeeper_manager::Manager;
use watchkeeper_manager::clusters::Namespaces;

use super::{create_in, greeter, greeting_in, phases, run, second, server};

async fn namespace(client: &Client, name: &str) {
    let namespace = object!(Namespace {
        metadata: { name: name, labels: { "tenant": "yes" } },
    });
    client.api::<Namespace>().create(&namespace, &CreateOptions::default()).await.expect("made");
}

/// What its caches have, and what it may ask for, is what is in the namespace.
#[tokio::test(start_paused = true)]
async fn a_namespace_that_is_a_cluster_sees_only_its_own() {
    let client = server();
    for name in ["bank", "shop"] {
        namespace(&client, name).await;
        create_in(&client, name, "a").await;
    }
    create_in(&client, "default", "a").await;
    let tenants = Namespaces::of(&client).labels("tenant");
    run(tenants, greeter, async |clusters| {
        clusters.working("bank").await;
        clusters.working("shop").await;
        second().await;
        assert_eq!(greeting_in(&client, "bank", "a").await, "hello from bank");
        assert_eq!(greeting_in(&client, "shop", "a").await, "hello from shop");
        assert_eq!(greeting_in(&client, "default", "a").await, "", "it is no tenant");
        let shop = clusters.get("shop").expect("it runs");
        let maps = shop.watch::<ConfigMap>();
        let seen: Vec<_> = maps
            .list()
            .await
            .expect("synced")
            .iter()
            .map(|map| map.metadata.namespace.to_string())
            .collect();
        assert_eq!(seen, ["shop"]);
        assert_eq!(shop.client().default_namespace(), "shop");
        assert_eq!(
            shop.client()
                .api::<ConfigMap>()
                .list(&Default::default())
                .await
                .expect("listed")
                .items
                .len(),
            1
        );
        let foreign = shop.client().api::<ConfigMap>().namespace("bank").get("a").await;
        let said = foreign.unwrap_err().to_string();
        assert!(said.contains("kept to namespace"), "{said}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn namespaces_come_and_go_while_the_manager_runs() {
    let client = server();
    namespace(&client, "bank").await;
    run(Namespaces::of(&client).labels("tenant"), greeter, async |clusters| {
        clusters.working("bank").await;
        namespace(&client, "mill").await;
        create_in(&client, "mill", "a").await;
        clusters.working("mill").await;
        second().await;
        assert_eq!(greeting_in(&client, "mill", "a").await, "hello from mill");
        let namespaces = client.api::<Namespace>();
        namespaces.delete("bank", &DeleteOptions::default()).await.expect("deleted");
        second().await;
        if namespaces.get("bank").await.is_ok() {
            // It is there until its finalizer is gone, and somebody may have work in it.
            assert_eq!(phases(&clusters).len(), 2);
            finalize(&client, "bank").await;
        }
        clusters.gone("bank").await;
        assert_eq!(phases(&clusters).len(), 1);
    })
    .await;
}

/// What the controller of namespaces does, which does not run here.
async fn finalize(client: &Client, name: &str) {
    let mut namespace = client.api::<Namespace>().get(name).await.expect("there");
    namespace.spec.finalizers = Default::default();
    let namespaces = client.api::<Namespace>();
    namespaces.update_subresource(&namespace, "finalize").await.expect("finalized");
}

#[test]
fn what_a_provider_needs_is_told() {
    let client = Client::unconnected();
    let manager = Manager::new(&client);
    manager.clusters("tenants", Namespaces::of(&client), |cluster| greeter(cluster));
    let needs = manager.needs();
    let said: Vec<_> = needs.iter().map(|need| need.permission.to_string()).collect();
    assert_eq!(said, ["list namespaces", "watch namespaces"]);
}
