//! Certificates that are renewed while connections live.

use std::path::Path;
use std::time::Duration;

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_client::{Client, WatchOptions};

use crate::folder;
use crate::live::{error, open, secure, write};
use crate::server::{Authority, Server};

/// Lets the minute pass for which files are believed to be unchanged.
async fn a_minute() {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(60)).await;
    tokio::time::resume();
}

async fn as_me(test: &str) -> (Server, std::path::PathBuf, Authority, Client) {
    let (server, folder, authority) = secure(test).await;
    write(&folder, "me", &authority.sign("me"));
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, "client-certificate: me.crt, client-key: me.key");
    (server, folder, authority, client)
}

#[tokio::test]
async fn a_client_certificate_that_is_renewed_is_shown_on_new_connections() {
    let (mut server, folder, authority, client) = as_me("renewed").await;
    client.server_version().await.unwrap();
    let maps = client.clone().retries(0).api::<ConfigMap>();
    let mut watch = maps.watch(&WatchOptions::since("1")).await.unwrap();
    let before = server.seen();
    server.has_open(2).await;

    write(&folder, "me", &authority.sign("me"));
    a_minute().await;
    client.server_version().await.unwrap();
    let after = server.seen();
    assert_ne!(after[0].certificate, before[0].certificate);
    assert_eq!(after[0].connection, 2);
    watch.next().await.unwrap().unwrap_err();
    server.has_open(1).await;
}

#[tokio::test]
async fn an_authority_that_is_replaced_is_trusted_at_once() {
    let (mut server, folder, _, client) = as_me("new-ca").await;
    client.server_version().await.unwrap();
    let other = Authority::new("another CA");
    server.show(&other.sign("127.0.0.1"), &other);
    server.has_open(0).await;
    // With retries: the client may not have seen yet that the server hung up.
    let text = client.server_version().await.unwrap_err().to_string();
    assert!(text.contains("signed by nobody that is trusted"), "{text}");
    std::fs::write(folder.join("ca.crt"), &other.pem).unwrap();
    write(&folder, "me", &other.sign("me"));
    client.server_version().await.unwrap();
}

#[tokio::test]
async fn a_token_file_that_is_renewed_is_read_when_the_old_one_is_refused() {
    let server = Server::plain().await;
    let folder = folder("token-renewed");
    let token = |token: &str| std::fs::write(Path::new(&folder).join("token"), token).unwrap();
    token("fresh");
    let cluster = format!("server: 'http://{}'", server.address);
    let client = open(&folder, &cluster, "tokenFile: token");
    client.server_version().await.unwrap();
    token("stale");
    a_minute().await;
    assert!(error(&client).await.is_unauthorized());
    assert_eq!(server.seen().len(), 2, "the same again is not sent");
    client.server_version().await.unwrap_err();
    token("newer");
    client.server_version().await.unwrap();
    let tokens: Vec<_> = server.seen().into_iter().filter_map(|seen| seen.authorization).collect();
    assert_eq!(tokens, ["Bearer stale", "Bearer stale", "Bearer newer"]);
}

/// The kubelet swaps the file: for a moment there is none.
#[tokio::test]
async fn a_refused_token_is_sent_on_while_its_file_is_not_there() {
    let server = Server::plain().await;
    let folder = folder("token-gone");
    let file = folder.join("token");
    std::fs::write(&file, "stale").unwrap();
    let cluster = format!("server: 'http://{}'", server.address);
    let client = open(&folder, &cluster, "tokenFile: token");
    assert!(error(&client).await.is_unauthorized());
    std::fs::remove_file(&file).unwrap();
    for _ in 0..2 {
        assert!(error(&client).await.is_unauthorized(), "the server says so, not the file");
    }
    std::fs::write(&file, "newer").unwrap();
    client.server_version().await.unwrap();
    let tokens: Vec<_> = server.seen().into_iter().filter_map(|seen| seen.authorization).collect();
    assert_eq!(tokens, ["Bearer stale", "Bearer stale", "Bearer stale", "Bearer newer"]);
}

/// In TLS 1.3 the server looks at the certificate when the client already believes the connection open.
#[tokio::test]
async fn a_client_certificate_that_is_refused_is_read_again_at_once() {
    let (mut server, folder, authority, client) = as_me("rotation-refused").await;
    client.server_version().await.unwrap();
    let other = Authority::new("another CA");
    server.show(&authority.sign("127.0.0.1"), &other);
    server.has_open(0).await;
    let text = client.server_version().await.unwrap_err().to_string();
    let told = format!(
        "cannot connect to https://{} (user \"me\" in context \"here\" of {}): it refused the TLS handshake \
         (UnknownCA); is the client certificate one that it knows? (shown: client-certificate {})",
        server.address,
        folder.join("config").display(),
        folder.join("me.crt").display()
    );
    assert!(text.contains(&told), "{text}");
    write(&folder, "me", &other.sign("me"));
    client.server_version().await.unwrap();
}
