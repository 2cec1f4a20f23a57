//! How connections to ports end, and how much of a client is kept.

use std::future::pending;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::super::session::{LONGEST, PARTING, UNREAD};
use super::*;

type Client = WebSocketStream<DuplexStream>;

/// A client of as many ports.
async fn client<F>(
    tasks: &mut JoinSet<()>,
    room: usize,
    ports: usize,
    connect: impl Fn(Forward, DuplexStream) -> F + Send + Sync + 'static,
) -> Client
where
    F: Future<Output = Result<(), String>> + Send + 'static,
{
    let (near, far) = tokio::io::duplex(room);
    let [namespace, pod] = ["default", "web"].map(str::to_owned);
    tasks.spawn(forward(far, vec![Forward { namespace, pod, port: 80 }; ports], connect));
    WebSocketStream::from_raw_socket(near, Role::Client, None).await
}

/// Repeats four bytes, and never ends.
async fn port(_: Forward, mut stream: DuplexStream) -> Result<(), String> {
    let mut heard = [0; 4];
    stream.read_exact(&mut heard).await.map_err(|error| error.to_string())?;
    stream.write_all(&heard).await.map_err(|error| error.to_string())?;
    pending().await
}

/// Never reads.
async fn deaf(_: Forward, stream: DuplexStream) -> Result<(), String> {
    pending::<()>().await;
    drop(stream);
    Ok(())
}

/// Says more than a small room takes, and ends.
async fn talk(_: Forward, mut stream: DuplexStream) -> Result<(), String> {
    stream.write_all(&[7; 100]).await.map_err(|error| error.to_string())
}

#[tokio::test(start_paused = true)]
async fn a_close_is_answered_with_a_close() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, 1 << 10, 1, port).await;
    // Text is as good as bytes, and there is no third stream.
    for said in ["\0here", "\u{2}none"] {
        client.send(Message::text(said)).await.expect("it is taken");
    }
    for told in ["\0P\0", "\u{1}P\0", "\0here"] {
        let message = client.next().await.expect("no end yet").expect("a message");
        assert_eq!(message.into_data(), told);
    }
    client.close(None).await.expect("it is taken");
    let message = client.next().await.expect("no end yet").expect("a message");
    assert_eq!(message, Message::Close(None));
    assert!(client.next().await.is_none());
    assert!(tasks.join_next().await.expect("the connections").is_ok());
}

/// A client of connections to these ports.
async fn client_of<F>(
    tasks: &mut JoinSet<()>,
    ports: &[u16],
    connect: impl Fn(Forward, DuplexStream) -> F + Send + 'static,
) -> WebSocketStream<DuplexStream>
where
    F: Future<Output = Result<(), String>> + Send + 'static,
{
    let (near, far) = tokio::io::duplex(1 << 10);
    let of = |port: &u16| {
        let [namespace, pod] = ["default", "web"].map(str::to_owned);
        Forward { namespace, pod, port: *port }
    };
    tasks.spawn(forward(far, ports.iter().map(of).collect(), connect));
    WebSocketStream::from_raw_socket(near, Role::Client, None).await
}

/// What comes until the end, but for the Close.
async fn told(client: &mut WebSocketStream<DuplexStream>) -> Vec<Bytes> {
    let mut told = Vec::new();
    while let Some(Ok(Message::Binary(bytes))) = client.next().await {
        told.push(bytes);
    }
    told
}

#[tokio::test(start_paused = true)]
async fn each_port_has_two_streams_which_begin_with_its_number() {
    let mut tasks = JoinSet::new();
    let refused = |asked: Forward, _: DuplexStream| async move {
        if asked.port == 80 { Ok(()) } else { Err("no".to_owned()) }
    };
    let mut client = client_of(&mut tasks, &[80, 0x1234], refused).await;
    let mut told = told(&mut client).await;
    told.sort();
    assert_eq!(told, [&b"\0P\0"[..], b"\x01P\0", b"\x02\x34\x12", b"\x03\x34\x12", b"\x03no"]);
    assert!(tasks.join_next().await.expect("the connections").is_ok());
}

