//! Peers that neither answer nor hang up.

use std::net::SocketAddr;
#[cfg(target_os = "linux")]
use std::os::fd::AsFd;
use std::time::Duration;

#[cfg(target_os = "linux")]
use socket2::{SockFilter, SockRef};
use tokio::io::{AsyncRead, AsyncWrite, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::{ApiServer, serve};
use watchkeeper_cache::{Cache, Subscription, Watch};
use watchkeeper_client::{Api, Client, CreateOptions, WatchOptions};

use crate::folder;
use crate::live::{open, secure};
use crate::server::{Authority, acceptor};

/// How the connections of a wire fall silent.
#[derive(Clone, Copy)]
enum Cut {
    /// Nothing is carried, though the near end acknowledges what it is sent.
    Held,
    /// Nothing reaches the near end any more, not even what asks whether it is there.
    #[cfg(target_os = "linux")]
    Lost,
}

/// Carries bytes, until it is told to cut the connections that it has.
struct Wire {
    address: SocketAddr,
    cut: watch::Sender<()>,
    connections: watch::Receiver<usize>,
    _tasks: JoinSet<()>,
}

/// What is carried, as it is or out of TLS.
trait Near: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Near for S {}

/// The program of a socket that drops all it is sent: `BPF_RET | BPF_K` of no bytes (linux/filter.h).
#[cfg(target_os = "linux")]
const TAKES_NOTHING: SockFilter = SockFilter::new(0x06, 0, 0, 0);

impl Wire {
    async fn to(target: SocketAddr) -> Self {
        Self::start(target, None, Cut::Held).await
    }

    /// Loses its connections.
    #[cfg(target_os = "linux")]
    async fn that_loses(target: SocketAddr) -> Self {
        Self::start(target, None, Cut::Lost).await
    }

    /// Speaks TLS on the near side, where clients ask for HTTP/2 then, and none on the far side.
    async fn secured(target: SocketAddr, tls: TlsAcceptor) -> Self {
        Self::start(target, Some(tls), Cut::Held).await
    }

    async fn start(target: SocketAddr, tls: Option<TlsAcceptor>, how: Cut) -> Self {
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
                    #[cfg(target_os = "linux")]
                    let end = near.as_fd().try_clone_to_owned().unwrap();
                    let mut near: Box<dyn Near> = match tls {
                        Some(tls) => match tls.accept(near).await {
                            Ok(near) => Box::new(near),
                            Err(_given_up) => return,
                        },
                        None => Box::new(near),
                    };
                    let mut far = TcpStream::connect(target).await.unwrap();
                    tokio::select! {
                        _ended = copy_bidirectional(&mut near, &mut far) => return,
                        _cut = is_cut.changed() => {}
                    }
                    match how {
                        Cut::Held => {}
                        #[cfg(target_os = "linux")]
                        Cut::Lost => {
                            SockRef::from(&end).attach_filter(&[TAKES_NOTHING]).unwrap();
                        }
                    }
                    std::future::pending::<()>().await;
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

/// A copy of the config maps of an embedded server, behind a wire.
struct Copied {
    maps: Api<ConfigMap>,
    copy: Watch<ConfigMap>,
    told: mpsc::UnboundedReceiver<String>,
    _handler: Subscription,
    _tasks: JoinSet<()>,
}

impl Copied {
    /// Runs over `client`, and has one map.
    async fn of(server: &ApiServer, client: &Client) -> Self {
        let cache = Cache::new(client);
        let copy = cache.watch::<ConfigMap>();
        let (tell, told) = mpsc::unbounded_channel();
        let handler = copy.subscribe(move |change| {
            let _ = tell.send(change.to_string());
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { cache.run().await });
        let maps = Client::new(server.clone()).api::<ConfigMap>().namespace("default");
        let mut copied = Self { maps, copy, told, _handler: handler, _tasks: tasks };
        copied.create("a").await;
        copied.is_told("add default/a").await;
        copied
    }

    async fn create(&self, name: &str) {
        let map = object!(ConfigMap { metadata: { name: name, namespace: "default" } });
        self.maps.create(&map, &CreateOptions::default()).await.unwrap();
    }

    async fn is_told(&mut self, begin: &str) {
        let told = self.told.recv().await.unwrap();
        assert!(told.starts_with(begin), "{told}");
    }

    /// Takes up the watch where it was: with no change lost, and no second list.
    async fn goes_on(mut self) {
        self.is_told("add default/b").await;
        self.create("c").await;
        self.is_told("add default/c").await;
        assert_eq!(self.copy.status().replaces, 1, "it goes on where it was");
    }
}

/// The address of an embedded server that is served until the tasks are dropped.
async fn served(server: &ApiServer, tasks: &mut JoinSet<()>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, server) = (listener.local_addr().unwrap(), server.clone());
    tasks.spawn(async move { serve(listener, server, std::future::pending()).await.unwrap() });
    address
}

/// The same of a copy, which goes on over another connection where it was.
#[tokio::test]
async fn a_copy_of_a_server_that_falls_silent_goes_on() {
    let (server, mut tasks) = (ApiServer::new(), JoinSet::new());
    let target = served(&server, &mut tasks).await;
    let (authority, folder) = (Authority::new("watchkeeper test CA"), folder("copy"));
    std::fs::write(folder.join("ca.crt"), &authority.pem).unwrap();
    let tls = acceptor(&authority.sign("127.0.0.1"), &authority);
    let mut wire = Wire::secured(target, tls).await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", wire.address);
    let copied = Copied::of(&server, &open(&folder, &cluster, "")).await;

    let before = wire.connections();
    wire.cut();
    copied.create("b").await;
    tokio::time::pause();
    let began = Instant::now();
    wire.more_than(before).await;
    assert!(began.elapsed() <= Duration::from_secs(30), "after {:?}", began.elapsed());
    tokio::time::resume();
    copied.goes_on().await;
}

/// Over HTTP/1.1 it is the system that asks the peer whether it is there, in its own time.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_copy_over_http_1_of_a_server_that_is_lost_goes_on() {
    let (server, mut tasks) = (ApiServer::new(), JoinSet::new());
    let mut wire = Wire::that_loses(served(&server, &mut tasks).await).await;
    let cluster = format!("server: 'http://{}'", wire.address);
    let copied = Copied::of(&server, &open(&folder("lost"), &cluster, "")).await;

    let before = wire.connections();
    wire.cut();
    copied.create("b").await;
    let noticed = tokio::time::timeout(Duration::from_secs(30), wire.more_than(before));
    noticed.await.expect("another connection within half a minute");
    copied.goes_on().await;
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
