//! `store OBJECTS`: what `bench-store` of the folder beside this one measures, with a store of kube-rs; an
//! index it has not, so objects are found by looking at all. Its handlers are subscribers of a shared store, each
//! a task, and its changes are handed over as objects.

use futures::{StreamExt, channel::mpsc};
use k8s_openapi::api::core::v1::{Pod, PodSpec};
use kube::api::ObjectMeta;
use kube::runtime::reflector::{ObjectRef, Store, reflector, store, store_shared};
use kube::runtime::watcher::Event;
use std::error::Error;
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::{JoinSet, yield_now};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const OF_NODE: usize = 30;
const LONG: Duration = Duration::from_millis(600);
/// Objects that are changed beside handlers.
const FEW: usize = 1000;
/// Changes that wait for a subscriber at most, as many as for a handler of ours.
const BUFFER: usize = 1024;

fn main() -> Outcome {
    let count: usize = std::env::args().nth(1).ok_or("usage: store OBJECTS")?.parse()?;
    let versions = [1, 2].map(|version| {
        (0..count).map(|at| Event::Apply(pod(at, version))).collect::<Vec<Event<Pod>>>()
    });
    let (store, mut writer) = store::<Pod>();
    writer.apply_watcher_event(&Event::Init);
    for at in 0..count {
        writer.apply_watcher_event(&Event::InitApply(pod(at, 1)));
    }
    writer.apply_watcher_event(&Event::InitDone);
    let keys: Vec<_> =
        scattered(count).map(|at| ObjectRef::new(&name(at)).within("default")).collect();
    for line in std::io::stdin().lines() {
        let line = line?;
        let [first, second] = match &*line {
            "get" => [rate(1000, |at| get(&store, &keys, at)), 0.0],
            "get written" => std::thread::scope(|scope| {
                let write = scope.spawn(|| {
                    rate(1000, |at| {
                        let version = &versions[(at / count + 1) % 2];
                        writer.apply_watcher_event(&version[at % count]);
                    })
                });
                let read = rate(1000, |at| get(&store, &keys, at));
                [read, write.join().unwrap_or_default()]
            }),
            "index" => [rate(1, |at| find(&store, count, at)), 0.0],
            "deliver 1" => [delivered(1)?, 0.0],
            "deliver 100" => [delivered(100)?, 0.0],
            _ => return Err(format!("{line} is not measured").into()),
        };
        println!("{first:.0} {second:.0}");
    }
    Ok(())
}

fn rate(each: usize, mut step: impl FnMut(usize)) -> f64 {
    let (start, mut done) = (Instant::now(), 0);
    loop {
        (done..done + each).for_each(&mut step);
        done += each;
        let passed = start.elapsed();
        if passed >= LONG {
            return done as f64 / passed.as_secs_f64();
        }
    }
}

fn get(store: &Store<Pod>, keys: &[ObjectRef<Pod>], at: usize) {
    assert!(black_box(store.get(&keys[at % keys.len()])).is_some());
}

fn find(store: &Store<Pod>, count: usize, at: usize) {
    let node = node(at % (count / OF_NODE) * OF_NODE);
    let on_node = |pod: &std::sync::Arc<Pod>| {
        pod.spec.as_ref().and_then(|spec| spec.node_name.as_ref()) == Some(&node)
    };
    let found: Vec<_> = store.state().into_iter().filter(on_node).collect();
    assert_eq!(black_box(found).len(), OF_NODE);
}

/// How often a second a subscriber is told of a change, of so many that are told of each.
fn delivered(subscribers: usize) -> Outcome<f64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (_store, writer) = store_shared::<Pod>(BUFFER);
        let calls = Arc::new(AtomicUsize::new(0));
        let mut told = JoinSet::new();
        for _ in 0..subscribers {
            let mut changes = Box::pin(writer.subscribe().ok_or("the store is not shared")?);
            let calls = Arc::clone(&calls);
            told.spawn(async move {
                while changes.next().await.is_some() {
                    calls.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let (mut server, watch) = mpsc::channel(1);
        let mut followed = pin!(reflector(writer, watch));
        let present = (0..FEW).map(|at| Event::InitApply(pod(at, 1)));
        for event in [Event::Init].into_iter().chain(present).chain([Event::InitDone]) {
            server.try_send(Ok(event))?;
            followed.next().await;
        }
        let all_are_told = async |changes: usize| {
            while calls.load(Ordering::Relaxed) < changes * subscribers {
                yield_now().await;
            }
        };
        all_are_told(FEW).await;
        let (start, mut done) = (Instant::now(), 0);
        while start.elapsed() < LONG {
            server.try_send(Ok(Event::Apply(pod(done % FEW, done as u32 + 2))))?;
            followed.next().await;
            done += 1;
        }
        all_are_told(FEW + done).await;
        Ok((done * subscribers) as f64 / start.elapsed().as_secs_f64())
    })
}

fn pod(at: usize, version: u32) -> Pod {
    let metadata = ObjectMeta {
        namespace: Some("default".to_owned()),
        name: Some(name(at)),
        uid: Some(format!("uid-of-{}", name(at))),
        resource_version: Some(version.to_string()),
        ..ObjectMeta::default()
    };
    let spec = PodSpec { node_name: Some(node(at)), ..PodSpec::default() };
    Pod { metadata, spec: Some(spec), ..Pod::default() }
}

fn node(at: usize) -> String {
    format!("node-{}", at / OF_NODE)
}

/// Twenty letters.
fn name(at: usize) -> String {
    let mut state = at as u64;
    (0..20).map(|_| char::from(b'a' + (next(&mut state) % 26) as u8)).collect()
}

/// Every number below `count`, in no order.
fn scattered(count: usize) -> impl Iterator<Item = usize> {
    let (mut all, mut state) = ((0..count).collect::<Vec<_>>(), 2);
    for at in (1..count).rev() {
        all.swap(at, (next(&mut state) % (at as u64 + 1)) as usize);
    }
    all.into_iter()
}

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
