//! `bench-controller URL MAPS CHANGES WORKERS CODEC` runs a controller of config maps that does nothing but to look
//! at the copy of each, on as many threads as it has workers. When all that the server has were reconciled, it prints
//! nanoseconds of wall and CPU from the first reconcile to the last; when all have
//! changed at once, the same of those; and when CHANGES more have changed one by one, nanoseconds from the
//! server's writing of each to its reconcile: the median, of 99 %, and the most.

use bench_decode::process::cpu;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::Notify;
use watchkeeper::api::core::v1::ConfigMap;
use watchkeeper::client::{Client, Codec};
use watchkeeper::prelude::*;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, maps, changes, workers, codec] = &args[..] else {
        return Err("usage: bench-controller URL MAPS CHANGES WORKERS CODEC".into());
    };
    let codec = if codec == "json" { Codec::Json } else { Codec::Protobuf };
    let asked = [maps.parse()?, changes.parse()?];
    let workers: usize = workers.parse()?;
    let mut runtime = match workers {
        1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = runtime.worker_threads(workers).enable_all().build()?;
    runtime.block_on(async {
        let client = watchkeeper::connection::Config::builder(url).build()?.client()?.codec(codec);
        reconcile_all(client, asked, workers).await
    })
}

/// What has been reconciled.
#[derive(Default)]
struct Tally {
    count: usize,
    first: Option<(Instant, Duration)>,
    took: [u128; 2],
    latencies: Vec<u64>,
}

struct State {
    maps: Watch<ConfigMap>,
    tally: Arc<Mutex<Tally>>,
    done: Arc<Notify>,
    /// After so many each.
    ends: [usize; 3],
}

async fn reconcile_all(client: Client, [maps, changes]: [usize; 2], workers: usize) -> Outcome {
    let manager = Manager::new(&client);
    let watch = manager.watch::<ConfigMap>();
    let (tally, done) = (Arc::<Mutex<Tally>>::default(), Arc::<Notify>::default());
    let ends = [maps, 2 * maps, 2 * maps + changes];
    let state =
        State { maps: watch.clone(), tally: Arc::clone(&tally), done: Arc::clone(&done), ends };
    manager.controller("bench", &watch).workers(workers).with(state).reconcile(
        async |state, request, _ctx| {
            let map = state.maps.get(&request).await?;
            state.reconciled(map.as_deref());
            Ok(Action::done())
        },
    );
    let script = async {
        for phase in 0..3 {
            done.notified().await;
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            if tally.count != ends[phase] {
                return Err(format!("{} were reconciled", tally.count).into());
            }
            let [wall, used] = tally.took;
            tally.first = None;
            if phase < 2 {
                println!("{wall} {used}");
                continue;
            }
            tally.latencies.sort_unstable();
            let at = |part: usize| tally.latencies[(tally.latencies.len() - 1) * part / 100];
            println!("{} {} {}", at(50), at(99), at(100));
        }
        Ok(())
    };
    tokio::select! {
        ended = manager.run(std::future::pending::<()>()) => Err(format!("the manager ended: {ended:?}").into()),
        ended = script => ended,
    }
}

impl State {
    fn reconciled(&self, map: Option<&ConfigMap>) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.count += 1;
        let count = tally.count;
        if count > self.ends[1] {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
            let sent = map.and_then(|map| map.data.get("sent")?.parse().ok()).unwrap_or(0);
            tally.latencies.push(now.saturating_sub(sent) as u64);
        }
        let (began, used) = *tally.first.get_or_insert_with(|| (Instant::now(), cpu()));
        if self.ends.contains(&count) {
            tally.took = [began.elapsed().as_nanos(), (cpu() - used).as_nanos()];
            self.done.notify_one();
        }
    }
}
