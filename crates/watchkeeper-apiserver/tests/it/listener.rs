//! The server on a real socket.

use std::net::SocketAddr;
use std::time::Duration;

use http_body_util::{BodyExt as _, Empty};
use hyper::body::Bytes;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use watchkeeper_apiserver::{ApiServer, Clock, listen, serve};

fn get(path: &str) -> http::Request<Empty<Bytes>> {
    http::Request::get(path).header("host", "localhost").body(Empty::new()).expect("a request")
}

#[tokio::test]
async fn it_speaks_http_1_and_ends_when_told() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = ApiServer::builder().clock(Clock::System).build();
    let (stop, stopped) = oneshot::channel::<()>();
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let stopped = async { drop(stopped.await) };
        serve(listener, server, stopped).await.expect("a clean end");
    });
    let stream = TcpStream::connect(address).await.expect("a connection");
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("HTTP/1.1");
    tasks.spawn(async move { drop(connection.await) });
    let answer = sender.send_request(get("/version")).await.expect("an answer");
    assert_eq!(answer.status(), 200);
    drop(answer.into_body().collect().await);
    let watch = sender.send_request(get("/api/v1/namespaces?watch=1")).await.expect("an answer");
    assert_eq!(watch.headers()["transfer-encoding"], "chunked");
    let mut body = watch.into_body();
    let first = body.frame().await.expect("a frame").expect("data").into_data().expect("data");
    assert!(first.starts_with(b"{\"type\":\"ADDED\""));
    drop(stop);
    while let Some(Ok(_)) = body.frame().await {}
    drop(sender);
    while let Some(ended) = tasks.join_next().await {
        ended.expect("no panic");
    }
}

/// Many come at once, and nobody is accepted yet.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn clients_may_wait_to_be_accepted() {
    let most = std::fs::read_to_string("/proc/sys/net/core/somaxconn").expect("Linux tells it");
    let most: usize = most.trim().parse().expect("a number");
    let listener = listen(([127, 0, 0, 1], 0).into()).expect("a port");
    let address = listener.local_addr().expect("an address");
    let all = async {
        let mut waiting = Vec::new();
        for _ in 0..most.min(1_000) {
            waiting.push(TcpStream::connect(address).await.expect("a connection"));
        }
        waiting.len()
    };
    // The first that finds no place tries again for minutes.
    let waiting = tokio::time::timeout(Duration::from_secs(60), all).await;
    assert_eq!(waiting, Ok(most.min(1_000)));
}

/// A server on a port, for as long as the tasks are held.
async fn served() -> (SocketAddr, JoinSet<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        serve(listener, ApiServer::new(), std::future::pending()).await.expect("it goes on");
    });
    (address, tasks)
}

/// Whether others are served.
async fn serves(address: SocketAddr) -> bool {
    let stream = TcpStream::connect(address).await.expect("a connection");
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("HTTP/1.1");
    let asked = async { sender.send_request(get("/version")).await.expect("an answer").status() };
    tokio::select! {
        status = asked => status == 200,
        _ = connection => false,
    }
}

/// What a client is told that sends this and no more, and after how long the connection is closed.
async fn told(address: SocketAddr, sent: &[u8]) -> (String, Duration) {
    let began = tokio::time::Instant::now();
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(sent).await.expect("it is taken");
    let mut told = Vec::new();
    // A connection that is reset is closed, too.
    _ = stream.read_to_end(&mut told).await;
    (String::from_utf8_lossy(&told).into_owned(), began.elapsed())
}

/// Slowloris: nobody holds a connection by saying nothing, or not the whole of it.
#[tokio::test(start_paused = true)]
async fn who_does_not_say_what_it_wants_is_not_waited_for() {
    let (address, _tasks) = served().await;
    for begun in
        ["", "P", "PRI * HTTP/2.0\r\n", "GET /vers", "GET /version HTTP/1.1\r\nhost: a\r\n"]
    {
        let (_, after) = told(address, begun.as_bytes()).await;
        assert!((90..95).contains(&after.as_secs()), "{begun:?}: {after:?}");
        assert!(serves(address).await);
    }
    let request = "GET /version HTTP/1.1\r\nhost: a\r\n\r\n";
    let (answer, after) = told(address, request.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!((90..95).contains(&after.as_secs()), "an idle connection: {after:?}");
}

/// Also byte by byte.
#[tokio::test(start_paused = true)]
async fn a_request_that_comes_slowly_is_given_up() {
    let (address, _tasks) = served().await;
    let began = tokio::time::Instant::now();
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let head = "GET /version HTTP/1.1\r\n".bytes().chain(std::iter::repeat_n(b'a', 1000));
    for byte in head {
        if stream.write_all(&[byte]).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert!(began.elapsed() < Duration::from_secs(200), "{:?}", began.elapsed());
    assert!(serves(address).await);
}

#[tokio::test(start_paused = true)]
async fn half_a_body_is_waited_for_as_long_as_a_request_may_take() {
    let (address, _tasks) = served().await;
    let half =
        "POST /api/v1/namespaces HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{\"metadata\":";
    let (answer, after) = told(address, half.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 504"), "{answer}");
    assert!((60..160).contains(&after.as_secs()), "{after:?}");
    assert!(serves(address).await);
}

/// A client that has nothing more to say still hears.
#[tokio::test(start_paused = true)]
async fn half_a_connection_gets_its_answer() {
    let (address, _tasks) = served().await;
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let request = "GET /version HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("it is taken");
    stream.shutdown().await.expect("its half is closed");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// Streams that are begun and reset at once, many times over.
#[tokio::test]
async fn streams_that_are_reset_leave_nothing_behind() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = ApiServer::builder().clock(Clock::System).build();
    let mut tasks = JoinSet::new();
    let served = server.clone();
    tasks.spawn(async move {
        serve(listener, served, std::future::pending()).await.expect("it goes on");
    });
    for _ in 0..10 {
        let stream = TcpStream::connect(address).await.expect("a connection");
        let (sender, connection) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
                .await
                .expect("HTTP/2");
        let mut running = JoinSet::new();
        running.spawn(async move { drop(connection.await) });
        for _ in 0..1000 {
            let mut sender = sender.clone();
            let watch = sender.send_request(get("/api/v1/namespaces?watch=1"));
            // Sent, and reset before its answer is read.
            tokio::select! {
                biased;
                _ = watch => {}
                () = tokio::task::yield_now() => {}
            }
        }
        drop(sender);
        while running.join_next().await.is_some() {}
        assert!(serves(address).await);
    }
    // What is left ends when its connection is seen to have ended.
    for _ in 0..1000 {
        if server.open_requests() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} requests are left", server.open_requests());
}

/// Several requests over one connection, each on a stream of its own.
#[tokio::test]
async fn it_speaks_http_2_to_who_begins_with_it() {
    let (address, _tasks) = served().await;
    let stream = TcpStream::connect(address).await.expect("a connection");
    let (sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .expect("HTTP/2");
    let mut running = JoinSet::new();
    running.spawn(async move { drop(connection.await) });
    for (path, code) in [("/version", 200), ("/api/v1/namespaces/none", 404)] {
        let mut sender = sender.clone();
        let answer = sender.send_request(get(&format!("http://{address}{path}")));
        let answer = tokio::time::timeout(Duration::from_secs(10), answer).await;
        let answer = answer.expect("it comes in time").expect("an answer");
        assert_eq!((answer.version(), answer.status().as_u16()), (http::Version::HTTP_2, code));
    }
}
