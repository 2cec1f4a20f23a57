//! Ports of this machine that lead to those of a pod, here of a server that knows no tunnels. Tunnels are
//! proven by `cargo xtask conformance streams`.

use futures_util::{SinkExt as _, StreamExt as _};
use http::header::SEC_WEBSOCKET_PROTOCOL;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Api, Client};
use watchkeeper_connect::{LocalPort, PortForward};

use crate::folder;
use crate::live::open;

/// Where something listens in the pod, and where nothing does.
const ECHO: u16 = 7;
const NOTHING: u16 = 9;

/// The server's side, until dropped.
struct Server {
    client: Client,
    _serving: JoinSet<()>,
}

impl Server {
    async fn start(test: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let cluster = format!("server: 'http://{}'", listener.local_addr().unwrap());
        let client = open(&folder(test), &cluster, "token: t0ken");
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(answer(stream));
            }
        });
        Self { client, _serving: serving }
    }

    fn pods(&self) -> Api<Pod> {
        self.client.api().namespace("a")
    }
}

/// Takes a WebSocket a connection, and says what it hears.
#[expect(clippy::result_large_err, reason = "the crate's callbacks are so")]
async fn answer(stream: TcpStream) {
    let mut port = None;
    let callback = |request: &Request, mut response: Response| {
        let protocol = request.headers()[SEC_WEBSOCKET_PROTOCOL].clone();
        if protocol != "v4.channel.k8s.io" {
            let mut refusal = ErrorResponse::new(None);
            *refusal.status_mut() = http::StatusCode::BAD_REQUEST;
            return Err(refusal);
        }
        port = request.uri().query().and_then(|query| query.strip_prefix("ports=")?.parse().ok());
        response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, protocol);
        Ok(response)
    };
    let Ok(mut ws) = tokio_tungstenite::accept_hdr_async(stream, callback).await else { return };
    let port: u16 = port.unwrap();
    let [low, high] = port.to_le_bytes();
    for channel in [0, 1] {
        ws.send(Message::Binary(vec![channel, low, high].into())).await.unwrap();
    }
    if port == NOTHING {
        ws.send(Message::Binary(b"\x01connection refused".to_vec().into())).await.unwrap();
    }
    while let Some(Ok(message)) = ws.next().await {
        if message.is_binary() && ws.send(message).await.is_err() {
            break;
        }
    }
}

async fn echoed(stream: &mut TcpStream, text: &[u8]) {
    stream.write_all(text).await.unwrap();
    let mut heard = vec![0; text.len()];
    stream.read_exact(&mut heard).await.unwrap();
    assert_eq!(heard, text);
}

#[tokio::test]
async fn local_ports_lead_to_the_pods() {
    let server = Server::start("forward").await;
    let ports = [LocalPort::any(ECHO), LocalPort::any(ECHO)];
    let forward = PortForward::listen(&server.pods(), "x", &ports).await.unwrap();
    let [one, two] = forward.ports() else { panic!("{forward:?}") };
    assert_eq!((one.port, two.port, forward.local(ECHO)), (ECHO, ECHO, Some(one.address)));
    assert!(one.address.ip().is_loopback() && one.address.port() > 0);
    let mut streams = Vec::new();
    for local in [one, two, one] {
        let mut stream = TcpStream::connect(local.address).await.unwrap();
        echoed(&mut stream, b"hello").await;
        streams.push(stream);
    }
    for stream in &mut streams {
        echoed(stream, &[7; 100_000]).await;
    }
    // Who goes away is forgotten, and the others do not notice.
    drop(streams.pop());
    echoed(&mut streams[0], b"still here").await;
}

#[tokio::test]
async fn what_goes_wrong_is_told_for_each_connection() {
    let server = Server::start("forward-error").await;
    let ports = [LocalPort::any(ECHO), LocalPort::any(NOTHING)];
    let mut forward = PortForward::listen(&server.pods(), "x", &ports).await.unwrap();
    let mut good = TcpStream::connect(forward.local(ECHO).unwrap()).await.unwrap();
    let mut bad = TcpStream::connect(forward.local(NOTHING).unwrap()).await.unwrap();
    let told = forward.next_error().await.unwrap();
    let from = bad.local_addr().unwrap();
    assert_eq!((told.from, told.port), (from, NOTHING));
    let expected = format!(
        "the connection of {from} to port {NOTHING}: portforward pods a/x: connection refused"
    );
    assert_eq!(told.to_string(), expected);
    assert_eq!(bad.read(&mut [0]).await.unwrap_or_default(), 0, "the connection is closed");
    echoed(&mut good, b"hello").await;
}

#[tokio::test]
async fn dropping_it_closes_ports_and_connections() {
    let server = Server::start("forward-drop").await;
    let ports = [LocalPort::any(ECHO)];
    let forward = PortForward::listen(&server.pods(), "x", &ports).await.unwrap();
    let address = forward.local(ECHO).unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    echoed(&mut stream, b"hello").await;
    drop(forward);
    assert_eq!(stream.read(&mut [0]).await.unwrap_or_default(), 0, "the connection is closed");
    let error = TcpStream::connect(address).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
}

#[tokio::test]
async fn a_port_that_is_taken_and_a_server_that_is_gone_are_told() {
    let server = Server::start("forward-taken").await;
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap();
    let ports = [LocalPort::at(address.port(), ECHO)];
    let error = PortForward::listen(&server.pods(), "x", &ports).await.unwrap_err();
    assert!(error.to_string().contains(&address.to_string()), "{error}");
    let cluster = "server: 'http://127.0.0.1:1'";
    let nowhere = open(&folder("forward-gone"), cluster, "token: t0ken");
    let pods = nowhere.api::<Pod>().namespace("a");
    let error = PortForward::listen(&pods, "x", &[LocalPort::any(ECHO)]).await.unwrap_err();
    assert!(error.is_transport(), "{error}");
}
