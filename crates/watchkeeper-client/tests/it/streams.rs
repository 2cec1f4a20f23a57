//! Streams into containers, with a peer in the same process that speaks the kubelet's protocols.

use std::collections::VecDeque;
use std::future::{Future, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{FutureExt as _, SinkExt as _, StreamExt as _};
use http::{Request, Response, StatusCode, header};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::{Message, protocol::Role};
use tower_service::Service;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Api, Attached, Body, BoxError, Client, ExecOptions, Output, Upgrade};

use crate::failure;
use crate::fake::{Fake, ok, status};

pub(crate) type Ws = WebSocketStream<DuplexStream>;

/// The protocol of tunnels.
pub(crate) const TUNNEL: &str = "SPDY/3.1+portforward.k8s.io";

/// A server that upgrades each request, and leaves the other end to the test.
#[derive(Clone, Default)]
pub(crate) struct Peer(Arc<Mutex<State>>);

#[derive(Default)]
pub(crate) struct State {
    asked: Vec<String>,
    ends: Vec<DuplexStream>,
    /// What to answer in place of the protocol asked for.
    protocol: Option<&'static str>,
    /// What to answer in place of the right key.
    accept: Option<&'static str>,
    /// What is answered 400, as a kubelet does that knows no tunnels.
    unknown: Option<&'static str>,
    /// What is answered first, whatever is asked for.
    answers: VecDeque<u16>,
}

impl Peer {
    /// One that knows no tunnels.
    fn old() -> Self {
        let peer = Self::default();
        peer.0.lock().unwrap().unknown = Some(TUNNEL);
        peer
    }

    /// One that answers so first.
    pub(crate) fn answering(codes: &[u16]) -> Self {
        let peer = Self::default();
        peer.0.lock().unwrap().answers = codes.iter().copied().collect();
        peer
    }

    /// One that answers each upgrade with another protocol.
    pub(crate) fn choosing(protocol: &'static str) -> Self {
        let peer = Self::default();
        peer.0.lock().unwrap().protocol = Some(protocol);
        peer
    }

    pub(crate) fn pods(&self) -> Api<Pod> {
        Client::new(self.clone()).api().namespace("a")
    }

    pub(crate) async fn end(&self) -> Ws {
        let end = self.0.lock().unwrap().ends.pop().expect("nobody connected");
        WebSocketStream::from_raw_socket(end, Role::Server, None).await
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().asked)
    }
}

impl Service<Request<Body>> for Peer {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = std::future::Ready<Result<Response<Body>, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let mut state = self.0.lock().unwrap();
        let text = |name| request.headers().get(name).unwrap().to_str().unwrap().to_owned();
        assert_eq!((text("connection"), text("upgrade")), ("Upgrade".into(), "websocket".into()));
        assert_eq!(text("sec-websocket-version"), "13");
        state.asked.push(format!("{} {}", request.method(), request.uri()));
        let asked = text("sec-websocket-protocol");
        if let Some(code) = state.answers.pop_front() {
            let told = failure(code, "Told", "as told");
            let answer = Response::builder().status(code).body(Body::from(told));
            return ready(answer.map_err(Into::into));
        }
        if state.unknown == Some(&asked) {
            let told = failure(400, "BadRequest", "query parameter \"port\" is required");
            let answer = Response::builder().status(400).body(Body::from(told));
            return ready(answer.map_err(Into::into));
        }
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        state.ends.push(theirs);
        let key = derive_accept_key(text("sec-websocket-key").as_bytes());
        let answer = Response::builder()
            .status(StatusCode::SWITCHING_PROTOCOLS)
            .header(header::UPGRADE, "WebSocket")
            .header(header::SEC_WEBSOCKET_ACCEPT, state.accept.unwrap_or(&key))
            .header(header::SEC_WEBSOCKET_PROTOCOL, state.protocol.unwrap_or(&asked))
            .extension(Upgrade::new(async { Ok::<_, BoxError>(ours) }))
            .body(Body::empty());
        ready(answer.map_err(Into::into))
    }
}

fn message(channel: u8, text: &str) -> Message {
    let mut bytes = vec![channel];
    bytes.extend_from_slice(text.as_bytes());
    Message::Binary(bytes.into())
}

fn ended_with(code: i32) -> Message {
    let status = if code == 0 {
        json!({ "kind": "Status", "apiVersion": "v1", "status": "Success" })
    } else {
        json!({
            "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NonZeroExitCode",
            "message": format!("command terminated with non-zero exit code: {code}"),
            "details": { "causes": [{ "reason": "ExitCode", "message": code.to_string() }] },
        })
    };
    message(3, &status.to_string())
}

