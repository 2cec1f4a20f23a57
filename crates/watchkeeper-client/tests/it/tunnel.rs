//! Tunnels to the ports of a pod, with a server in the same process that reads and writes frames by hand.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{FutureExt as _, SinkExt as _, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_tungstenite::tungstenite::Message;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{PortStream, Tunnel};

use crate::failure;
use crate::fake::{Fake, ok, status};
use crate::streams::{Peer, Ws};

mod vanished;

const SYN_STREAM: u8 = 1;
const SYN_REPLY: u8 = 2;
const RST_STREAM: u8 = 3;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;

/// The other end of a tunnel.
struct Server {
    ws: Ws,
    heard: Vec<u8>,
    has_begun: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Heard {
    Opened(u32, BTreeMap<String, String>),
    Data(u32, Vec<u8>, bool),
    Reset(u32),
    Ping(u32),
}

impl Server {
    async fn of(peer: &Peer) -> Self {
        Self { ws: peer.end().await, heard: Vec::new(), has_begun: false }
    }

    async fn bytes(&mut self, count: usize) -> Vec<u8> {
        while self.heard.len() < count {
            let message = self.ws.next().await.expect("the tunnel ended").unwrap();
            if message.is_binary() {
                self.heard.extend_from_slice(&message.into_data());
            }
        }
        self.heard.drain(..count).collect()
    }

    async fn next(&mut self) -> Heard {
        let head = self.bytes(8).await;
        let length = usize::from(head[5]) << 16 | usize::from(head[6]) << 8 | usize::from(head[7]);
        let content = self.bytes(length).await;
        let number = |bytes: &[u8]| u32::from_be_bytes(bytes[..4].try_into().unwrap());
        match (head[0], head[3]) {
            (0, _) => Heard::Data(number(&head), content, head[4] & 1 != 0),
            (0x80, SYN_STREAM) => {
                let skipped = if std::mem::replace(&mut self.has_begun, true) { 10 } else { 12 };
                // A stored block, and an empty one.
                let block = &content[skipped + 5..content.len() - 5];
                Heard::Opened(number(&content), headers(block))
            }
            (0x80, RST_STREAM) => Heard::Reset(number(&content)),
            (0x80, PING) => Heard::Ping(number(&content)),
            other => panic!("{other:?}"),
        }
    }

    /// The streams of a connection that is asked for, its port, and an answer to each.
    async fn accept(&mut self) -> (u32, u32, String) {
        let (error, data, port) = self.asked().await;
        self.control(SYN_REPLY, error).await;
        self.control(SYN_REPLY, data).await;
        assert_eq!(self.next().await, Heard::Data(error, Vec::new(), true));
        (error, data, port)
    }

    /// The streams of a connection that is asked for, and its port.
    async fn asked(&mut self) -> (u32, u32, String) {
        let mut streams = BTreeMap::new();
        let mut ports = Vec::new();
        while streams.len() < 2 {
            let Heard::Opened(stream, headers) = self.next().await else { panic!("no stream") };
            streams.insert(headers["streamtype"].clone(), stream);
            ports.push((headers["port"].clone(), headers["requestid"].clone()));
        }
        assert_eq!(ports[0], ports[1]);
        (streams["error"], streams["data"], ports.remove(0).0)
    }

    async fn control(&mut self, kind: u8, stream: u32) {
        let status = if kind == RST_STREAM { &[0, 0, 0, 5][..] } else { &[] };
        let head = [0x80, 3, 0, kind, 0, 0, 0, 4 + status.len() as u8];
        self.send(&[&head[..], &stream.to_be_bytes(), status].concat()).await;
    }

    async fn data(&mut self, stream: u32, text: &[u8], last: bool) {
        let length = u32::from(last) << 24 | text.len() as u32;
        let head = [stream.to_be_bytes(), length.to_be_bytes()].concat();
        self.send(&[&head[..], text].concat()).await;
    }

