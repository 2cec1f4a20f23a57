//! Requests that say by themselves who calls: an `Authorization` of the caller's own.

use watchkeeper_client::Client;
use watchkeeper_connect::{Config, ExecPlugin, Interactive};

use crate::folder;
use crate::server::Server;

async fn ask(client: &Client, who: &str) -> watchkeeper_client::Result<()> {
    let asked = client.rest().get().path("/version").header("Authorization", who).max_retries(0);
    asked.do_raw().await.map(|_| ())
}

fn seen(server: &Server) -> Vec<String> {
    server.seen().into_iter().map(|seen| seen.authorization.unwrap_or_default()).collect()
}

/// A program that asks for others what they may would be told what it may itself.
#[tokio::test]
async fn an_authorization_of_the_callers_own_is_left_alone() {
    let server = Server::plain().await;
    let config = Config::builder(format!("http://{}", server.address)).token("admin");
    let client = config.clone().build().unwrap().client().unwrap();
    ask(&client, "Bearer user").await.unwrap();
    client.server_version().await.unwrap();
    let intercepted = client.clone().intercept(async |mut request, next| {
        request.headers_mut().insert("authorization", "Bearer other".parse()?);
        next.send(request).await
    });
    intercepted.server_version().await.unwrap();
    assert_eq!(seen(&server), ["Bearer user", "Bearer admin", "Bearer other"]);

    let config = config.header("Authorization", "Bearer gate").build().unwrap();
    let client = config.client().unwrap();
    client.server_version().await.unwrap();
    ask(&client, "Bearer user").await.unwrap();
    assert_eq!(seen(&server), ["Bearer gate", "Bearer user"]);
}

#[tokio::test]
async fn an_authorization_of_the_callers_own_runs_no_plugin_and_is_not_sent_again() {
    let server = Server::plain().await;
    let ran = folder("header-plugin").join("ran");
    let plugin = ExecPlugin {
        args: vec!["-c".to_owned(), format!("echo x >> '{}'; exit 1", ran.display())],
        interactive: Interactive::Never,
        ..ExecPlugin::new("/bin/sh")
    };
    let config = Config::builder(format!("http://{}", server.address)).exec(plugin);
    let client = config.build().unwrap().client().unwrap();
    ask(&client, "Bearer user").await.unwrap();
    assert!(ask(&client, "Bearer stale").await.unwrap_err().is_unauthorized());
    assert_eq!(seen(&server), ["Bearer user", "Bearer stale"]);
    assert!(!ran.exists());
}

/// Groups are part of who acts: those of one user would be another's.
#[tokio::test]
async fn as_whom_a_call_acts_is_all_that_is_said_of_him() {
    let server = Server::plain().await;
    let config = Config::builder(format!("http://{}", server.address))
        .impersonate("jane")
        .impersonate_uid("7")
        .impersonate_group("admins")
        .impersonate_extra("scopes", "all")
        .header("X-Gateway", "east");
    let client = config.build().unwrap().client().unwrap();
    let joe = client.rest().get().path("/version").header("Impersonate-User", "joe");
    joe.do_raw().await.unwrap();
    assert_eq!(server.seen()[0].told, ["impersonate-user: joe", "x-gateway: east"]);
    client.server_version().await.unwrap();
    assert_eq!(server.seen()[0].told.len(), 5);
}
