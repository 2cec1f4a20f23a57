//! How connections in a tunnel go on and end, and how much of a client is kept.

use std::io;
use std::time::Duration;

use futures_util::SinkExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::super::session::UNREAD;
use super::super::spdy::tests::{control, opening};
use super::super::spdy::{CANCEL, Frame, put_data, put_reset};
use super::*;

type Connection = Result<(), String>;

/// A client, which makes each message of one frame.
struct Client {
    socket: WebSocketStream<DuplexStream>,
    tasks: JoinSet<()>,
    has_begun: bool,
}

impl Client {
    async fn new<F>(connect: impl Fn(Forward, DuplexStream) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Connection> + Send + 'static,
    {
        let (near, far) = tokio::io::duplex(1 << 10);
        let [namespace, pod] = ["default", "web"].map(str::to_owned);
        let mut tasks = JoinSet::new();
        tasks.spawn(forward(far, Forward { namespace, pod, port: 0 }, connect));
        let socket = WebSocketStream::from_raw_socket(near, Role::Client, None).await;
        Self { socket, tasks, has_begun: false }
    }

    async fn send(&mut self, bytes: impl Into<Bytes>) {
        self.socket.send(Message::Binary(bytes.into())).await.expect("it is taken");
    }

    async fn open(&mut self, stream: u32, kind: &str, port: &str) {
        let request = (stream / 4).to_string();
        let headers = [("streamtype", kind), ("port", port), ("requestid", &request)];
        let bytes = opening(stream, &headers, !self.has_begun, false);
        self.has_begun = true;
        self.send(bytes).await;
    }

    /// Opens streams 1 and 3, or 5 and 7, and so on.
    async fn connect(&mut self, error: u32, port: &str) {
        self.open(error, "error", port).await;
        self.open(error + 2, "data", port).await;
        assert_eq!(self.told().await, format!("reply {error}"));
        assert_eq!(self.told().await, format!("reply {}", error + 2));
    }

    async fn say(&mut self, stream: u32, text: &str, last: bool) {
        let mut frame = bytes::BytesMut::new();
        put_data(&mut frame, stream, text.as_bytes(), last);
        self.send(frame).await;
    }

    async fn reset(&mut self, stream: u32) {
        let mut frame = bytes::BytesMut::new();
        put_reset(&mut frame, stream, CANCEL);
        self.send(frame).await;
    }

    /// What a message says, which has a frame.
    async fn told(&mut self) -> String {
        match self.socket.next().await.expect("no end yet").expect("a message") {
            Message::Binary(bytes) => frame(&bytes),
            Message::Close(frame) => {
                let frame = frame.expect("why");
                format!("close {} {}", u16::from(frame.code), frame.reason).trim_end().to_owned()
            }
            other => panic!("{other:?}"),
        }
    }

    async fn all(&mut self, count: usize) -> Vec<String> {
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(self.told().await);
        }
        all
    }

    async fn ends(mut self) {
        // An answer to Close may find nobody any more.
        let more = self.socket.next().await;
        assert!(!matches!(more, Some(Ok(_))), "{more:?}");
        assert!(self.tasks.join_next().await.expect("the tunnel").is_ok());
    }
}

/// A reply, or content and the end of a stream, or another frame as it is.
fn frame(bytes: &Bytes) -> String {
    if bytes.starts_with(&[0x80, 3, 0, 2]) {
        return format!("reply {}", bytes[11]);
    }
    match Decoder::default().next(&mut bytes.clone()).expect("SPDY").expect("a frame") {
        Frame::Data { stream, bytes, last } => {
            let end = if last { " end" } else { "" };
            format!("{stream} {}{end}", String::from_utf8_lossy(&bytes))
        }
        other => format!("{other:?}"),
    }
}

fn text(error: io::Error) -> String {
    error.to_string()
}

/// Repeats all that it hears.
async fn echo(_: Forward, stream: DuplexStream) -> Connection {
    let (mut from, mut to) = tokio::io::split(stream);
    tokio::io::copy(&mut from, &mut to).await.map(drop).map_err(text)
}

