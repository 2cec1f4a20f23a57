//! Ports of this machine that lead to those of a pod, of a server that knows no tunnels, and of one whose
//! tunnels end. What else tunnels do is proven by `cargo xtask conformance streams`.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use http::header::SEC_WEBSOCKET_PROTOCOL;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
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
    /// One that knows no tunnels.
    async fn start(test: &str) -> Self {
        Self::answering(test, answer).await
    }

    async fn answering<F>(test: &str, answer: impl Fn(TcpStream) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
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

const TUNNEL: &str = "SPDY/3.1+portforward.k8s.io";

/// A server of tunnels that is told what to do with each one that is asked for, in order.
struct Tunnels {
    server: Server,
    /// Says that one was asked for.
    asked: mpsc::UnboundedReceiver<()>,
    answers: mpsc::UnboundedSender<Option<Arc<Notify>>>,
}

impl Tunnels {
    async fn start(test: &str) -> Self {
        let (asks, asked) = mpsc::unbounded_channel();
        let (answers, told) = mpsc::unbounded_channel();
        let told = Arc::new(tokio::sync::Mutex::new(told));
        let server = Server::answering(test, move |stream| {
            let (asks, told) = (asks.clone(), Arc::clone(&told));
            async move {
                asks.send(()).unwrap();
                let answer = told.lock().await.recv().await.unwrap();
                tunnel(stream, answer).await;
            }
        });
        Self { server: server.await, asked, answers }
    }

    /// The next tunnel is opened, and ended by a notification.
    fn open(&self) -> Arc<Notify> {
        let end = Arc::default();
        self.answers.send(Some(Arc::clone(&end))).unwrap();
        end
    }

    /// The next tunnel is refused, for now.
    fn refuse(&self) {
        self.answers.send(None).unwrap();
    }
}

/// Takes a tunnel, and says in each connection what it hears there.
#[expect(clippy::result_large_err, reason = "the crate's callbacks are so")]
async fn tunnel(stream: TcpStream, end: Option<Arc<Notify>>) {
    let callback = |request: &Request, mut response: Response| {
        let protocol = request.headers()[SEC_WEBSOCKET_PROTOCOL].clone();
        assert_eq!(protocol, TUNNEL);
        if end.is_none() {
            let mut refusal = ErrorResponse::new(None);
            *refusal.status_mut() = http::StatusCode::SERVICE_UNAVAILABLE;
            return Err(refusal);
        }
        response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, protocol);
        Ok(response)
    };
    let Ok(mut ws) = tokio_tungstenite::accept_hdr_async(stream, callback).await else { return };
    let end = end.unwrap_or_default();
    let mut heard = Vec::new();
    loop {
        let message = tokio::select! {
            biased;
            () = end.notified() => return,
            message = ws.next() => message,
        };
        let Some(Ok(message)) = message else { return };
        if message.is_binary() {
            heard.extend_from_slice(&message.into_data());
        }
        for answer in answers(&mut heard) {
            ws.send(Message::Binary(answer.into())).await.unwrap();
        }
    }
}

/// What is said to the SPDY frames that are complete: opened streams are taken, and content comes back.
fn answers(heard: &mut Vec<u8>) -> Vec<Vec<u8>> {
    let mut answers = Vec::new();
    while heard.len() >= 8 {
        let end = 8 + (u32::from_be_bytes(heard[4..8].try_into().unwrap()) & 0x00ff_ffff) as usize;
        if heard.len() < end {
            break;
        }
        let frame: Vec<u8> = heard.drain(..end).collect();
        match frame[..4] {
            [0x80, 3, 0, 1] => {
                answers.push([&[0x80, 3, 0, 2, 0, 0, 0, 4], &frame[8..12]].concat());
            }
            // Nothing is said to the end of a stream of errors.
            [first, ..] if first < 0x80 && end > 8 => answers.push(frame),
            _ => {}
        }
    }
    answers
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
    // A plugin that another test starts has what this process has open until it begins its own program, so the listener
    // may be there for a moment.
    let refused = async {
        loop {
            match TcpStream::connect(address).await {
                Ok(_open) => sleep(Duration::from_millis(10)).await,
                Err(error) => return error,
            }
        }
    };
    let error = timeout(Duration::from_secs(10), refused).await.expect("the port is closed");
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

#[tokio::test]
async fn a_tunnel_that_ended_is_opened_anew_once_for_all_who_wait() {
    let mut tunnels = Tunnels::start("forward-anew").await;
    let end = tunnels.open();
    let pods = tunnels.server.pods();
    let mut forward = PortForward::listen(&pods, "x", &[LocalPort::any(ECHO)]).await.unwrap();
    tunnels.asked.recv().await.unwrap();
    let address = forward.local(ECHO).unwrap();
    let mut first = TcpStream::connect(address).await.unwrap();
    echoed(&mut first, b"hello").await;
    end.notify_one();
    assert_eq!(first.read(&mut [0]).await.unwrap_or_default(), 0, "the connection is closed");
    let told = forward.next_error().await.unwrap();
    assert!(told.error.is_transport(), "{told}");

    // The server takes its time; others who come meanwhile wait for the same.
    let mut waiting = vec![TcpStream::connect(address).await.unwrap()];
    tunnels.asked.recv().await.unwrap();
    for _ in 0..2 {
        waiting.push(TcpStream::connect(address).await.unwrap());
    }
    tunnels.refuse();
    for stream in &mut waiting {
        let told = forward.next_error().await.unwrap();
        assert_eq!(told.from, stream.local_addr().unwrap());
        assert_eq!(told.error.status().unwrap().code, 503, "{told}");
        assert_eq!(stream.read(&mut [0]).await.unwrap_or_default(), 0, "{told}");
    }
    assert!(tunnels.asked.is_empty(), "one attempt for all");

    // A server that could not is not one that knows no tunnels.
    let mut next = TcpStream::connect(address).await.unwrap();
    tunnels.asked.recv().await.unwrap();
    let mut another = TcpStream::connect(address).await.unwrap();
    let _open = tunnels.open();
    echoed(&mut next, b"here again").await;
    echoed(&mut another, b"me too").await;
    assert!(tunnels.asked.is_empty(), "one tunnel for all");
}
