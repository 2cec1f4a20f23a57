//! A manager that is asked how it is doing, over sockets. The words are tested beside their source.

use std::future::{pending, ready};
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Error, Result};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::Client;
use watchkeeper_manager::Manager;

use crate::nowhere;

/// A port that is no other test's, also once the listener is gone: who connects then is refused, as a socket that does
/// not listen holds the port until all tests have ended.
pub(crate) fn free_port() -> (TcpListener, SocketAddr) {
    static HELD: Mutex<Vec<TcpSocket>> = Mutex::new(Vec::new());
    let bound = |address| {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_reuseport(true).expect("two sockets have one port");
        socket.bind(address).expect("a free port");
        socket
    };
    let socket = bound(SocketAddr::from(([127, 0, 0, 1], 0)));
    let address = socket.local_addr().expect("an address");
    HELD.lock().expect("no test panicked here").push(bound(address));
    let listener = socket.listen(128).and_then(tokio::net::TcpListener::into_std);
    (listener.expect("a listener"), address)
}

/// Waits until nobody listens there any more. A process that another test starts has what this one has open until it
/// begins its own program, so that a listener may outlive who dropped it by a moment.
pub(crate) async fn nobody_listens(address: SocketAddr) {
    let refused = async {
        while TcpStream::connect(address).await.is_ok() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(10), refused).await.expect("nobody listens any more");
}

/// The answer to one request: its status, its head and its body.
pub(crate) async fn get(address: SocketAddr, target: &str, headers: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let request = format!("GET {target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("a status"), head.to_owned(), body.to_owned())
}

async fn probe(address: SocketAddr, target: &str) -> (u16, String) {
    let (status, _head, body) = get(address, target, "").await;
    (status, body)
}

fn said(status: u16, text: &str) -> (u16, String) {
    (status, text.to_owned())
}

/// M-01, M-10: probes are answered before the caches are synced, and are told apart by their names.
#[tokio::test]
async fn a_manager_that_waits_for_its_caches_is_alive_and_not_ready() {
    let (listener, address) = free_port();
    let let_go = Arc::new(Notify::new());
    let held = Arc::clone(&let_go);
    let client = Client::new(ApiServer::new()).intercept(move |request, next| {
        let held = Arc::clone(&held);
        async move {
            held.notified().await;
            held.notify_one();
            next.send(request).await
        }
    });
    let manager = Manager::new(&client).health_probes(listener);
    let _maps = manager.watch::<ConfigMap>();
    manager.ready_check("informer-sync", manager.informers_synced());
    manager.ready_check("ping", || ready(Ok::<_, Error>(())));
    let started = Arc::new(Notify::new());
    let has_started = Arc::new(AtomicBool::new(false));
    let (running, handle) = ((Arc::clone(&started), Arc::clone(&has_started)), manager.clone());
    manager.add("first", async move |_stop| {
        running.1.store(true, Ordering::SeqCst);
        running.0.notify_one();
        Ok::<_, Error>(())
    });
    let script = async {
        assert_eq!(probe(address, "/healthz").await, said(200, "ok"));
        let lines = "[-]informer-sync failed: reason withheld\n[+]ping ok\nhealthz check failed\n";
        assert_eq!(probe(address, "/readyz").await, said(500, lines));
        assert_eq!(probe(address, "/readyz?exclude=informer-sync").await, said(200, "ok"));
        let (status, reason) = probe(address, "/readyz/informer-sync").await;
        assert!(status == 500 && reason.contains("configmaps: not synced"), "{reason}");
        assert!(!has_started.load(Ordering::SeqCst), "M-02");
        let_go.notify_one();
        started.notified().await;
        assert_eq!(probe(address, "/readyz").await, said(200, "ok"));
        // Checks may be added while it runs.
        handle.health_check("disk", async || Err("full"));
        assert_eq!(
            probe(address, "/healthz/disk").await,
            said(500, "internal server error: full\n")
        );
        assert_eq!(probe(address, "/healthz").await.0, 500);
        assert_eq!(probe(address, "/metrics").await.0, 404);
    };
    manager.run(script).await.expect("a clean stop");
    nobody_listens(address).await;
}

/// A watch that the server refuses keeps back its own controllers, and no service.
#[tokio::test(start_paused = true)]
async fn what_is_refused_does_not_make_a_manager_unready() {
    let manager = Manager::new(&Client::new(ApiServer::new()));
    let _foos = manager.watch::<crate::foo::Foo>();
    let ready = manager.informers_synced();
    let unknown = ready().await.expect_err("not known yet").to_string();
    assert!(unknown.contains("foos.samplecontroller.k8s.io"), "{unknown}");
    manager.run(sleep(Duration::from_secs(60))).await.expect("a clean stop");
    ready().await.expect("what there is");
}

/// The endpoints are the last to go, and an answer under way is given.
#[tokio::test]
async fn who_asked_before_the_end_is_answered() {
    let (listener, address) = free_port();
    let manager = Manager::new(&nowhere()).health_probes(listener);
    let (asked, answer) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (asking, answering) = (Arc::clone(&asked), Arc::clone(&answer));
    manager.health_check("slow", move || {
        let (asking, answering) = (Arc::clone(&asking), Arc::clone(&answering));
        async move {
            asking.notify_one();
            answering.notified().await;
            Ok::<_, Error>(())
        }
    });
    let last = Arc::clone(&answer);
    manager.add("last", async move |stop| -> Result<()> {
        stop.requested().await;
        last.notify_one();
        Ok(())
    });
    let running = manager.run(async move { asked.notified().await });
    let (ended, said_last) = tokio::join!(running, probe(address, "/healthz"));
    ended.expect("a clean stop");
    assert_eq!(said_last, said(200, "ok"));
}

/// A connection that is kept for later does not hold the end up.
#[tokio::test]
async fn a_connection_that_waits_for_its_next_request_is_closed() {
    let (listener, address) = free_port();
    let manager = Manager::new(&nowhere()).health_probes(listener);
    let script = async {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n").await.expect("sent");
        let mut answer = [0; 15];
        stream.read_exact(&mut answer).await.expect("an answer");
        assert_eq!(&answer, b"HTTP/1.1 200 OK");
        stream
    };
    let (keep, kept) = tokio::sync::oneshot::channel();
    manager.run(async { drop(keep.send(script.await)) }).await.expect("a clean stop");
    let mut rest = Vec::new();
    let mut stream = kept.await.expect("the connection");
    stream.read_to_end(&mut rest).await.expect("its end");
    assert!(rest.ends_with(b"\r\n\r\nok"), "{rest:?}");
}

#[tokio::test]
async fn an_address_that_is_taken_fails_the_run() {
    let (_taken, address) = free_port();
    let manager = Manager::new(&nowhere()).health_probes(address);
    let error = manager.run(pending()).await.expect_err("it is taken").to_string();
    assert!(
        error.starts_with(&format!("health probes cannot be served at {address}: ")),
        "{error}"
    );
}
