//! `controller URL MAPS CHANGES WORKERS json`: what `bench-controller` of the folder beside this one measures, with
//! a controller of kube-rs.

#[expect(dead_code, reason = "the programs beside it need the rest")]
#[path = "../../../decode/src/process.rs"]
mod process;
#[path = "../../../controller/src/latencies.rs"]
mod latencies;
#[path = "../../../controller/src/tally.rs"]
mod tally;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::runtime::controller::{Action, Config as ControllerConfig, Controller};
use kube::runtime::reflector::{ObjectRef, Store};
use kube::runtime::{WatchStreamExt, reflector, watcher};
use kube::{Api, Client, Config};
use process::cpu;
use std::error::Error;
use std::sync::Arc;
use tally::Tally;

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

struct State {
    maps: Store<ConfigMap>,
    tally: Tally,
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
    let state = Arc::new(State { maps: store.clone(), tally: Tally::new(maps, changes) });
    let controller = Controller::for_stream(stream, store)
        .with_config(ControllerConfig::default().concurrency(workers))
        .run(reconcile, |_, _: &Never, _| Action::await_change(), Arc::clone(&state))
        .for_each(|_| std::future::ready(()));
    tokio::select! {
        () = controller => Err("the controller ended".into()),
        ended = state.tally.tell() => ended,
    }
}

async fn reconcile(map: Arc<ConfigMap>, state: Arc<State>) -> Result<Action, Never> {
    // As the others, it looks at the copy: what it is given is from there, too.
    let map = state.maps.get(&ObjectRef::from_obj(&*map));
    state.tally.reconciled(map.as_ref().and_then(|map| Some(&**map.data.as_ref()?.get("sent")?)));
    Ok(Action::await_change())
}
