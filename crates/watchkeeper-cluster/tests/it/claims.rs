//! Claims get volumes, and pods wait for their claims.

use serde_json::{Value, json};
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{PersistentVolume, PersistentVolumeClaim, Pod};
use watchkeeper_client::Propagation;

use crate::world::{World, is_ready, run};

async fn claim(world: &World, class: Value) -> PersistentVolumeClaim {
    let claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "default"},
        "spec": {
            "storageClassName": class,
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
        },
    });
    let claim = world.make(claim).await;
    world.settled().await;
    claim
}

async fn volume(world: &World, name: &str) -> PersistentVolume {
    let volume = json!({
        "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
        "spec": {
            "capacity": {"storage": "5Gi"}, "accessModes": ["ReadWriteOnce"],
            "persistentVolumeReclaimPolicy": "Retain", "hostPath": {"path": "/data"},
        },
    });
    let volume = world.make(volume).await;
    world.settled().await;
    volume
}

async fn phase(world: &World, volume: &str) -> Option<String> {
    let api = world.client.api::<PersistentVolume>();
    let volume = api.get_opt(volume).await.expect("a read");
    volume.map(|volume| volume.status.phase.to_string())
}

#[tokio::test(start_paused = true)]
async fn a_claim_gets_a_volume_that_goes_with_it() {
    run(1, async |world| {
        let made = claim(world, json!(null)).await;
        let name = format!("pvc-{}", made.uid());
        let bound = world.get::<PersistentVolumeClaim>("data").await.expect("the claim");
        assert_eq!((&*bound.status.phase, &*bound.spec.volume_name), ("Bound", &*name));
        assert_eq!(bound.status.capacity.get("storage").map(|size| size.as_str()), Some("1Gi"));
        assert_eq!(phase(world, &name).await.as_deref(), Some("Bound"));
        let told = format!("Normal ProvisioningSucceeded: Successfully provisioned volume {name}");
        assert!(world.events("data").await.contains(&told));
        world.delete::<PersistentVolumeClaim>("data", Propagation::Background).await;
        world.settled().await;
        assert_eq!(phase(world, &name).await, None);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_volume_that_is_there_is_taken_and_kept() {
    run(1, async |world| {
        volume(world, "shelf").await;
        assert_eq!(phase(world, "shelf").await.as_deref(), Some("Available"));
        claim(world, json!("")).await;
        let bound = world.get::<PersistentVolumeClaim>("data").await.expect("the claim");
        assert_eq!((&*bound.status.phase, &*bound.spec.volume_name), ("Bound", "shelf"));
        assert_eq!(phase(world, "shelf").await.as_deref(), Some("Bound"));
        world.delete::<PersistentVolumeClaim>("data", Propagation::Background).await;
        world.settled().await;
        assert_eq!(phase(world, "shelf").await.as_deref(), Some("Released"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_waits_for_its_claim_and_is_told_so() {
    run(1, async |world| {
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "db", "namespace": "default"},
            "spec": {
                "containers": [{"name": "db", "image": "db:1"}],
                "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
            },
        });
        world.make::<Pod>(pod).await;
        world.settled().await;
        claim(world, json!("")).await;
        let why = "no persistent volumes available for this claim and no storage class is set";
        let told = format!("Normal FailedBinding: {why}");
        assert!(world.events("data").await.contains(&told));
        assert_eq!(world.get::<Pod>("db").await.expect("the pod").status.phase, "Pending");
        volume(world, "shelf").await;
        assert!(is_ready(&world.get::<Pod>("db").await.expect("the pod")));
        let events = world.events("db").await;
        for why in [
            "persistentvolumeclaim \"data\" not found",
            "pod has unbound immediate PersistentVolumeClaims",
        ] {
            let told = format!(
                "Warning FailedScheduling: 0/1 nodes are available: {why}. preemption: 0/1 nodes \
                 are available: 1 Preemption is not helpful for scheduling."
            );
            assert!(events.contains(&told), "{events:?}");
        }
    })
    .await;
}