/// Runs something and says what the peer says, then closes.
async fn ran(messages: impl IntoIterator<Item = Message>) -> Attached {
    let peer = Peer::default();
    let attached = peer.pods().exec("x", &ExecOptions::new(["true"])).await.unwrap();
    let mut end = peer.end().await;
    for message in messages {
        end.send(message).await.unwrap();
    }
    end.close(None).await.unwrap();
    attached
}

#[tokio::test(start_paused = true)]
async fn a_program_runs_and_tells_its_output_and_its_exit() {
    let peer = Peer::default();
    let options = ExecOptions::new(["sh", "-c", "a b&c"]).container("web");
    let attached = peer.pods().exec("x", &options).await.unwrap();
    assert_eq!(
        peer.asked(),
        [
            "GET /api/v1/namespaces/a/pods/x/exec?command=sh&command=-c&command=a%20b%26c&container=web&stdout=true&stderr=true"
        ]
    );
    let mut end = peer.end().await;
    for text in
        [message(1, ""), message(2, ""), message(1, "out"), message(2, "err"), message(1, "put")]
    {
        end.send(text).await.unwrap();
    }
    end.send(ended_with(3)).await.unwrap();
    end.close(None).await.unwrap();
    let done = attached.finish(1000).await.unwrap();
    assert_eq!((done.stdout.as_slice(), done.stderr.as_slice()), (&b"output"[..], &b"err"[..]));
    assert_eq!((done.exit.code, done.exit.success()), (3, false));
}

