//! Connections: TLS, HTTP/2, credentials, and what is said when there is none.

use std::path::Path;
use std::time::Duration;

use http::Version;
use tokio::net::TcpSocket;
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_client::{Client, Error, ListOptions, WatchOptions};
use watchkeeper_connect::{Config, Options, verified};

use crate::server::{Authority, Pair, Server};
use crate::{folder, kubeconfig};

pub(crate) fn open(folder: &Path, cluster: &str, user: &str) -> Client {
    let path = Some(kubeconfig(folder, cluster, user));
    Config::from_kubeconfig(&Options { path, ..Options::default() }).unwrap().client().unwrap()
}

pub(crate) async fn error(client: &Client) -> Error {
    client.clone().retries(0).server_version().await.unwrap_err()
}

/// A server of `127.0.0.1`, and a folder that holds its CA.
pub(crate) async fn secure(test: &str) -> (Server, std::path::PathBuf, Authority) {
    let authority = Authority::new("watchkeeper test CA");
    let server = Server::tls(&authority.sign("127.0.0.1"), &authority).await;
    let folder = folder(test);
    std::fs::write(folder.join("ca.crt"), &authority.pem).unwrap();
    (server, folder, authority)
}

pub(crate) fn write(folder: &Path, name: &str, pair: &Pair) {
    std::fs::write(folder.join(format!("{name}.crt")), &pair.certificate).unwrap();
    std::fs::write(folder.join(format!("{name}.key")), &pair.key).unwrap();
}

#[tokio::test]
async fn many_calls_share_one_http2_connection() {
    let (server, folder, _) = secure("h2").await;
    let cluster =
        format!("server: 'https://{}/base/', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, "token: t0ken, as: somebody");
    assert_eq!(client.server_version().await.unwrap().git_version, "v1.36.3");
    let (one, two) = tokio::join!(client.server_version(), client.server_version());
    assert_eq!(one.unwrap(), two.unwrap());
    let seen = server.seen();
    assert_eq!(seen.len(), 3);
    for request in seen {
        assert_eq!(request.http, Version::HTTP_2);
        assert_eq!(request.what, "GET /base/version Some(\"somebody\")");
        assert_eq!(request.authorization.as_deref(), Some("Bearer t0ken"));
        assert_eq!(request.connection, 0);
    }
}

#[tokio::test]
async fn a_program_connects_without_a_kubeconfig() {
    let (server, folder, authority) = secure("builder").await;
    let url = format!("https://{}", server.address);
    let me = authority.sign("me");
    write(&folder, "me", &me);
    let path = |name: &str| folder.join(name);
    let builders = [
        Config::builder(&url).ca_file(path("ca.crt")).token("t0ken"),
        Config::builder(&url).ca_pem(&authority.pem).impersonate("somebody").basic("a", "b"),
        Config::builder(&url).insecure().client_certificate_pem(&me.certificate, &me.key),
        Config::builder(&url)
            .ca_file(path("ca.crt"))
            .client_certificate_files(path("me.crt"), path("me.key")),
    ];
    for builder in builders {
        let client = builder.build().unwrap().client().unwrap();
        assert_eq!(client.server_version().await.unwrap().git_version, "v1.36.3");
    }
    let seen = server.seen();
    let authorization: Vec<_> = seen.iter().map(|seen| seen.authorization.as_deref()).collect();
    assert_eq!(authorization, [Some("Bearer t0ken"), Some("Basic YTpi"), None, None]);
    assert!(seen[1].what.ends_with("Some(\"somebody\")"), "{}", seen[1].what);
    let stranger = Config::builder(&url).build().unwrap().client().unwrap();
    assert!(error(&stranger).await.to_string().contains("certificate"));
}

/// A server takes a hundred streams on a connection and lets the next one wait: a program with more watches
/// than that would never be answered again.
#[tokio::test]
async fn more_watches_than_a_connection_takes_leave_room_for_calls() {
    let (server, folder, _) = secure("streams").await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, "").deadline(Duration::from_secs(5)).retries(0);
    let mut watches = Vec::new();
    for number in 0..250 {
        let api = client.api::<ConfigMap>().namespace(format!("n{number}"));
        watches.push(api.watch(&WatchOptions::since("1")).await.unwrap());
    }
    client.server_version().await.unwrap();
    let connections = |server: &Server| server.seen().iter().map(|seen| seen.connection).max();
    assert_eq!(
        connections(&server),
        Some(3),
        "no more connections than it takes, and one for calls"
    );
    drop(watches);
    client.api::<ConfigMap>().watch(&WatchOptions::since("1")).await.unwrap();
    assert_eq!(connections(&server), Some(0), "the first is used again");
}

#[tokio::test]
async fn lists_come_compressed_and_watches_do_not() {
    let (server, folder, _) = secure("gzip").await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let maps = open(&folder, &cluster, "").api::<ConfigMap>().namespace("packed");
    let list = maps.list(&ListOptions::default()).await.unwrap();
    assert_eq!(
        (list.items.len(), list.malformed.first().map(|bad| format!("{bad:?}"))),
        (1000, None)
    );
    assert_eq!(list.items[999].name(), "m999");
    let watch = maps.watch(&WatchOptions::since("7")).await.unwrap();
    let packings = |server: &Server| {
        server.seen().into_iter().filter_map(|seen| seen.packing).collect::<Vec<_>>()
    };
    assert_eq!(packings(&server), ["gzip", "identity"]);
    drop(watch);

    let plain = open(&folder, &format!("{cluster}, disable-compression: true"), "");
    plain.server_version().await.unwrap();
    assert_eq!(packings(&server), ["identity"]);
}

