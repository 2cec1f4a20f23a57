//! How a session ends, and what is passed over.

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::*;
use crate::containers::Container;

const V4: &str = "v4.channel.k8s.io";
/// More than any of these tests sends.
const ROOM: usize = 1 << 10;

type Client = WebSocketStream<DuplexStream>;

fn asked() -> Run {
    let [namespace, pod, name, id] = ["default", "web", "main", "fake://1"].map(str::to_owned);
    let streams = Streams { stdin: true, stdout: true, stderr: false, tty: false };
    Run { container: Container { namespace, pod, name, id }, command: None, streams }
}

/// A client of a program that says something, and then repeats what it hears until nothing comes any more.
async fn client(
    tasks: &mut JoinSet<()>,
    protocol: &'static str,
    says: &'static str,
    room: usize,
) -> Client {
    let (near, far) = tokio::io::duplex(room);
    tasks.spawn(run(far, protocol, asked(), move |_, mut terminal: Terminal| async move {
        terminal.print(says).await;
        while let Some(text) = terminal.read().await {
            terminal.print(text).await;
        }
        Exit::Code(0)
    }));
    WebSocketStream::from_raw_socket(near, Role::Client, None).await
}

/// A message in a line; none where the connection ends.
async fn line(client: &mut Client) -> Option<String> {
    let message = client.next().await?.ok()?;
    Some(match message {
        Message::Binary(bytes) => {
            format!("{} {}", bytes[0], String::from_utf8_lossy(&bytes[1..]))
        }
        Message::Pong(text) => format!("pong {}", String::from_utf8_lossy(&text)),
        Message::Close(frame) => {
            format!("close {:?}", frame.map(|frame| u16::from(frame.code)))
        }
        other => format!("{other:?}"),
    })
}

async fn lines(client: &mut Client) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(line) = line(client).await {
        lines.push(line);
    }
    lines
}

#[tokio::test(start_paused = true)]
async fn a_close_is_answered_with_a_close_after_what_is_on_its_way() {
    let away = CloseFrame { code: CloseCode::Away, reason: Utf8Bytes::default() };
    for (said, answer) in [(None, "close None"), (Some(away), "close Some(1001)")] {
        let mut tasks = JoinSet::new();
        let mut client = client(&mut tasks, V5, "hello", ROOM).await;
        client.close(said).await.expect("it is taken");
        assert_eq!(lines(&mut client).await, ["1 hello", answer]);
        assert!(tasks.join_next().await.expect("the session").is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn a_ping_is_answered_with_what_it_says() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, V5, "hello", ROOM).await;
    client.send(Message::Ping("still there?".into())).await.expect("it is taken");
    assert_eq!(line(&mut client).await.as_deref(), Some("1 hello"));
    assert_eq!(line(&mut client).await.as_deref(), Some("pong still there?"));
}

const WITHOUT_MEANING: [(&str, &[u8]); 6] =
    [(V5, &[]), (V5, &[9, 1]), (V5, &[255, 1]), (V5, &[255, 4]), (V4, &[255]), (V4, &[255, 0])];

/// As upstream's `wsstream` takes it, text and bytes alike.
#[tokio::test(start_paused = true)]
async fn what_has_no_meaning_is_passed_over() {
    for (protocol, said) in WITHOUT_MEANING {
        let mut tasks = JoinSet::new();
        let mut client = client(&mut tasks, protocol, "hello", ROOM).await;
        for message in [Message::Binary(Bytes::from_static(said)), Message::text("\0text")] {
            client.send(message).await.expect("it is taken");
        }
        assert_eq!(line(&mut client).await.as_deref(), Some("1 hello"));
        assert_eq!(line(&mut client).await.as_deref(), Some("1 text"), "{protocol} {said:?}");
    }
}

const NO_STREAMS: [&[u8]; 3] = [&[255], &[255, 5], &[255, 0, 0]];

#[tokio::test(start_paused = true)]
async fn whoever_ends_a_stream_that_is_none_is_given_up() {
    for said in NO_STREAMS {
        let mut tasks = JoinSet::new();
        let mut client = client(&mut tasks, V5, "hello", ROOM).await;
        let message = Message::Binary(Bytes::from_static(said));
        client.send(message).await.expect("it is taken");
        assert_eq!(lines(&mut client).await, ["1 hello", "close Some(1000)"], "{said:?}");
        assert!(tasks.join_next().await.expect("the session").is_ok());
    }
}

/// More than there is room for.
const LONG: &str =
    "a long story, of which a client that does not read takes no more than its beginning";

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_gets_the_rest_when_it_reads_in_time() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, V5, LONG, 16).await;
    client.close(None).await.expect("it is taken");
    sleep(PARTING / 2).await;
    assert_eq!(lines(&mut client).await, [&*format!("1 {LONG}"), "close None"]);
    assert!(tasks.join_next().await.expect("the session").is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_and_never_reads_is_not_waited_for() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, V5, LONG, 16).await;
    client.close(None).await.expect("it is taken");
    let began = Instant::now();
    assert!(tasks.join_next().await.expect("the session").is_ok());
    let after = began.elapsed();
    assert!((PARTING..PARTING * 2).contains(&after), "{after:?}");
}
