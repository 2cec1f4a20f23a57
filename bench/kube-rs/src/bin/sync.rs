//! `sync URL PODS CHANGES LAST WHAT`: what `bench-cache` of the folder beside this one measures, with a
//! reflector of kube-rs and a consumer of its stream as the handler.

#[path = "../../../decode/src/process.rs"]
mod process;

use futures::future::ready;
use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::Pod;
use kube::runtime::{WatchStreamExt, reflector, watcher};
use kube::{Api, Client, Config, ResourceExt};
use process::{cpu, forget_peak, memory};
use std::cell::Cell;
use std::error::Error;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::time::sleep;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, pods, changes, last, what] = &args[..] else {
        return Err("usage: sync URL PODS CHANGES LAST WHAT".into());
    };
    let (config, is_stripped) = match &**what {
        "streamed" => (watcher::Config::default().streaming_lists(), false),
        "streamed-stripped" => (watcher::Config::default().streaming_lists(), true),
        "paged" => (watcher::Config::default(), false),
        _ => return Err(format!("{what} is not measured").into()),
    };
    let client = Client::try_from(Config::new(url.parse()?))?;
    follow(client, config, is_stripped, [pods.parse()?, changes.parse()?], last).await
}

async fn follow(
    client: Client,
    config: watcher::Config,
    is_stripped: bool,
    [pods, changes]: [usize; 2],
    last: &str,
) -> Outcome {
    let (start, held) = (Instant::now(), memory("VmRSS"));
    let (store, writer) = reflector::store::<Pod>();
    let (calls, first_change) = (Cell::new(0), Cell::new(None));
    let (all_told, ended) = (Notify::new(), Cell::new(Duration::ZERO));
    let strip = move |pod: &mut Pod| {
        if is_stripped {
            pod.metadata.managed_fields = None;
        }
    };
    let stream = watcher(Api::<Pod>::all(client), config)
        .default_backoff()
        .modify(strip)
        .reflect(writer)
        .touched_objects()
        // The 410 that makes it list again; all else ends the measurement.
        .filter_map(|event| {
            let expired = matches!(event, Err(watcher::Error::WatchError(..)));
            ready((!expired).then_some(event))
        });
    let follows = stream.try_for_each(|pod| {
        calls.set(calls.get() + 1);
        if calls.get() == pods {
            all_told.notify_one();
        } else if calls.get() > pods {
            let first = first_change.get().unwrap_or_else(Instant::now);
            first_change.set(Some(first));
            if pod.resource_version().as_deref() == Some(last) {
                ended.set(first.elapsed());
                all_told.notify_one();
            }
        }
        ready(Ok(()))
    });
    let script = async {
        store.wait_until_ready().await?;
        all_told.notified().await;
        let (wall, used, peak) = (start.elapsed(), cpu(), memory("VmHWM"));
        if store.len() != pods {
            return Err(format!("{} pods are in the store", store.len()).into());
        }
        sleep(Duration::from_secs(1)).await;
        let resident = memory("VmRSS").saturating_sub(held);
        forget_peak();
        println!("{} {} {peak} {resident} {held}", wall.as_nanos(), used.as_nanos());
        told().await;
        // All pods have been told again.
        calls.set(pods);
        first_change.set(None);
        let before = cpu();
        println!("{}", memory("VmHWM"));
        all_told.notified().await;
        let used = cpu() - before;
        if (store.len(), calls.get()) != (pods, pods + changes) {
            return Err(format!("{} pods after {} events", store.len(), calls.get()).into());
        }
        println!("{} {}", ended.get().as_nanos(), used.as_nanos());
        Ok(())
    };
    tokio::select! {
        followed = follows => Err(format!("the watch ended: {followed:?}").into()),
        ended = script => ended,
    }
}

/// Completes a second after a line of the input has come.
async fn told() {
    let (done, is_done) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let _line = std::io::stdin().read_line(&mut String::new());
        std::thread::sleep(Duration::from_secs(1));
        done.send(())
    });
    let _told = is_done.await;
}
