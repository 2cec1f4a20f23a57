//! What watches tell, of whole objects, of metadata alone, and of what has no type.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Metadata, Object, StaticKind as _, Unstructured, object};
use watchkeeper_client::wait::poll;
use watchkeeper_client::{
    Api, Client, CreateOptions, DeleteOptions, Error, ListOptions, Result, WatchEvent, WatchOptions,
};

use super::{NAMESPACE, Told, maps};

const WATCHED: &str = "watched=yes";

pub(super) async fn watches(client: &Client, told: &Told) -> Result<()> {
    let maps = maps(client);
    let version = maps.list(&ListOptions::default().labels(WATCHED)).await?.resource_version;
    let map = object!(ConfigMap {
        metadata: { name: "w", labels: { "watched": "yes" } },
        data: { "key": "1" },
    });
    let mut map = maps.create(&map, &CreateOptions::default()).await?;
    map.data.insert("key", "2");
    let mut map = maps.update(&map).await?;
    map.metadata.labels.insert("watched", "no");
    let map = maps.update(&map).await?;
    maps.delete("w", &DeleteOptions::only(map.uid())).await?;
    let since = WatchOptions::since(version).labels(WATCHED);
    follow(&maps, &since, 3, told, |map| format!("{:?}", map.data)).await?;
    let metadata = client.api::<Metadata<ConfigMap>>().namespace(NAMESPACE);
    follow(&metadata, &since, 3, told, |map| format!("{:?}", map.metadata.labels)).await?;
    let untyped: Api<Unstructured> = client.dynamic(ConfigMap::static_kind().clone());
    let untyped = untyped.namespace(NAMESPACE);
    follow(&untyped, &since, 3, told, |map| map.get("/data").unwrap_or_default().to_owned())
        .await?;
    // The present state, its end, and then what happens.
    let present = WatchOptions { send_initial_events: true, ..WatchOptions::default() };
    let present = present.labels("page=yes");
    follow(&maps, &present, 6, told, |map| format!("{:?}", map.metadata.labels)).await?;
    let forgotten = maps.watch(&WatchOptions::since("hello")).await;
    told.tell(format!("from a version that is none: refused {}", forgotten.is_err()));
    goes_on(client, told).await
}

/// A watch that the server ends after a second, and that goes on where it was.
async fn goes_on(client: &Client, told: &Told) -> Result<()> {
    let opened = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&opened);
    let counted = client.clone().intercept(move |request, next| {
        let watches = request.uri().query().is_some_and(|query| query.contains("watch="));
        counter.fetch_add(usize::from(watches), Ordering::Relaxed);
        next.send(request)
    });
    let maps = maps(client);
    let which = ListOptions::default().labels("goes=on");
    let version = maps.list(&which).await?.resource_version;
    let since = WatchOptions::since(version).labels("goes=on");
    let short = WatchOptions { timeout: Duration::from_secs(1), ..since };
    let mut watch = super::maps(&counted).watch_on(short)?;
    for (name, opened_before) in [("first", 1), ("second", 2), ("third", 3)] {
        let map = object!(ConfigMap { metadata: { name: name, labels: { "goes": "on" } } });
        let made = async {
            let often = || async { Ok(opened.load(Ordering::Relaxed) >= opened_before) };
            poll(Duration::from_millis(50), Duration::from_secs(60), true, often).await?;
            maps.create(&map, &CreateOptions::default()).await
        };
        let added = watch.until(|event| Ok(matches!(event, WatchEvent::Added(_))));
        let (added, _made) = tokio::try_join!(added, made)?;
        let WatchEvent::Added(added) = added else { continue };
        let name = added.name();
        told.tell(format!("after the watch was opened {opened_before} times: added {name}"));
    }
    maps.delete_collection(&DeleteOptions::default(), &which).await?;
    Ok(())
}

/// Tells so many events.
async fn follow<K: Object>(
    api: &Api<K>,
    options: &WatchOptions,
    events: usize,
    told: &Told,
    show: impl Fn(&K) -> String,
) -> Result<()> {
    let mut watch = api.watch(options).await?;
    for _ in 0..events {
        let event = watch.next().await.ok_or_else(|| Error::other("the watch ended"))??;
        told.tell(match &event {
            WatchEvent::Added(object) => format!("added {} {}", object.name(), show(object)),
            WatchEvent::Modified(object) => format!("modified {} {}", object.name(), show(object)),
            WatchEvent::Deleted(object) => format!("deleted {} {}", object.name(), show(object)),
            WatchEvent::Bookmark { initial_events_end, .. } => {
                format!("all is told: {initial_events_end}")
            }
            WatchEvent::Error(status) => format!("ended: {}", status.reason),
            WatchEvent::Malformed(bad) => format!("malformed: {}", bad.error),
        });
    }
    Ok(())
}
