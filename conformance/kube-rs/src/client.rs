//! What the client tells the log, and what it sends twice.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::api::{ListParams, PostParams};
use kube::{Api, Client, Config};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::Seen;
use crate::server::{Answer, client};

/// What must not be in a log.
const PASSWORD: &str = "aHVudGVyMg==";

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The whole answer is told at the level of warnings.
pub async fn h_a_log() -> Seen {
    let (client, _) = client(|_, _| {
        let items = json!([
            { "metadata": { "name": "good" }, "data": { "password": PASSWORD } },
            { "metadata": { "name": "bad" }, "data": ["no", "map"] },
        ]);
        let list = json!({
            "apiVersion": "v1", "kind": "SecretList", "metadata": { "resourceVersion": "5" },
            "items": items,
        });
        Answer::Json(200, list)
    });
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
    let _listening = tracing::subscriber::set_default(subscriber);
    let listed = Api::<Secret>::all(client).list(&ListParams::default()).await;
    assert!(listed.is_err(), "one of them cannot be decoded");
    let log = lines.0.lock().expect("no panic");
    let log = String::from_utf8_lossy(&log);
    let line = log.lines().find(|line| line.contains(PASSWORD));
    let text = match line {
        Some(line) if line.contains("WARN") => {
            "the other one's password is in the log, as a warning"
        }
        Some(_) => "the other one's password is in the log",
        None => "the log has no password",
    };
    Seen::new(line.is_some(), text.to_owned())
}

/// How many there are before it is believed.
const MANY: usize = 5;

/// A write that is not known to have failed is sent again.
pub async fn i_a_post() -> Seen {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let config = Config::new(format!("http://{address}").parse().expect("an address"));
    let client = Client::try_from(config).expect("a client");
    let maps: Api<ConfigMap> = Api::namespaced(client, "default");
    let mut map = ConfigMap::default();
    map.metadata.name = Some("a".to_owned());
    let count = async {
        let mut posts = 0;
        while posts < MANY {
            let (stream, _) = listener.accept().await.expect("a connection");
            posts += usize::from(refuse(stream).await.is_ok());
        }
        posts
    };
    let (params, limit) = (PostParams::default(), Duration::from_secs(60));
    let posts = tokio::select! {
        posts = timeout(limit, count) => posts.unwrap_or_default(),
        _ = maps.create(&params, &map) => 1,
    };
    let is_defect = posts >= MANY;
    let text = if is_defect {
        format!("sent {posts} times, and more would follow")
    } else {
        format!("sent fewer than {MANY} times")
    };
    Seen::new(is_defect, text)
}

/// Reads one request, and says that it cannot be served now.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    let mut request = Vec::new();
    while !is_whole(&request) {
        if stream.read_buf(&mut request).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let head = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    stream.shutdown().await
}

/// Whether there is a POST with its body, whose length is told.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    head.starts_with("post ") && length.and_then(|n| n.parse().ok()) == Some(body.len())
}
