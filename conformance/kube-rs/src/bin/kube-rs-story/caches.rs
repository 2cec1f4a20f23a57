//! Reflectors and their stores.

use std::pin::pin;
use std::time::Duration;

use futures::{Stream, StreamExt, TryStreamExt};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::core::{Expression, Selector};
use kube::runtime::reflector::{self, ObjectRef, Store};
use kube::runtime::{PredicateConfig, WatchStreamExt, predicates, reflector as reflect, watcher};
use kube::{Api, ResourceExt};
use serde_json::json;
use tokio::time::timeout;

use crate::objects::deployment;
use crate::told::{self, NAMESPACE, Outcome, Story, map};

/// How long nothing may come, to be sure that nothing does.
const QUIET: Duration = Duration::from_secs(1);

pub async fn tell(story: &Story) -> Outcome {
    store(story).await?;
    generations(story).await
}

async fn store(story: &Story) -> Outcome {
    let maps = story.api::<ConfigMap>();
    for name in ["r1", "r2"] {
        maps.create(&PostParams::default(), &map(name, &[("store", "yes"), ("name", name)]))
            .await?;
    }
    told::copied(&maps, "store=yes", 2).await?;
    let (store, writer) = reflector::store::<ConfigMap>();
    let config = watcher::Config::default().labels("store=yes").streaming_lists();
    let events = reflect(writer, watcher(maps.clone(), config).default_backoff());
    let running = events.try_for_each(|_| std::future::ready(Ok(())));
    tokio::select! {
        ended = running => Err(format!("the reflector ended: {ended:?}").into()),
        told = copied(story, &maps, &store) => told,
    }
}

async fn copied(story: &Story, maps: &Api<ConfigMap>, store: &Store<ConfigMap>) -> Outcome {
    store.wait_until_ready().await?;
    story.say("ready with", all(store));
    let one = ObjectRef::new("r1").within(NAMESPACE);
    story.say("one of them", store.get(&one).map_or_else(String::new, |map| map.name_any()));
    let of_one = Expression::Equal("name".to_owned(), "r2".to_owned());
    let selected = store.state_filter_selector(&Selector::from(of_one));
    story.say("selected", selected.iter().map(|map| map.name_any()).collect::<String>());
    maps.create(&PostParams::default(), &map("r3", &[("store", "yes")])).await?;
    until(|| store.len() == 3).await;
    story.say("one more", all(store));
    let change = Patch::Merge(json!({ "data": { "key": "value" } }));
    maps.patch("r1", &PatchParams::default(), &change).await?;
    until(|| store.get(&one).is_some_and(|map| map.data.is_some())).await;
    maps.delete("r2", &DeleteParams::default()).await?;
    until(|| store.len() == 2).await;
    story.say("one less", all(store));
    Ok(())
}

fn all(store: &Store<ConfigMap>) -> String {
    let mut names: Vec<String> = store.state().iter().map(|map| map.name_any()).collect();
    names.sort();
    names.join(" ")
}

/// The chapter's limit ends what never comes.
pub async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// What passes a predicate: changes of what is asked for, and none of the status.
async fn generations(story: &Story) -> Outcome {
    let deployments = story.api::<Deployment>();
    story.made::<Deployment>(deployment("generations")).await?;
    let config = watcher::Config::default().fields("metadata.name=generations");
    let changes = watcher(deployments.clone(), config)
        .applied_objects()
        .predicate_filter(predicates::generation, PredicateConfig::default());
    let mut changes = pin!(changes);
    story.say("generation", next(&mut changes).await?);
    let plain = PatchParams::default();
    let status = Patch::Merge(json!({ "status": { "replicas": 1 } }));
    deployments.patch_status("generations", &plain, &status).await?;
    let label = Patch::Merge(json!({ "metadata": { "labels": { "a": "b" } } }));
    deployments.patch("generations", &plain, &label).await?;
    story.say("of its status nothing", timeout(QUIET, next(&mut changes)).await.is_err());
    let spec = Patch::Merge(json!({ "spec": { "replicas": 5 } }));
    deployments.patch("generations", &plain, &spec).await?;
    story.say("generation", next(&mut changes).await?);
    Ok(())
}

async fn next(
    changes: &mut (impl Stream<Item = watcher::Result<Deployment>> + Unpin),
) -> Outcome<String> {
    let change = changes.next().await.ok_or("the watch ended")??;
    Ok(format!("{:?}", change.metadata.generation))
}
