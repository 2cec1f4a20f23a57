//! `controller URL MAPS CHANGES WORKERS json`: what `bench-controller` of the folder beside this one measures, with
//! a controller of kube-rs.

#[expect(dead_code, reason = "the programs beside it need the rest")]
#[path = "../../../decode/src/process.rs"]
mod process;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::runtime::controller::{Action, Config as ControllerConfig, Controller};
use kube::runtime::reflector::{ObjectRef, Store};
use kube::runtime::{WatchStreamExt, reflector, watcher};
use kube::{Api, Client, Config};
use process::cpu;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::Notify;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, maps, changes, workers, _json] = &args[..] else {
        return Err("usage: controller URL MAPS CHANGES WORKERS json".into());
    };
    let asked = [maps.parse()?, changes.parse()?];
    let workers: u16 = workers.parse()?;
    let mut runtime = match workers {
        1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = runtime.worker_threads(workers.into()).enable_all().build()?;
    runtime.block_on(async {
        let client = Client::try_from(Config::new(url.parse()?))?;
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
    maps: Store<ConfigMap>,
    tally: Mutex<Tally>,
    done: Notify,
    /// After so many each.
    ends: [usize; 3],
}

#[derive(Debug)]
struct Never;

impl std::fmt::Display for Never {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("never")
    }
}

impl Error for Never {}

async fn reconcile_all(client: Client, [maps, changes]: [usize; 2], workers: u16) -> Outcome {
    let (store, writer) = reflector::store::<ConfigMap>();
    let config = watcher::Config::default().streaming_lists();
    let stream = watcher(Api::<ConfigMap>::all(client), config)
        .default_backoff()
        .reflect(writer)
        .touched_objects();
    let ends = [maps, 2 * maps, 2 * maps + changes];
    let state = Arc::new(State {
        maps: store.clone(),
        tally: Mutex::default(),
        done: Notify::new(),
        ends,
    });
    let controller = Controller::for_stream(stream, store)
        .with_config(ControllerConfig::default().concurrency(workers))
        .run(reconcile, |_, _: &Never, _| Action::await_change(), Arc::clone(&state))
        .for_each(|_| std::future::ready(()));
    let script = async {
        for phase in 0..3 {
            state.done.notified().await;
            let mut tally = state.tally.lock().unwrap_or_else(PoisonError::into_inner);
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
        () = controller => Err("the controller ended".into()),
        ended = script => ended,
    }
}

async fn reconcile(map: Arc<ConfigMap>, state: Arc<State>) -> Result<Action, Never> {
    // As the others, it looks at the copy: what it is given is from there, too.
    let map = state.maps.get(&ObjectRef::from_obj(&*map));
    state.reconciled(map.as_deref());
    Ok(Action::await_change())
}

impl State {
    fn reconciled(&self, map: Option<&ConfigMap>) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.count += 1;
        let count = tally.count;
        if count > self.ends[1] {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
            let sent = map.and_then(|map| map.data.as_ref()?.get("sent")?.parse().ok());
            tally.latencies.push(now.saturating_sub(sent.unwrap_or(0)) as u64);
        }
        let (began, used) = *tally.first.get_or_insert_with(|| (Instant::now(), cpu()));
        if self.ends.contains(&count) {
            tally.took = [began.elapsed().as_nanos(), (cpu() - used).as_nanos()];
            self.done.notify_one();
        }
    }
}
