//! Peers that neither answer nor hang up.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_client::WatchOptions;

use crate::live::{open, secure};

/// Carries bytes, until it is told to hold those of the connections that it has.
struct Wire {
    address: SocketAddr,
    cut: watch::Sender<()>,
    _tasks: JoinSet<()>,
}

impl Wire {
    async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (cut, is_cut) = watch::channel(());
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (mut near, _) = listener.accept().await.unwrap();
                let mut is_cut = is_cut.clone();
                is_cut.mark_unchanged();
                connections.spawn(async move {
                    let mut far = TcpStream::connect(target).await.unwrap();
                    tokio::select! {
                        _ended = copy_bidirectional(&mut near, &mut far) => {}
                        _cut = is_cut.changed() => std::future::pending().await,
                    }
                });
            }
        });
        Self { address, cut, _tasks: tasks }
    }

    fn cut(&self) {
        self.cut.send_replace(());
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
