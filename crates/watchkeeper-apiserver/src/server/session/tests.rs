//! How a session ends, what is passed over, and how much of a client is kept.

use std::future::pending;
use std::iter::repeat_n;

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::*;
use crate::containers::Container;

const V4: &str = "v4.channel.k8s.io";
/// More than a few short messages.
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
    client_of(tasks, protocol, room, move |mut terminal: Terminal| async move {
        terminal.print(says).await;
        while let Some(text) = terminal.read().await {
            terminal.print(text).await;
        }
        Exit::Code(0)
    })
    .await
}

async fn client_of<F>(
    tasks: &mut JoinSet<()>,
    protocol: &'static str,
    room: usize,
    program: impl FnOnce(Terminal) -> F + Send + 'static,
) -> Client
where
    F: Future<Output = Exit> + Send + 'static,
{
    let (near, far) = tokio::io::duplex(room);
    tasks.spawn(run(far, protocol, asked(), move |_, terminal| program(terminal)));
    WebSocketStream::from_raw_socket(near, Role::Client, None).await
}

/// A program that says hello, and never reads.
async fn deaf(terminal: Terminal) -> Exit {
    terminal.print("hello").await;
    pending::<()>().await;
    drop(terminal);
    Exit::Code(0)
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

/// A client of a program that is told what it does.
async fn client_with<F: Future<Output = Exit> + Send + 'static>(
    tasks: &mut JoinSet<()>,
    protocol: &'static str,
    streams: Streams,
    program: impl FnOnce(Terminal) -> F + Send + 'static,
) -> Client {
    let (near, far) = tokio::io::duplex(ROOM);
    let asked = Run { streams, ..asked() };
    tasks.spawn(run(far, protocol, asked, move |_, terminal| program(terminal)));
    WebSocketStream::from_raw_socket(near, Role::Client, None).await
}

async fn say(client: &mut Client, said: &[u8]) {
    let message = Message::Binary(Bytes::copy_from_slice(said));
    client.send(message).await.expect("it is taken");
}

const SUCCESS: &str = r#"3 {"metadata":{},"status":"Success"}"#;

/// Of the fifth protocol; the fourth has no word for it.
#[tokio::test(start_paused = true)]
async fn a_program_hears_the_end_of_its_input() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, V5, "hello", ROOM).await;
    say(&mut client, b"\0more").await;
    say(&mut client, &[CLOSE, STDIN]).await;
    say(&mut client, b"\0too late").await;
    assert_eq!(lines(&mut client).await, ["1 hello", "1 more", SUCCESS, "close Some(1000)"]);
    assert!(tasks.join_next().await.expect("the session").is_ok());
}

