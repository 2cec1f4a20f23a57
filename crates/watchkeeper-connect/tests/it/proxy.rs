//! Through somebody in between, who is asked properly and whose refusals are told.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::folder;
use crate::live::{error, open, secure};
use crate::server::{Server, acceptor};

/// A proxy that leads everywhere to one server, whatever it is asked for.
pub(crate) struct Proxy {
    address: SocketAddr,
    /// What it was asked.
    asked: Arc<Mutex<Vec<String>>>,
    _tasks: JoinSet<()>,
}

#[derive(Clone)]
struct Way {
    target: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    /// What it answers to `CONNECT`.
    answer: &'static str,
}

impl Proxy {
    async fn start(target: SocketAddr, answer: &'static str, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let way = Way { target, asked: Arc::default(), answer };
        let asked = Arc::clone(&way.asked);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (tcp, _) = listener.accept().await.unwrap();
                let (tls, way) = (tls.clone(), way.clone());
                connections.spawn(async move {
                    match tls {
                        None => talk(tcp, &way).await,
                        Some(tls) => {
                            let Ok(stream) = tls.accept(tcp).await else { return };
                            talk(stream, &way).await;
                        }
                    }
                });
            }
        });
        Self { address, asked, _tasks: tasks }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

/// One that takes whoever asks.
pub(crate) async fn leads_to(target: SocketAddr) -> Proxy {
    Proxy::start(target, OK, None).await
}

async fn talk<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, way: &Way) {
    let first = stream.read_u8().await.unwrap();
    if first == 5 {
        return socks(stream, way).await;
    }
    let mut head = vec![first];
    while !head.ends_with(b"\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else { return };
        head.push(byte);
    }
    let text = String::from_utf8(head.clone()).unwrap();
    way.asked.lock().unwrap().push(text.clone());
    let mut server = TcpStream::connect(way.target).await.unwrap();
    if text.starts_with("CONNECT ") {
        stream.write_all(way.answer.as_bytes()).await.unwrap();
        if !way.answer.contains(" 200 ") {
            return;
        }
    } else {
        // The server of these tests understands whole addresses.
        server.write_all(&head).await.unwrap();
    }
    let _ended = copy_bidirectional(&mut stream, &mut server).await;
}

/// RFC 1928, with a name and a password if they are offered.
async fn socks<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, way: &Way) {
    let count = stream.read_u8().await.unwrap();
    let mut methods = vec![0; count.into()];
    stream.read_exact(&mut methods).await.unwrap();
    let mut asked = String::new();
    if methods.contains(&2) {
        stream.write_all(&[5, 2]).await.unwrap();
        assert_eq!(stream.read_u8().await.unwrap(), 1);
        asked = format!("{} {} ", text(&mut stream).await, text(&mut stream).await);
        stream.write_all(&[1, 0]).await.unwrap();
    } else {
        stream.write_all(&[5, 0]).await.unwrap();
    }
    let mut head = [0; 4];
    stream.read_exact(&mut head).await.unwrap();
    assert_eq!(head, [5, 1, 0, 3], "a name, which the proxy resolves");
    let host = text(&mut stream).await;
    let port = stream.read_u16().await.unwrap();
    way.asked.lock().unwrap().push(format!("{asked}{host}:{port}"));
    let code = u8::from(way.answer.contains("refuse")) * 2;
    stream.write_all(&[5, code, 0, 1, 0, 0, 0, 0, 0, 0]).await.unwrap();
    if code != 0 {
        return;
    }
    let mut server = TcpStream::connect(way.target).await.unwrap();
    let _ended = copy_bidirectional(&mut stream, &mut server).await;
}

