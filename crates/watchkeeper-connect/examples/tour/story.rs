//! A walk through everything that the client does.
//!
//! It works in a namespace of its own, deletes it at the end, and prints what happened, without what
//! differs from run to run. So two servers can be compared: the embedded one and a real one tell the same
//! story.

use serde_json::json;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{ConfigMap, Namespace};
use watchkeeper_api::{Metadata, Object, object};
use watchkeeper_client::{
    Api, ApplyOptions, Client, CreateOptions, DeleteOptions, Deleted, Error, ListOptions, Patch,
    PatchOptions, Result, WatchEvent, WatchOptions, WriteOptions,
};

/// What happened, line by line.
#[derive(Debug, Default)]
pub(crate) struct Story(Vec<String>);

impl Story {
    fn tell(&mut self, line: impl Into<String>) {
        self.0.push(line.into());
    }

    /// What was refused, and how the error classifies it.
    fn refused<T>(&mut self, what: &str, result: Result<T>) {
        let class = match &result {
            Ok(_) => "was allowed",
            Err(error) => class(error),
        };
        self.tell(format!("{what}: {class}"));
    }

    /// The lines.
    #[must_use]
    pub(crate) fn lines(&self) -> &[String] {
        &self.0
    }
}

fn class(error: &Error) -> &'static str {
    match error {
        error if error.is_not_found() => "not found",
        error if error.is_already_exists() => "already exists",
        error if error.is_conflict() => "conflict",
        error if error.is_invalid() => "invalid",
        error if error.is_gone() => "gone",
        error if error.is_bad_request() => "bad request",
        _ => "something else",
    }
}

const NAMESPACE: &str = "watchkeeper-tour";

/// Walks through everything.
///
/// # Errors
/// Whatever a healthy server would not answer.
pub(crate) async fn tour(client: &Client) -> Result<Story> {
    let mut story = Story::default();
    let namespaces = client.api::<Namespace>();
    let namespace = object!(Namespace { metadata: { name: NAMESPACE } });
    namespaces.create(&namespace, &CreateOptions::default()).await?;
    let maps = client.api::<ConfigMap>().namespace(NAMESPACE);
    let deployments = client.api::<Deployment>().namespace(NAMESPACE);
    create_and_update(&maps, &mut story).await?;
    patch(&deployments, &mut story).await?;
    status(&deployments, &mut story).await?;
    lists(client, &maps, &mut story).await?;
    watch(&maps, &mut story).await?;
    dynamic(client, &mut story).await?;
    delete(&maps, &deployments, &mut story).await?;
    namespaces.delete(NAMESPACE, &DeleteOptions::default()).await?;
    Ok(story)
}

fn map(name: &str, value: &str) -> ConfigMap {
    object!(ConfigMap { metadata: { name: name, labels: { "tour": "yes" } }, data: { "key": value } })
}

fn value(map: &ConfigMap) -> &str {
    map.data.get("key").map_or("", |value| value.as_str())
}

async fn create_and_update(maps: &Api<ConfigMap>, story: &mut Story) -> Result<()> {
    let created = maps.create(&map("a", "1"), &CreateOptions::default()).await?;
    story.tell(format!("created {} with {}", created.name(), value(&created)));
    story.refused("created again", maps.create(&map("a", "1"), &CreateOptions::default()).await);
    let shouting = maps.create(&map("A!", "1"), &CreateOptions::default()).await;
    story.refused("a name that is none", shouting);
    story.refused("read of what is not there", maps.get("nowhere").await);
    let dry = maps.create(&map("dry", "1"), &WriteOptions::dry_run()).await?;
    let absent = maps.get_opt(dry.name()).await?.is_none();
    story.tell(format!("after a dry run it is {}", if absent { "absent" } else { "there" }));

    let mut newer = created.clone();
    newer.data = [("key", "2")].into();
    let updated = maps.update(&newer).await?;
    let moved = updated.resource_version() != created.resource_version();
    story.tell(format!("updated to {}, another version: {moved}", value(&updated)));
    let same = maps.update(&updated).await?;
    let still = same.resource_version() == updated.resource_version();
    story.tell(format!("updated to the same, the same version: {still}"));
    story.refused("updated from an old version", maps.update(&newer).await);
    Ok(())
}

fn deployment(replicas: i32) -> Deployment {
    object!(Deployment {
        metadata: { name: "web" },
        spec: {
            replicas: replicas,
            selector: { match_labels: { "app": "web" } },
            template: {
                metadata: { labels: { "app": "web" } },
                spec: { containers: [{ name: "web", image: "nginx" }] },
            },
        },
    })
}

