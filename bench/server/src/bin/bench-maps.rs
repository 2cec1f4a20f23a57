//! `bench-maps MAPS CHANGES PACE` makes config maps, prints its address, and serves them as `bench-server` serves
//! pods: as a list, and as a watch that begins with the present state. At the line `burst` of its input it sends
//! a change of each map to every watch that is open then, as fast as they are read; at `paced` it sends CHANGES of
//! them, one each PACE microseconds, each with the time at which it was written to the socket: nanoseconds since
//! 1970, in `data`. It ends with its input.

#[path = "../http.rs"]
#[expect(dead_code, reason = "the program beside it answers pages and ends watches")]
mod http;

use http::{Chunks, JSON, Request, other, whole};
use std::error::Error;
use std::io::{BufReader, Result, copy, sink};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::meta::v1::{ListMeta, ObjectMeta};
use watchkeeper_api::{Map, json, pb};

type Outcome<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
const PROTOBUF_WATCH: &str = "application/vnd.kubernetes.protobuf;stream=watch";
/// The version of what is listed.
const LISTED: u64 = 1_000_000;
/// What is written over by the time when a frame is sent: as long as the time is.
const MARK: &str = "7777777777777777777";

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [maps, changes, pace] = &args[..] else {
        return Err("usage: bench-maps MAPS CHANGES PACE".into());
    };
    let pace = Duration::from_micros(pace.parse()?);
    let served = Arc::new(Served::make(maps.parse()?, changes.parse()?, pace));
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("http://{}", listener.local_addr()?);
    let orders = Arc::clone(&served);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let served = Arc::clone(&served);
            // A client that goes away is none of our business.
            std::thread::spawn(move || answer(stream, &served));
        }
    });
    for line in std::io::stdin().lines() {
        orders.order(if line? == "paced" { Order::Paced } else { Order::Burst });
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Order {
    Burst,
    Paced,
}

/// What is sent of one codec.
#[derive(Default)]
struct Sent {
    initial: Vec<Vec<u8>>,
    end: Vec<u8>,
    list: Vec<u8>,
    burst: Vec<Vec<u8>>,
    paced: Vec<Vec<u8>>,
}

struct Served {
    json: Sent,
    protobuf: Sent,
    orders: Mutex<Vec<Order>>,
    more: Condvar,
    pace: Duration,
}

impl Served {
    fn make(maps: u64, changes: u64, pace: Duration) -> Self {
        let [mut json, mut protobuf] = [Sent::default(), Sent::default()];
        let mut both = |of: fn(&mut Sent) -> &mut Vec<Vec<u8>>, what: &str, map: &ConfigMap| {
            of(&mut json).push(in_json(what, map));
            of(&mut protobuf).push(pb::event_to_frame(what, map));
        };
        for index in 0..maps {
            both(|sent| &mut sent.initial, "ADDED", &map(index, LISTED - maps + index, "0"));
        }
        for index in 0..maps {
            both(|sent| &mut sent.burst, "MODIFIED", &map(index, LISTED + 1 + index, "1"));
        }
        for index in 0..changes.min(maps) {
            let version = LISTED + 1 + maps + index;
            both(|sent| &mut sent.paced, "MODIFIED", &map(index, version, MARK));
        }
        let end = bookmark();
        json.end = in_json("BOOKMARK", &end);
        protobuf.end = pb::event_to_frame("BOOKMARK", &end);
        let items = (0..maps).map(|index| map(index, LISTED - maps + index, "0"));
        let items: Vec<_> = items.collect();
        (json.list, protobuf.list) = (json_list(&items), protobuf_list(&items));
        Self { json, protobuf, orders: Mutex::default(), more: Condvar::new(), pace }
    }

    fn of(&self, protobuf: bool) -> &Sent {
        if protobuf { &self.protobuf } else { &self.json }
    }

    fn order(&self, order: Order) {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).push(order);
        self.more.notify_all();
    }

    fn ordered(&self) -> usize {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Waits until there are more orders than `seen`, and tells the next.
    fn after(&self, seen: usize) -> Order {
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let orders = self.more.wait_while(orders, |orders| orders.len() <= seen);
        orders.unwrap_or_else(PoisonError::into_inner)[seen]
    }
}

fn map(index: u64, version: u64, sent: &str) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: format!("map-{index:06}").into(),
            namespace: format!("namespace-{:02}", index % 50).into(),
            uid: format!("5f0c8a52-7a1b-4c57-9f0e-{index:012}").into(),
            resource_version: version.to_string().into(),
            labels: Map::from([("app.kubernetes.io/name", "settings"), ("team", "shop")]),
            ..ObjectMeta::default()
        },
        data: Map::from([("sent", sent), ("colour", "green"), ("mode", "careful")]),
        ..ConfigMap::default()
    }
}