#[tokio::test(start_paused = true)]
async fn what_is_said_comes_back_until_all_is_said() {
    let mut client = Client::new(echo).await;
    for (error, request) in [(1, "one"), (5, "two")] {
        client.connect(error, "80").await;
        client.say(error, "", true).await;
        client.say(error + 2, request, false).await;
        assert_eq!(client.told().await, format!("{} {request}", error + 2));
        client.say(error + 2, "", true).await;
        let ends = [format!("{error}  end"), format!("{}  end", error + 2)];
        assert_eq!(client.all(2).await, ends);
    }
    client.send(control(6, 0, &[0, 0, 0, 1])).await;
    assert_eq!(client.told().await, "Ping { id: 1 }");
    client.send(control(7, 0, &[0; 8])).await;
    assert_eq!(client.told().await, "close 1000");
    client.ends().await;
}

#[tokio::test(start_paused = true)]
async fn connections_at_once_do_not_mix() {
    let told = |asked: Forward, mut stream: DuplexStream| async move {
        let mut heard = String::new();
        stream.read_to_string(&mut heard).await.map_err(text)?;
        stream.write_all(format!("{} {heard}", asked.port).as_bytes()).await.map_err(text)
    };
    let mut client = Client::new(told).await;
    client.connect(1, "80").await;
    client.connect(5, "81").await;
    client.say(7, "to 81", true).await;
    assert_eq!(client.all(3).await, ["7 81 to 81", "5  end", "7  end"]);
    client.say(3, "to ", false).await;
    client.say(3, "80", true).await;
    assert_eq!(client.all(3).await, ["3 80 to 80", "1  end", "3  end"]);
}

#[tokio::test(start_paused = true)]
async fn a_port_may_have_said_all_and_still_listen() {
    let first = |_: Forward, mut stream: DuplexStream| async move {
        stream.write_all(b"all").await.map_err(text)?;
        stream.shutdown().await.map_err(text)?;
        let mut heard = String::new();
        stream.read_to_string(&mut heard).await.map_err(text)?;
        Err(format!("heard {heard}"))
    };
    let mut client = Client::new(first).await;
    client.connect(1, "80").await;
    assert_eq!(client.all(2).await, ["3 all", "3  end"]);
    client.say(3, "late", true).await;
    assert_eq!(client.all(2).await, ["1 heard late", "1  end"]);
}

#[tokio::test(start_paused = true)]
async fn why_a_connection_failed_is_told_and_it_is_broken_off() {
    let refuse = |asked: Forward, mut stream: DuplexStream| async move {
        stream.write_all(b"a beginning").await.map_err(text)?;
        Err(format!("{} of {}/{} fails", asked.port, asked.namespace, asked.pod))
    };
    let mut client = Client::new(refuse).await;
    client.connect(1, "80").await;
    let expected = ["3 a beginning", "1 80 of default/web fails", "1  end", "Reset { stream: 3 }"];
    assert_eq!(client.all(4).await, expected);
    // The tunnel goes on.
    client.connect(5, "81").await;
    assert_eq!(client.all(2).await[1], "5 81 of default/web fails");
}

/// Says why it ends, unless that is as it should be.
async fn until_gone(_: Forward, mut stream: DuplexStream) -> Connection {
    let mut heard = Vec::new();
    stream.read_to_end(&mut heard).await.map_err(text)?;
    loop {
        stream.write_all(b"still here").await.map_err(text)?;
    }
}

#[tokio::test(start_paused = true)]
async fn a_port_that_a_client_has_left_sees_it_and_ends() {
    let mut client = Client::new(until_gone).await;
    client.connect(1, "80").await;
    client.reset(3).await;
    assert_eq!(client.told().await, "1  end");
    client.say(3, "nobody hears it", false).await;
    client.connect(5, "80").await;
}

