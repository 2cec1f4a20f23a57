//! Peers that neither answer nor hang up.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::{ApiServer, serve};
use watchkeeper_cache::Cache;
use watchkeeper_client::{Client, CreateOptions, WatchOptions};

use crate::folder;
use crate::live::{open, secure};
use crate::server::{Authority, acceptor};

/// Carries bytes, until it is told to hold those of the connections that it has.
struct Wire {
    address: SocketAddr,
    cut: watch::Sender<()>,
    connections: watch::Receiver<usize>,
    _tasks: JoinSet<()>,
}

/// What is carried, as it is or out of TLS.
trait Near: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Near for S {}

impl Wire {
    async fn to(target: SocketAddr) -> Self {
        Self::start(target, None).await
    }

    /// Speaks TLS on the near side, where clients ask for HTTP/2 then, and none on the far side.
    async fn secured(target: SocketAddr, tls: TlsAcceptor) -> Self {
        Self::start(target, Some(tls)).await
    }

    async fn start(target: SocketAddr, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (cut, is_cut) = watch::channel(());
        let (count, connections) = watch::channel(0);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut carried = JoinSet::new();
            loop {
                let (near, _) = listener.accept().await.unwrap();
                count.send_modify(|count| *count += 1);
                let (mut is_cut, tls) = (is_cut.clone(), tls.clone());
                is_cut.mark_unchanged();
                carried.spawn(async move {
                    let mut near: Box<dyn Near> = match tls {
                        Some(tls) => match tls.accept(near).await {
                            Ok(near) => Box::new(near),
                            Err(_given_up) => return,
                        },
                        None => Box::new(near),
                    };
                    let mut far = TcpStream::connect(target).await.unwrap();
                    tokio::select! {
                        _ended = copy_bidirectional(&mut near, &mut far) => {}
                        _cut = is_cut.changed() => std::future::pending().await,
                    }
                });
            }
        });
        Self { address, cut, connections, _tasks: tasks }
    }

    fn cut(&self) {
        self.cut.send_replace(());
    }

    fn connections(&self) -> usize {
        *self.connections.borrow()
    }

    /// Waits until another connection comes.
    async fn more_than(&mut self, connections: usize) {
        self.connections.wait_for(|count| *count > connections).await.unwrap();
    }
}

#[tokio::test]
async fn a_server_that_falls_silent_is_noticed_in_seconds() {
    let (server, folder, _) = secure("silent").await;
    let wire = Wire::to(server.address).await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", wire.address);
    let client = open(&folder, &cluster, "").deadline(Duration::from_secs(3600)).retries(0);
    let mut watch = client.api::<ConfigMap>().watch(&WatchOptions::since("1")).await.unwrap();
    client.server_version().await.unwrap();

    wire.cut();
    tokio::time::pause();
    let began = Instant::now();
    let (event, call) = tokio::join!(watch.next(), client.server_version());
    assert!(event.unwrap().is_err(), "the watch ends with an error");
    let error = call.unwrap_err();
    assert!(!error.is_timeout(), "not only the deadline saw it: {error}");
    assert!(began.elapsed() <= Duration::from_secs(16), "after {:?}", began.elapsed());

    tokio::time::resume();
    client.server_version().await.unwrap();
}

/// The same of a copy, which goes on over another connection where it was.
#[tokio::test]
async fn a_copy_of_a_server_that_falls_silent_goes_on() {
    let server = ApiServer::new();
    let maps = Client::new(server.clone()).api::<ConfigMap>().namespace("default");
    let create = async |name: &str| {
        let map = object!(ConfigMap { metadata: { name: name, namespace: "default" } });
        maps.create(&map, &CreateOptions::default()).await.unwrap();
    };
    create("a").await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (target, mut tasks) = (listener.local_addr().unwrap(), JoinSet::new());
    tasks.spawn(async move { serve(listener, server, std::future::pending()).await.unwrap() });
    let (authority, folder) = (Authority::new("watchkeeper test CA"), folder("copy"));
    std::fs::write(folder.join("ca.crt"), &authority.pem).unwrap();
    let tls = acceptor(&authority.sign("127.0.0.1"), &authority);
    let mut wire = Wire::secured(target, tls).await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", wire.address);
    let cache = Cache::new(&open(&folder, &cluster, ""));
    let copy = cache.watch::<ConfigMap>();
    let (tell, mut told) = mpsc::unbounded_channel();
    let _handler = copy.subscribe(move |change| {
        let _ = tell.send(change.to_string());
    });
    let running = cache.clone();
    tasks.spawn(async move { running.run().await });
    assert!(told.recv().await.unwrap().starts_with("add default/a"));

    let before = wire.connections();
    wire.cut();
    create("b").await;
    tokio::time::pause();
    let began = Instant::now();
    wire.more_than(before).await;
    assert!(began.elapsed() <= Duration::from_secs(30), "after {:?}", began.elapsed());

    tokio::time::resume();
    assert!(told.recv().await.unwrap().starts_with("add default/b"));
    create("c").await;
    assert!(told.recv().await.unwrap().starts_with("add default/c"));
    assert_eq!(copy.status().replaces, 1, "it goes on where it was");
}

/// Some accept and never speak.
#[tokio::test]
async fn a_server_that_never_speaks_tls_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (_, folder, _) = secure("never").await;
    let address = listener.local_addr().unwrap();
    let mut tasks: JoinSet<()> = JoinSet::new();
    tasks.spawn(async move {
        let _held = listener.accept().await.unwrap();
        std::future::pending::<()>().await;
    });
    for proxy in ["", "http", "socks5"] {
        let through = if proxy.is_empty() {
            format!("server: 'https://{address}'")
        } else {
            format!("server: 'https://s', proxy-url: '{proxy}://{address}'")
        };
        let cluster = format!("{through}, certificate-authority: ca.crt");
        let client = open(&folder, &cluster, "").deadline(Duration::from_secs(3600)).retries(0);
        tokio::time::pause();
        let began = Instant::now();
        let text = client.server_version().await.unwrap_err().to_string();
        assert!(text.contains("it does not answer"), "{text}");
        assert!(began.elapsed() <= Duration::from_secs(11), "after {:?}", began.elapsed());
        tokio::time::resume();
    }
}