#[tokio::test(start_paused = true)]
async fn success_failure_and_silence_about_it() {
    let done = ran([message(1, "x"), ended_with(0)]).await.finish(10).await.unwrap();
    assert!(done.exit.success());
    let missing = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "InternalError", "code": 500,
        "message": "exec: \"nothing\": executable file not found in $PATH",
    });
    let error = ran([message(3, &missing.to_string())]).await.finish(10).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "exec pods a/x: exec: \"nothing\": executable file not found in $PATH"
    );
    let error = ran([message(1, "x")]).await.finish(10).await.unwrap_err();
    assert!(error.to_string().contains("without telling how"), "{error}");
    let error = ran([message(3, "rubbish")]).await.finish(10).await.unwrap_err();
    assert!(error.is_decode(), "{error}");
    let error = ran([message(1, "12345678901"), ended_with(0)]).await.finish(10).await.unwrap_err();
    assert!(error.to_string().contains("more than 10 bytes"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn input_is_written_resized_and_closed_while_somebody_reads() {
    let peer = Peer::default();
    let options = ExecOptions::output().stdin().tty();
    let mut attached = peer.pods().attach("x", &options).await.unwrap();
    assert_eq!(
        peer.asked(),
        ["GET /api/v1/namespaces/a/pods/x/attach?stdin=true&stdout=true&tty=true"]
    );
    let mut end = peer.end().await;
    let mut input = attached.input();
    let long = vec![b'x'; 100_000];
    let writing = async {
        input.resize(80, 24).await.unwrap();
        input.write(&long).await.unwrap();
        input.close().await.unwrap();
    };
    let echo = async {
        let mut seen = Vec::new();
        loop {
            let bytes = end.next().await.unwrap().unwrap().into_data();
            match bytes[0] {
                0 => end.send(message(1, &String::from_utf8_lossy(&bytes[1..]))).await.unwrap(),
                channel => seen.push((channel, bytes[1..].to_vec())),
            }
            if bytes[0] == 255 {
                break;
            }
        }
        end.send(ended_with(0)).await.unwrap();
        end.close(None).await.unwrap();
        seen
    };
    let reading = async {
        let mut count = 0;
        while let Some(output) = attached.next().await.unwrap() {
            let Output::Stdout(bytes) = output else { panic!("{output:?}") };
            count += bytes.len();
        }
        (count, attached.exit().unwrap().code)
    };
    let ((), seen, read) = tokio::join!(writing, echo, reading);
    assert_eq!(read, (100_000, 0));
    assert_eq!(seen[0], (4, br#"{"Height":24,"Width":80}"#.to_vec()));
    assert_eq!(seen[1], (255, vec![0]));
}

/// Answers pings for so long, then falls silent.
async fn lives(mut end: Ws, time: Duration) -> usize {
    let mut pings = 0;
    let life = async {
        while let Some(Ok(message)) = end.next().await {
            pings += usize::from(message.is_ping());
            // The answer goes out with a flush.
            end.flush().await.unwrap();
        }
    };
    let _over = tokio::time::timeout(time, life).await;
    std::future::pending::<()>().await;
    pings
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_lives_on_pings_and_dies_without() {
    let peer = Peer::default();
    let mut attached = peer.pods().exec("x", &ExecOptions::new(["sleep"])).await.unwrap();
    let end = peer.end().await;
    let start = Instant::now();
    let error = tokio::select! {
        biased;
        next = attached.next() => next.unwrap_err(),
        _ = lives(end, Duration::from_secs(300)) => unreachable!(),
    };
    assert!(error.is_timeout(), "{error}");
    let lasted = start.elapsed().as_secs();
    assert!((355..=361).contains(&lasted), "{lasted}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_nobody_read_for_long_is_not_taken_for_dead() {
    let peer = Peer::default();
    let mut attached = peer.pods().exec("x", &ExecOptions::new(["sleep"])).await.unwrap();
    let mut end = peer.end().await;
    tokio::time::sleep(Duration::from_secs(600)).await;
    let late = async {
        tokio::time::sleep(Duration::from_secs(30)).await;
        end.send(message(1, "awake")).await.unwrap();
    };
    let (next, ()) = tokio::join!(attached.next(), late);
    assert_eq!(next.unwrap(), Some(Output::Stdout("awake".into())));
}

/// The server does not read for a while, and the writer loses patience.
#[tokio::test(start_paused = true)]
async fn a_write_that_is_given_up_does_not_silence_the_pings() {
    let peer = Peer::default();
    let mut attached = peer.pods().exec("x", &ExecOptions::new(["cat"]).stdin()).await.unwrap();
    let mut input = attached.input();
    let long = vec![b'x'; 1 << 20];
    let write = tokio::time::timeout(Duration::from_secs(1), input.write(&long)).await;
    assert!(write.is_err(), "there was room for all of it");
    let mut end = peer.end().await;
    let life = async {
        while let Some(Ok(_)) = end.next().await {
            end.flush().await.unwrap();
        }
    };
    tokio::select! {
        biased;
        next = attached.next() => panic!("{next:?}"),
        () = life => panic!("the client ended it"),
        () = tokio::time::sleep(Duration::from_secs(300)) => {}
    }
    drop(input);
}

/// The server does not read for a while, and all who write wait for it.
#[tokio::test(start_paused = true)]
async fn many_may_write_at_once_and_none_is_forgotten() {
    let peer = Peer::default();
    let options = ExecOptions::new(["cat"]).stdin().tty();
    let attached = peer.pods().exec("x", &options).await.unwrap();
    let mut tasks = JoinSet::new();
    let mut input = attached.input();
    tasks.spawn(async move { input.write(&vec![b'x'; 1 << 20]).await });
    for columns in 1..4 {
        let mut input = attached.input();
        tasks.spawn(async move { input.resize(columns, 24).await });
    }
    // All wait now.
    let wait = tokio::time::timeout(Duration::from_secs(1), tasks.join_next()).await;
    assert!(wait.is_err(), "{wait:?}");
    let mut end = peer.end().await;
    let mut count = 0;
    let reading = async {
        while count < (1 << 20) + 3 {
            let bytes = end.next().await.unwrap().unwrap().into_data();
            count += if bytes[0] == 0 { bytes.len() - 1 } else { 1 };
        }
    };
    tokio::time::timeout(Duration::from_secs(60), reading).await.expect("a writer hangs");
    while let Some(done) = tasks.join_next().await {
        done.unwrap().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn no_debug_output_has_what_came() {
    let peer = Peer::old();
    let mut stream = peer.pods().port_forward("x", 80).await.unwrap();
    let mut end = peer.end().await;
    for text in [port(0), message(0, "hidden secret")] {
        end.send(text).await.unwrap();
    }
    stream.read_exact(&mut [0; 7]).await.unwrap();
    assert!(!format!("{stream:?}").contains("secret"), "{stream:?}");
    let mut attached = ran([message(3, "secret")]).await;
    let error = attached.next().await.unwrap_err();
    assert!(!format!("{attached:?}{error:?}").contains("secret"), "{attached:?} {error:?}");
}

#[tokio::test(start_paused = true)]
async fn dropping_the_stream_ends_it() {
    let peer = Peer::default();
    let attached = peer.pods().exec("x", &ExecOptions::new(["sleep"])).await.unwrap();
    let mut end = peer.end().await;
    drop(attached);
    assert!(matches!(end.next().await, None | Some(Err(_))));
}

#[tokio::test(start_paused = true)]
async fn what_is_no_upgrade_is_told_and_nothing_is_sent_twice() {
    let forbidden = failure(403, "Forbidden", "you may not");
    let busy = failure(503, "ServiceUnavailable", "later");
    let fake = Fake::new([
        status(403, &forbidden),
        ok("hello"),
        status(503, &busy).retry_after(1),
        crate::fake::reset(),
    ]);
    let pods = fake.client().api::<Pod>().namespace("a");
    let exec = async |expected: &str| {
        let error = pods.exec("x", &ExecOptions::new(["true"])).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        error
    };
    assert!(exec("exec pods a/x: you may not").await.is_forbidden());
    exec("answered 200 OK and did not upgrade").await;
    exec("later").await;
    assert!(exec("connection reset").await.is_transport());
    assert_eq!(fake.asked().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_speaks_otherwise_is_refused() {
    let peer = Peer::default();
    peer.0.lock().unwrap().protocol = Some("v4.channel.k8s.io");
    let error = peer.pods().exec("x", &ExecOptions::new(["true"])).await.unwrap_err();
    assert!(error.to_string().contains("it chose \"v4.channel.k8s.io\""), "{error}");
    peer.0.lock().unwrap().accept = Some("wrong");
    let error = peer.pods().exec("x", &ExecOptions::new(["true"])).await.unwrap_err();
    assert!(error.to_string().contains("did not accept"), "{error}");
}

fn port(channel: u8) -> Message {
    Message::Binary(vec![channel, 80, 0].into())
}

#[tokio::test(start_paused = true)]
async fn a_port_is_reached_as_a_byte_stream_where_there_is_no_tunnel() {
    let peer = Peer::old();
    let mut stream = peer.pods().port_forward("x", 80).await.unwrap();
    let asked = ["", "?ports=80"]
        .map(|query| format!("GET /api/v1/namespaces/a/pods/x/portforward{query}"));
    assert_eq!(peer.asked(), asked);
    let mut end = peer.end().await;
    for text in [port(0), port(1), message(0, "hello "), message(0, "world")] {
        end.send(text).await.unwrap();
    }
    let mut text = [0; 11];
    stream.read_exact(&mut text).await.unwrap();
    assert_eq!(&text, b"hello world");
    let long = vec![b'y'; 200_000];
    let writing = async {
        stream.write_all(&long).await.unwrap();
        stream.flush().await.unwrap();
    };
    let reading = async {
        let mut count = 0;
        while count < long.len() {
            let bytes = end.next().await.unwrap().unwrap().into_data();
            assert_eq!(bytes[0], 0);
            count += bytes.len() - 1;
        }
    };
    tokio::join!(writing, reading);
    end.close(None).await.unwrap();
    assert_eq!(stream.read(&mut text).await.unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_is_written_to_a_port_goes_out_without_a_flush() {
    let peer = Peer::old();
    let mut stream = peer.pods().port_forward("x", 80).await.unwrap();
    let mut end = peer.end().await;
    for text in [port(0), port(1)] {
        end.send(text).await.unwrap();
    }
    let begun = Instant::now();
    // More than fits into the connection, so that some of it goes while there is only somebody who reads.
    for length in [5, 100_000] {
        let text = vec![b'z'; length];
        let asking = async {
            stream.write_all(&text).await.unwrap();
            stream.read_u8().await.unwrap()
        };
        let answering = async {
            let mut count = 0;
            while count < length {
                count += end.next().await.unwrap().unwrap().into_data().len() - 1;
            }
            end.send(message(0, "!")).await.unwrap();
        };
        let (answer, ()) = tokio::join!(asking, answering);
        assert_eq!((answer, begun.elapsed()), (b'!', Duration::ZERO), "{length}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_port_where_nothing_listens_is_told_there_by_the_first_read() {
    let peer = Peer::old();
    let mut stream = peer.pods().port_forward("x", 80).await.unwrap();
    let mut end = peer.end().await;
    for text in [port(0), port(1), message(1, "connection refused\n")] {
        end.send(text).await.unwrap();
    }
    // Whoever asks for nothing gets it at once.
    assert_eq!(stream.read(&mut []).now_or_never().expect("at once").unwrap(), 0);
    let error = stream.read(&mut [0; 1]).await.unwrap_err();
    assert_eq!(error.to_string(), "portforward pods a/x: connection refused");
}

fn is_send<T: Send>(_: &T) {}

#[test]
fn streams_cross_threads() {
    let _futures = |pods: &Api<Pod>, mut attached: Attached| {
        is_send(&pods.exec("x", &ExecOptions::output()));
        is_send(&attached.next());
        is_send(&attached.input().write(b""));
        fn output<F: Future<Output = T>, T: Send>(_: F) {}
        output(pods.port_forward("x", 80));
    };
}