/// What is held for as long as a connection is.
#[tokio::test(start_paused = true)]
async fn a_port_of_which_nobody_hears_any_more_is_dropped() {
    let mark = std::sync::Arc::new(());
    let held = mark.clone();
    let forever = move |_: Forward, stream: DuplexStream| {
        let held = held.clone();
        async move {
            pending::<()>().await;
            drop((held, stream));
            Ok(())
        }
    };
    let count = || std::sync::Arc::strong_count(&mark);
    let mut client = Client::new(forever).await;
    client.connect(1, "80").await;
    client.connect(5, "80").await;
    assert_eq!(count(), 4);
    client.reset(3).await;
    client.send(control(6, 0, &[0, 0, 0, 1])).await;
    assert_eq!(client.told().await, "Ping { id: 1 }");
    assert_eq!(count(), 4);
    client.reset(1).await;
    client.send(control(6, 0, &[0, 0, 0, 3])).await;
    assert_eq!(client.told().await, "Ping { id: 3 }");
    assert_eq!(count(), 3);
    client.socket.close(None).await.expect("it is taken");
    while client.socket.next().await.is_some() {}
    client.ends().await;
    assert_eq!(count(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_makes_no_sense_ends_the_tunnel_and_is_told() {
    let mut client = Client::new(echo).await;
    client.connect(1, "80").await;
    client.send(&[0x80, 2, 0, 1, 0, 0, 0, 0][..]).await;
    assert_eq!(client.told().await, "close 1002 another version of SPDY than 3");
    client.ends().await;
}

#[tokio::test(start_paused = true)]
async fn half_a_connection_is_told_that_it_came_too_late() {
    let mut client = Client::new(echo).await;
    client.open(1, "error", "80").await;
    assert_eq!(client.told().await, "reply 1");
    let began = Instant::now();
    assert_eq!(client.told().await, "1 (request=0) timed out waiting for streams end");
    assert_eq!(began.elapsed(), Duration::from_secs(30));
    client.connect(5, "80").await;
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_ports_that_never_read_is_bounded() {
    let deaf = |_: Forward, stream: DuplexStream| async move {
        pending::<()>().await;
        drop(stream);
        Ok(())
    };
    let mut client = Client::new(deaf).await;
    for at in 0..20 {
        client.connect(1 + 4 * at, "80").await;
    }
    let (mut taken, piece) = (0, "x".repeat(PIECE));
    for stream in (0..20).cycle().map(|at| 3 + 4 * at) {
        if timeout(PARTING, client.say(stream, &piece, false)).await.is_err() {
            break;
        }
        taken += 1;
    }
    // Each has a piece on its way, and what waits is for all of them.
    let waiting = (taken - 20) * PIECE;
    assert!((UNREAD / 2..UNREAD * 2).contains(&waiting), "{taken} times");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_reads_is_let_go_when_nothing_is_connected() {
    let mut client = Client::new(|_, _| pending::<Connection>()).await;
    client.connect(1, "80").await;
    let mut flood = async |time: Duration| {
        let pings = async {
            loop {
                let ping = Message::Binary(control(6, 0, &[0, 0, 0, 1]).into());
                if client.socket.send(ping).await.is_err() {
                    return;
                }
            }
        };
        let began = Instant::now();
        let _ = timeout(time, pings).await;
        began.elapsed()
    };
    // It may take its time as long as there is a connection.
    assert_eq!(flood(PARTING * 6).await, PARTING * 6);
    drop(client);

    let mut client = Client::new(echo).await;
    let began = Instant::now();
    while client.socket.send(Message::Binary(control(6, 0, &[0, 0, 0, 1]).into())).await.is_ok() {}
    assert_eq!(began.elapsed(), PARTING);
    assert!(client.tasks.join_next().await.expect("the tunnel").is_ok());
}

#[tokio::test(start_paused = true)]
async fn much_goes_both_ways_at_once() {
    let mut client = Client::new(echo).await;
    client.connect(1, "80").await;
    let (mut to, mut from) = client.socket.split();
    let count = 100;
    let said = async {
        for at in 0..count {
            let mut frame = bytes::BytesMut::new();
            put_data(&mut frame, 3, &[at; 20_000], at == count - 1);
            to.send(Message::Binary(frame.into())).await.expect("it is taken");
        }
    };
    let heard = async {
        let mut heard = Vec::new();
        let mut decoder = Decoder::default();
        loop {
            let message = from.next().await.expect("no end yet").expect("a message");
            let mut bytes = message.into_data();
            while let Some(frame) = decoder.next(&mut bytes).expect("SPDY") {
                match frame {
                    Frame::Data { stream: 3, bytes, last } => {
                        heard.extend_from_slice(&bytes);
                        if last {
                            return heard;
                        }
                    }
                    Frame::Data { stream: 1, last: true, .. } => {}
                    other => panic!("{other:?}"),
                }
            }
        }
    };
    let ((), heard) = tokio::join!(said, heard);
    let expected: Vec<u8> = (0..count).flat_map(|at| [at; 20_000]).collect();
    assert!(heard == expected, "{} bytes", heard.len());
}
