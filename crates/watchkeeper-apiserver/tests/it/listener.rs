//! The server on a real socket.

use http_body_util::{BodyExt as _, Empty};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use watchkeeper_apiserver::{ApiServer, Clock, serve};

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
