//! One handler of several namespaces: which of them it is told of when, and what it means to be slow in one.

use std::sync::mpsc;
use std::time::Duration;

use tokio::task::JoinSet;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Cache, Change, HandlerOptions, Namespaces, Overflow};
use watchkeeper_client::Select;

use crate::server::{self, Open, Server};
use crate::{Log, run, settle};

/// Copies of `bank` and `shop`, which are empty.
struct Two {
    server: Server,
    maps: Namespaces<ConfigMap>,
    bank: Open,
    shop: Open,
    _running: JoinSet<()>,
}

async fn two() -> Two {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch_namespaces(Select::all(), ["bank", "shop"]);
    let running = run(&cache);
    let (bank, shop) = (opened(&mut server).await, opened(&mut server).await);
    let (bank, shop) = if bank.0 == "bank" { (bank.1, shop.1) } else { (shop.1, bank.1) };
    bank.end_of_state("5");
    shop.end_of_state("5");
    maps.synced().await.unwrap();
    Two { server, maps, bank, shop, _running: running }
}

/// The next watch that is asked for, and its namespace.
async fn opened(server: &mut Server) -> (String, Open) {
    let call = server.call().await;
    let namespace = call.request.split('/').nth(4).unwrap().to_owned();
    (namespace, call.open())
}

fn map(namespace: &str, text: &str) -> String {
    server::map(text).replace("\"default\"", &format!("\"{namespace}\""))
}

fn slow(buffer: usize, overflow: Overflow) -> HandlerOptions {
    HandlerOptions { buffer, overflow, ..HandlerOptions::default() }
}

/// Two changes more than fit, before the handler has its turn.
fn burst(namespace: &str, watch: &Open) {
    for object in ["a@6", "b@7", "c@8"] {
        watch.event("ADDED", &map(namespace, object));
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_too_slow_in_one_namespace_is_told_no_more_of_any() {
    let mut two = two().await;
    let (log, other) = (Log::default(), Log::default());
    let ended = two.maps.subscribe_with(slow(2, Overflow::Disconnect), log.handler());
    let goes_on = two.maps.subscribe(other.handler());
    assert!(ended.synced().await && goes_on.synced().await);
    two.bank.event("ADDED", &map("bank", "a@6"));
    assert_eq!(log.take().await, ["add bank/a @6"]);
    burst("shop", &two.shop);
    two.bank.event("ADDED", &map("bank", "b@7"));
    assert_eq!(log.take().await, [""; 0]);
    assert!(ended.is_lagged() && ended.is_closed());
    assert_eq!(ended.pending(), 0);
    assert_eq!(std::sync::Arc::strong_count(&log.0), 1, "the handler is dropped");
    // Also without the namespace that it was slow in, and with another one.
    two.maps.set(["bank", "mill"]);
    let (_, mill) = opened(&mut two.server).await;
    mill.event("ADDED", &map("mill", "a@1"));
    mill.end_of_state("9");
    two.maps.synced().await.unwrap();
    two.bank.event("ADDED", &map("bank", "c@9"));
    assert_eq!(log.take().await, [""; 0]);
    assert!(ended.is_lagged() && ended.is_closed());
    assert_eq!(other.take().await.len(), 7, "nobody else is slow");
    assert!(!goes_on.is_lagged() && !goes_on.is_closed());
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_handler_that_was_too_slow_elsewhere_is_told_so() {
    let mut two = two().await;
    let subscription = two.maps.subscribe_with(slow(2, Overflow::Disconnect), |_| ());
    two.maps.add("mill");
    let (_, _mill) = opened(&mut two.server).await;
    let slow = async {
        settle().await;
        burst("shop", &two.shop);
    };
    let (synced, ()) = tokio::join!(biased; subscription.synced(), slow);
    assert!(!synced && subscription.is_lagged());
}

#[tokio::test(start_paused = true)]
async fn changes_are_merged_in_the_namespace_whose_buffer_is_full() {
    let two = two().await;
    let log = Log::default();
    let subscription = two.maps.subscribe_with(slow(1, Overflow::Coalesce), log.handler());
    assert!(subscription.synced().await);
    for (verb, object) in [("ADDED", "a@6"), ("MODIFIED", "a@7"), ("MODIFIED", "a@8")] {
        two.shop.event(verb, &map("shop", object));
    }
    two.bank.event("ADDED", &map("bank", "a@6"));
    let mut told = log.take().await;
    told.sort();
    assert_eq!(told, ["add bank/a @6", "add shop/a @8"]);
    assert!(!subscription.is_lagged());
}

/// A namespace with much to tell does not keep the others from being heard.
#[tokio::test(start_paused = true)]
async fn each_namespace_has_its_turn() {
    let two = two().await;
    let log = Log::default();
    let subscription = two.maps.subscribe(log.handler());
    assert!(subscription.synced().await);
    burst("bank", &two.bank);
    burst("shop", &two.shop);
    let told = log.take().await;
    let of = |namespace: &str| -> Vec<_> {
        told.iter().filter(|line| line.contains(namespace)).map(|line| line.as_str()).collect()
    };
    assert_eq!(of("bank"), ["add bank/a @6", "add bank/b @7", "add bank/c @8"]);
    assert_eq!(of("shop"), ["add shop/a @6", "add shop/b @7", "add shop/c @8"]);
    let second = told.iter().position(|line| line == "add bank/b @7");
    let other = told.iter().position(|line| line == "add shop/a @6");
    assert!(other < second, "{told:?}");
}

/// A handler that blocks costs the thread it is on, however many namespaces have something to tell; and the
/// copies go on, but for the one that is to wait.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_handler_that_blocks_holds_one_thread() {
    let two = two().await;
    let (entered, blocked) = mpsc::channel();
    let (go_on, gate) = mpsc::channel::<()>();
    let log = Log::default();
    let mut told = log.handler();
    let handler = move |change: &Change<ConfigMap>| {
        entered.send(()).unwrap_or_default();
        gate.recv().unwrap_or_default();
        told(change);
    };
    let subscription = two.maps.subscribe_with(slow(1, Overflow::Block), handler);
    assert!(subscription.synced().await);
    two.shop.event("ADDED", &map("shop", "a@6"));
    let first = move || blocked.recv().map(|()| blocked);
    let _blocked = tokio::task::spawn_blocking(first).await.unwrap().unwrap();
    // One more fills the buffer, the next one waits for room.
    two.shop.event("ADDED", &map("shop", "b@7"));
    two.shop.event("ADDED", &map("shop", "c@8"));
    two.bank.event("ADDED", &map("bank", "a@6"));
    seen("both copies go on", || subscription.pending() == 2).await;
    let is_there = |key| two.maps.peek(key).is_some();
    assert!(is_there(("bank", "a")) && is_there(("shop", "b")), "they have what they told of");
    assert!(!is_there(("shop", "c")), "the copy of the slow one waits");
    for _ in 0..4 {
        go_on.send(()).unwrap();
    }
    let told = &log.0;
    seen("all is told", || told.lock().unwrap().len() == 4).await;
    let mut told = std::mem::take(&mut *told.lock().unwrap());
    told.sort();
    assert_eq!(told, ["add bank/a @6", "add shop/a @6", "add shop/b @7", "add shop/c @8"]);
}

async fn seen(what: &str, is_there: impl Fn() -> bool) {
    let look = async {
        while !is_there() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let minute = Duration::from_secs(60);
    assert!(tokio::time::timeout(minute, look).await.is_ok(), "{what}");
}
