//! `bench-controller URL MAPS CHANGES WORKERS CODEC` runs a controller of config maps that does nothing but to look
//! at the copy of each, on as many threads as it has workers. When all that the server has were reconciled, it prints
//! nanoseconds of wall and CPU from the first reconcile to the last; when all have
//! changed at once, the same of those; and when CHANGES more have changed one by one, nanoseconds from the
//! server's writing of each to its reconcile: the median, of 99 %, and the most.

mod latencies;
mod tally;

use bench_decode::process::cpu;
use std::sync::Arc;
use tally::Tally;
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

struct State {
    maps: Watch<ConfigMap>,
    tally: Arc<Tally>,
}

async fn reconcile_all(client: Client, [maps, changes]: [usize; 2], workers: usize) -> Outcome {
    let manager = Manager::new(&client);
    let watch = manager.watch::<ConfigMap>();
    let tally = Arc::new(Tally::new(maps, changes));
    let state = State { maps: watch.clone(), tally: Arc::clone(&tally) };
    manager.controller("bench", &watch).workers(workers).with(state).reconcile(
        async |state, request, _ctx| {
            let map = state.maps.get(&request).await?;
            state.tally.reconciled(map.as_ref().and_then(|map| Some(&**map.data.get("sent")?)));
            Ok(Action::done())
        },
    );
    tokio::select! {
        ended = manager.run(std::future::pending::<()>()) => Err(format!("the manager ended: {ended:?}").into()),
        ended = tally.tell() => ended,
    }
}
