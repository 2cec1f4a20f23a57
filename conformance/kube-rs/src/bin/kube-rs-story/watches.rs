//! Watches: by hand, and as kube's runtime keeps them up.

use futures::{Stream, StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{
    DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams,
};
use kube::core::PartialObjectMeta;
use kube::runtime::watcher::{self, Event, watch_object, watcher};
use kube::{Api, Resource, ResourceExt};
use serde_json::{Value, json};

use crate::told::{Outcome, Story, copied, map, refusal};

pub async fn tell(story: &Story) -> Outcome {
    let maps = story.api::<ConfigMap>();
    by_hand(story, &maps).await?;
    let listed = watcher::Config::default().page_size(1);
    let streamed = watcher::Config::default().streaming_lists();
    for (what, config) in [("listed", &listed), ("streamed", &streamed)] {
        let events = watcher(maps.clone(), config.clone().labels(&format!("watch={what}")));
        followed(story, what, &maps, events).await?;
    }
    let metadata = story.api::<PartialObjectMeta<ConfigMap>>();
    for (what, config) in [("metadata-listed", listed), ("metadata-streamed", streamed)] {
        let events = watcher(metadata.clone(), config.labels(&format!("watch={what}")));
        followed(story, what, &maps, events).await?;
    }
    one(story, &maps).await
}

async fn by_hand(story: &Story, maps: &Api<ConfigMap>) -> Outcome {
    let now = maps.list(&ListParams::default()).await?.metadata.resource_version;
    let now = now.ok_or("a list without version")?;
    let selected = WatchParams::default().labels("watch=hand");
    let events = maps.watch(&selected, &now).await?;
    changes(maps, "hand", "h").await?;
    // The last change takes it out of the selection.
    let mut events = std::pin::pin!(events.take(4));
    while let Some(event) = events.try_next().await? {
        story.say("by hand", by_hand_event(&event));
    }
    let bad = WatchParams::default().labels("a in b");
    story.say("a wrong selector", refusal(maps.watch(&bad, "0").await.map(drop)));
    let wrong = maps.watch(&WatchParams::default(), "yesterday").await;
    story.say("a wrong version", refusal(wrong.map(drop)));
    Ok(())
}

fn by_hand_event(event: &WatchEvent<ConfigMap>) -> String {
    match event {
        WatchEvent::Added(map) => format!("added {}", seen(map)),
        WatchEvent::Modified(map) => format!("modified {}", seen(map)),
        WatchEvent::Deleted(map) => format!("deleted {}", seen(map)),
        WatchEvent::Bookmark(_) => "bookmark".to_owned(),
        WatchEvent::Error(status) => format!("{status:?}"),
    }
}

fn seen<K: Resource>(object: &K) -> String {
    format!("{} {:?}", object.name_any(), object.annotations().get("step"))
}

/// Makes an object, changes it, takes it out of the selection and back, and deletes it.
async fn changes(maps: &Api<ConfigMap>, watch: &str, name: &str) -> Outcome {
    let plain = PatchParams::default();
    maps.create(&PostParams::default(), &map(name, &[("watch", watch)])).await?;
    let patches: [Value; 3] = [
        json!({ "metadata": { "annotations": { "step": "1" } } }),
        json!({ "metadata": { "labels": { "watch": "none" } } }),
        json!({ "metadata": { "labels": { "watch": watch }, "annotations": { "step": "2" } } }),
    ];
    for patch in &patches {
        maps.patch(name, &plain, &Patch::Merge(patch)).await?;
    }
    maps.delete(name, &DeleteParams::default()).await?;
    Ok(())
}

async fn followed<K: Resource>(
    story: &Story,
    what: &str,
    maps: &Api<ConfigMap>,
    events: impl Stream<Item = watcher::Result<Event<K>>>,
) -> Outcome {
    for name in ["w2", "w1", "w3"] {
        let name = format!("{what}-{name}");
        maps.create(&PostParams::default(), &map(&name, &[("watch", what)])).await?;
    }
    copied(maps, &format!("watch={what}"), 3).await?;
    let mut events = std::pin::pin!(events);
    loop {
        let event = events.try_next().await?.ok_or("the watch ended")?;
        story.say(what, told(&event));
        if matches!(event, Event::InitDone) {
            break;
        }
    }
    let name = format!("{what}-new");
    changes(maps, what, &name).await?;
    // Made, changed, out of it, in it again, deleted.
    for _ in 0..5 {
        let event = events.try_next().await?.ok_or("the watch ended")?;
        story.say(what, told(&event));
    }
    Ok(())
}

fn told<K: Resource>(event: &Event<K>) -> String {
    match event {
        Event::Init => "begins".to_owned(),
        Event::InitApply(object) => format!("has {}", seen(object)),
        Event::InitDone => "is complete".to_owned(),
        Event::Apply(object) => format!("applied {}", seen(object)),
        Event::Delete(object) => format!("deleted {}", seen(object)),
    }
}

/// One object, which is there, and is not.
async fn one(story: &Story, maps: &Api<ConfigMap>) -> Outcome {
    let mut states = std::pin::pin!(watch_object(maps.clone(), "single"));
    let next = states.try_next().await?.flatten();
    story.say("one object", format!("{:?}", next.as_ref().map(seen)));
    maps.create(&PostParams::default(), &map("single", &[])).await?;
    let next = states.try_next().await?.flatten();
    story.say("one object", format!("{:?}", next.as_ref().map(seen)));
    maps.delete("single", &DeleteParams::default()).await?;
    let next = states.try_next().await?.flatten();
    story.say("one object", format!("{:?}", next.as_ref().map(seen)));
    Ok(())
}
