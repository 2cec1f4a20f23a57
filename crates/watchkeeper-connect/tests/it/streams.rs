//! Connections that become WebSockets, with and without TLS.

use futures_util::{SinkExt as _, StreamExt as _};
use http::header::SEC_WEBSOCKET_PROTOCOL;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Client, ExecOptions};

use crate::folder;
use crate::live::open;
use crate::server::{Authority, acceptor};

/// Takes the handshake, with the protocol that is asked for.
#[expect(clippy::result_large_err, reason = "the crate's callbacks are so")]
async fn taken<S: AsyncRead + AsyncWrite + Unpin>(stream: S) -> (String, WebSocketStream<S>) {
    let mut asked = String::new();
    let callback = |request: &Request, mut response: Response| {
        let header =
            |name: &str| request.headers().get(name).map(|v| v.to_str().unwrap().to_owned());
        asked = format!("{} {}", request.uri(), header("authorization").unwrap_or_default());
        let protocol = request.headers()[SEC_WEBSOCKET_PROTOCOL].clone();
        response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, protocol);
        Ok(response)
    };
    let ws = tokio_tungstenite::accept_hdr_async(stream, callback).await.unwrap();
    (asked, ws)
}

/// Says what it hears, then that it went well.
async fn echo<S: AsyncRead + AsyncWrite + Unpin>(stream: S) -> String {
    let (asked, mut ws) = taken(stream).await;
    let heard = ws.next().await.unwrap().unwrap().into_data();
    let mut said = vec![1];
    said.extend_from_slice(&heard[1..]);
    ws.send(Message::Binary(said.into())).await.unwrap();
    let status = br#"{"kind":"Status","apiVersion":"v1","status":"Success"}"#;
    let status = [&[3], status.as_slice()].concat();
    ws.send(Message::Binary(status.into())).await.unwrap();
    ws.close(None).await.unwrap();
    asked
}

async fn exec(client: Client) -> Vec<u8> {
    let pods = client.api::<Pod>().namespace("a");
    let attached = pods.exec("x", &ExecOptions::new(["cat"]).stdin()).await.unwrap();
    attached.input().write(b"hello").await.unwrap();
    let done = attached.finish(100).await.unwrap();
    assert!(done.exit.success());
    done.stdout
}

const ASKED: &str =
    "/api/v1/namespaces/a/pods/x/exec?command=cat&stdin=true&stdout=true&stderr=true Bearer t0ken";

#[tokio::test]
async fn a_program_is_run_over_plain_http() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let cluster = format!("server: 'http://{}'", listener.local_addr().unwrap());
    let client = open(&folder("exec-plain"), &cluster, "token: t0ken");
    let server = async { echo(listener.accept().await.unwrap().0).await };
    let (asked, stdout) = tokio::join!(server, exec(client));
    assert_eq!((asked.as_str(), stdout.as_slice()), (ASKED, &b"hello"[..]));
}

#[tokio::test]
async fn a_program_is_run_over_tls_and_never_over_http2() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let authority = Authority::new("watchkeeper test CA");
    let folder = folder("exec-tls");
    std::fs::write(folder.join("ca.crt"), &authority.pem).unwrap();
    let address = listener.local_addr().unwrap();
    let cluster = format!("server: 'https://{address}', certificate-authority: ca.crt");
    let client = open(&folder, &cluster, "token: t0ken");
    let acceptor = acceptor(&authority.sign("127.0.0.1"), &authority);
    let server = async {
        let stream = acceptor.accept(listener.accept().await.unwrap().0).await.unwrap();
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
        echo(stream).await
    };
    let (asked, stdout) = tokio::join!(server, exec(client));
    assert_eq!((asked.as_str(), stdout.as_slice()), (ASKED, &b"hello"[..]));
}
