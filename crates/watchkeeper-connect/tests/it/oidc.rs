//! Tokens of an identity provider.

use crate::live::{error, open, secure};

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
    assert!(kept.contains(&format!("id-token: {NEW}, refresh-token: second")), "{kept}");
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
