//! Credential plugins as shell scripts, and what servers make of what they print.

use std::path::Path;
use std::sync::{Arc, Mutex};

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_client::metrics::Label;
use watchkeeper_client::{CreateOptions, RequestMetrics};
use watchkeeper_connect::{Config, Options, verified};

use crate::live::{error, open, secure};
use crate::server::{Authority, Pair, Server};
use crate::{folder, kubeconfig};

/// A plugin that prints `status`, with `@RUN@` replaced by how often it ran. The shell is told to read
/// it: a file just written cannot be executed while another test forks.
fn plugin(folder: &Path, status: &str) -> String {
    let script = format!(
        "#!/bin/sh\ncd \"$(dirname \"$0\")\"\necho x >> runs\nRUN=$(wc -l < runs | tr -d ' ')\n\
         sed \"s/@RUN@/$RUN/g\" <<'END'\n{{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{status}}}\nEND\n"
    );
    let path = folder.join("login");
    std::fs::write(&path, script).unwrap();
    format!(
        "exec: {{apiVersion: client.authentication.k8s.io/v1, command: /bin/sh, args: ['{}'], interactiveMode: Never}}",
        path.display()
    )
}

fn tokens(server: &Server) -> Vec<String> {
    server.seen().into_iter().map(|seen| seen.authorization.unwrap()).collect()
}

#[tokio::test]
async fn a_plugin_runs_again_when_the_server_refuses() {
    let server = Server::plain().await;
    let folder = folder("exec-stale");
    let user = plugin(&folder, r#"{"token":"stale"}"#);
    let client = open(&folder, &format!("server: 'http://{}'", server.address), &user);
    assert!(error(&client).await.is_unauthorized());
    assert_eq!(tokens(&server), ["Bearer stale"], "the same again is not sent");
    plugin(&folder, r#"{"token":"fresh-@RUN@"}"#);
    client.server_version().await.unwrap();
    client.server_version().await.unwrap();
    assert_eq!(tokens(&server), ["Bearer stale", "Bearer fresh-3", "Bearer fresh-3"]);
}

#[tokio::test]
async fn what_is_refused_is_sent_once_more_with_its_body() {
    let server = Server::plain().await;
    let folder = folder("exec-replay");
    let user = plugin(&folder, r#"{"token":"token-@RUN@"}"#);
    let client = open(&folder, &format!("server: 'http://{}'", server.address), &user);
    let maps = client.retries(0).api::<ConfigMap>().namespace("shop");
    let map = object!(ConfigMap { metadata: { name: "a" }, data: { "k": "v" } });
    maps.create(&map, &CreateOptions::default()).await.unwrap();
    let seen = server.seen();
    let sent = |n: usize| (seen[n].authorization.as_deref().unwrap(), seen[n].length.clone());
    assert_eq!((sent(0).0, sent(1).0), ("Bearer token-1", "Bearer token-2"));
    assert!(sent(0).1.is_some() && sent(0).1 == sent(1).1);
    assert_eq!(seen.len(), 2);
}

#[tokio::test]
async fn many_calls_refused_at_once_run_the_plugin_once_more() {
    let (server, folder, _) = secure("exec-many").await;
    let user = plugin(&folder, r#"{"token":"token-@RUN@"}"#);
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, &user);
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let client = client.clone();
        calls.spawn(async move { client.server_version().await.map(|_| ()) });
    }
    for result in calls.join_all().await {
        result.unwrap();
    }
    let runs = std::fs::read_to_string(folder.join("runs")).unwrap();
    assert_eq!(runs.lines().count(), 2);
    let refused = tokens(&server).iter().filter(|token| *token == "Bearer token-1").count();
    assert!((1..=20).contains(&refused), "{refused}");
}

#[tokio::test]
async fn a_certificate_that_a_plugin_renews_is_shown() {
    let (server, folder, authority) = secure("exec-cert").await;
    let status = |pair: &Pair| {
        serde_json::json!({
            "clientCertificateData": pair.certificate, "clientKeyData": pair.key,
            "expirationTimestamp": "2020-01-01T00:00:00Z",
        })
        .to_string()
    };
    let user = plugin(&folder, &status(&authority.sign("first")));
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, &user);
    client.server_version().await.unwrap();
    plugin(&folder, &status(&authority.sign("second")));
    client.server_version().await.unwrap();
    let seen = server.seen();
    assert!(seen[0].certificate.is_some() && seen[1].certificate.is_some());
    assert_ne!(seen[0].certificate, seen[1].certificate);
    assert_ne!(seen[0].connection, seen[1].connection);
}

/// What was measured, by name; values that depend on the day are left out.
#[derive(Default)]
struct Told(Mutex<Vec<(String, f64)>>);

impl Told {
    fn tell(&self, name: &str, labels: &[Label<'_>], value: f64) {
        let labels: Vec<_> = labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
        self.0.lock().unwrap().push((format!("{name}{labels:?}"), value));
    }

    /// Those whose names begin so, and whether each value is a finite positive number.
    fn of(&self, begin: &str) -> Vec<(String, bool)> {
        let told = self.0.lock().unwrap();
        let of = told.iter().filter(|(name, _)| name.starts_with(begin));
        of.map(|(name, value)| (name.clone(), value.is_finite() && *value > 0.0)).collect()
    }
}

impl RequestMetrics for Told {
    fn count(&self, name: &'static str, labels: &[Label<'_>]) {
        self.tell(name, labels, 1.0);
    }

    fn observe(&self, name: &'static str, labels: &[Label<'_>], value: f64) {
        self.tell(name, labels, value);
    }

    fn set(&self, name: &'static str, labels: &[Label<'_>], value: f64) {
        self.tell(name, labels, value);
    }
}

