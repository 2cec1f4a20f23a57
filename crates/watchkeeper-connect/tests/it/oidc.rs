//! Tokens of an identity provider.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::live::{error, open, secure};
use crate::log::Log;

/// A user whose tokens are these.
fn user(server: &crate::server::Server, tokens: &str) -> String {
    format!(
        "auth-provider: {{name: oidc, config: {{idp-issuer-url: 'https://{}/idp', client-id: kube, \
         client-secret: 'hunter2', idp-certificate-authority: ca.crt{tokens}}}}}",
        server.address
    )
}

/// Expired in 1970.
pub(crate) const OLD: &str = "e30.eyJleHAiOjF9.old";
pub(crate) const NEW: &str = "e30.eyJleHAiOjQxMDI0NDQ4MDB9.new";

#[tokio::test]
async fn an_expired_token_is_refreshed_once_and_kept() {
    let (server, folder, _) = secure("oidc").await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let tokens = format!(", id-token: {OLD}, refresh-token: first");
    let client = open(&folder, &cluster, &user(&server, &tokens));
    let (one, two) = tokio::join!(client.server_version(), client.server_version());
    assert_eq!(one.unwrap(), two.unwrap());
    let seen = server.seen();
    let what: Vec<_> = seen.iter().map(|seen| seen.what.replace(" None", "")).collect();
    let expected = [
        "GET /idp/.well-known/openid-configuration",
        "POST /token",
        "GET /version",
        "GET /version",
    ];
    assert_eq!(what, expected);
    assert_eq!(seen[1].authorization.as_deref(), Some("Basic a3ViZTpodW50ZXIy"));
    assert_eq!(seen[3].authorization, Some(format!("Bearer {NEW}")));
    let kept = std::fs::read_to_string(folder.join("config")).unwrap();
    assert!(kept.contains(&format!("id-token: \"{NEW}\", refresh-token: \"second\"")), "{kept}");
}

/// What the issuer gives for a refresh token that is good for once would be lost, and with it the log-in.
#[tokio::test]
async fn a_refresh_goes_on_when_its_caller_goes() {
    let (server, folder, _) = secure("oidc-gone").await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, &user(&server, ", refresh-token: first"));
    let mut asked: Vec<_> = Vec::new();
    let issuer_is_asked = async {
        while asked.is_empty() {
            tokio::task::yield_now().await;
            asked.extend(server.seen());
        }
    };
    tokio::select! {
        biased;
        answer = client.server_version() => panic!("{answer:?}"),
        () = issuer_is_asked => {}
    }
    client.server_version().await.unwrap();
    asked.extend(server.seen());
    let what: Vec<_> = asked.iter().map(|seen| seen.what.replace(" None", "")).collect();
    assert_eq!(what, ["GET /idp/.well-known/openid-configuration", "POST /token", "GET /version"]);
    let kept = std::fs::read_to_string(folder.join("config")).unwrap();
    assert!(kept.contains("refresh-token: \"second\""), "{kept}");
}