    /// In messages that end where they like, as the API server's do.
    async fn send(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(bytes.len().div_ceil(2)) {
            self.ws.send(Message::Binary(part.to_vec().into())).await.unwrap();
        }
    }
}

fn headers(mut block: &[u8]) -> BTreeMap<String, String> {
    let mut number = 0;
    let mut words = Vec::new();
    while !block.is_empty() {
        let (length, rest) = block.split_at(4);
        let length = u32::from_be_bytes(length.try_into().unwrap()) as usize;
        if number == 0 && words.is_empty() {
            (number, block) = (length, rest);
            continue;
        }
        let (word, rest) = rest.split_at(length);
        words.push(String::from_utf8(word.to_vec()).unwrap());
        block = rest;
    }
    assert_eq!(words.len(), 2 * number);
    words.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// A tunnel, its other end, and a connection in it.
async fn connected() -> (Tunnel, Server, PortStream, (u32, u32)) {
    let peer = Peer::default();
    let tunnel = peer.pods().tunnel("x").await.unwrap();
    assert_eq!(peer.asked(), ["GET /api/v1/namespaces/a/pods/x/portforward"]);
    let mut server = Server::of(&peer).await;
    let (stream, (error, data, port)) = tokio::join!(tunnel.connect(80), server.accept());
    assert_eq!(port, "80");
    assert!(tunnel.is_shared());
    (tunnel, server, stream.unwrap(), (error, data))
}

#[tokio::test(start_paused = true)]
async fn a_port_is_reached_as_a_byte_stream() {
    let (_tunnel, mut server, mut stream, (error, data)) = connected().await;
    stream.write_all(b"hello").await.unwrap();
    // Without a flush: as TCP streams do.
    assert_eq!(server.next().await, Heard::Data(data, b"hello".to_vec(), false));
    server.data(data, b"good ", false).await;
    server.data(data, b"day", true).await;
    server.data(error, b"", true).await;
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    assert_eq!(text, "good day");
    let error = stream.write_all(b"late").await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_says_much_before_the_last_reply_is_heard() {
    let peer = Peer::default();
    let tunnel = peer.pods().tunnel("x").await.unwrap();
    let mut server = Server::of(&peer).await;
    let flooding = async {
        let (error, data, _) = server.asked().await;
        server.control(SYN_REPLY, data).await;
        for _ in 0..80 {
            server.data(data, &[7; 32 << 10], false).await;
        }
        server.control(SYN_REPLY, error).await;
        server.data(data, b"", true).await;
        server.data(error, b"", true).await;
    };
    let reading = async {
        let mut stream = tunnel.connect(80).await.unwrap();
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).await.unwrap();
        assert_eq!(heard, vec![7; 80 * (32 << 10)]);
    };
    tokio::join!(flooding, reading);
}

#[tokio::test(start_paused = true)]
async fn whoever_asks_for_nothing_gets_it_at_once() {
    let (_tunnel, _server, mut stream, _) = connected().await;
    assert_eq!(stream.read(&mut []).now_or_never().expect("at once").unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn one_direction_ends_before_the_other() {
    let (_tunnel, mut server, mut stream, (error, data)) = connected().await;
    stream.write_all(b"question").await.unwrap();
    stream.shutdown().await.unwrap();
    assert_eq!(server.next().await, Heard::Data(data, b"question".to_vec(), false));
    assert_eq!(server.next().await, Heard::Data(data, Vec::new(), true));
    server.data(data, b"answer", true).await;
    server.data(error, b"", true).await;
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    assert_eq!(text, "answer");
}

#[tokio::test(start_paused = true)]
async fn a_port_where_nothing_listens_is_told_by_the_first_read() {
    let (tunnel, mut server, mut stream, (error, data)) = connected().await;
    server.data(error, b"error forwarding port 80: connection refused", false).await;
    server.control(RST_STREAM, data).await;
    server.control(RST_STREAM, error).await;
    let told = stream.read(&mut [0; 1]).await.unwrap_err();
    let expected = "portforward pods a/x: error forwarding port 80: connection refused";
    assert_eq!(told.to_string(), expected);
    // The others do not mind.
    let (second, accepted) = tokio::join!(tunnel.connect(81), server.accept());
    let (mut second, data) = (second.unwrap(), accepted.1);
    server.data(data, b"x", false).await;
    assert_eq!(second.read_u8().await.unwrap(), b'x');
}

#[tokio::test(start_paused = true)]
async fn many_connections_share_the_tunnel() {
    let (tunnel, mut server, _first, _) = connected().await;
    let echo = async {
        let (mut errors, mut requests, mut ended) = (BTreeMap::new(), BTreeMap::new(), 0);
        while ended < 20 {
            match server.next().await {
                Heard::Opened(stream, headers) if headers["streamtype"] == "error" => {
                    errors.insert(headers["requestid"].clone(), stream);
                    server.control(SYN_REPLY, stream).await;
                }
                Heard::Opened(stream, headers) => {
                    requests.insert(stream, headers["requestid"].clone());
                    server.control(SYN_REPLY, stream).await;
                }
                Heard::Data(stream, text, last) => {
                    // On streams of errors nothing is said but their end.
                    let Some(request) = requests.get(&stream) else { continue };
                    server.data(stream, &text, last).await;
                    if last {
                        server.data(errors[request], b"", true).await;
                        ended += 1;
                    }
                }
                Heard::Reset(stream) => panic!("{stream} is given up"),
                Heard::Ping(id) => server.control(PING, id).await,
            }
        }
    };
    let ask = async {
        let connecting = (0..20_u16).map(|number| tunnel.connect(1000 + number));
        let streams = futures_util::future::try_join_all(connecting).await.unwrap();
        let talks = streams.into_iter().enumerate().map(async |(number, stream)| {
            let text = vec![number as u8; 100_000];
            let (mut reader, mut writer) = tokio::io::split(stream);
            let writing = async {
                writer.write_all(&text).await.unwrap();
                writer.shutdown().await.unwrap();
            };
            let mut heard = Vec::new();
            let (_, read) = tokio::join!(writing, reader.read_to_end(&mut heard));
            read.unwrap();
            assert_eq!(heard, text);
        });
        futures_util::future::join_all(talks).await;
    };
    tokio::join!(echo, ask);
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_is_dropped_is_told_to_the_server() {
    let (tunnel, mut server, stream, (error, data)) = connected().await;
    drop(stream);
    assert_eq!(server.next().await, Heard::Reset(data));
    assert_eq!(server.next().await, Heard::Reset(error));
    // Also one that is not open yet.
    let mut connecting = Box::pin(tunnel.connect(80));
    tokio::select! {
        biased;
        _ = &mut connecting => panic!("nobody answered"),
        heard = server.next() => assert!(matches!(heard, Heard::Opened(5, _)), "{heard:?}"),
    }
    drop(connecting);
    assert!(matches!(server.next().await, Heard::Opened(7, _)));
    assert_eq!(server.next().await, Heard::Reset(7));
    assert_eq!(server.next().await, Heard::Reset(5));
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_nobody_answers_has_a_deadline() {
    let peer = Peer::default();
    let tunnel = peer.pods().tunnel("x").await.unwrap();
    let _end = peer.end().await;
    let error = tunnel.connect(80).await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
}

#[tokio::test(start_paused = true)]
async fn who_does_not_read_is_waited_for_and_nothing_is_lost() {
    let (tunnel, mut server, mut slow, (_, data)) = connected().await;
    let (quick, accepted) = tokio::join!(tunnel.connect(81), server.accept());
    let mut quick = quick.unwrap();
    let much = vec![b'x'; 100_000];
    let serving = async {
        for _ in 0..30 {
            server.data(data, &much, false).await;
        }
        server.data(accepted.1, b"y", false).await;
        std::future::pending::<()>().await;
    };
    let reading = async {
        // What the other has not read is in the way.
        let wait = tokio::time::timeout(Duration::from_secs(1), quick.read_u8()).await;
        assert!(wait.is_err(), "{wait:?}");
        let mut all = vec![0; 30 * much.len()];
        let (byte, read) = tokio::join!(quick.read_u8(), slow.read_exact(&mut all));
        read.unwrap();
        assert_eq!((byte.unwrap(), all.iter().all(|byte| *byte == b'x')), (b'y', true));
    };
    tokio::select! {
        biased;
        () = reading => {}
        () = serving => {}
    }
}

#[tokio::test(start_paused = true)]
async fn a_tunnel_that_ends_is_told_to_all() {
    let (tunnel, mut server, mut stream, (_, data)) = connected().await;
    server.data(data, b"x", false).await;
    server.ws.close(None).await.unwrap();
    let error = tunnel.closed().await;
    assert_eq!(error.to_string(), "portforward pods a/x: the server ended the tunnel");
    assert!(tunnel.is_closed() && error.is_transport());
    // What has arrived is read; that there was no more is not known.
    let shown = format!("{tunnel:?} {stream:?}");
    assert!(!shown.contains("x\"") && shown.contains("portforward pods a/x"), "{shown}");
    assert_eq!(stream.read_u8().await.unwrap(), b'x');
    for told in [stream.read_u8().await.unwrap_err(), stream.write(b"x").await.unwrap_err()] {
        assert_eq!(told.to_string(), error.to_string());
    }
    assert!(tunnel.connect(80).await.unwrap_err().is_transport());
}

#[tokio::test(start_paused = true)]
async fn what_is_no_spdy_ends_the_tunnel() {
    let (tunnel, mut server, _stream, _) = connected().await;
    server.send(b"HTTP/1.1 500 Internal Server Error\r\n\r\n").await;
    let error = tunnel.closed().await.to_string();
    assert!(error.starts_with("portforward pods a/x: "), "{error}");
    let (tunnel, mut server, _stream, _) = connected().await;
    server.control(GO_AWAY, 0).await;
    // Somebody must listen for it to be heard.
    tokio::select! {
        biased;
        error = tunnel.closed() => panic!("what is open stays so: {error}"),
        () = tokio::time::sleep(Duration::from_secs(1)) => {}
    }
    assert!(tunnel.is_closed());
    let error = tunnel.connect(80).await.unwrap_err();
    let expected = "portforward pods a/x: the server takes no more connections on this tunnel";
    assert_eq!(error.to_string(), expected);
}

#[tokio::test(start_paused = true)]
async fn a_silent_tunnel_lives_on_pings() {
    let (tunnel, mut server, _stream, _) = connected().await;
    let life = async {
        while let Some(Ok(_)) = server.ws.next().await {
            server.ws.flush().await.unwrap();
        }
    };
    tokio::select! {
        biased;
        error = tunnel.closed() => panic!("{error}"),
        () = life => panic!("the client ended it"),
        () = tokio::time::sleep(Duration::from_secs(300)) => {}
    }
    drop(server);
    assert!(tunnel.closed().await.is_transport());
}

#[tokio::test(start_paused = true)]
async fn what_the_server_refuses_is_told_and_not_tried_otherwise() {
    for (code, reason) in [(401, "Unauthorized"), (403, "Forbidden"), (404, "NotFound")] {
        let fake = Fake::new([status(code, &failure(code, reason, "no"))]);
        let pods = fake.client().api::<Pod>().namespace("a");
        let error = pods.tunnel("x").await.unwrap_err();
        assert_eq!((error.to_string(), fake.asked().len()), ("portforward pods a/x: no".into(), 1));
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_cannot_now_is_asked_for_a_tunnel_again() {
    for code in [408, 429, 500, 502, 503, 504] {
        let peer = Peer::answering(&[code]);
        let error = peer.pods().tunnel("x").await.unwrap_err();
        assert_eq!(error.to_string(), "portforward pods a/x: as told", "{code}");
        assert!(peer.pods().tunnel("x").await.unwrap().is_shared(), "{code}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_knows_no_tunnels_is_asked_otherwise() {
    for code in [400, 405, 426, 501] {
        let tunnel = Peer::answering(&[code]).pods().tunnel("x").await.unwrap();
        assert!(!tunnel.is_shared() && !tunnel.is_closed(), "{code}");
    }
    let tunnel = Peer::choosing("v4.channel.k8s.io").pods().tunnel("x").await.unwrap();
    assert!(!tunnel.is_shared());
    let pods = Fake::new([ok("hello")]).client().api::<Pod>().namespace("a");
    assert!(!pods.tunnel("x").await.unwrap().is_shared());
}