fn measured(folder: &Path, cluster: &str, user: &str) -> (watchkeeper_client::Client, Arc<Told>) {
    let path = Some(kubeconfig(folder, cluster, user));
    let config = Config::from_kubeconfig(&Options { path, ..Options::default() }).unwrap();
    let told = Arc::new(Told::default());
    (config.metrics(Arc::clone(&told) as _).client().unwrap(), told)
}

#[tokio::test]
async fn the_runs_of_a_plugin_and_the_life_of_its_certificates_are_measured() {
    let (server, folder, authority) = secure("exec-measured").await;
    let status = |pair: &Pair| {
        serde_json::json!({
            "clientCertificateData": pair.certificate, "clientKeyData": pair.key,
            "expirationTimestamp": "2020-01-01T00:00:00Z",
        })
        .to_string()
    };
    let user = plugin(&folder, &status(&authority.sign("first")));
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let (client, told) = measured(&folder, &cluster, &user);
    client.server_version().await.unwrap();
    client.server_version().await.unwrap();
    plugin(&folder, &status(&authority.sign("second")));
    client.server_version().await.unwrap();
    let call = (
        r#"rest_client_exec_plugin_call_total["call_status=no_error", "code=0"]"#.to_owned(),
        true,
    );
    let left = ("rest_client_exec_plugin_ttl_seconds[]".to_owned(), true);
    let age = ("rest_client_exec_plugin_certificate_rotation_age[]".to_owned(), true);
    let expected = [call.clone(), left.clone(), call.clone(), left.clone(), call, age, left];
    assert_eq!(told.of("rest_client_exec"), expected);
    let request = format!(
        r#"rest_client_requests_total["code=200", "host={}", "method=GET"]"#,
        server.address
    );
    assert_eq!(told.of("rest_client_requests_total"), vec![(request, true); 3]);
}

#[tokio::test]
async fn a_plugin_without_certificates_or_that_fails_is_measured_too() {
    let server = Server::plain().await;
    let folder = folder("exec-measured-token");
    let user = plugin(&folder, r#"{"token":"t"}"#);
    let cluster = format!("server: 'http://{}'", server.address);
    let (client, told) = measured(&folder, &cluster, &user);
    client.server_version().await.unwrap();
    client.server_version().await.unwrap();
    let left = ("rest_client_exec_plugin_ttl_seconds[]".to_owned(), false);
    assert_eq!(told.of("rest_client_exec_plugin_ttl"), vec![left; 2], "infinite");
    assert_eq!(told.of("rest_client_exec_plugin_call").len(), 1);

    std::fs::write(folder.join("login"), "exit 7").unwrap();
    let (client, told) = measured(&folder, &cluster, &user);
    assert!(client.server_version().await.is_err());
    let missing = user.replace("/bin/sh", "/nowhere/login");
    let (client, nowhere) = measured(&folder, &cluster, &missing);
    assert!(client.server_version().await.is_err());
    let calls: Vec<_> =
        [told, nowhere].iter().flat_map(|told| told.of("rest_client_exec")).collect();
    let failed =
        r#"rest_client_exec_plugin_call_total["call_status=plugin_execution_error", "code=7"]"#;
    let nowhere =
        r#"rest_client_exec_plugin_call_total["call_status=plugin_not_found_error", "code=1"]"#;
    assert_eq!(calls, [(failed.to_owned(), true), (nowhere.to_owned(), true)]);
}

#[tokio::test]
async fn a_plugin_that_fails_is_told_at_the_start() {
    let folder = folder("exec-fails");
    let user = plugin(&folder, "hunter2");
    let path = Some(kubeconfig(&folder, "server: 'http://127.0.0.1:1'", &user));
    let config = Config::from_kubeconfig(&Options { path, ..Options::default() }).unwrap();
    let text = verified(config).await.unwrap_err().to_string();
    assert!(
        text.starts_with("user \"me\" in context \"here\" of ")
            && text.contains("the credential plugin"),
        "{text}"
    );
    assert!(!text.contains("hunter2"), "{text}");
}

/// Who is asked for a password would be asked by each call.
#[tokio::test]
async fn a_plugin_is_not_run_again_where_the_server_is_not_trusted() {
    let (server, folder, _) = secure("exec-untrusted").await;
    std::fs::write(folder.join("ca.crt"), Authority::new("another CA").pem).unwrap();
    let user = plugin(&folder, r#"{"token":"t"}"#);
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, &user);
    for _ in 0..2 {
        assert!(error(&client).await.to_string().contains("signed by nobody that is trusted"));
    }
    assert_eq!(std::fs::read_to_string(folder.join("runs")).unwrap().lines().count(), 1);
}

#[tokio::test]
async fn a_plugin_whose_certificate_the_server_refuses_is_run_again() {
    let (server, folder, authority) = secure("exec-refused").await;
    let status = |pair: Pair| {
        serde_json::json!({"clientCertificateData": pair.certificate, "clientKeyData": pair.key})
            .to_string()
    };
    let user = plugin(&folder, &status(Authority::new("another CA").sign("me")));
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, &user);
    let text = client.server_version().await.unwrap_err().to_string();
    assert!(text.contains(" (user \"me\" in context \"here\" of "), "{text}");
    assert!(text.contains("it refused the TLS handshake"), "{text}");
    let shown = "(shown: that of the credential plugin \"/bin/sh\")";
    assert!(text.contains(shown), "{text}");
    plugin(&folder, &status(authority.sign("me")));
    client.server_version().await.unwrap();
}
