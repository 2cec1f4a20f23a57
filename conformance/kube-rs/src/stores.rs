//! Those who wait for a store, and those who listen to one.

use std::time::Duration;

use futures::{StreamExt, stream};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use kube::runtime::watcher::{Event, Result};
use kube::runtime::{WatchStreamExt, reflector};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::Seen;

const WAITERS: usize = 8;
const LIMIT: Duration = Duration::from_secs(2);

pub fn map(name: &str) -> ConfigMap {
    let mut map = ConfigMap::default();
    map.metadata.name = Some(name.to_owned());
    map.metadata.namespace = Some("default".to_owned());
    map
}

/// What is there before the limit. A wait that nobody wakes is looked at once more when its time is over: then
/// it is too late.
async fn in_time<T>(wait: impl Future<Output = T>) -> Option<T> {
    let start = Instant::now();
    let come = timeout(LIMIT, wait).await.ok()?;
    (start.elapsed() < LIMIT).then_some(come)
}

/// `Store::wait_until_ready`: each who waits takes the place of the one before.
pub async fn a_first_list() -> Seen {
    let (store, mut writer) = reflector::store::<ConfigMap>();
    let mut waiting = JoinSet::new();
    for _ in 0..WAITERS {
        let store = store.clone();
        waiting.spawn(in_time(async move { store.wait_until_ready().await }));
    }
    sleep(Duration::from_millis(100)).await;
    writer.apply_watcher_event(&Event::Init);
    writer.apply_watcher_event(&Event::InitDone);
    let woken = waiting.join_all().await.into_iter().flatten().count();
    Seen::new(woken < WAITERS, format!("{woken} of {WAITERS} are woken within {LIMIT:?}"))
}

/// `ReflectHandle`: a change of what is gone is no item, and asks for no other wake.
pub async fn b_gone() -> Seen {
    let (_, writer) = reflector::store_shared::<ConfigMap>(16);
    let mut subscriber = Box::pin(writer.subscribe().expect("a shared store"));
    let events: [Result<Event<ConfigMap>>; 5] = [
        Ok(Event::Init),
        Ok(Event::InitDone),
        Ok(Event::Apply(map("gone"))),
        Ok(Event::Delete(map("gone"))),
        Ok(Event::Apply(map("there"))),
    ];
    let source = stream::iter(events).chain(stream::pending()).reflect_shared(writer);
    let mut source = Box::pin(source);
    let all = async { while source.next().await.is_some() {} };
    drop(timeout(Duration::from_millis(100), all).await);
    let told = in_time(subscriber.next()).await;
    let text = match &told {
        Some(Some(map)) => format!("the subscriber is told of {}", map.name_any()),
        Some(None) => "the subscription ends".to_owned(),
        None => format!("the subscriber is told of neither within {LIMIT:?}"),
    };
    Seen::new(told.is_none(), text)
}
