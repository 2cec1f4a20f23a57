//! Servers that answer 401.

use watchkeeper_connect::{Config, verified};

use crate::config::options;
use crate::live::{error, open, secure, write};
use crate::mends::USER;
use crate::server::Server;
use crate::{folder, kubeconfig};

/// The last answer is 401, at the start and at any call: who is not known, by what, and what to do.
#[tokio::test]
async fn whom_a_server_does_not_know_is_told_with_the_mend() {
    let server = Server::plain().await;
    let folder = folder("mends-unknown");
    std::fs::write(folder.join("token"), "stale").unwrap();
    let plugin = "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: /bin/sh, \
                  args: [-c, 'echo ''{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \
                  \"ExecCredential\", \"status\": {\"token\": \"stale\"}}''']}";
    let oidc = "auth-provider: {name: oidc, config: {idp-issuer-url: 'https://me:hunter2@idp', client-id: a, \
                id-token: stale}}";
    let file =
        format!("the token of the file {}; see that it is renewed", folder.join("token").display());
    for (user, mend) in [
        ("token: stale", "its token; give it another one"),
        ("tokenFile: token", &*file),
        (plugin, "what the credential plugin \"/bin/sh\" printed; run it by hand to log in anew"),
        (
            oidc,
            "the id-token of the OIDC issuer https://idp/; log in again, or have the server trust that issuer",
        ),
        (
            "username: me, password: stale",
            "its username and password; are they right, and does the server take such? kube-apiserver takes none \
             since 1.19",
        ),
    ] {
        let path = kubeconfig(&folder, &format!("server: 'http://{}'", server.address), user);
        let expected = format!(
            "the server answered 401 Unauthorized without a Status; user \"me\" in context \"here\" of {}: the \
             server does not know {mend}",
            path.display()
        );
        let config = || Config::from_kubeconfig(&options(path.clone())).unwrap();
        let called = error(&config().client().unwrap()).await;
        let started = verified(config()).await.unwrap_err();
        for error in [called, started] {
            let text = error.to_string();
            assert!(error.is_unauthorized(), "{text}");
            assert!(text.ends_with(&expected), "{expected}\n{text}");
            assert!(!text.contains("stale") && !text.contains("hunter2"), "{text}");
        }
    }
}

/// A server that wants credentials knows nobody without; what is not sent is told as such.
#[tokio::test]
async fn who_has_nothing_to_be_known_by_is_told_so() {
    let (server, folder, authority) = secure("mends-nothing").await;
    write(&folder, "me", &authority.sign("me"));
    let cluster =
        format!("server: 'https://{}/nobody', certificate-authority: ca.crt", server.address);
    let text = error(&open(&folder, &cluster, "")).await.to_string();
    let mend = "it has no credentials; give it a token, a client certificate or a plugin";
    assert!(text.ends_with(mend) && text.contains(USER), "{text}");
    let user = "client-certificate: me.crt, client-key: me.key";
    let text = error(&open(&folder, &cluster, user)).await.to_string();
    let known =
        format!("its client certificate (client-certificate {})", folder.join("me.crt").display());
    let mend = "; renew it, or have the server trust who signed it";
    assert!(text.contains(&known) && text.ends_with(mend), "{text}");

    let plain = Server::plain().await;
    let proxy = crate::proxy::leads_to(plain.address).await;
    let cluster =
        format!("server: 'http://cluster.invalid/nobody', proxy-url: 'http://{}'", proxy.address());
    let text = error(&open(&folder, &cluster, "token: hunter2")).await.to_string();
    let mend = "are not sent without TLS; should the server's address begin with https://?";
    assert!(text.ends_with(mend) && !text.contains("hunter2"), "{text}");
}

/// Who says by himself who he is knows where that is from.
#[tokio::test]
async fn nothing_is_told_of_credentials_that_were_not_sent() {
    let server = Server::plain().await;
    let path = kubeconfig(
        &folder("mends-own"),
        &format!("server: 'http://{}'", server.address),
        "token: good",
    );
    let config = Config::from_kubeconfig(&options(path));
    let config = config.unwrap().header("Authorization", "Bearer stale").unwrap();
    let error = error(&config.client().unwrap()).await;
    assert!(error.is_unauthorized());
    assert!(error.to_string().ends_with("the server answered 401 Unauthorized without a Status"));
}