async fn text<S: AsyncRead + Unpin>(stream: &mut S) -> String {
    let length = stream.read_u8().await.unwrap();
    let mut bytes = vec![0; length.into()];
    stream.read_exact(&mut bytes).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

const OK: &str = "HTTP/1.1 200 Connection established\r\nvia: x\r\n\r\n";

fn cluster(proxy: &str) -> String {
    format!(
        "server: 'https://cluster.invalid:6443', certificate-authority: ca.crt, \
         tls-server-name: 127.0.0.1, proxy-url: '{proxy}'"
    )
}

#[tokio::test]
async fn an_http_proxy_is_asked_to_connect() {
    let (server, folder, _) = secure("proxy-http").await;
    let proxy = Proxy::start(server.address, OK, None).await;
    let url = format!("http://me:p%40ss@{}", proxy.address);
    let client = open(&folder, &cluster(&url), "token: t");
    client.server_version().await.unwrap();
    client.server_version().await.unwrap();
    assert_eq!(
        proxy.asked(),
        ["CONNECT cluster.invalid:6443 HTTP/1.1\r\nhost: cluster.invalid:6443\r\n\
          proxy-authorization: Basic bWU6cEBzcw==\r\n\r\n"]
    );
    let seen = server.seen();
    assert_eq!((seen.len(), seen[1].http), (2, http::Version::HTTP_2));
}

#[tokio::test]
async fn a_proxy_may_speak_tls() {
    let (server, folder, authority) = secure("proxy-https").await;
    let pair = authority.sign("127.0.0.1");
    let proxy = Proxy::start(server.address, OK, Some(acceptor(&pair, &authority))).await;
    let url = format!("https://{}", proxy.address);
    let client = open(&folder, &cluster(&url), "");
    client.server_version().await.unwrap();
    assert_eq!(proxy.asked().len(), 1);
}

#[tokio::test]
async fn a_socks_proxy_resolves_names() {
    let (server, folder, _) = secure("proxy-socks").await;
    let proxy = Proxy::start(server.address, OK, None).await;
    for (login, asked) in [("", ""), ("me:secret@", "me secret ")] {
        let url = format!("socks5://{login}{}", proxy.address);
        open(&folder, &cluster(&url), "").server_version().await.unwrap();
        assert_eq!(proxy.asked(), [format!("{asked}cluster.invalid:6443")]);
    }
}

#[tokio::test]
async fn a_server_without_tls_gets_whole_requests_from_its_proxy() {
    let server = Server::plain().await;
    let proxy = Proxy::start(server.address, OK, None).await;
    let cluster =
        format!("server: 'http://cluster.invalid', proxy-url: 'http://me:x@{}'", proxy.address);
    open(&folder("proxy-plain"), &cluster, "").server_version().await.unwrap();
    let asked = proxy.asked().remove(0);
    assert!(asked.starts_with("GET http://cluster.invalid/version HTTP/1.1\r\n"), "{asked}");
    assert!(asked.contains("proxy-authorization: Basic bWU6eA==\r\n"), "{asked}");
}

async fn refused(folder: &Path, scheme: &str, server: &Server, answer: &'static str) -> String {
    let proxy = Proxy::start(server.address, answer, None).await;
    let url = format!("{scheme}://me:hunter2@{}", proxy.address);
    let text = error(&open(folder, &cluster(&url), "")).await.to_string();
    let begin =
        "cannot connect to https://cluster.invalid:6443 (cluster \"there\" in context \"here\" of ";
    assert!(text.contains(begin), "{text}");
    assert!(
        text.contains(&format!("the proxy {scheme}://{} (proxy-url)", proxy.address)),
        "{text}"
    );
    assert!(!text.contains("hunter2"), "{text}");
    text
}

#[tokio::test]
async fn a_proxy_that_refuses_is_told() {
    let (server, folder, _) = secure("proxy-refuses").await;
    for (answer, mend) in [
        ("HTTP/1.1 407 No\r\n\r\n", "put a name and a password into its URL"),
        ("HTTP/1.1 403 No\r\ncontent-length: 2\r\n\r\nno", "(403); does it allow that port?"),
        ("HTTP/1.0 502 No\r\n\r\n", "does it know that name?"),
        ("SSH-2.0-OpenSSH\r\n\r\n", "does not speak HTTP/1.1"),
        ("HTTP/1.1 200", "is it an HTTP proxy?"),
    ] {
        let text = refused(&folder, "http", &server, answer).await;
        assert!(text.contains(mend), "{text}");
    }
    let text = refused(&folder, "socks5", &server, "refuse").await;
    assert!(text.contains("does not allow it"), "{text}");
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_told() {
    let socket = TcpSocket::new_v4().unwrap();
    // Held, and so no other test's; nobody listens.
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    let client = open(
        &folder("no-proxy"),
        &cluster(&format!("http://{address}"))
            .replace("certificate-authority: ca.crt", "insecure-skip-tls-verify: true"),
        "",
    );
    let text = error(&client).await.to_string();
    let expected =
        format!("no connection to the proxy http://{address} (proxy-url): nothing listens");
    assert!(text.contains(&expected), "{text}");
}