/// What ends the present state in a watch that began with it.
fn bookmark() -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            resource_version: LISTED.to_string().into(),
            annotations: Map::from([("k8s.io/initial-events-end", "true")]),
            ..ObjectMeta::default()
        },
        ..ConfigMap::default()
    }
}

fn in_json(what: &str, map: &ConfigMap) -> Vec<u8> {
    format!("{{\"type\":\"{what}\",\"object\":{}}}\n", json::to_string(map)).into_bytes()
}

fn json_list(maps: &[ConfigMap]) -> Vec<u8> {
    let items: Vec<_> = maps.iter().map(json::to_string).collect();
    let items = items.join(",");
    format!(
        r#"{{"kind":"ConfigMapList","apiVersion":"v1","metadata":{{"resourceVersion":"{LISTED}"}},"items":[{items}]}}"#
    )
    .into_bytes()
}

/// A list in its envelope, written from its end.
fn protobuf_list(maps: &[ConfigMap]) -> Vec<u8> {
    let metadata = ListMeta { resource_version: LISTED.to_string().into(), ..ListMeta::default() };
    let mut w = pb::Writer::new();
    w.bytes(4, b"");
    w.bytes(3, b"");
    let after = w.len();
    for map in maps.iter().rev() {
        w.nested(2, map);
    }
    w.nested(1, &metadata);
    w.close(2, after);
    let after = w.len();
    w.bytes(2, b"ConfigMapList");
    w.bytes(1, b"v1");
    w.close(1, after);
    w.raw(&pb::MAGIC);
    w.finish()
}

/// Answers one request after another, until the client goes away.
fn answer(mut stream: TcpStream, served: &Served) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut requests = BufReader::new(stream.try_clone()?);
    while let Some(request) = Request::read(&mut requests)? {
        let sent = served.of(request.protobuf);
        let media_type = if request.protobuf { PROTOBUF } else { JSON };
        match &*request.path {
            "/api/v1/configmaps" if request.is("watch") => {
                watch(&mut stream, &request, served)?;
                // Until the client closes it.
                return copy(&mut requests, &mut sink()).map(drop);
            }
            "/api/v1/configmaps" => whole(&mut stream, "200 OK", media_type, &[&sent.list])?,
            path => other(&mut stream, path)?,
        }
    }
    Ok(())
}

fn watch(to: &mut TcpStream, request: &Request, served: &Served) -> Result<()> {
    let seen = served.ordered();
    let sent = served.of(request.protobuf);
    let mut body = Chunks::begin(to, if request.protobuf { PROTOBUF_WATCH } else { JSON })?;
    if request.is("sendInitialEvents") {
        sent.initial.iter().try_for_each(|frame| body.push(frame))?;
        body.push(&sent.end)?;
    }
    body.flush()?;
    for order in seen.. {
        match served.after(order) {
            Order::Burst => sent.burst.iter().try_for_each(|frame| body.push(frame))?,
            Order::Paced => {
                for frame in &sent.paced {
                    let mut frame = frame.clone();
                    let at = frame.windows(MARK.len()).position(|text| text == MARK.as_bytes());
                    let at = at.unwrap_or(0);
                    std::thread::sleep(served.pace);
                    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                    let now = format!("{:019}", now.as_nanos());
                    frame[at..at + MARK.len()].copy_from_slice(now.as_bytes());
                    body.push(&frame)?;
                    body.flush()?;
                }
            }
        }
        body.flush()?;
    }
    Ok(())
}
