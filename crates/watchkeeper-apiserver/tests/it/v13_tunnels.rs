//! V13.3: ports of pods over SPDY in a WebSocket, as kubectl asks for them. What is in the frames the tests of
//! `server::spdy` and `server::tunnel` know; here they are written by hand.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _, stream};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::containers::{
    Doing, Forward, Kubelet, LogRequest, LogStream, PortStream,
};
use watchkeeper_apiserver::server::{Upgrade, Upgraded};

use crate::support::{Client, PODS, client};
use crate::v13_logs::started;

const TUNNEL: &str = "SPDY/3.1+portforward.k8s.io";
const CHANNELS: &str = "v4.channel.k8s.io";

/// Whose port 80 tells where it is and what it hears.
struct Ports;

impl Kubelet for Ports {
    fn log(&self, _: &ApiServer, _: LogRequest) -> LogStream {
        Box::pin(stream::empty())
    }

    fn forward(&self, asked: Forward, mut stream: PortStream) -> Doing<Result<(), String>> {
        Box::pin(async move {
            let Forward { namespace, pod, port } = asked;
            if port != 80 {
                return Err(format!("nobody listens to {port}"));
            }
            let mut heard = String::new();
            stream.read_to_string(&mut heard).await.map_err(|error| error.to_string())?;
            let told = format!("{namespace}/{pod}:{port} {heard}");
            stream.write_all(told.as_bytes()).await.map_err(|error| error.to_string())
        })
    }
}

async fn world() -> Client {
    let client = client();
    client.server.set_kubelet(Ports);
    started(&client).await;
    client
}

const fn asking(protocols: &str) -> [(&str, &str); 5] {
    [
        ("connection", "Upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("sec-websocket-version", "13"),
        ("sec-websocket-protocol", protocols),
    ]
}

/// A stream of one connection to a port; the first headers of all begin a zlib stream.
fn opening(stream: u8, kind: &str, port: &str) -> Vec<u8> {
    let headers = [("streamtype", kind), ("port", port), ("requestid", "7")];
    let mut block = vec![0, 0, 0, 3];
    for text in headers.into_iter().flat_map(|(name, value)| [name, value]) {
        block.extend([0, 0, 0, u8::try_from(text.len()).expect("a short text")]);
        block.extend(text.as_bytes());
    }
    let length = u8::try_from(block.len()).expect("a short block");
    let beginning = if stream == 1 { &b"\x78\x01"[..] } else { b"" };
    let packed = [beginning, &[0, length, 0, !length, 0xff], &block].concat();
    let length = u8::try_from(10 + packed.len()).expect("a short frame");
    [&[0x80, 3, 0, 1, 0, 0, 0, length, 0, 0, 0, stream, 0, 0, 0, 0, 0, 0][..], &packed].concat()
}

fn data(stream: u8, text: &str, last: bool) -> Vec<u8> {
    let length = u8::try_from(text.len()).expect("a short text");
    [&[0, 0, 0, stream, u8::from(last), 0, 0, length][..], text.as_bytes()].concat()
}

async fn tunnel(client: &Client) -> WebSocketStream<Upgraded> {
    let path = format!("{PODS}/web/portforward");
    let answer = client.open("GET", &path, &asking(TUNNEL), String::new()).await;
    let upgrade = answer.expect("an answer").extensions().get::<Upgrade>().cloned();
    let stream = upgrade.expect("a WebSocket").take().expect("a stream");
    WebSocketStream::from_raw_socket(stream, Role::Client, None).await
}

/// The messages of a socket, each of which is a frame.
async fn told(socket: &mut WebSocketStream<Upgraded>, count: usize) -> Vec<Vec<u8>> {
    let mut told = Vec::new();
    while told.len() < count {
        let next = timeout(Duration::from_secs(10), socket.next()).await.expect("it comes in time");
        let Message::Binary(bytes) = next.expect("no end yet").expect("a message") else {
            panic!("something else than a frame")
        };
        told.push(bytes.to_vec());
    }
    told
}

#[tokio::test(start_paused = true)]
async fn v13_3_a_port_is_reached_in_a_tunnel() {
    let client = world().await;
    let mut socket = tunnel(&client).await;
    // However the frames are cut into messages.
    let all =
        [opening(1, "error", "80"), opening(3, "data", "80"), data(3, "hello", true)].concat();
    for part in all.chunks(20) {
        socket.send(Message::Binary(part.to_vec().into())).await.expect("it is taken");
    }
    let told = told(&mut socket, 5).await;
    assert_eq!([&told[0][..4], &told[1][..4]], [[0x80, 3, 0, 2]; 2], "they are replies");
    assert_eq!([told[0][11], told[1][11]], [1, 3]);
    assert_eq!(told[2], data(3, "default/web:80 hello", false));
    assert_eq!(told[3..], [data(1, "", true), data(3, "", true)]);
    socket.close(None).await.expect("it is taken");
    while socket.next().await.is_some() {}
    drop(socket);
    assert_eq!(client.server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn v13_3_a_port_that_nobody_listens_to_is_told_on_the_stream_of_errors() {
    let client = world().await;
    let mut socket = tunnel(&client).await;
    for said in [opening(1, "error", "81"), opening(3, "data", "81")] {
        socket.send(Message::Binary(said.into())).await.expect("it is taken");
    }
    let told = told(&mut socket, 5).await;
    let reset = vec![0x80, 3, 0, 3, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0, 5];
    let why = data(1, "nobody listens to 81", false);
    assert_eq!(told[2..], [why, data(1, "", true), reset]);
}

/// As kube-apiserver has it: who asks for a tunnel among other things gets one.
#[tokio::test(start_paused = true)]
async fn v13_3_a_tunnel_is_preferred_and_needs_no_ports() {
    let client = world().await;
    for (asked, query, agreed) in [
        (format!("{CHANNELS}, {TUNNEL}"), "", TUNNEL),
        (format!("SPDY/3.1+other.k8s.io, {TUNNEL}"), "?ports=0", TUNNEL),
        (format!("SPDY/3.1+other, {CHANNELS}"), "?ports=80", CHANNELS),
    ] {
        let path = format!("{PODS}/web/portforward{query}");
        let answer = client.open("GET", &path, &asking(&asked), String::new()).await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), 101, "{asked}");
        assert_eq!(answer.headers()["sec-websocket-protocol"], agreed, "{asked}");
    }
    let other = format!("SPDY/3.1+other.k8s.io, {CHANNELS}");
    let path = format!("{PODS}/web/portforward?ports=80");
    let answer = client.try_send("GET", &path, &asking(&other), String::new()).await;
    let line = answer.expect("an answer").line();
    let why = format!("none is spoken here, only {TUNNEL}");
    assert!(line.starts_with("400 ") && line.contains(&why), "{line}");
}
