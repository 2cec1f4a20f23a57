//! Streams into containers go through kube's connection, too.

use futures_util::SinkExt as _;
use http::HeaderValue;
use tokio::net::TcpListener;
use tokio_tungstenite::accept_hdr_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::ExecOptions;

/// What a kubelet would send of a program that says `hello` and succeeds.
const SAID: [(u8, &str); 2] =
    [(1, "hello"), (3, r#"{"kind":"Status","apiVersion":"v1","status":"Success"}"#)];

#[expect(clippy::result_large_err, reason = "the type is tungstenite's")]
fn agree(request: &Request, mut answer: Response) -> Result<Response, ErrorResponse> {
    assert_eq!(request.uri().path(), "/api/v1/namespaces/default/pods/web-0/exec");
    assert_eq!(request.headers()["authorization"], "Bearer hunter2");
    let protocol = HeaderValue::from_static("v5.channel.k8s.io");
    answer.headers_mut().insert("sec-websocket-protocol", protocol);
    Ok(answer)
}

#[tokio::test]
async fn a_program_runs_in_a_container_over_kubes_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let peer = async {
        let (socket, _) = listener.accept().await.expect("a connection");
        let mut socket = accept_hdr_async(socket, agree).await.expect("a handshake");
        for (channel, text) in SAID {
            let bytes: Vec<u8> = [&[channel], text.as_bytes()].concat();
            socket.send(Message::Binary(bytes.into())).await.expect("sent");
        }
        socket.close(None).await.expect("closed");
    };
    let script = async {
        let mut config =
            kube::Config::new(format!("http://{address}").parse().expect("an address"));
        config.auth_info.token = Some("hunter2".to_owned().into());
        let client = watchkeeper_kube::client(kube::Client::try_from(config).expect("a client"));
        let pods = client.api::<Pod>().namespace("default");
        let attached = pods.exec("web-0", &ExecOptions::new(["hello"])).await.expect("attached");
        let done = attached.finish(1_000).await.expect("an end");
        assert_eq!((done.stdout.as_slice(), done.exit.success()), (&b"hello"[..], true));
    };
    tokio::join!(peer, script);
}
