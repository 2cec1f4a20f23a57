//! `bench-cache URL PODS CHANGES LAST WHAT` follows the pods of a server. When all are in the store
//! and a handler has been told of each, it prints nanoseconds of wall and CPU since its start, the peak of its memory, what it holds
//! a second later, less what it held at its start, and what that was. A second after a line of input, which
//! says that it was sent all pods again, it prints the peak of its memory since. When the change of version
//! LAST has been told it prints nanoseconds of wall and CPU that the changes took.

use bench_decode::process::{cpu, forget_peak, memory};
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::time::sleep;
use watchkeeper_api::core::v1::{Pod, PodCondition, PodSpec, PodStatus};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{IStr, List};
use watchkeeper_cache::{Cache, HandlerOptions, Item, Overflow, Packed, Watch};
use watchkeeper_client::{Client, Codec, Select, status_answer};
use watchkeeper_connect::Config;
use watchkeeper_derive::{Fields, Object};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// A pod of which a controller wants little: who it is, where it runs, and whether it is ready.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(like = Pod, crate = "watchkeeper_api")]
struct PodView {
    metadata: ObjectMeta,
    spec: SpecView,
    status: StatusView,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = PodSpec, crate = "watchkeeper_api")]
struct SpecView {
    node_name: IStr,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = PodStatus, crate = "watchkeeper_api")]
struct StatusView {
    phase: IStr,
    conditions: List<ConditionView>,
    pod_ip: IStr,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = PodCondition, crate = "watchkeeper_api")]
struct ConditionView {
    type_: IStr,
    status: IStr,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, pods, changes, last, what] = &args[..] else {
        return Err("usage: bench-cache URL PODS CHANGES LAST WHAT".into());
    };
    let asked = Asked { pods: pods.parse()?, changes: changes.parse()?, last: last.parse()? };
    match &**what {
        "json" => follow(client(url, Codec::Json)?, Cache::watch::<Pod>, asked).await,
        "paged" => follow(paging(client(url, Codec::Json)?), Cache::watch::<Pod>, asked).await,
        "packed" => follow(client(url, Codec::Json)?, packed, asked).await,
        "protobuf" => follow(client(url, Codec::Protobuf)?, Cache::watch::<Pod>, asked).await,
        "protobuf-paged" => {
            follow(paging(client(url, Codec::Protobuf)?), Cache::watch::<Pod>, asked).await
        }
        "projection" => follow(client(url, Codec::Json)?, Cache::watch::<PodView>, asked).await,
        "protobuf-projection" => {
            follow(client(url, Codec::Protobuf)?, Cache::watch::<PodView>, asked).await
        }
        _ => Err(format!("{what} is not measured").into()),
    }
}

fn client(url: &str, codec: Codec) -> Outcome<Client> {
    Ok(Config::builder(url).build()?.client()?.codec(codec))
}

/// As before a server that has no WatchList and keeps no cache: lists come in pages.
fn paging(client: Client) -> Client {
    client.intercept(|mut request, next| async move {
        let query = request.uri().query().unwrap_or_default();
        if query.contains("sendInitialEvents") {
            let why = "sendInitialEvents is forbidden for watch";
            return Ok(status_answer(422, "Invalid", why));
        }
        if !query.contains("watch=") && !query.contains("limit=") {
            let limited = format!("{}?{query}&limit={PAGE}", request.uri().path());
            *request.uri_mut() = limited.replace("?&", "?").parse()?;
        }
        next.send(request).await
    })
}

/// Pods of a page, as kube-rs and client-go ask for them.
const PAGE: usize = 500;

fn packed(cache: &Cache) -> Watch<Packed<Pod>> {
    cache.packed(Select::all())
}

struct Asked {
    pods: usize,
    changes: usize,
    last: u64,
}

/// What the handler has been told.
#[derive(Default)]
struct Told {
    calls: usize,
    first_change: Option<Instant>,
    ended: Option<Duration>,
}

async fn follow<K: Item>(
    client: Client,
    watch: impl FnOnce(&Cache) -> Watch<K>,
    asked: Asked,
) -> Outcome {
    let (start, held) = (Instant::now(), memory("VmRSS"));
    let cache = Cache::new(&client);
    let pods = watch(&cache);
    let (tally, end) = (Arc::new(Mutex::new(Told::default())), Arc::new(Notify::new()));
    let (counts, ends, last) = (Arc::clone(&tally), Arc::clone(&end), asked.last.to_string());
    // Each change is told, as by the others, none merged.
    let options = HandlerOptions { overflow: Overflow::Block, ..HandlerOptions::default() };
    let subscription = pods.subscribe_with(options, move |change| {
        let mut told = counts.lock().unwrap_or_else(PoisonError::into_inner);
        told.calls += 1;
        if told.calls > asked.pods {
            let first = *told.first_change.get_or_insert_with(Instant::now);
            if change.object().item_version() == last {
                told.ended = Some(first.elapsed());
                ends.notify_one();
            }
        }
    });
    let script = async {
        pods.synced().await?;
        subscription.synced().await;
        let (wall, used, peak) = (start.elapsed(), cpu(), memory("VmHWM"));
        check(&pods, asked.pods)?;
        sleep(Duration::from_secs(1)).await;
        let resident = memory("VmRSS").saturating_sub(held);
        forget_peak();
        println!("{} {} {peak} {resident} {held}", wall.as_nanos(), used.as_nanos());
        told().await;
        match pods.status() {
            status if status.replaces == 2 && status.events == 0 => {}
            status => return Err(status.to_string().into()),
        }
        let before = cpu();
        println!("{}", memory("VmHWM"));
        end.notified().await;
        let used = cpu() - before;
        check(&pods, asked.pods)?;
        let told = tally.lock().unwrap_or_else(PoisonError::into_inner);
        if told.calls != asked.pods + asked.changes {
            return Err(format!("the handler was called {} times", told.calls).into());
        }
        let wall = told.ended.unwrap_or_default();
        println!("{} {}", wall.as_nanos(), used.as_nanos());
        Ok(())
    };
    tokio::select! {
        biased;
        () = cache.run() => Err("the cache ended".into()),
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

fn check<K: Item>(pods: &Watch<K>, wanted: usize) -> Outcome {
    match pods.status() {
        status if status.objects == wanted && status.malformed.is_empty() => Ok(()),
        status => Err(status.to_string().into()),
    }
}