/// What nobody reads fills the window of its stream, not that of the connection.
#[tokio::test]
async fn answers_that_nobody_reads_hold_up_nobody_else() {
    let (server, folder, _) = secure("windows").await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, "").deadline(Duration::from_secs(10)).retries(0);
    let api = client.api::<ConfigMap>().namespace("flood");
    let mut watches = Vec::new();
    for _ in 0..8 {
        watches.push(api.watch(&WatchOptions::since("1")).await.unwrap());
    }
    for _ in 0..20 {
        client.server_version().await.unwrap();
        tokio::task::yield_now().await;
    }
    drop(watches);
}

#[tokio::test]
async fn a_client_certificate_is_shown() {
    let (server, folder, authority) = secure("mtls").await;
    let me = authority.sign("me");
    write(&folder, "me", &me);
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, "client-certificate: me.crt, client-key: me.key");
    client.server_version().await.unwrap();
    assert!(server.seen()[0].certificate.is_some());
}

#[tokio::test]
async fn plain_http_reuses_its_connection() {
    let server = Server::plain().await;
    let client = open(
        &folder("plain"),
        &format!("server: 'http://{}'", server.address),
        "username: me, password: x",
    );
    client.server_version().await.unwrap();
    client.server_version().await.unwrap();
    let seen = server.seen();
    assert_eq!(seen[1].http, Version::HTTP_11);
    assert_eq!(seen[1].connection, 0);
    assert_eq!(seen[0].authorization.as_deref(), Some("Basic bWU6eA=="));
}

#[tokio::test]
async fn nothing_stays_behind_a_client_that_is_dropped() {
    let (mut server, folder, _) = secure("dropped").await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, "");
    client.server_version().await.unwrap();
    server.has_open(1).await;
    drop(client);
    server.has_open(0).await;
}

#[tokio::test]
async fn trust_is_not_given_away() {
    let (server, folder, _) = secure("trust").await;
    let other = Authority::new("another CA");
    std::fs::write(folder.join("other.crt"), &other.pem).unwrap();
    let address = server.address;
    let client = open(
        &folder,
        &format!("server: 'https://{address}', certificate-authority: other.crt"),
        "",
    );
    let text = error(&client).await.to_string();
    assert!(text.contains("signed by nobody that is trusted; set certificate-authority"), "{text}");
    assert!(text.contains("context \"here\"") && text.contains(&address.to_string()), "{text}");

    let client = open(
        &folder,
        &format!("server: 'https://localhost:{}', certificate-authority: ca.crt", address.port()),
        "",
    );
    let text = error(&client).await.to_string();
    assert!(text.contains("for another name; set tls-server-name"), "{text}");
    assert!(server.seen().is_empty());

    let named = format!(
        "server: 'https://localhost:{}', certificate-authority: ca.crt, tls-server-name: 127.0.0.1",
        address.port()
    );
    open(&folder, &named, "").server_version().await.unwrap();
    let insecure = format!("server: 'https://{address}', insecure-skip-tls-verify: true");
    open(&folder, &insecure, "").server_version().await.unwrap();
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn an_expired_certificate_is_told() {
    let authority = Authority::new("ca");
    let server = Server::tls(&authority.expired("127.0.0.1"), &authority).await;
    let folder = folder("expired");
    std::fs::write(folder.join("ca.crt"), &authority.pem).unwrap();
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let text = error(&open(&folder, &cluster, "")).await.to_string();
    assert!(text.contains("its certificate has expired; renew it"), "{text}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told() {
    let socket = TcpSocket::new_v4().unwrap();
    // Held, and so no other test's; nobody listens.
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    let client = open(&folder("refused"), &format!("server: 'http://{address}'"), "");
    let text = error(&client).await.to_string();
    let expected =
        format!("cannot connect to http://{address} (cluster \"there\" in context \"here\" of ");
    assert!(text.contains(&expected) && text.contains("nothing listens there"), "{text}");

    let plain = Server::plain().await;
    let client = open(
        &folder("no-tls"),
        &format!("server: 'https://{}', insecure-skip-tls-verify: true", plain.address),
        "",
    );
    let text = error(&client).await.to_string();
    assert!(text.contains("TLS"), "{text}");
}

#[tokio::test]
async fn credentials_that_are_refused_are_told_at_the_start() {
    let server = Server::plain().await;
    let path = kubeconfig(
        &folder("stale"),
        &format!("server: 'http://{}'", server.address),
        "token: stale",
    );
    let config =
        Config::from_kubeconfig(&Options { path: Some(path), ..Options::default() }).unwrap();
    let error = verified(config).await.unwrap_err();
    let text = error.to_string();
    assert!(
        error.is_unauthorized()
            && text.contains(") does not know the caller: ")
            && text.contains("user \"me\" in context \"here\" of "),
        "{text}"
    );
    assert!(!text.contains("Bearer"), "{text}");
}

#[tokio::test]
async fn a_token_file_is_used() {
    let server = Server::plain().await;
    let folder = folder("token-file");
    std::fs::write(folder.join("token"), "from-file\n").unwrap();
    let client = open(
        &folder,
        &format!("server: 'http://{}'", server.address),
        "tokenFile: token, token: other",
    );
    client.server_version().await.unwrap();
    assert_eq!(server.seen()[0].authorization.as_deref(), Some("Bearer from-file"));
}
