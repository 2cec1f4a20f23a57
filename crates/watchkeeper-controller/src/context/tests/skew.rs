//! A server that is newer than our types: what they do not know survives every helper.
//!
//! The types here know little of a Deployment, as ours will know little of the next release's.

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{IStr, List, Unstructured};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::UpdateOptions;
use watchkeeper_derive::{Fields, Object};

use super::*;

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "apps", version = "v1", kind = "Deployment", status, crate = "watchkeeper_api")]
struct Old {
    metadata: ObjectMeta,
    spec: OldSpec,
    status: OldStatus,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct OldSpec {
    replicas: Option<i32>,
    template: OldTemplate,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct OldTemplate {
    spec: OldPodSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct OldPodSpec {
    containers: List<OldContainer>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct OldContainer {
    name: IStr,
    #[field(optional)]
    image: IStr,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct OldStatus {
    conditions: List<OldCondition>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct OldCondition {
    type_: IStr,
    status: IStr,
}

fn newer() -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default", "labels": {"a": "b"}},
        "spec": {
            "replicas": 1, "minReadySeconds": 5, "selector": {"matchLabels": {"a": "b"}},
            "template": {
                "metadata": {"labels": {"a": "b"}},
                "spec": {
                    "hostNetwork": true, "hostname": "web",
                    "containers": [
                        {"name": "x", "image": "nginx:1", "args": ["-v"], "tty": true},
                        {"name": "y", "image": "redis:1", "workingDir": "/y"},
                        {"name": "z", "image": "envoy:1", "workingDir": "/z"},
                    ],
                },
            },
        },
    })
}

/// A server with the deployment, and a controller beside it.
async fn arranged() -> (Context, Client, impl Sized) {
    let server = ApiServer::builder().seed(1).build();
    let client = Client::new(server);
    let (ctx, sink) = testing::context(&client);
    let object = Unstructured::from_value(&newer()).unwrap();
    client.api_for(&object).create(&object, &CreateOptions::default()).await.unwrap();
    let conditions = json!({"status": {"observedGeneration": 1, "conditions": [
        {"type": "Available", "status": "False", "reason": "Why", "message": "because"},
        {"type": "Progressing", "status": "True", "reason": "Other"},
    ]}});
    let api = client.api::<Old>().namespace("default");
    let patch = Patch::merge(&conditions);
    api.patch_status("web", &patch, &PatchOptions::default()).await.unwrap();
    (ctx, client, sink)
}

async fn stored(client: &Client) -> Value {
    let object = client.dynamic(Old::KIND).namespace("default").get("web").await.unwrap();
    object.to_value()
}

async fn old(client: &Client) -> Old {
    client.api::<Old>().namespace("default").get("web").await.unwrap()
}

/// Wants `after` to be `before` but for what `change` makes of it, and what the server counts.
fn only(before: &Value, after: &Value, change: impl FnOnce(&mut Value)) {
    let mut before = before.clone();
    change(&mut before);
    let mut after = after.clone();
    for value in [&mut before, &mut after] {
        let metadata = value["metadata"].as_object_mut().unwrap();
        for counted in ["resourceVersion", "generation", "managedFields"] {
            metadata.remove(counted);
        }
    }
    watchkeeper_api::diff::assert_same(&before, &after);
}

#[tokio::test(start_paused = true)]
async fn an_edit_keeps_what_is_newer_also_in_list_items() {
    let (ctx, client, _sink) = arranged().await;
    let before = stored(&client).await;
    let read = old(&client).await;
    let edited = ctx.edit(&read, |old| {
        old.spec.replicas = Some(2);
        let mut containers: Vec<_> = old.spec.template.spec.containers.iter().cloned().collect();
        containers[0].image = "nginx:2".into();
        containers.remove(1);
        containers.insert(0, OldContainer { name: "n".into(), image: "new:1".into() });
        old.spec.template.spec.containers = containers.into();
    });
    assert!(edited.await.unwrap().is_some());
    let after = stored(&client).await;
    only(&before, &after, |value| {
        value["spec"]["replicas"] = 2.into();
        let containers = value["spec"]["template"]["spec"]["containers"].as_array_mut().unwrap();
        containers[0]["image"] = "nginx:2".into();
        containers.remove(1);
        let new = after["spec"]["template"]["spec"]["containers"][0].clone();
        assert_eq!((&new["name"], &new["image"]), (&"n".into(), &"new:1".into()));
        containers.insert(0, new);
    });
}

#[tokio::test(start_paused = true)]
async fn an_edit_of_a_status_keeps_what_is_newer_also_in_conditions() {
    let (ctx, client, _sink) = arranged().await;
    let before = stored(&client).await;
    let read = old(&client).await;
    let edited = ctx.edit_status(&read, |status| {
        let mut conditions: Vec<_> = status.conditions.iter().cloned().collect();
        conditions[0].status = "True".into();
        status.conditions = conditions.into();
    });
    assert!(edited.await.unwrap().is_some());
    only(&before, &stored(&client).await, |value| {
        value["status"]["conditions"][0]["status"] = "True".into();
    });
}

#[tokio::test(start_paused = true)]
async fn an_apply_keeps_what_is_newer_also_in_list_items() {
    let (ctx, client, _sink) = arranged().await;
    let before = stored(&client).await;
    let mut wanted = Old::default();
    wanted.metadata.name = "web".into();
    wanted.metadata.namespace = "default".into();
    wanted.spec.template.spec.containers =
        [OldContainer { name: "y".into(), image: "redis:2".into() }].into();
    ctx.apply(&wanted).await.unwrap();
    only(&before, &stored(&client).await, |value| {
        value["spec"]["template"]["spec"]["containers"][1]["image"] = "redis:2".into();
    });
}

#[tokio::test(start_paused = true)]
async fn an_apply_of_a_status_keeps_what_is_newer_also_in_conditions() {
    let (_ctx, client, _sink) = arranged().await;
    let before = stored(&client).await;
    let mut said = Old::default();
    said.metadata.name = "web".into();
    said.status.conditions =
        [OldCondition { type_: "Available".into(), status: "True".into() }].into();
    let api = client.api::<Old>().namespace("default");
    api.apply_status(&said, &ApplyOptions::forced()).await.unwrap();
    only(&before, &stored(&client).await, |value| {
        value["status"]["conditions"][0]["status"] = "True".into();
    });
}

#[tokio::test(start_paused = true)]
async fn a_scale_keeps_what_is_newer() {
    let (_ctx, client, _sink) = arranged().await;
    let before = stored(&client).await;
    let api = client.api::<Old>().namespace("default");
    let scaled = async |replicas: i32| {
        only(&before, &stored(&client).await, |value| value["spec"]["replicas"] = replicas.into());
    };
    api.scale_to("web", 2).await.unwrap();
    scaled(2).await;
    api.apply_scale("web", 3, &ApplyOptions::forced()).await.unwrap();
    scaled(3).await;
    let mut scale = api.get_scale("web").await.unwrap();
    scale.spec.replicas = 4;
    api.update_scale("web", &scale, &UpdateOptions::default()).await.unwrap();
    scaled(4).await;
}

#[tokio::test(start_paused = true)]
async fn what_is_adopted_and_released_keeps_what_is_newer() {
    let (ctx, client, _sink) = arranged().await;
    let before = stored(&client).await;
    let owner = watchkeeper_api::object!(ConfigMap { metadata: { name: "owner" } });
    let maps = client.api::<ConfigMap>().namespace("default");
    let owner = maps.create(&owner, &CreateOptions::default()).await.unwrap();
    let claim = async |labels: &str| {
        let selector: Selector = labels.parse().unwrap();
        let found = [Arc::new(old(&client).await)];
        ctx.claim(&owner, &selector, found).await.unwrap().len()
    };
    assert_eq!(claim("a=b").await, 1);
    only(&before, &stored(&client).await, |value| {
        value["metadata"]["ownerReferences"] = json!([{
            "apiVersion": "v1", "kind": "ConfigMap", "name": "owner",
            "uid": owner.metadata.uid.as_str(), "controller": true, "blockOwnerDeletion": true,
        }]);
    });
    assert_eq!(claim("a=c").await, 0);
    only(&before, &stored(&client).await, |_| {});
}

/// It says all that there shall be, and what the types do not know is not said: docs/coming-from-go.md,
/// docs/coming-from-kube-rs.md.
#[tokio::test(start_paused = true)]
async fn an_update_of_a_typed_object_drops_what_is_newer() {
    let (_ctx, client, _sink) = arranged().await;
    let before = stored(&client).await;
    let api = client.api::<Old>().namespace("default");
    let mut read = api.get("web").await.unwrap();
    read.status.conditions = [OldCondition { type_: "New".into(), status: "True".into() }].into();
    let read = api.update_status(&read).await.unwrap();
    only(&before, &stored(&client).await, |value| {
        value["status"] = json!({"conditions": [{
            "type": "New", "status": "True", "lastTransitionTime": null, "lastUpdateTime": null,
        }]});
    });
    // What the server cannot do without, as the selector here, makes the loss an error.
    assert!(api.update(&read).await.unwrap_err().is_invalid());
}

#[tokio::test(start_paused = true)]
async fn what_newer_types_applied_stays_applied_when_extracted() {
    let (_ctx, client, _sink) = arranged().await;
    let newer = client.field_manager("newer");
    let applied = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"replicas": 3, "revisionHistoryLimit": 7, "template": {"spec": {
            "nodeSelector": {"a": "b"},
            "containers": [{"name": "x", "stdin": true}],
        }}},
    });
    let applied = Unstructured::from_value(&applied).unwrap();
    newer.api_for(&applied).apply(&applied, &ApplyOptions::forced()).await.unwrap();
    let before = stored(&newer).await;

