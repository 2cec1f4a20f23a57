//! Each thing that users hold, dropped in each state, in paused time.

use std::pin::Pin;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_cache::classic::DeltaFifo;
use watchkeeper_cache::{
    Cache, HandlerOptions, Item, Overflow, SharedInformer, SharedInformerFactory, Store,
    Subscription, Watch,
};
use watchkeeper_client::{Client, Select};

use crate::loops;
use crate::service::{Open, Stage, client};
use crate::usage::{Usage, left, until};

/// How often some handlers want to be told of everything.
const RESYNC: Duration = Duration::from_secs(5);
/// So long a wait is left in its middle.
const MOMENT: Duration = Duration::from_millis(10);

/// What is dropped while all else is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dropped {
    /// The future of `Cache::run`.
    Run,
    /// Every handle of the copy; the cache runs on.
    Handles,
    /// Who listens, by `Subscription::shut_down`; then every handle of the copy.
    Listeners,
    /// The guard of a factory that was started.
    Factory,
    /// A factory, by `shut_down` while its guard is held.
    FactoryShutDown,
    /// The future of `SharedInformer::run`.
    Informer,
    /// That of one on the classic queue.
    InformerOnFifo,
    /// That of one that keeps its objects compressed.
    Packed,
    /// That of one that keeps what a function makes of them.
    Transformed,
    /// Futures of those who read and wait; then all else.
    Readers,
    /// Namespaces of which one was given up and one has come, and who listens to them.
    Namespaces,
    /// The future of a reflector that fills a store.
    Reflector,
    /// The future of a classic loop on the classic queue.
    Loop,
    /// The future of a classic loop whose store has indices.
    IndexedLoop,
}

impl Dropped {
    const ALL: [Self; 14] = [
        Self::Run,
        Self::Handles,
        Self::Listeners,
        Self::Factory,
        Self::FactoryShutDown,
        Self::Informer,
        Self::InformerOnFifo,
        Self::Packed,
        Self::Transformed,
        Self::Readers,
        Self::Namespaces,
        Self::Reflector,
        Self::Loop,
        Self::IndexedLoop,
    ];

    /// Whether there is a cache to be told of own writes.
    const fn is_of_a_cache(self) -> bool {
        matches!(
            self,
            Self::Run
                | Self::Handles
                | Self::Listeners
                | Self::Factory
                | Self::FactoryShutDown
                | Self::Readers
        )
    }
}

pub(crate) fn nothing_is_left_in_paused_time() {
    for stage in Stage::ALL {
        for dropped in Dropped::ALL {
            if stage.is_of_writes() && !dropped.is_of_a_cache() {
                continue;
            }
            let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
            let round = || async move { Box::pin(round(stage, dropped)).await };
            let left = runtime.unwrap().block_on(left(round));
            assert!(left.is_nothing(), "{dropped:?} dropped while {stage:?}: {left:?}");
        }
    }
}

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

async fn round(stage: Stage, dropped: Dropped) {
    let (open, before) = (Open::default(), Usage::now().tasks);
    let client = client(stage, &open);
    match dropped {
        Dropped::Run | Dropped::Handles | Dropped::Listeners | Dropped::Readers => {
            cache(&client, stage, dropped, &open, before).await;
        }
        Dropped::Factory | Dropped::FactoryShutDown => {
            factory(&client, stage, dropped, &open).await;
        }
        Dropped::Informer => {
            informer(SharedInformer::<ConfigMap>::new(&client), stage, &open).await;
        }
        Dropped::InformerOnFifo => {
            let fifo = |store: &Store<_>| DeltaFifo::new().known_objects(store.clone());
            informer(SharedInformer::through(&client, maps(), fifo), stage, &open).await;
        }
        Dropped::Packed => informer(SharedInformer::packed(&client, maps()), stage, &open).await,
        Dropped::Transformed => {
            let sizes = |map: ConfigMap| Ok::<_, String>(map.data.len());
            informer(SharedInformer::transform(&client, maps(), sizes), stage, &open).await;
        }
        Dropped::Namespaces => namespaces(&client, stage, &open).await,
        Dropped::Reflector => loops::reflector(&client, stage, &open).await,
        Dropped::Loop => loops::on_the_classic_queue(&client, stage, &open).await,
        Dropped::IndexedLoop => loops::with_indices(&client, stage, &open).await,
    }
    until("no task is left", || Usage::now().tasks <= before).await;
    assert_eq!(open.count(), 0, "requests");
}

/// An own write and who reads what it made, each in the middle of a wait, where the stage is of that.
type Pending = Pin<Box<dyn Future<Output = ()> + Send>>;

async fn own(
    stage: Stage,
    cache: &Cache,
    client: &Client,
    maps: &Watch<ConfigMap>,
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

fn maps() -> Select<ConfigMap> {
    Select::all()
}

/// As far as the server lets it come.
async fn reached<K: Item>(stage: Stage, maps: &Watch<K>, open: &Open) {
    if stage.is_synced() {
        maps.synced().await.unwrap();
    } else if stage.is_open() {
        until("a request is under way", || open.count() > 0).await;
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

async fn cache(client: &Client, stage: Stage, dropped: Dropped, open: &Open, before: usize) {
    let cache = Cache::new(client);
    let maps = cache.watch::<ConfigMap>();
    let index = maps.index(|map: &ConfigMap| [map.data.len()]);
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

async fn factory(client: &Client, stage: Stage, dropped: Dropped, open: &Open) {
    let factory = SharedInformerFactory::new(client).resync(RESYNC);
    let informer = factory.informer::<ConfigMap>();
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

async fn informer<K: Item>(informer: SharedInformer<K>, stage: Stage, open: &Open) {
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

async fn namespaces(client: &Client, stage: Stage, open: &Open) {
    let cache = Cache::new(client);
    let maps = cache.watch_namespaces(Select::<ConfigMap>::all(), ["default", "other"]);
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
