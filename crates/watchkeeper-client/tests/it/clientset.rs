//! Typed accessors for every group and version, on the embedded server.

use std::fmt::Debug;

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, object};
use watchkeeper_client::{Api, Client, CreateOptions, DeleteOptions, ListOptions};

use crate::live::live;

/// Lists, or says why not.
async fn list<K: Object + Debug>(api: Api<K>) -> String {
    match api.list(&ListOptions::default()).await {
        Ok(page) => format!("{}: {}", api.kind().group_resource(), page.items.len()),
        Err(error) => error.to_string(),
    }
}

#[tokio::test(start_paused = true)]
async fn every_group_and_version_is_reached_by_its_name() {
    let client: Client = live().client;
    let found = [
        list(client.core().v1().nodes()).await,
        list(client.core().v1().persistent_volume_claims("")).await,
        list(client.apps().v1().replica_sets("default")).await,
        list(client.batch().v1().cron_jobs("default")).await,
        list(client.autoscaling().v1().horizontal_pod_autoscalers("")).await,
        list(client.autoscaling().v2().horizontal_pod_autoscalers("")).await,
        list(client.coordination().v1().leases("")).await,
        list(client.discovery().v1().endpoint_slices("")).await,
        list(client.events().v1().events("")).await,
        list(client.networking().v1().network_policies("")).await,
        list(client.policy().v1().pod_disruption_budgets("")).await,
        list(client.rbac().v1().role_bindings("none")).await,
        list(client.storage().v1().csi_drivers()).await,
        list(client.apiextensions().v1().custom_resource_definitions()).await,
        list(client.admissionregistration().v1().validating_webhook_configurations()).await,
    ];
    let expected = [
        "nodes: 0",
        "persistentvolumeclaims: 0",
        "replicasets.apps: 0",
        "cronjobs.batch: 0",
        "horizontalpodautoscalers.autoscaling: 0",
        "horizontalpodautoscalers.autoscaling: 0",
        "leases.coordination.k8s.io: 0",
        "endpointslices.discovery.k8s.io: 0",
        "events.events.k8s.io: 0",
        "networkpolicies.networking.k8s.io: 0",
        "poddisruptionbudgets.policy: 0",
        "rolebindings.rbac.authorization.k8s.io: 0",
        "csidrivers.storage.k8s.io: 0",
        "customresourcedefinitions.apiextensions.k8s.io: 0",
        "validatingwebhookconfigurations.admissionregistration.k8s.io: 0",
    ];
    assert_eq!(found, expected);
}

#[tokio::test(start_paused = true)]
async fn an_accessor_is_the_typed_api_of_that_namespace() {
    let client = live().client;
    let maps = client.core().v1().config_maps("default");
    let map = object!(ConfigMap { metadata: { name: "x" }, data: { "a": "1" } });
    maps.create(&map, &CreateOptions::default()).await.unwrap();
    assert_eq!(
        client
            .core()
            .v1()
            .config_maps("")
            .list_all(&ListOptions::default())
            .await
            .unwrap()
            .items
            .len(),
        1
    );
    assert!(client.core().v1().config_maps("kube-system").get_opt("x").await.unwrap().is_none());
    maps.delete("x", &DeleteOptions::default()).await.unwrap();
}