#[tokio::test(start_paused = true)]
async fn what_is_said_to_a_port_is_told_to_it_and_to_no_other() {
    let mut tasks = JoinSet::new();
    let answer = |asked: Forward, mut stream: DuplexStream| async move {
        let mut heard = [0; 2];
        stream.read_exact(&mut heard).await.map_err(|error| error.to_string())?;
        let answer = [&asked.port.to_le_bytes()[..], &heard].concat();
        stream.write_all(&answer).await.map_err(|error| error.to_string())
    };
    let mut client = client_of(&mut tasks, &[1, 2], answer).await;
    // Neither to the streams of errors, nor to a port that nobody asked for.
    for said in [&b"\x01xx"[..], b"\x03xx", b"\x04xx", b"", b"\x02b", b"\0aa", b"\x02b"] {
        let message = Message::Binary(Bytes::copy_from_slice(said));
        client.send(message).await.expect("it is taken");
    }
    let mut told = told(&mut client).await;
    told.retain(|message| message.len() > 3);
    told.sort();
    assert_eq!(told, [&b"\0\x01\0aa"[..], b"\x02\x02\0bb"]);
    assert!(tasks.join_next().await.expect("the connections").is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_reads_is_let_go_when_its_ports_have_ended() {
    let mut tasks = JoinSet::new();
    let client = client(&mut tasks, 16, 2, talk).await;
    let began = Instant::now();
    assert!(tasks.join_next().await.expect("the connections").is_ok());
    let after = began.elapsed();
    assert!((PARTING..PARTING * 2).contains(&after), "{after:?}");
    drop(client);
}

#[tokio::test(start_paused = true)]
async fn a_client_gets_all_that_its_ports_said_before_they_ended() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, 16, 1, talk).await;
    let mut told = Vec::new();
    while let Some(Ok(message)) = client.next().await {
        told.push(message);
    }
    let normal = told.pop().expect("the last message");
    assert!(matches!(normal, Message::Close(Some(frame)) if frame.code == CloseCode::Normal));
    let lengths: Vec<usize> = told.iter().map(Message::len).collect();
    assert_eq!(lengths, [3, 3, 101]);
    assert!(tasks.join_next().await.expect("the connections").is_ok());
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_ports_that_never_read_is_bounded_for_all_of_them() {
    let ports = 100;
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, 1 << 10, ports, deaf).await;
    let mut taken = 0;
    for stream in (0..ports).cycle().map(|at| u8::try_from(2 * at).expect("few ports")) {
        // The first messages are read, lest they are in the way.
        if taken < 2 * ports {
            client.next().await.expect("no end yet").expect("a message");
        }
        let said = Message::Binary(vec![stream; PIECE + 1].into());
        let Ok(sent) = timeout(PARTING, client.send(said)).await else { break };
        sent.expect("somebody is there");
        taken += 1;
    }
    // Each has a piece on its way, and what waits is for all of them.
    let waiting = (taken - ports) * PIECE;
    assert!((UNREAD / 2..UNREAD * 2).contains(&waiting), "{taken} times");
}

#[tokio::test(start_paused = true)]
async fn a_message_that_is_too_long_ends_the_connections() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, 1 << 10, 1, port).await;
    let said = Message::Binary(vec![0; LONGEST + 1].into());
    client.send(said).await.expect_err("nobody reads it");
    for told in ["\0P\0", "\u{1}P\0"] {
        let message = client.next().await.expect("no end yet").expect("a message");
        assert_eq!(message.into_data(), told);
    }
    let message = client.next().await.expect("no end yet").expect("a message");
    assert!(matches!(message, Message::Close(Some(frame)) if frame.code == CloseCode::Size));
    assert!(tasks.join_next().await.expect("the connections").is_ok());
}