    let api = newer.api::<Old>().namespace("default");
    let mut mine = api.extract("web", "newer").await.unwrap().unwrap();
    mine.edit(|old| old.spec.replicas = Some(4)).unwrap();
    api.apply_extracted(&mine, &ApplyOptions::default()).await.unwrap();
    only(&before, &stored(&newer).await, |value| value["spec"]["replicas"] = 4.into());
}

#[tokio::test(start_paused = true)]
async fn finalizers_come_and_go_and_keep_what_is_newer() {
    let (ctx, client, _sink) = arranged().await;
    let before = stored(&client).await;
    ctx.add_finalizer(&old(&client).await, "example.com/a").await.unwrap();
    only(&before, &stored(&client).await, |value| {
        value["metadata"]["finalizers"] = json!(["example.com/a"]);
    });
    ctx.remove_finalizer(&old(&client).await, "example.com/a").await.unwrap();
    only(&before, &stored(&client).await, |_| {});
}

#[tokio::test(start_paused = true)]
async fn create_or_update_and_create_or_patch_keep_what_is_newer_also_in_list_items() {
    let (_ctx, client, _sink) = arranged().await;
    let before = stored(&client).await;
    let api = client.api::<Old>().namespace("default");
    let mut named = Old::default();
    named.metadata.name = "web".into();
    let image = |image: &str| {
        let image = IStr::from(image);
        move |old: &mut Old| {
            let mut all: Vec<_> = old.spec.template.spec.containers.iter().cloned().collect();
            all[2].image = image;
            old.spec.template.spec.containers = all.into();
        }
    };
    for (new, patched) in [("envoy:2", false), ("envoy:3", true)] {
        if patched {
            api.create_or_patch(&named, image(new)).await.unwrap();
        } else {
            api.create_or_update(&named, image(new)).await.unwrap();
        }
        only(&before, &stored(&client).await, |value| {
            value["spec"]["template"]["spec"]["containers"][2]["image"] = new.into();
        });
    }
}
