//! The same over sockets: a server that listens, and clients that connect.

use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::{ApiServer, serve};
use watchkeeper_cache::{Cache, HandlerOptions, Overflow};
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_connect::Config;

use crate::gate::Gate;
use crate::never;
use crate::usage::{Usage, left, left_at_last};

/// So long a wait is left in its middle.
const MOMENT: Duration = Duration::from_millis(50);

/// Waits until it is so; the test ends when it never is.
pub(crate) async fn until(what: &str, is: impl Fn() -> bool) {
    for _ in 0..30_000 {
        if is() {
            return;
        }
        sleep(Duration::from_millis(1)).await;
    }
    panic!("it did not come to this: {what}: {:?}", Usage::now());
}

/// How a client comes to a server.
pub(crate) type Connect = Arc<dyn Fn() -> Client + Send + Sync>;

/// Without TLS. Nobody is to be trusted, so the certificates of the system are not read each time.
pub(crate) fn plain(address: SocketAddr) -> Connect {
    let url = format!("http://{address}");
    Arc::new(move || Config::builder(&*url).insecure().build().unwrap().client().unwrap())
}

/// Two threads: a handler that blocks holds up one of them.
pub(crate) fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Serves each connection on a task of its own.
pub(crate) async fn accept<F>(listener: TcpListener, serve: impl Fn(TcpStream) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut served = JoinSet::new();
    loop {
        tokio::select! {
            Some(_over) = served.join_next() => {}
            accepted = listener.accept() => {
                served.spawn(serve(accepted.unwrap().0));
            }
        }
    }
}

pub(crate) fn nothing_is_left_of_connections() {
    runtime().block_on(async {
        let mut serving = JoinSet::new();
        let (server, address) = server(&mut serving).await;
        let gate = Gate::before(address, &mut serving).await;
        for connect in [plain(address), gate.connect()] {
            Box::pin(of_a_watch(&server, &connect)).await;
            Box::pin(of_a_handler_that_blocks(&server, &connect)).await;
        }
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

async fn of_a_watch(server: &ApiServer, connect: &Connect) {
    let watched = left_at_last(async || {
        let before = Usage::now();
        let client = connect();
        watch(server, &client).await;
        drop(client);
        nothing_since(before).await;
    });
    let watched = watched.await;
    assert!(watched.is_nothing(), "{watched:?}");
    // The control: who forgets a client keeps its connections.
    let forgotten = left(async || {
        let client = connect();
        watch(server, &client).await;
        client.server_version().await.unwrap();
        Box::leak(Box::new(client));
    });
    let forgotten = forgotten.await;
    assert!(forgotten.tasks > 0 && forgotten.bytes > 64, "{forgotten:?}");
    assert!(forgotten.files > 0 || !cfg!(target_os = "linux"), "{forgotten:?}");
}

/// A copy that follows the server, until all that holds it is dropped.
async fn watch(server: &ApiServer, client: &Client) {
    let before = Usage::now();
    let cache = Cache::new(client);
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
}

pub(crate) async fn nothing_since(before: Usage) {
    let over = || Usage::now().tasks <= before.tasks && Usage::now().files <= before.files;
    until("no task and no socket is left", over).await;
}

/// A handler that does not come back, and a copy that waits for it.
async fn of_a_handler_that_blocks(server: &ApiServer, connect: &Connect) {
    let before = Usage::now();
    let client = connect();
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
    // Whoever waits for the end of that call leaves, too.
    assert!(timeout(MOMENT, handler.shut_down()).await.is_err(), "the call goes on");
    drop((maps, running, cache));
    // Until it comes back, its thread may hold up whatever the runtime gave to it.
    drop(release);
    until("the request is not under way", || server.open_requests() == 0).await;
    drop(client);
    nothing_since(before).await;
    assert!(told.recv().is_err(), "the handler is dropped, and was called once");
}
