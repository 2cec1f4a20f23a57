//! `bench-embedded WHAT …` measures the server without a socket and prints numbers, nanoseconds and bytes:
//!
//! - `ready`: how long until a server, and a cluster, have answered that they are ready.
//! - `writes MILLISECONDS`: how many config maps were made in that time, one after another, and how long it took.
//! - `watches WATCHERS CHANGES`: how many events came to all watchers together, and how long from the first
//!   change to the last event.
//! - `deployment REPLICAS`: how long from a Deployment's creation until all of its replicas are available.
//! - `pods PODS NODES`: how long actors took to make that many pods, or for how long they were let, what is resident
//!   then, and how many pods are available.
//! - `clusters COUNT`: what is resident with that many clusters, once as they were built and once with their
//!   actors at work.

use bench_apiserver::{Outcome, crowd, objects, within};
use bench_decode::process::memory;
use http_body_util::BodyExt as _;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use watchkeeper_apiserver::{ApiServer, Body};
use watchkeeper_cluster::Cluster;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

#[tokio::main(worker_threads = 2)]
async fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let numbers = match &words[..] {
        ["ready"] => ready().await?.to_vec(),
        ["writes", time] => writes(Duration::from_millis(time.parse()?)).await?.to_vec(),
        ["watches", watchers, changes] => {
            watches(watchers.parse()?, changes.parse()?).await?.to_vec()
        }
        ["deployment", replicas] => deployment(replicas.parse()?).await?.to_vec(),
        ["pods", count, nodes] => pods(count.parse()?, nodes.parse()?).await?.to_vec(),
        ["clusters", count] => clusters(count.parse()?).await?.to_vec(),
        _ => {
            return Err(
                "usage: bench-embedded ready|writes|watches|deployment|pods|clusters …".into()
            );
        }
    };
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    println!("{}", numbers.join(" "));
    Ok(())
}

async fn ready() -> Outcome<[u64; 2]> {
    let began = Instant::now();
    let server = ApiServer::builder().build();
    within::get(&server, "/readyz").await?;
    let alone = nanoseconds(began);
    let began = Instant::now();
    let cluster = Cluster::builder().build();
    within::get(cluster.server(), "/readyz").await?;
    Ok([alone, nanoseconds(began)])
}

async fn writes(time: Duration) -> Outcome<[u64; 2]> {
    let (server, began) = (ApiServer::builder().build(), Instant::now());
    let mut made = 0;
    while began.elapsed() < time {
        within::create(&server, MAPS, objects::map(&format!("map-{made}"))).await?;
        made += 1;
    }
    Ok([made, nanoseconds(began)])
}

async fn watches(watchers: u64, changes: u64) -> Outcome<[u64; 2]> {
    /// How many changes are made before everybody has read them.
    const TOGETHER: u64 = 200;
    let server = ApiServer::builder().build();
    let mut bodies = Vec::new();
    for _ in 0..watchers {
        bodies.push(
            within::get(&server, &format!("{MAPS}?watch=1&resourceVersion={}", server.revision()))
                .await?,
        );
    }
    let (began, mut made) = (Instant::now(), 0);
    while made < changes {
        let more = TOGETHER.min(changes - made);
        let mut readers = JoinSet::new();
        for body in bodies.drain(..) {
            readers.spawn(events(body, more));
        }
        for number in made..made + more {
            within::create(&server, MAPS, objects::map(&format!("map-{number}"))).await?;
        }
        while let Some(body) = readers.join_next().await {
            bodies.push(body??);
        }
        made += more;
    }
    Ok([watchers * changes, nanoseconds(began)])
}

/// Reads so many events.
async fn events(mut body: Body, count: u64) -> Outcome<Body> {
    let mut seen = 0;
    while seen < count {
        let frame = body.frame().await.ok_or("the watch ended")??;
        let data = frame.into_data().map_err(|_| "a frame without data")?;
        seen += data.iter().filter(|byte| **byte == b'\n').count() as u64;
    }
    if seen == count { Ok(body) } else { Err(format!("{seen} of {count} came").into()) }
}

async fn deployment(replicas: i32) -> Outcome<[u64; 2]> {
    /// So many that all replicas find a place.
    const NODES: u16 = 10;
    let (cluster, mut running) = (Cluster::builder().nodes(NODES).build(), crowd::Running::new());
    let client = cluster.client("bench");
    crowd::run(&cluster, &mut running);
    crowd::nodes(&client, usize::from(NODES), &mut running).await?;
    let (began, revision) = (Instant::now(), cluster.server().revision());
    crowd::deployment(&client, "default", "web", replicas).await?;
    let wanted = u64::try_from(replicas)?;
    let there = crowd::available(&client, wanted, &mut running).await?;
    if there < wanted {
        return Err(format!("{there} of {wanted} replicas are available").into());
    }
    Ok([nanoseconds(began), cluster.server().revision() - revision])
}

async fn pods(pods: i32, nodes: u16) -> Outcome<[u64; 3]> {
    /// How many replicas a Deployment has, and how many of them are in a namespace.
    const EACH: i32 = 250;
    const TOGETHER: i32 = 10;
    let (cluster, mut running) = (Cluster::builder().nodes(nodes).build(), crowd::Running::new());
    let client = cluster.client("bench");
    crowd::run(&cluster, &mut running);
    crowd::nodes(&client, usize::from(nodes), &mut running).await?;
    let began = Instant::now();
    for number in 0..pods / EACH {
        let namespace = format!("team-{}", number / TOGETHER);
        if number % TOGETHER == 0 {
            crowd::namespace(&client, &namespace).await?;
        }
        crowd::deployment(&client, &namespace, &format!("web-{number}"), EACH).await?;
    }
    let wanted = u64::try_from(pods / EACH * EACH)?;
    let there = crowd::available(&client, wanted, &mut running).await?;
    let took = nanoseconds(began);
    tokio::time::sleep(Duration::from_secs(1)).await;
    Ok([took, memory("VmRSS"), there])
}

async fn clusters(count: usize) -> Outcome<[u64; 2]> {
    let mut running = crowd::Running::new();
    let clusters: Vec<Cluster> = (0..count).map(|_| Cluster::builder().build()).collect();
    let built = memory("VmRSS");
    for cluster in &clusters {
        crowd::run(cluster, &mut running);
        crowd::nodes(&cluster.client("bench"), 1, &mut running).await?;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    Ok([built, memory("VmRSS")])
}

fn nanoseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
