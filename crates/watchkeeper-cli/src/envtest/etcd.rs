//! `etcd`: it says that it is well, until it is told to stop, and holds nothing.
//!
//! envtest waits for an etcd before it starts a kube-apiserver. Ours holds its objects itself.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use watchkeeper_manager::signals;

use super::flags::{Flags, Known};
use super::{Program, tell};
use crate::Outcome;

pub(super) const KNOWN: Known = Known(include_str!("etcd/flags.txt"));
pub(super) const ABOUT: &str = "\
watchkeeper as an etcd for envtest: it tells of its health and holds nothing. The kube-apiserver
beside it holds its objects itself.";
/// The release whose flags are known.
pub(super) const VERSION: &str = "3.6.8";

/// Where it listens unless told.
const ADDRESS: &str = "http://localhost:2379";
/// How long a client may take to ask.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many bytes the head of a request may have.
const HEAD: u64 = 8192;

/// Answers until it is told to stop.
///
/// # Errors
/// What it cannot listen on.
pub(super) async fn run(flags: &Flags) -> Outcome {
    let shutdown = signals::shutdown();
    let mut listeners = Vec::new();
    let urls: Vec<&str> = flags.all("listen-client-urls").collect();
    for url in if urls.is_empty() { vec![ADDRESS] } else { urls } {
        let place = place(url)?;
        let listener = TcpListener::bind(place).await;
        listeners.push(listener.map_err(|error| format!("cannot listen on {url}: {error}"))?);
    }
    tell(Program::Etcd, &["it holds nothing: objects are with the kube-apiserver".to_owned()]);
    serve(listeners, shutdown).await;
    Ok(())
}

/// The host and the port of a URL.
fn place(url: &str) -> Outcome<&str> {
    let rest = url.strip_prefix("http://").ok_or_else(|| {
        format!("--listen-client-urls={url} is not to be had: plain http alone is spoken")
    })?;
    let place = rest.trim_end_matches('/');
    let port = place.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
    port.map(|_| place).ok_or_else(|| format!("--listen-client-urls={url} has no port"))
}

async fn serve(listeners: Vec<TcpListener>, shutdown: impl Future<Output = ()>) {
    let mut ports: JoinSet<()> = listeners.into_iter().map(port).collect();
    let mut shutdown = pin!(shutdown);
    // Dropping the set closes the ports, and with them what is open.
    tokio::select! {
        biased;
        () = &mut shutdown => {}
        _ = ports.join_next() => {}
    }
}

async fn port(listener: TcpListener) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(tokio::time::timeout(PATIENCE, answer(stream)));
                }
                // No descriptors are left for now.
                Err(_) => tokio::time::sleep(PATIENCE / 100).await,
            }
        }
    }
}

async fn answer(stream: TcpStream) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let (mut head, mut limited) = (String::new(), (&mut stream).take(HEAD));
    while !head.ends_with("\r\n\r\n") {
        if limited.read_line(&mut head).await? == 0 {
            break;
        }
    }
    let path = head.split(' ').nth(1).unwrap_or_default();
    let (status, body) = said(path.split('?').next().unwrap_or_default());
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await
}

/// What is answered at a path, in etcd's words.
fn said(path: &str) -> (&'static str, String) {
    match path {
        "/health" => ("200 OK", r#"{"health":"true","reason":""}"#.to_owned()),
        "/livez" | "/readyz" => ("200 OK", "ok\n".to_owned()),
        "/version" => {
            ("200 OK", format!(r#"{{"etcdserver":"{VERSION}","etcdcluster":"{VERSION}"}}"#))
        }
        _ => (
            "404 Not Found",
            "watchkeeper's etcd holds nothing: objects are with the kube-apiserver\n".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{place, said};

    #[test]
    fn a_url_names_a_host_and_a_port() {
        assert_eq!(place("http://127.0.0.1:2379"), Ok("127.0.0.1:2379"));
        assert_eq!(place("http://[::1]:1/"), Ok("[::1]:1"));
        let refused = |url| place(url).expect_err("refused");
        assert!(refused("https://127.0.0.1:1").ends_with("plain http alone is spoken"));
        assert!(refused("http://127.0.0.1").ends_with(" has no port"));
        assert!(refused("http://127.0.0.1:x").ends_with(" has no port"));
    }

    #[test]
    fn it_is_well_and_holds_nothing() {
        assert_eq!(said("/health").1, r#"{"health":"true","reason":""}"#);
        assert_eq!(said("/v3/kv/range").0, "404 Not Found");
    }
}