fn shape(web: &Deployment) -> String {
    let containers = &web.spec.template.spec.containers;
    let images: Vec<_> = containers
        .iter()
        .map(|container| format!("{}={}", container.name, container.image))
        .collect();
    format!("{} x {}", web.spec.replicas.unwrap_or_default(), images.join(" "))
}

async fn patch(deployments: &Api<Deployment>, story: &mut Story) -> Result<()> {
    let options = PatchOptions::default();
    let web = deployments.apply(&deployment(1), &ApplyOptions::default()).await?;
    story.tell(format!("applied: {}", shape(&web)));
    let change = Patch::merge(&json!({ "spec": { "replicas": 2 } }));
    story.tell(format!("merged: {}", shape(&deployments.patch("web", &change, &options).await?)));
    let theirs = ApplyOptions::default().field_manager("somebody-else");
    story.refused("applied by another", deployments.apply(&deployment(3), &theirs).await);
    let forced = ApplyOptions::forced().field_manager("somebody-else");
    story.tell(format!("forced: {}", shape(&deployments.apply(&deployment(3), &forced).await?)));
    let sidecar = json!({ "containers": [{ "name": "sidecar", "image": "envoy" }] });
    let change = Patch::strategic(&json!({ "spec": { "template": { "spec": sidecar } } }));
    story
        .tell(format!("strategic: {}", shape(&deployments.patch("web", &change, &options).await?)));
    let operations = json!([
        { "op": "test", "path": "/spec/replicas", "value": 3 },
        { "op": "replace", "path": "/spec/replicas", "value": 0 },
    ]);
    let change = Patch::json(&operations);
    story.tell(format!("operated: {}", shape(&deployments.patch("web", &change, &options).await?)));
    story.refused("operated again", deployments.patch("web", &change, &options).await);
    let stale = Patch::merge(&json!({ "metadata": { "resourceVersion": web.resource_version() } }));
    story.refused("patched at an old version", deployments.patch("web", &stale, &options).await);
    Ok(())
}

async fn status(deployments: &Api<Deployment>, story: &mut Story) -> Result<()> {
    let mut web = deployments.get("web").await?;
    web.status.replicas = 7;
    web.spec.replicas = Some(9);
    let stored = deployments.update_status(&web).await?;
    story.tell(format!("status: {} of {}", stored.status.replicas, shape(&stored)));
    let change = Patch::merge(&json!({ "status": { "replicas": 0 } }));
    let stored = deployments.patch_status("web", &change, &PatchOptions::default()).await?;
    story.tell(format!("status: {} of {}", stored.status.replicas, shape(&stored)));
    Ok(())
}

