//! What users hold of a copy, and how it is dropped.

use std::pin::Pin;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_cache::{
    Cache, HandlerOptions, Item, Overflow, SharedInformer, SharedInformerFactory, Subscription,
    Watch,
};
use watchkeeper_client::Client;

use crate::kinds::Copied;
use crate::service::{Open, Stage};
use crate::stages::Dropped;
use crate::usage::{Usage, until};

/// How often some handlers want to be told of everything.
const RESYNC: Duration = Duration::from_secs(5);
/// So long a wait is left in its middle.
const MOMENT: Duration = Duration::from_millis(10);

/// Handlers of several manners.
fn subscriptions<K: Item>(maps: &Watch<K>) -> Vec<Subscription> {
    let manners = [
        HandlerOptions::default(),
        HandlerOptions { buffer: 1, overflow: Overflow::Block, ..HandlerOptions::default() },
        HandlerOptions { buffer: 2, ..HandlerOptions::default() },
        HandlerOptions { resync: Some(RESYNC), ..HandlerOptions::default() },
    ];
    let buffer = vec![0_u8; 1000];
    let handler = |options| {
        let buffer = buffer.clone();
        maps.subscribe_with(options, move |_| {
            std::hint::black_box(&buffer);
        })
    };
    manners.into_iter().map(handler).collect()
}

/// An own write and who reads what it made, each in the middle of a wait, where the stage is of that.
type Pending = Pin<Box<dyn Future<Output = ()> + Send>>;

async fn own<K: Copied>(
    stage: Stage,
    cache: &Cache,
    client: &Client,
    maps: &Watch<K>,
    open: &Open,
) -> Option<[Pending; 2]> {
    if !stage.is_of_writes() {
        return None;
    }
    let api = client.clone().observed_by(cache.observer()).api::<ConfigMap>().namespace("default");
    let maps = maps.clone();
    let mut write: Pending = Box::pin(async move {
        let map = object!(ConfigMap { metadata: { name: "o-1", namespace: "default" } });
        let _ = api.update(&map).await;
    });
    let mut read: Pending = Box::pin(async move { drop(maps.get(("default", "o-1")).await) });
    let before = open.ever();
    let _ = timeout(MOMENT, &mut write).await;
    assert!(timeout(MOMENT, &mut read).await.is_err(), "the reader waits");
    assert!(open.ever() > before);
    if stage == Stage::Inquiring {
        until("the server is asked", || open.count() > 1).await;
    }
    Some([write, read])
}

/// As far as the server lets it come.
async fn reached<K: Item>(stage: Stage, maps: &Watch<K>, open: &Open) {
    if stage.is_synced() {
        maps.synced().await.unwrap();
    } else {
        open.asked(stage).await;
    }
    match stage {
        // The watch is refused first.
        Stage::BetweenPages => until("the next page is asked for", || open.ever() > 2).await,
        Stage::Resyncing => sleep(RESYNC).await,
        _ => {}
    }
    // Somewhere in the middle of what it does next.
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

pub(crate) async fn cache<K: Copied>(
    client: &Client,
    stage: Stage,
    dropped: Dropped,
    open: &Open,
    before: usize,
) {
    let cache = Cache::new(client);
    let maps = cache.watch_only(K::all());
    let index = maps.index(|map: &K| [map.name().len()]);
    let source = maps.when(|change| !change.is_initial());
    let mut changes = maps.changes();
    let mut handlers = subscriptions(&maps);
    handlers.push(source.subscribe(|_| ()));
    let mut running = JoinSet::new();
    if stage != Stage::Idle {
        let cache = cache.clone();
        running.spawn(async move { cache.run().await });
    }
    reached(stage, &maps, open).await;
    // Left in the middle of a wait, or of what it has to tell.
    let _ = timeout(MOMENT, changes.next()).await;
    let own = own(stage, &cache, client, &maps, open).await;
    match dropped {
        Dropped::Run => {
            drop(running);
            drop(own);
            until("all is over", || open.count() == 0 && Usage::now().tasks <= before).await;
            drop((maps, index, source, changes, handlers));
        }
        Dropped::Handles | Dropped::Listeners => {
            if dropped == Dropped::Listeners {
                for handler in std::mem::take(&mut handlers) {
                    handler.shut_down().await;
                }
            }
            drop((own, maps, index, source, changes, handlers));
            let run = usize::from(stage != Stage::Idle);
            let ended = || open.count() == 0 && Usage::now().tasks <= before + run;
            until("the copy is over", ended).await;
            drop(running);
        }
        _ => {
            drop(own);
            for _ in 0..5 {
                let _ = timeout(MOMENT, maps.get(("default", "nobody"))).await;
                let _ = timeout(MOMENT, maps.synced()).await;
                let _ = timeout(MOMENT, maps.caught_up()).await;
            }
            drop((running, maps, index, source, handlers));
        }
    }
    drop(cache);
}

pub(crate) async fn factory<K: Copied>(
    client: &Client,
    stage: Stage,
    dropped: Dropped,
    open: &Open,
) {
    let factory = SharedInformerFactory::new(client).resync(RESYNC);
    let informer = factory.informer_for(K::all());
    let _lister = informer.lister();
    let _handlers = subscriptions(informer.watch());
    let running = (stage != Stage::Idle).then(|| factory.start());
    reached(stage, informer.watch(), open).await;
    let own = own(stage, factory.cache(), client, informer.watch(), open).await;
    if dropped == Dropped::FactoryShutDown {
        factory.shut_down().await;
        // The guard, and who wrote and reads, go last.
        let written = usize::from(stage == Stage::Writing);
        assert_eq!(open.count(), written, "requests of the copies");
    }
    drop((running, own));
    until("the factory is over", || open.count() == 0).await;
}

pub(crate) async fn informer<K: Item>(informer: SharedInformer<K>, stage: Stage, open: &Open) {
    let _handlers = subscriptions(informer.watch());
    if stage != Stage::Idle {
        tokio::select! {
            biased;
            () = informer.run() => {}
            () = reached(stage, informer.watch(), open) => {}
        }
        until("the informer is over", || open.count() == 0).await;
    }
}

pub(crate) async fn namespaces<K: Copied>(client: &Client, stage: Stage, open: &Open) {
    let cache = Cache::new(client);
    let maps = cache.watch_namespaces(K::all(), ["default", "other"]);
    // A handler that holds what it listens to.
    let held = maps.clone();
    let listening = maps.subscribe(move |_| {
        std::hint::black_box(&held);
    });
    let source = maps.when(|change| !change.is_initial());
    let sourced = source.subscribe(|_| ());
    let mut changes = maps.changes();
    let mut running = JoinSet::new();
    if stage != Stage::Idle {
        let cache = cache.clone();
        running.spawn(async move { cache.run().await });
    }
    reached(stage, &maps.watch("default").unwrap(), open).await;
    maps.set(["default", "third"]);
    reached(stage, &maps.watch("third").unwrap(), open).await;
    let _ = timeout(MOMENT, changes.next()).await;
    drop((listening, sourced, source, changes, maps));
    until("the copies are over", || open.count() == 0).await;
    drop((running, cache));
}