#[tokio::test(start_paused = true)]
async fn the_end_of_any_other_stream_ends_nothing() {
    for stream in [STDOUT, STDERR, STATUS, RESIZE] {
        let mut tasks = JoinSet::new();
        let mut client = client(&mut tasks, V5, "hello", ROOM).await;
        say(&mut client, &[CLOSE, stream]).await;
        say(&mut client, b"\0more").await;
        assert_eq!(line(&mut client).await.as_deref(), Some("1 hello"));
        assert_eq!(line(&mut client).await.as_deref(), Some("1 more"), "{stream}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_gets_the_streams_that_it_asked_for() {
    for (stdout, stderr, told) in [
        (true, true, &["1 out", "2 err"][..]),
        (true, false, &["1 out"]),
        (false, true, &["2 err"]),
        (false, false, &[]),
    ] {
        let streams = Streams { stdin: false, stdout, stderr, tty: false };
        let mut tasks = JoinSet::new();
        let program = |mut terminal: Terminal| async move {
            terminal.print("out").await;
            terminal.print_error("err").await;
            let _ = terminal.output.send((9, Bytes::from_static(b"none"))).await;
            // Of one that has no input there is nothing to wait for.
            Exit::Code(terminal.read().await.map_or(0, |_| 1))
        };
        let mut client = client_with(&mut tasks, V4, streams, program).await;
        let lines = lines(&mut client).await;
        assert_eq!(lines, [told, &[SUCCESS, "close Some(1000)"]].concat());
    }
}

#[tokio::test(start_paused = true)]
async fn a_program_knows_how_large_the_terminal_of_its_client_is() {
    let mut tasks = JoinSet::new();
    let streams = Streams { stdin: true, stdout: true, stderr: false, tty: true };
    let program = |mut terminal: Terminal| async move {
        while terminal.read().await.is_some() {
            let size = terminal.size().map(|size| (size.width, size.height));
            terminal.print(format!("{size:?}")).await;
        }
        Exit::Code(7)
    };
    let mut client = client_with(&mut tasks, V5, streams, program).await;
    for (said, told) in [
        (r#"{"Width": 80, "Height": 24}"#, "1 Some((80, 24))"),
        (r#"{"Width": 80}"#, "1 Some((80, 24))"),
        (r#"{"Width": 65536, "Height": 1}"#, "1 Some((80, 24))"),
        (r#"{"Width": 65535, "Height": 0}"#, "1 Some((65535, 0))"),
        ("80x24", "1 Some((65535, 0))"),
    ] {
        say(&mut client, &[&[RESIZE][..], said.as_bytes()].concat()).await;
        say(&mut client, &[STDIN]).await;
        assert_eq!(line(&mut client).await.as_deref(), Some(told), "{said}");
    }
    say(&mut client, &[CLOSE, STDIN]).await;
    let failure = r#"3 {"details":{"causes":[{"message":"7","reason":"ExitCode"}]},"message":"command terminated with non-zero exit code: command terminated with exit code 7","metadata":{},"reason":"NonZeroExitCode","status":"Failure"}"#;
    assert_eq!(lines(&mut client).await, [failure, "close Some(1000)"]);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_cannot_be_had_says_why() {
    let (near, far) = tokio::io::duplex(ROOM);
    let mut tasks = JoinSet::new();
    tasks.spawn(refuse(far, "no such program".to_owned()));
    let mut client = WebSocketStream::from_raw_socket(near, Role::Client, None).await;
    let status = internal("no such program");
    assert_eq!(lines(&mut client).await, [format!("3 {status}"), "close Some(1000)".to_owned()]);
    assert!(tasks.join_next().await.expect("the session").is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_reads_is_let_go_when_its_program_has_ended() {
    // What is not taken is the end, and what was printed before it.
    for says in ["", LONG] {
        let mut tasks = JoinSet::new();
        let client = client_of(&mut tasks, V5, 16, move |terminal: Terminal| async move {
            terminal.print(says).await;
            Exit::Code(0)
        })
        .await;
        let began = Instant::now();
        assert!(tasks.join_next().await.expect("the session").is_ok());
        let after = began.elapsed();
        assert!((PARTING..PARTING * 2).contains(&after), "{says:?} {after:?}");
        drop(client);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_may_take_its_time_as_long_as_its_program_runs() {
    let mut tasks = JoinSet::new();
    let mut client = client_of(&mut tasks, V5, 16, |terminal: Terminal| async move {
        terminal.print(LONG).await;
        sleep(PARTING * 10).await;
        Exit::Code(0)
    })
    .await;
    sleep(PARTING * 9).await;
    let success = r#"3 {"metadata":{},"status":"Success"}"#;
    assert_eq!(lines(&mut client).await, [&*format!("1 {LONG}"), success, "close Some(1000)"]);
    assert!(tasks.join_next().await.expect("the session").is_ok());
}

/// Says something again and again until nobody takes it any more, and tells how often it was taken.
async fn flood(client: &mut Client, said: &Bytes) -> usize {
    let mut taken = 0;
    while let Ok(sent) = timeout(PARTING, client.send(Message::Binary(said.clone()))).await {
        sent.expect("somebody is there");
        taken += 1;
    }
    taken
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_program_that_never_reads_is_bounded_in_bytes() {
    for length in [1, PIECE, LONGEST - 1] {
        let mut tasks = JoinSet::new();
        let mut client = client_of(&mut tasks, V5, ROOM, deaf).await;
        let taken = flood(&mut client, &vec![STDIN; length + 1].into()).await;
        // Beside what waits there is the message that is being handed on.
        let kept = taken * (length + EACH);
        assert!((UNREAD / 2..UNREAD + LONGEST).contains(&kept), "{length}: {taken} times");
    }
}

#[tokio::test(start_paused = true)]
async fn a_close_is_heard_behind_what_a_program_does_not_read() {
    let mut tasks = JoinSet::new();
    let mut client = client_of(&mut tasks, V5, ROOM, deaf).await;
    for length in repeat_n(PIECE, 8).chain(repeat_n(1, 1000)) {
        let said = Message::Binary(vec![STDIN; length + 1].into());
        client.send(said).await.expect("it is taken");
    }
    client.close(None).await.expect("it is taken");
    assert_eq!(lines(&mut client).await, ["1 hello", "close None"]);
    assert!(tasks.join_next().await.expect("the session").is_ok());
}

#[tokio::test(start_paused = true)]
async fn the_longest_message_is_taken() {
    let mut tasks = JoinSet::new();
    let mut client = client_of(&mut tasks, V5, ROOM, |mut terminal: Terminal| async move {
        let mut heard = 0;
        while let Some(text) = terminal.read().await {
            assert!(text.len() <= PIECE);
            heard += text.len();
        }
        terminal.print(heard.to_string()).await;
        Exit::Code(0)
    })
    .await;
    for said in [vec![STDIN; LONGEST], vec![CLOSE, STDIN]] {
        client.send(Message::Binary(said.into())).await.expect("it is taken");
    }
    assert_eq!(line(&mut client).await, Some(format!("1 {}", LONGEST - 1)));
}

#[tokio::test(start_paused = true)]
async fn a_message_that_is_too_long_ends_the_session() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, V5, "hello", ROOM).await;
    let said = Message::Binary(vec![STDIN; LONGEST + 1].into());
    client.send(said).await.expect_err("nobody reads it");
    assert_eq!(lines(&mut client).await, ["1 hello", "close Some(1009)"]);
    assert!(tasks.join_next().await.expect("the session").is_ok());
}

#[tokio::test(start_paused = true)]
async fn what_is_printed_at_once_goes_out_in_pieces() {
    let mut tasks = JoinSet::new();
    let mut client = client_of(&mut tasks, V5, ROOM, |terminal: Terminal| async move {
        terminal.print(vec![b'x'; UNREAD * 2 + 1]).await;
        Exit::Code(0)
    })
    .await;
    let mut told = 0;
    while let Some(line) = line(&mut client).await.filter(|line| line.starts_with("1 ")) {
        assert!(line.len() <= PIECE + 2);
        told += line.len() - 2;
    }
    assert_eq!(told, UNREAD * 2 + 1);
}

/// More than there is room for answers.
const PINGS: usize = 6000;

#[tokio::test(start_paused = true)]
async fn of_many_pings_no_more_are_answered_than_there_is_room_for() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, V5, "hello", ROOM).await;
    for _ in 0..PINGS {
        client.send(Message::Ping(vec![b'?'; 100].into())).await.expect("it is taken");
    }
    client.send(Message::text("\0go")).await.expect("it is taken");
    let mut pongs = 0;
    while let Some(line) = line(&mut client).await.filter(|line| line != "1 go") {
        pongs += usize::from(line.starts_with("pong"));
    }
    assert!((1..PINGS).contains(&pongs), "{pongs}");
    // What it says is not lost behind them.
    client.send(Message::text("\0on")).await.expect("it is taken");
    assert_eq!(line(&mut client).await.as_deref(), Some("1 on"));
}
