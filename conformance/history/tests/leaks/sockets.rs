//! The same over sockets: a server that listens, and clients that connect.

use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Handle};
use tokio::task::JoinSet;
use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::{ApiServer, serve};
use watchkeeper_cache::{Cache, HandlerOptions, Overflow};
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_connect::Config;

use crate::never;
use crate::usage::Usage;

/// Waits until it is so; the test ends when it never is.
async fn until(what: &str, is: impl Fn() -> bool) {
    for _ in 0..3_000 {
        if is() {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("it did not come to this: {what}: {:?}", Usage::now());
}

fn connect(address: SocketAddr) -> Client {
    Config::builder(format!("http://{address}")).build().unwrap().client().unwrap()
}

pub(crate) fn nothing_is_left_of_connections() {
    // Two threads: a handler that blocks holds up one of them.
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        Box::pin(of_a_watch()).await;
        Box::pin(of_a_server_that_is_silent()).await;
        Box::pin(of_a_handler_that_blocks()).await;
    });
}

/// A server with some objects.
async fn server(tasks: &mut JoinSet<()>) -> (ApiServer, SocketAddr) {
    let server = ApiServer::new();
    let maps = Client::new(server.clone()).api::<ConfigMap>().namespace("default");
    for number in 0..20 {
        let name = format!("o-{number}");
        let map = object!(ConfigMap { metadata: { name: &*name, namespace: "default" } });
        maps.create(&map, &CreateOptions::default()).await.unwrap();
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, serving) = (listener.local_addr().unwrap(), server.clone());
    tasks.spawn(async move { serve(listener, serving, never()).await.unwrap() });
    (server, address)
}

async fn of_a_watch() {
    let mut serving = JoinSet::new();
    let (server, address) = server(&mut serving).await;
    let before = Usage::now();
    for _ in 0..4 {
        let client = connect(address);
        let cache = Cache::new(&client);
        let maps = cache.watch::<ConfigMap>();
        let handler = maps.subscribe(|_| ());
        let mut running = JoinSet::new();
        let run = cache.clone();
        running.spawn(async move { run.run().await });
        maps.synced().await.unwrap();
        assert!(Usage::now().files > before.files || !cfg!(target_os = "linux"), "it is connected");
        drop((maps, handler));
        // The server is told, while cache and client go on.
        until("no request is under way", || server.open_requests() == 0).await;
        drop((running, cache, client));
        let over = || Usage::now().tasks <= before.tasks && Usage::now().files <= before.files;
        until("no task and no socket is left", over).await;
    }
}

/// It takes connections, and never says a word.
async fn of_a_server_that_is_silent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let before = Usage::now();
    let client = connect(address);
    let cache = Cache::new(&client);
    let maps = cache.watch::<ConfigMap>();
    let mut running = JoinSet::new();
    let run = cache.clone();
    running.spawn(async move { run.run().await });
    let (mut socket, _) = listener.accept().await.unwrap();
    let mut reading = JoinSet::new();
    reading.spawn(async move {
        // Until the other end is closed.
        tokio::io::copy(&mut socket, &mut tokio::io::sink()).await.unwrap();
    });
    let (waiting, reader) = (maps.clone(), maps.get(("default", "a")));
    assert!(tokio::time::timeout(Duration::from_millis(50), reader).await.is_err());
    drop((waiting, maps));
    reading.join_next().await.unwrap().unwrap();
    drop((running, cache, client));
    let over = || Usage::now().tasks <= before.tasks && Usage::now().files <= before.files;
    until("no task and no socket is left", over).await;
}

/// A handler that does not come back, and a copy that waits for it.
async fn of_a_handler_that_blocks() {
    let mut serving = JoinSet::new();
    let (server, address) = server(&mut serving).await;
    let before = Usage::now();
    let client = connect(address);
    let cache = Cache::new(&client);
    let maps = cache.watch::<ConfigMap>();
    let ((release, released), (tell, told)) = (mpsc::channel::<()>(), mpsc::channel());
    let options =
        HandlerOptions { buffer: 1, overflow: Overflow::Block, ..HandlerOptions::default() };
    let handler = maps.subscribe_with(options, move |_| {
        let _ = tell.send(());
        // Ends when the other end is dropped.
        let _ = released.recv();
    });
    let mut running = JoinSet::new();
    let run = cache.clone();
    running.spawn(async move { run.run().await });
    maps.synced().await.unwrap();
    // It is in the middle of a call.
    until("the handler is called", || told.try_recv().is_ok()).await;
    drop((maps, handler, running, cache));
    // Until it comes back, its thread may hold up whatever the runtime gave to it.
    drop(release);
    until("the request is not under way", || server.open_requests() == 0).await;
    drop(client);
    let over = || Usage::now().tasks <= before.tasks && Usage::now().files <= before.files;
    until("no task and no socket is left", over).await;
    assert!(told.recv().is_err(), "the handler is dropped, and was called once");
    let _ = Handle::current();
}
