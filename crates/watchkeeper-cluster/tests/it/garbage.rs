//! What happens to dependents when their owner goes, in each of the three ways.

use serde_json::{Value, json};
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{ConfigMap, Event};
use watchkeeper_client::{ListOptions, Propagation};

use crate::world::{World, run};

async fn map(
    world: &World,
    name: &str,
    owner: Option<&ConfigMap>,
    finalizers: &[&str],
) -> ConfigMap {
    let owners: Vec<Value> = owner.into_iter().map(reference).collect();
    let map = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "default", "ownerReferences": owners,
            "finalizers": finalizers},
    });
    world.make(map).await
}

fn reference(owner: &ConfigMap) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "name": owner.name(), "uid": owner.uid(),
        "blockOwnerDeletion": true})
}

async fn names(world: &World) -> Vec<String> {
    let mut names = Vec::new();
    for name in ["owner", "other", "child", "grandchild"] {
        if world.get::<ConfigMap>(name).await.is_some() {
            names.push(name.to_owned());
        }
    }
    names
}

/// An owner, its child and the child's child; the child is held by `finalizers`.
async fn family(world: &World, finalizers: &[&str]) {
    let owner = map(world, "owner", None, &[]).await;
    let child = map(world, "child", Some(&owner), finalizers).await;
    map(world, "grandchild", Some(&child), &[]).await;
    world.settled().await;
    assert_eq!(names(world).await, ["owner", "child", "grandchild"]);
}

async fn free(world: &World, name: &str) {
    world.patch::<ConfigMap>(name, json!({"metadata": {"finalizers": null}})).await;
    world.settled().await;
}

#[tokio::test(start_paused = true)]
async fn in_the_background_the_owner_goes_first() {
    run(0, async |world| {
        family(world, &["example.com/hold"]).await;
        world.delete::<ConfigMap>("owner", Propagation::Background).await;
        assert_eq!(names(world).await, ["child", "grandchild"], "at once");
        world.settled().await;
        assert_eq!(names(world).await, ["child", "grandchild"], "the child is held");
        assert!(world.get::<ConfigMap>("child").await.expect("the child").is_deleting());
        free(world, "child").await;
        assert!(names(world).await.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn in_the_foreground_the_owner_goes_last() {
    run(0, async |world| {
        family(world, &["example.com/hold"]).await;
        world.delete::<ConfigMap>("owner", Propagation::Foreground).await;
        world.settled().await;
        let owner = world.get::<ConfigMap>("owner").await.expect("it waits");
        assert!(owner.is_deleting());
        assert_eq!(owner.finalizers().collect::<Vec<_>>(), ["foregroundDeletion"]);
        assert!(world.get::<ConfigMap>("child").await.expect("it is held").is_deleting());
        free(world, "child").await;
        assert!(names(world).await.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn orphans_stay_and_forget_their_owner() {
    run(0, async |world| {
        family(world, &[]).await;
        world.delete::<ConfigMap>("owner", Propagation::Orphan).await;
        world.settled().await;
        assert_eq!(names(world).await, ["child", "grandchild"]);
        let child = world.get::<ConfigMap>("child").await.expect("the child");
        assert_eq!(child.owners().count(), 0);
        let grandchild = world.get::<ConfigMap>("grandchild").await.expect("the grandchild");
        assert!(grandchild.owners().any(|owner| owner.uid == child.uid()));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_dependent_of_two_stays_with_the_other() {
    run(0, async |world| {
        let owner = map(world, "owner", None, &[]).await;
        let other = map(world, "other", None, &[]).await;
        map(world, "child", Some(&owner), &[]).await;
        let owners = json!([reference(&owner), reference(&other)]);
        world.patch::<ConfigMap>("child", json!({"metadata": {"ownerReferences": owners}})).await;
        world.settled().await;
        world.delete::<ConfigMap>("owner", Propagation::Background).await;
        world.settled().await;
        assert_eq!(names(world).await, ["other", "child"]);
        let child = world.get::<ConfigMap>("child").await.expect("the child");
        let owners: Vec<String> = child.owners().map(|owner| owner.name.to_owned()).collect();
        assert_eq!(owners, ["other"]);
    })
    .await;
}

/// The owner never was, or was another of the same name.
#[tokio::test(start_paused = true)]
async fn a_dependent_of_nobody_goes() {
    run(0, async |world| {
        let mut owner = map(world, "owner", None, &[]).await;
        owner.metadata.uid = "00000000-0000-0000-0000-000000000000".into();
        map(world, "child", Some(&owner), &[]).await;
        world.settled().await;
        assert_eq!(names(world).await, ["owner"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_dependent_of_two_stays_although_one_waits_for_it() {
    run(0, async |world| {
        let owner = map(world, "owner", None, &[]).await;
        let other = map(world, "other", None, &[]).await;
        map(world, "child", Some(&owner), &[]).await;
        let owners = json!([reference(&owner), reference(&other)]);
        world.patch::<ConfigMap>("child", json!({"metadata": {"ownerReferences": owners}})).await;
        world.settled().await;
        world.delete::<ConfigMap>("owner", Propagation::Foreground).await;
        world.settled().await;
        assert_eq!(names(world).await, ["other", "child"]);
        let child = world.get::<ConfigMap>("child").await.expect("the child");
        let owners: Vec<String> = child.owners().map(|owner| owner.name.to_owned()).collect();
        assert_eq!(owners, ["other"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn owners_of_one_another_do_not_wait_for_ever() {
    run(0, async |world| {
        let owner = map(world, "owner", None, &[]).await;
        let other = map(world, "other", Some(&owner), &[]).await;
        let owners = json!([reference(&other)]);
        world.patch::<ConfigMap>("owner", json!({"metadata": {"ownerReferences": owners}})).await;
        world.settled().await;
        world.delete::<ConfigMap>("owner", Propagation::Foreground).await;
        world.settled().await;
        assert!(names(world).await.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_reference_to_another_namespace_is_told_of() {
    run(0, async |world| {
        let owner = map(world, "owner", None, &[]).await;
        let child = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {
            "name": "child", "namespace": "kube-public", "ownerReferences": [reference(&owner)]}});
        world.make::<ConfigMap>(child).await;
        world.settled().await;
        let events = world.client.api::<Event>().namespace("kube-public");
        let events = events.list_all(&ListOptions::default()).await.expect("a list").items;
        let told = events.iter().find(|event| event.reason == "OwnerRefInvalidNamespace");
        let told = told.expect("the event");
        let expected = format!(
            "ownerRef [v1/ConfigMap, namespace: kube-public, name: owner, uid: {}] does not exist in \
             namespace \"kube-public\"",
            owner.uid()
        );
        assert_eq!((&*told.message, &*told.type_), (expected.as_str(), "Warning"));
        assert_eq!(told.involved_object.name, "child");
        let maps = world.client.api::<ConfigMap>().namespace("kube-public");
        assert!(maps.get_opt("child").await.expect("a read").is_none());
    })
    .await;
}