async fn lists(client: &Client, maps: &Api<ConfigMap>, story: &mut Story) -> Result<()> {
    for name in ["b", "c", "d", "e"] {
        maps.create(&map(name, "1"), &CreateOptions::default()).await?;
    }
    let ours = ListOptions::default().labels("tour=yes");
    let names = |items: &[ConfigMap]| {
        items.iter().map(|map| map.name().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let all = maps.list(&ours).await?;
    story.tell(format!("listed: {}, malformed: {}", names(&all.items), all.malformed.len()));
    let page = maps.list(&ours.clone().limit(2)).await?;
    story.tell(format!("a page: {}, more: {}", names(&page.items), !page.continue_.is_empty()));
    let paged = maps.list_all(&ours.clone().limit(2)).await?;
    story.tell(format!("page by page: {}", names(&paged.items)));
    let one = maps.list(&ListOptions::default().fields("metadata.name=c")).await?;
    story.tell(format!("by field: {}", names(&one.items)));
    let mut options = ours.clone();
    options.continue_ = "nonsense".to_owned();
    story.refused("a token that is none", maps.list(&options).await);

    let bare = client.api::<Metadata<ConfigMap>>().namespace(NAMESPACE);
    let heads = bare.list(&ours).await?;
    let labelled = heads.items.iter().filter(|map| map.label("tour") == Some("yes")).count();
    story.tell(format!("metadata only: {} of {} labelled", labelled, heads.items.len()));
    Ok(())
}

async fn watch(maps: &Api<ConfigMap>, story: &mut Story) -> Result<()> {
    let ours = ListOptions::default().labels("tour=yes");
    let since = maps.list(&ours).await?.resource_version;
    let options = WatchOptions::since(since).labels("tour=yes");
    let mut events = maps.watch(&options).await?;
    let relabel = |value| Patch::merge(&json!({ "metadata": { "labels": { "tour": value } } }));
    maps.create(&map("f", "1"), &CreateOptions::default()).await?;
    maps.patch("f", &Patch::merge(&json!({ "data": { "key": "2" } })), &PatchOptions::default())
        .await?;
    maps.patch("f", &relabel(json!(null)), &PatchOptions::default()).await?;
    maps.patch("f", &relabel(json!("yes")), &PatchOptions::default()).await?;
    maps.delete("f", &DeleteOptions::default()).await?;
    for _ in 0..5 {
        story.tell(told(events.next().await.transpose()?));
    }
    drop(events);

    let options =
        WatchOptions { send_initial_events: true, ..WatchOptions::default().labels("tour=yes") };
    let mut events = maps.watch(&options).await?;
    for _ in 0..6 {
        story.tell(format!("from the start: {}", told(events.next().await.transpose()?)));
    }
    Ok(())
}

fn told(event: Option<WatchEvent<ConfigMap>>) -> String {
    match event {
        None => "the watch ended".to_owned(),
        Some(WatchEvent::Added(map)) => format!("added {} {}", map.name(), value(&map)),
        Some(WatchEvent::Modified(map)) => format!("modified {} {}", map.name(), value(&map)),
        Some(WatchEvent::Deleted(map)) => format!("deleted {} {}", map.name(), value(&map)),
        Some(WatchEvent::Bookmark { initial_events_end, .. }) => {
            format!("bookmark, all told: {initial_events_end}")
        }
        Some(WatchEvent::Error(status)) => format!("error {}", status.reason),
        Some(WatchEvent::Malformed(bad)) => format!("malformed: {}", bad.error),
    }
}

async fn dynamic(client: &Client, story: &mut Story) -> Result<()> {
    for name in ["deploy", "deployments.apps", "ConfigMap", "ns"] {
        story.tell(format!("{name} is {}", client.resolve(name).await?));
    }
    story.refused("a kind that is none", client.resolve("sandwiches").await);
    let maps = client.dynamic(client.resolve("cm").await?).namespace(NAMESPACE);
    let mut a = maps.get("a").await?;
    story.tell(format!(
        "{} {} holds {}",
        a.kind(),
        a.key(),
        a.get("/data/key").unwrap_or("nothing")
    ));
    let listed = maps.list(&ListOptions::default().labels("tour=yes")).await?;
    story.tell(format!(
        "the last of the list is a {}",
        listed.items.last().map_or("", |map| &map.kind().kind)
    ));
    let set = a.set("/data/key", &watchkeeper_api::IStr::from("3"));
    set.map_err(|error| Error::other(error.to_string()))?;
    let updated = maps.update(&a).await?;
    story.tell(format!("now it holds {}", updated.get("/data/key").unwrap_or("nothing")));
    Ok(())
}

async fn delete(
    maps: &Api<ConfigMap>,
    deployments: &Api<Deployment>,
    story: &mut Story,
) -> Result<()> {
    let another = DeleteOptions::only("0f0e7b7e-7d6a-4d0d-8a58-1b1f2e3d4c5b");
    story.refused("deleted as another", maps.delete("a", &another).await);
    let uid = maps.get("a").await?.uid().to_owned();
    let Deleted::Gone { uid: gone } = maps.delete("a", &DeleteOptions::only(&*uid)).await? else {
        return Err(Error::other("a is still there"));
    };
    story.tell(format!("deleted, and its uid told: {}", gone == uid));
    story.refused("deleted again", maps.delete("a", &DeleteOptions::default()).await);
    let ours = ListOptions::default().labels("tour=yes");
    maps.delete_collection(&DeleteOptions::default(), &ours).await?;
    story.tell(format!("left of the collection: {}", maps.list(&ours).await?.items.len()));

    let hold = json!({ "metadata": { "finalizers": ["example.com/tour"] } });
    deployments.patch("web", &Patch::merge(&hold), &PatchOptions::default()).await?;
    let Deleted::Pending(web) = deployments.delete("web", &DeleteOptions::default()).await? else {
        return Err(Error::other("web is gone in spite of its finalizer"));
    };
    story.tell(format!("deleting: {}", web.is_deleting()));
    let release = json!({ "metadata": { "finalizers": null } });
    deployments.patch("web", &Patch::merge(&release), &PatchOptions::default()).await?;
    story.refused("read after its last finalizer", deployments.get("web").await);
    Ok(())
}
