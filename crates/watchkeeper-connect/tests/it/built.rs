//! Configurations that a program makes by itself: each way to say who calls, and where.

use watchkeeper_client::Client;
use watchkeeper_connect::{Config, ConfigBuilder, ExecPlugin, Interactive, OidcTokens};

use crate::folder;
use crate::live::{error, secure};
use crate::oidc::{NEW, OLD};
use crate::server::Server;

fn client(builder: ConfigBuilder) -> Client {
    builder.build().unwrap().client().unwrap()
}

fn plain(server: &Server) -> ConfigBuilder {
    Config::builder(format!("http://{}", server.address))
}

fn tokens(server: &Server) -> Vec<String> {
    server.seen().into_iter().filter_map(|seen| seen.authorization).collect()
}

#[tokio::test]
async fn a_plugin_is_run_as_the_program_says() {
    let server = Server::plain().await;
    let folder = folder("built-exec");
    let (file, told) = (folder.join("login"), folder.join("told"));
    // It prints what it was given: an argument, the environment; and keeps what it is told of the server.
    let credential = r#"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s-%s"}}"#;
    let script = format!(
        "echo \"$KUBERNETES_EXEC_INFO\" > '{}'\nprintf '{credential}' \"$1\" \"$FLAVOUR\"\n",
        told.display()
    );
    std::fs::write(&file, script).unwrap();
    let plugin = ExecPlugin {
        args: vec![file.display().to_string(), "one".to_owned()],
        env: vec![("FLAVOUR".to_owned(), "two".to_owned())],
        interactive: Interactive::Never,
        cluster_info: true,
        ..ExecPlugin::new("/bin/sh")
    };
    assert_eq!(format!("{plugin:?}"), "ExecPlugin(/bin/sh)");
    client(plain(&server).exec(plugin)).server_version().await.unwrap();
    assert_eq!(tokens(&server), ["Bearer one-two"]);
    let told = std::fs::read_to_string(told).unwrap();
    assert!(told.contains(&format!(r#""server":"http://{}""#, server.address)), "{told}");
    assert!(told.contains(r#""interactive":false"#), "{told}");
}

#[tokio::test]
async fn a_plugin_that_is_not_there_is_told_with_its_mend() {
    let server = Server::plain().await;
    let plugin = ExecPlugin {
        install_hint: Some("run `make login`".to_owned()),
        ..ExecPlugin::new("/no/such/login")
    };
    let text = error(&client(plain(&server).exec(plugin))).await.to_string();
    assert!(text.contains(r#""/no/such/login" is not installed: run `make login`"#), "{text}");
    let old = ExecPlugin { api_version: "v9".to_owned(), ..ExecPlugin::new("login") };
    let text = plain(&server).exec(old).build().unwrap_err().to_string();
    assert!(
        text.starts_with("the program's configuration: its exec plugin speaks \"v9\""),
        "{text}"
    );
}

#[tokio::test]
async fn tokens_of_a_provider_are_refreshed() {
    let (server, folder, _) = secure("built-oidc").await;
    let url = format!("https://{}", server.address);
    let given = OidcTokens {
        client_secret: "hunter2".to_owned(),
        id_token: OLD.to_owned(),
        refresh_token: "first".to_owned(),
        ca_file: Some(folder.join("ca.crt")),
        ..OidcTokens::of(format!("{url}/idp"), "kube")
    };
    assert!(!format!("{given:?}").contains("hunter2") && !format!("{given:?}").contains(OLD));
    let built = Config::builder(&url).ca_file(folder.join("ca.crt")).oidc(given);
    let client = client(built);
    client.server_version().await.unwrap();
    client.server_version().await.unwrap();
    let seen = tokens(&server);
    assert_eq!(seen[1..], [format!("Bearer {NEW}"), format!("Bearer {NEW}")], "one refresh");

    let none = OidcTokens::of(format!("{url}/idp"), "kube");
    let text = Config::builder(&url).oidc(none).build().unwrap_err().to_string();
    assert!(text.contains("neither an id-token nor a refresh-token"), "{text}");
}

#[tokio::test]
async fn a_token_in_a_file_is_read_when_the_server_refuses_it() {
    let server = Server::plain().await;
    let file = folder("built-token").join("token");
    std::fs::write(&file, "stale\n").unwrap();
    let client = client(plain(&server).token_file(&file));
    assert!(error(&client).await.is_unauthorized());
    std::fs::write(&file, "fresh\n").unwrap();
    client.server_version().await.unwrap();
    assert_eq!(tokens(&server), ["Bearer stale", "Bearer stale", "Bearer fresh"]);
}

#[tokio::test]
async fn who_is_acted_as_and_what_else_is_said_goes_with_each_request() {
    let server = Server::plain().await;
    let built = plain(&server)
        .token("t0ken")
        .impersonate("jane")
        .impersonate_uid("7")
        .impersonate_group("dev")
        .impersonate_group("ops")
        .impersonate_extra("scopes", "view")
        .header("X-Gateway", "east");
    client(built).server_version().await.unwrap();
    let config = plain(&server).build().unwrap();
    let config = config.header("Impersonate-User", "joe").unwrap();
    config.client().unwrap().server_version().await.unwrap();
    let told: Vec<_> = server.seen().into_iter().map(|seen| seen.told.join(", ")).collect();
    let all = "impersonate-extra-scopes: view, impersonate-group: dev, impersonate-group: ops, \
               impersonate-uid: 7, impersonate-user: jane, x-gateway: east";
    assert_eq!(told, [all, "impersonate-user: joe"]);

    let text = plain(&server).header("X-Key", "hunter2\n").build().unwrap_err().to_string();
    let what = "the program's configuration: \"X-Key\" and its value are no header; write both on one line, in ASCII";
    assert_eq!(text, what);
}

/// The certificate is for 127.0.0.1, and nobody is at that name: the proxy leads there all the same.
#[tokio::test]
async fn a_server_is_reached_through_a_proxy_under_another_name() {
    let (server, folder, _) = secure("built-proxy").await;
    let proxy = crate::proxy::leads_to(server.address).await;
    let built = Config::builder("https://nowhere.example:6443")
        .ca_file(folder.join("ca.crt"))
        .tls_server_name("127.0.0.1")
        .proxy(format!("http://{}", proxy.address()));
    client(built).server_version().await.unwrap();
    assert!(proxy.asked()[0].starts_with("CONNECT nowhere.example:6443 "));
}
