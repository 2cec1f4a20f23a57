//! Profiles that are taken over sockets. There is one profiler in a process, so these tests take turns.

use std::collections::BTreeMap;
use std::future::Future;
use std::hint::black_box;
use std::io::Read;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use flate2::read::GzDecoder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::task::yield_now;
use watchkeeper_api::pb::{Reader, Wire};
use watchkeeper_manager::Manager;

use crate::nowhere;
use crate::probes::{free_port, get};

static TURN: Mutex<()> = Mutex::const_new(());

/// Runs a manager that takes profiles until the script ends.
async fn served<F: Future<Output = ()> + Send>(script: impl FnOnce(SocketAddr) -> F) {
    let _turn = TURN.lock().await;
    let (listener, address) = free_port();
    let manager = Manager::new(&nowhere()).serve_profiles(listener);
    manager.run(script(address)).await.expect("a clean stop");
    // What comes next must not take the signals of this profile for its own.
    until(false).await;
}

/// Asks, and does not wait for the answer.
async fn ask(address: SocketAddr, seconds: u32) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let target = format!("/debug/pprof/profile?seconds={seconds}");
    let request = format!("GET {target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    stream
}

/// The status, and what stands in the body.
async fn answer(mut stream: TcpStream) -> (u16, Vec<u8>) {
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
    let body = answer.split_off(end + 4);
    let head = String::from_utf8(answer).expect("text");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("a status"), body)
}

/// Whether the signal of the profiler is handled, as the kernel says.
fn is_sampling() -> bool {
    const SIGPROF: u32 = 27;
    let status = std::fs::read_to_string("/proc/self/status").expect("the status of the process");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("signals");
    let caught = u64::from_str_radix(caught.trim(), 16).expect("a mask");
    caught >> (SIGPROF - 1) & 1 == 1
}

/// Begins a long profile. The one before may not have let go yet: the profiler tidies up after its last signal.
async fn begun(address: SocketAddr) -> TcpStream {
    until(false).await;
    loop {
        let stream = ask(address, 300).await;
        tokio::select! {
            biased;
            () = until(true) => return stream,
            answered = stream.readable() => answered.expect("an answer"),
        }
        assert_eq!(answer(stream).await.0, 409);
    }
}

/// Takes a profile as soon as the one before has let go.
async fn taken(address: SocketAddr, seconds: u32) -> (u16, Vec<u8>) {
    loop {
        let answer = answer(ask(address, seconds).await).await;
        if answer.0 != 409 {
            return answer;
        }
    }
}

async fn until(sampling: bool) {
    while is_sampling() != sampling {
        yield_now().await;
    }
}

/// A thread that has a processor until this is dropped.
struct Burning(Arc<AtomicBool>, Option<thread::JoinHandle<()>>);

impl Burning {
    fn begin() -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&ends);
        Self(ends, Some(thread::spawn(move || burn_for_the_profile(&seen))))
    }
}

impl Drop for Burning {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.take().expect("a thread").join().expect("it ends");
    }
}

#[inline(never)]
fn burn_for_the_profile(ends: &AtomicBool) {
    let mut number = 1_u64;
    while !ends.load(Ordering::Relaxed) {
        for _ in 0..10_000 {
            number = black_box(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        }
    }
}

/// How often each function was seen, on top of a stack or below.
fn functions(gzipped: &[u8]) -> BTreeMap<String, u64> {
    let mut profile = Vec::new();
    GzDecoder::new(gzipped).read_to_end(&mut profile).expect("gzip");
    let profile = fields(&profile);
    let texts: Vec<_> = profile[&6].iter().map(|(_, text)| String::from_utf8_lossy(text)).collect();
    let by_id = |number: u32| profile[&number].iter().map(|(_, bytes)| fields(bytes));
    let names: BTreeMap<_, _> =
        by_id(5).map(|function| (function[&1][0].0, function[&2][0].0)).collect();
    let places: BTreeMap<_, _> =
        by_id(4).map(|place| (place[&1][0].0, place[&4].clone())).collect();
    let mut seen = BTreeMap::new();
    for (_, sample) in &profile[&2] {
        let sample = fields(sample);
        let count = packed(sample[&2][0].1)[0];
        for (_, line) in packed(sample[&1][0].1).iter().flat_map(|place| &places[place]) {
            let name = usize::try_from(names[&fields(line)[&1][0].0]).expect("a number");
            *seen.entry(texts[name].to_string()).or_default() += count;
        }
    }
    seen
}

/// The fields of a message: a number, or bytes.
type Fields<'a> = BTreeMap<u32, Vec<(u64, &'a [u8])>>;

fn fields(bytes: &[u8]) -> Fields<'_> {
    let (mut fields, mut reader) = (Fields::new(), Reader::new(bytes));
    while !reader.is_done() {
        let tag = reader.tag().expect("a tag");
        let value: (u64, &[u8]) = match tag.wire {
            Wire::Varint => (reader.integer(tag).expect("a number"), &[]),
            _ => (0, reader.bytes(tag).expect("bytes")),
        };
        fields.entry(tag.number).or_default().push(value);
    }
    fields
}

fn packed(bytes: &[u8]) -> Vec<u64> {
    let (mut values, mut reader) = (Vec::new(), Reader::new(bytes));
    while !reader.is_done() {
        values.push(reader.varint().expect("a number"));
    }
    values
}

#[tokio::test]
async fn a_profile_names_what_has_the_processor() {
    served(|address| async move {
        let burning = Burning::begin();
        let (status, profile) = taken(address, 2).await;
        drop(burning);
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&profile));
        let seen = functions(&profile);
        let burnt = seen.keys().find(|name| name.ends_with("burn_for_the_profile"));
        assert!(burnt.is_some_and(|name| seen[name] > 0), "{seen:?}");
        assert!(seen.len() > 1, "its callers are on the stack: {seen:?}");
        assert!(!is_sampling(), "it has ended");
    })
    .await;
}

#[tokio::test]
async fn there_is_one_profile_at_a_time() {
    served(|address| async move {
        let first = begun(address).await;
        let (status, head, said) = get(address, "/debug/pprof/profile?seconds=1", "").await;
        assert_eq!(status, 409);
        assert!(said.starts_with("a profile of the processor is being taken already"), "{said}");
        assert!(head.contains("x-go-pprof: 1"), "{head}");
        let (listener, other) = free_port();
        let manager = Manager::new(&nowhere()).serve_profiles(listener);
        let asks = async { assert_eq!(answer(ask(other, 1).await).await.0, 409, "by another one") };
        manager.run(asks).await.expect("a clean stop");
        assert!(is_sampling(), "the first one goes on");
        let (status, _, _) = get(address, "/debug/pprof/", "").await;
        assert_eq!(status, 200, "the rest is told meanwhile");
        drop(first);
        until(false).await;
    })
    .await;
}

#[tokio::test]
async fn a_profile_ends_when_the_one_who_asked_goes() {
    served(|address| async move {
        for _ in 0..3 {
            drop(begun(address).await);
            until(false).await;
        }
        assert_eq!(taken(address, 1).await.0, 200);
        assert!(!is_sampling());
    })
    .await;
}

#[tokio::test]
async fn a_manager_that_ends_cuts_a_profile_off() {
    let mut asked = None;
    let asking = &mut asked;
    served(|address| async move {
        *asking = Some(begun(address).await);
    })
    .await;
    drop(asked);
}
