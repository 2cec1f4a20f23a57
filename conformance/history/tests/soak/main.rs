//! An hour of churn in compressed time, of objects whose texts were never there before, with the memory of the
//! process flat: what is allocated, and what the system keeps resident for it, which memory in pieces makes grow,
//! too.
//!
//! A binary of its own with one test, because its allocator counts what everything in it holds. The server is
//! made of arithmetic: it must not grow, either.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::alloc::System;
use std::time::Duration;

use cap::Cap;
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_apiserver::Rng;
use watchkeeper_cache::{Cache, Change, HandlerOptions, Overflow, Subscription, Watch};
use watchkeeper_client::Client;

mod churn;

use churn::Churn;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// What may be held for more than a minute by chance: the fill of buffers and tables, the nodes of trees.
const SLACK: Usage = Usage { allocated: 64 << 10, resident: Some(512 << 10) };

/// What a control keeps of each event.
const LEAK: usize = 64;

/// What is kept for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leak {
    Nothing,
    /// Something small of each event.
    Events,
    /// What each object is called, as a table of texts would that forgets none.
    Names,
}

#[test]
fn an_hour_of_churn_leaves_memory_flat() {
    let (samples, events, lists) = soak(70, Leak::Nothing);
    let growth = growth(&samples[10..]);
    println!("an hour, {events} events, {lists} lists: at its end {growth:?} more: {samples:?}");
    assert!(events > 50_000 && lists > 10, "{events} events, {lists} lists");
    assert!(growth.allocated < SLACK.allocated, "{growth:?} more: {samples:?}");
    assert!(growth.resident <= SLACK.resident, "{growth:?} more: {samples:?}");
    // The controls.
    for leak in [Leak::Events, Leak::Names] {
        let (samples, ..) = soak(20, leak);
        let growth = self::growth(&samples[6..]);
        println!("{leak:?} kept: {growth:?} more");
        assert!(growth.allocated > SLACK.allocated, "{leak:?} kept, and not noticed: {samples:?}");
        // Names take less than what is resident varies by.
        let is_small = leak == Leak::Names || growth.resident.is_none();
        assert!(
            is_small || growth.resident > SLACK.resident,
            "{leak:?} kept, and not noticed: {samples:?}"
        );
    }
}

/// Bytes of the process.
#[derive(Clone, Copy, Debug)]
struct Usage {
    allocated: usize,
    /// None where the system does not tell, as everywhere but on Linux.
    resident: Option<usize>,
}

impl Usage {
    fn now() -> Self {
        let allocated = ALLOCATOR.allocated();
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes = kibibytes.and_then(|text| text.split_whitespace().next()?.parse().ok());
        Self { allocated, resident: kibibytes.map(|kibibytes: usize| kibibytes << 10) }
    }
}

/// How much more is held at the end than at the beginning: of each, the middle of a quarter of the samples, as
/// there is always something under way.
fn growth(samples: &[Usage]) -> Usage {
    let quarter = samples.len() / 4;
    let (first, last) = (&samples[..quarter], &samples[samples.len() - quarter..]);
    let more = |of: fn(&Usage) -> Option<usize>| {
        Some(middle(last, of)?.saturating_sub(middle(first, of)?))
    };
    Usage {
        allocated: more(|usage| Some(usage.allocated)).unwrap_or(0),
        resident: more(|usage| usage.resident),
    }
}

/// The median.
fn middle(samples: &[Usage], of: fn(&Usage) -> Option<usize>) -> Option<usize> {
    let mut sizes: Vec<usize> = samples.iter().filter_map(of).collect();
    sizes.sort_unstable();
    sizes.get(sizes.len() / 2).copied()
}

/// What is held at each of so many minutes, and how many events and lists the copy took in.
fn soak(minutes: usize, leak: Leak) -> (Vec<Usage>, u64, u64) {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let churn = Churn::new(1);
        let client = churn.clone().client();
        let cache = Cache::new(&client).seed(1);
        let maps = cache.watch::<ConfigMap>();
        let mut running = JoinSet::new();
        running.spawn(async move { cache.run().await });
        let mut residents = residents(&maps);
        if leak != Leak::Nothing {
            residents.push(maps.subscribe(move |change| keep(leak, change)));
        }
        maps.synced().await.unwrap();
        let (mut dice, mut guests) = (Rng::new(1), Vec::new());
        // It must not grow, either.
        let mut samples = Vec::with_capacity(minutes);
        for _ in 0..minutes {
            for _ in 0..12 {
                sleep(Duration::from_secs(5)).await;
                come_and_go(&maps, &mut guests, &mut dice);
                read(&churn, &client, &maps, &mut dice).await;
            }
            samples.push(Usage::now());
        }
        let status = maps.status();
        (samples, status.events, status.replaces)
    })
}

/// What a handler leaks.
fn keep(leak: Leak, change: &Change<ConfigMap>) {
    match (leak, change) {
        (Leak::Events, _) => {
            std::hint::black_box(Vec::leak(vec![1_u8; LEAK]));
        }
        (Leak::Names, Change::Added { new, .. }) => {
            let texts = (new.metadata.name.clone(), new.metadata.uid.clone());
            std::hint::black_box(Box::leak(Box::new(texts)));
        }
        _ => {}
    }
}

fn residents(maps: &Watch<ConfigMap>) -> Vec<Subscription> {
    let manners = [
        HandlerOptions::default(),
        HandlerOptions { buffer: 1, ..HandlerOptions::default() },
        HandlerOptions { buffer: 2, overflow: Overflow::Block, ..HandlerOptions::default() },
        HandlerOptions { resync: Some(Duration::from_secs(60)), ..HandlerOptions::default() },
    ];
    manners.into_iter().map(|options| maps.subscribe_with(options, |_| ())).collect()
}

/// Handlers come and leave, and indices are made and dropped.
fn come_and_go(maps: &Watch<ConfigMap>, guests: &mut Vec<Subscription>, dice: &mut Rng) {
    if guests.len() < 6 {
        guests.push(maps.subscribe(|_| ()));
    } else {
        drop(guests.remove(usize::try_from(dice.below(6)).unwrap()));
    }
    let index = maps.index(|map: &ConfigMap| [map.data.get("text").cloned()]);
    let found = index.values().len();
    assert!(found <= maps.peek_all().len());
}

/// Somebody reads the copy, and the server itself: what is decoded alone takes its texts from the table of the
/// process, and puts them there.
async fn read(churn: &Churn, client: &Client, maps: &Watch<ConfigMap>, dice: &mut Rng) {
    let server = client.api::<ConfigMap>().namespace("default");
    for _ in 0..2 {
        let name = churn.name(dice.below(churn::OBJECTS));
        let there = server.get(&name).await.ok();
        let read = maps.get(("default", &*name)).await.unwrap();
        assert!(read.is_none_or(|map| !map.data.is_empty()));
        assert!(there.is_none_or(|map| map.metadata.name == name));
    }
}
