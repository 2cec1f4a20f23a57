//! What many reconciles in flight cost.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::{StreamExt, stream};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::runtime::controller::{Action, Config, applier};
use kube::runtime::reflector::{self, ObjectRef};
use kube::runtime::watcher::Event;
use tokio::time::{sleep, timeout};

use crate::Seen;

const OBJECTS: usize = 1000;
const WAKES: usize = 10;

/// Each wake of one polls all.
pub async fn g_polls() -> Seen {
    let maps: Vec<ConfigMap> = (0..OBJECTS).map(|n| crate::stores::map(&n.to_string())).collect();
    let (store, mut writer) = reflector::store::<ConfigMap>();
    writer.apply_watcher_event(&Event::Init);
    for map in &maps {
        writer.apply_watcher_event(&Event::InitApply(map.clone()));
    }
    writer.apply_watcher_event(&Event::InitDone);
    let polls = Arc::new(AtomicUsize::new(0));
    let requests = maps.iter().map(|map| Ok::<_, Infallible>(ObjectRef::from_obj(map)));
    let run = applier(
        |map: Arc<ConfigMap>, polls: Arc<AtomicUsize>| {
            // Every wake of each at a time of its own.
            let number: u64 = map.metadata.name.as_deref().unwrap_or_default().parse().unwrap_or(0);
            let mut work = Box::pin(async move {
                for _ in 0..WAKES {
                    sleep(Duration::from_millis(number + 1)).await;
                }
                Ok::<_, Infallible>(Action::await_change())
            });
            std::future::poll_fn(move |context| {
                polls.fetch_add(1, Ordering::Relaxed);
                work.as_mut().poll(context)
            })
        },
        |_, _, _| Action::await_change(),
        Arc::clone(&polls),
        store,
        stream::iter(requests).chain(stream::pending()),
        Config::default(),
    );
    let done = run.take(OBJECTS).for_each(|_| std::future::ready(()));
    let ended = timeout(Duration::from_secs(3600), done).await;
    let (polls, needed) = (polls.load(Ordering::Relaxed), OBJECTS * (WAKES + 1));
    let text = format!("{polls} polls, where {needed} would do");
    Seen::new(ended.is_ok() && polls > 10 * needed, text)
}
