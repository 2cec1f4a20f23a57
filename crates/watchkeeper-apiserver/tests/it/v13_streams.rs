//! V13.3: when the streams of a program go on, and what they go over. What is in them is `v13_programs`'.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _, stream};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;
use watchkeeper_apiserver::containers::{
    Doing, Exit, Kubelet, LogRequest, LogStream, Run, Terminal,
};
use watchkeeper_apiserver::server::{Upgrade, Upgraded};
use watchkeeper_apiserver::{ApiServer, serve};

use crate::support::{Client, PODS, client};
use crate::v13_logs::started;

/// Each program takes its time, and then repeats a few pieces of its input.
struct Slow;

impl Kubelet for Slow {
    fn log(&self, _: &ApiServer, _: LogRequest) -> LogStream {
        Box::pin(stream::empty())
    }

    fn run(&self, _: Run, mut terminal: Terminal) -> Doing<Exit> {
        Box::pin(async move {
            sleep(Duration::from_millis(50)).await;
            for _ in 0..4 {
                let Some(piece) = terminal.read().await else { break };
                terminal.print(piece).await;
            }
            terminal.print("the end").await;
            Exit::Code(0)
        })
    }
}

/// A server with a pod `web`, whose container `main` runs.
async fn with_programs() -> Client {
    let client = client();
    client.server.set_kubelet(Slow);
    started(&client).await;
    client
}

/// A program that is read and, with `stdin=true`, written.
fn program(more: &str) -> String {
    format!("{PODS}/web/exec?container=main&command=x&stdout=true{more}")
}

const V5: &str = "v5.channel.k8s.io";
const V4: &str = "v4.channel.k8s.io";

/// What asks for a WebSocket.
const fn asking(protocol: &str) -> [(&str, &str); 5] {
    [
        ("connection", "Upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("sec-websocket-version", "13"),
        ("sec-websocket-protocol", protocol),
    ]
}

async fn streams(client: &Client, path: &str, protocol: &str) -> WebSocketStream<Upgraded> {
    let answer =
        client.open("POST", path, &asking(protocol), String::new()).await.expect("an answer");
    assert_eq!(answer.status(), 101, "{path}");
    assert_eq!(answer.headers()["sec-websocket-protocol"], protocol);
    let upgrade = answer.extensions().get::<Upgrade>().expect("what it becomes");
    assert_eq!(format!("{upgrade:?}"), "Upgrade");
    let stream = upgrade.take().expect("a stream");
    WebSocketStream::from_raw_socket(stream, Role::Client, None).await
}

/// What comes until the end, `STREAM text` a message.
async fn told<S>(mut socket: WebSocketStream<S>) -> Vec<String>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut lines = Vec::new();
    loop {
        let next = timeout(Duration::from_secs(10), socket.next()).await.expect("it comes in time");
        match next.expect("no end before it is told").expect("a message") {
            Message::Binary(bytes) => {
                lines.push(format!("{} {}", bytes[0], String::from_utf8_lossy(&bytes[1..])));
            }
            Message::Close(_) => return lines,
            other => panic!("{other:?}"),
        }
    }
}

const SUCCESS: &str = r#"3 {"metadata":{},"status":"Success"}"#;

/// Both protocols have the same streams.
#[tokio::test(start_paused = true)]
async fn v13_3_who_listens_hears_of_a_program_as_soon_as_there_is_something() {
    let client = with_programs().await;
    for protocol in [V5, V4] {
        let began = Instant::now();
        let lines = told(streams(&client, &program(""), protocol).await).await;
        assert_eq!(lines, ["1 the end", SUCCESS]);
        let after = began.elapsed();
        assert!((50..100).contains(&after.as_millis()), "{after:?}");
    }
    assert_eq!(client.server.open_requests(), 0);
}

/// Over HTTP, with what follows it on the same connection.
#[tokio::test]
async fn v13_3_a_connection_on_a_socket_becomes_the_streams_of_a_program() {
    let client = with_programs().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        serve(listener, client.server, std::future::pending()).await.expect("it goes on");
    });
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let headers = asking(V5).map(|(name, value)| format!("{name}: {value}\r\n")).concat();
    let path = program("&stdin=true");
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.expect("it is taken");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let byte = timeout(Duration::from_secs(10), stream.read_u8()).await;
        head.push(byte.expect("it comes in time").expect("a head"));
    }
    assert!(head.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&head));
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Client, None).await;
    // An input of text is one, too; then its end.
    for said in [Message::text("\0hello"), Message::Binary(vec![255, 0].into())] {
        socket.send(said).await.expect("it is taken");
    }
    assert_eq!(told(socket).await, ["1 hello", "1 the end", SUCCESS]);
}
