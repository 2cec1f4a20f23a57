//! An hour of churn in compressed time, with the memory of the process flat: what is allocated, and what the
//! system keeps resident for it, which memory in pieces makes grow, too.
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
use watchkeeper_cache::{Cache, HandlerOptions, Overflow, Subscription, Watch};

mod churn;

use churn::Churn;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// What may be held for more than a minute by chance: the fill of buffers, the nodes of trees.
const SLACK: Usage = Usage { allocated: 128 << 10, resident: Some(512 << 10) };

/// What the control keeps of each event.
const LEAK: usize = 64;

#[test]
fn an_hour_of_churn_leaves_memory_flat() {
    let (samples, events, lists) = soak(70, false);
    let growth = growth(&samples[10..]);
    println!("an hour, {events} events, {lists} lists: at its end {growth:?} more: {samples:?}");
    assert!(events > 50_000 && lists > 10, "{events} events, {lists} lists");
    assert!(growth.allocated < SLACK.allocated, "{growth:?} more: {samples:?}");
    assert!(growth.resident <= SLACK.resident, "{growth:?} more: {samples:?}");
    // The control: something small is kept for each event.
    let (samples, ..) = soak(30, true);
    let growth = self::growth(&samples[10..]);
    println!("the control: {growth:?} more");
    assert!(growth.allocated > SLACK.allocated, "a leak was not noticed: {samples:?}");
    let is_noticed = growth.resident.is_none() || growth.resident > SLACK.resident;
    assert!(is_noticed, "a leak was not noticed: {samples:?}");
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

/// How much more is held at the end than at the beginning: of each, the least of a quarter of the samples,
/// as there is always something under way.
fn growth(samples: &[Usage]) -> Usage {
    let quarter = samples.len() / 4;
    let (first, last) = (&samples[..quarter], &samples[samples.len() - quarter..]);
    let least =
        |samples: &[Usage], of: fn(&Usage) -> Option<usize>| samples.iter().filter_map(of).min();
    let more =
        |of: fn(&Usage) -> Option<usize>| Some(least(last, of)?.saturating_sub(least(first, of)?));
    Usage {
        allocated: more(|usage| Some(usage.allocated)).unwrap_or(0),
        resident: more(|usage| usage.resident),
    }
}

/// What is held at each of so many minutes, and how many events and lists the copy took in.
fn soak(minutes: usize, leaks: bool) -> (Vec<Usage>, u64, u64) {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let cache = Cache::new(&Churn::new(1).client()).seed(1);
        let maps = cache.watch::<ConfigMap>();
        let mut running = JoinSet::new();
        running.spawn(async move { cache.run().await });
        let mut residents = residents(&maps);
        if leaks {
            residents.push(maps.subscribe(|_| {
                std::hint::black_box(Vec::leak(vec![1_u8; LEAK]));
            }));
        }
        maps.synced().await.unwrap();
        let (mut dice, mut guests, mut samples) = (Rng::new(1), Vec::new(), Vec::new());
        for _ in 0..minutes {
            for _ in 0..12 {
                sleep(Duration::from_secs(5)).await;
                come_and_go(&maps, &mut guests, &mut dice).await;
            }
            samples.push(Usage::now());
        }
        let status = maps.status();
        (samples, status.events, status.replaces)
    })
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

/// Handlers come and leave, indices are made and dropped, and somebody reads.
async fn come_and_go(maps: &Watch<ConfigMap>, guests: &mut Vec<Subscription>, dice: &mut Rng) {
    if guests.len() < 6 {
        guests.push(maps.subscribe(|_| ()));
    } else {
        drop(guests.remove(usize::try_from(dice.below(6)).unwrap()));
    }
    let index = maps.index(|map: &ConfigMap| [map.data.get("text").cloned()]);
    let found = index.values().len();
    assert!(found <= maps.peek_all().len());
    let name = format!("o-{}", dice.below(churn::OBJECTS));
    let read = maps.get(("default", &*name)).await.unwrap();
    assert!(read.is_none_or(|map| !map.data.is_empty()));
}