#[tokio::test]
async fn what_cannot_be_refreshed_is_told_without_a_secret() {
    let (server, folder, _) = secure("oidc-wrong").await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let alone = open(&folder, &cluster, &user(&server, &format!(", id-token: {OLD}")));
    let text = error(&alone).await.to_string();
    assert!(text.contains("there is no refresh-token; log in again"), "{text}");
    assert!(text.contains("user \"me\" in context \"here\" of "), "{text}");

    let user = user(&server, ", refresh-token: hunter2").replace("/idp'", "/nowhere'");
    let text = error(&open(&folder, &cluster, &user)).await.to_string();
    assert!(text.contains("names no token_endpoint; is idp-issuer-url right?"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

/// Until 2100, as [`NEW`], of another log-in.
const NEWEST: &str = "e30.eyJleHAiOjQxMDI0NDQ4MDB9.newest";

/// Issuers may take a refresh token once: who overwrites the newer one ends a log-in.
#[tokio::test]
async fn a_log_in_that_another_program_wrote_during_a_refresh_stays() {
    let log = Log::new();
    let (server, folder, _) = secure("oidc-meanwhile").await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let tokens = format!(", id-token: {OLD}, refresh-token: first");
    let client = open(&folder, &cluster, &user(&server, &tokens));
    let (config, lock) = (folder.join("config"), folder.join("config.lock"));
    std::fs::write(&lock, "").unwrap();
    let newer = std::fs::read_to_string(&config).unwrap();
    let newer = newer.replace(OLD, NEWEST).replace("first", "hunter3");
    let logged_in = async {
        while !server.seen().iter().any(|seen| seen.what.starts_with("POST /token")) {
            tokio::task::yield_now().await;
        }
        std::fs::write(&config, &newer).unwrap();
        std::fs::remove_file(&lock).unwrap();
    };
    let (answer, ()) = tokio::join!(client.server_version(), logged_in);
    answer.unwrap();
    assert_eq!(std::fs::read_to_string(&config).unwrap(), newer);
    let told = log.with("has logged in anew in ");
    assert!(told.len() == 1 && told[0].contains("user \"me\""), "{told:?}");
    assert!(log.with("hunter").is_empty() && log.with("second").is_empty());
}

#[tokio::test]
async fn a_log_in_that_another_program_wrote_is_used_before_a_refresh() {
    let (server, folder, _) = secure("oidc-newer").await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let tokens = format!(", id-token: {OLD}, refresh-token: first");
    let user = user(&server, &tokens);
    let one = open(&folder, &cluster, &user);
    let two = open(&folder, &cluster, &user);
    one.server_version().await.unwrap();
    assert_eq!(server.seen().len(), 3);
    two.server_version().await.unwrap();
    let seen = server.seen();
    assert_eq!(seen.len(), 1, "the first used the refresh token up: {seen:?}");
    assert_eq!(seen[0].authorization, Some(format!("Bearer {NEW}")));

    // Without a refresh token there is nothing but a new log-in.
    let alone = open(&folder, &cluster, &user.replace(", refresh-token: first", ""));
    assert!(error(&alone).await.to_string().contains("log in again"));
    crate::kubeconfig(&folder, &cluster, &user.replace(OLD, NEWEST));
    alone.server_version().await.unwrap();
    assert_eq!(server.seen()[0].authorization, Some(format!("Bearer {NEWEST}")));
}

/// Answers one request after the other, each on a connection of its own.
async fn issuer(listener: TcpListener, mut answer: impl FnMut(&str) -> (u16, String)) {
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut asked = vec![0; 4096];
        let read = stream.read(&mut asked).await.unwrap();
        let (code, body) = answer(&String::from_utf8_lossy(&asked[..read]));
        let length = body.len();
        let head =
            format!("HTTP/1.1 {code} OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
        stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    }
}

/// Another program was faster with the same refresh token, and wrote what it got for it.
#[tokio::test]
async fn a_refresh_token_that_another_program_used_up_is_no_failure() {
    let server = crate::server::Server::plain().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let folder = crate::folder("oidc-used");
    let cluster = format!("server: 'http://{}'", server.address);
    let user = format!(
        "auth-provider: {{name: oidc, config: {{idp-issuer-url: 'http://{address}', client-id: kube, \
         id-token: {OLD}, refresh-token: first}}}}"
    );
    let client = open(&folder, &cluster, &user);
    let answers = issuer(listener, |asked| {
        if asked.starts_with("GET /.well-known/") {
            return (200, format!(r#"{{"token_endpoint":"http://{address}/token"}}"#));
        }
        crate::kubeconfig(&folder, &cluster, &user.replace(OLD, NEWEST).replace("first", "second"));
        (400, r#"{"error":"invalid_grant"}"#.to_owned())
    });
    tokio::select! {
        biased;
        answer = client.server_version() => answer.map(|_| ()).unwrap(),
        () = answers => {}
    }
    assert_eq!(server.seen()[0].authorization, Some(format!("Bearer {NEWEST}")));
}

/// As when it does not know the issuer.
#[tokio::test]
async fn a_server_that_takes_no_token_does_not_have_the_issuer_asked_with_each_call() {
    let server = crate::server::Server::plain().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let user = format!(
        "auth-provider: {{name: oidc, config: {{idp-issuer-url: 'http://{address}', client-id: kube, \
         id-token: {OLD}, refresh-token: first}}}}"
    );
    let cluster = format!("server: 'http://{}'", server.address);
    let client = open(&crate::folder("oidc-refused"), &cluster, &user);
    let mut refreshes = 0;
    let answers = issuer(listener, |asked| {
        if asked.starts_with("GET /.well-known/") {
            return (200, format!(r#"{{"token_endpoint":"http://{address}/token"}}"#));
        }
        refreshes += 1;
        (200, r#"{"id_token":"stale"}"#.to_owned())
    });
    let calls = async {
        for _ in 0..5 {
            assert!(error(&client).await.is_unauthorized());
        }
    };
    tokio::select! {
        biased;
        () = calls => {}
        () = answers => {}
    }
    assert_eq!(refreshes, 2, "the token had expired, and the new one was refused");
}
