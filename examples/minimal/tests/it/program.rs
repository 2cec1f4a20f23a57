//! The program itself, on an API server behind a port.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};

use minimal::COUNT;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use watchkeeper::client::{Client, WatchEvent, WatchOptions};
use watchkeeper::prelude::{ConfigMap, Object};
use watchkeeper_apiserver::error::ApiError;
use watchkeeper_apiserver::hooks::{Hook, Verdict, Write};
use watchkeeper_apiserver::{ApiServer, serve};

use crate::map;

/// The program beside a server, which has one config map that asks for a count.
struct Running {
    child: Child,
    asides: BufReader<ChildStderr>,
    kubeconfig: PathBuf,
    _serving: JoinSet<()>,
}

impl Running {
    /// Serves `server` on the runtime's other threads, so that a test may block on the program.
    async fn start(test: &str, server: &ApiServer) -> Self {
        let maps = Client::new(server.clone()).api().namespace("default");
        maps.create(&map("a", &["x", "y"], true), &Default::default()).await.expect("made");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (mut serving, server) = (JoinSet::new(), server.clone());
        serving.spawn(async move {
            serve(listener, server, std::future::pending()).await.expect("connections");
        });
        let kubeconfig = std::env::temp_dir().join(format!("{test}-{}", std::process::id()));
        let text = format!(
            "{{current-context: a, clusters: [{{name: a, cluster: {{server: 'http://{address}'}}}}], \
             contexts: [{{name: a, context: {{cluster: a}}}}]}}"
        );
        std::fs::write(&kubeconfig, text).expect("a kubeconfig");
        let mut command = Command::new(env!("CARGO_BIN_EXE_minimal"));
        command.env("KUBECONFIG", &kubeconfig).env_remove("RUST_LOG").stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let asides = BufReader::new(child.stderr.take().expect("a pipe"));
        Self { child, asides, kubeconfig, _serving: serving }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _gone = self.child.kill().and_then(|()| self.child.wait());
        let _gone = std::fs::remove_file(&self.kubeconfig);
    }
}

/// Lets the counter write nothing.
struct Full;

impl Hook for Full {
    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        if write.actor != "minimal" {
            return Verdict::Proceed;
        }
        Verdict::Refuse(Box::new(ApiError::new(403, "Forbidden", "the quota is used up")))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_is_refused_is_told_in_one_line() {
    let server = ApiServer::builder().build();
    server.add_hook(Full);
    let mut running = Running::start("minimal-refused", &server).await;
    let mut line = String::new();
    running.asides.read_line(&mut line).expect("text");
    assert!(line.contains(" ERROR reconcile failed "), "{line}");
    assert!(line.contains("default/a") && line.contains("the quota is used up"), "{line}");
    assert!(!line.contains('\u{1b}'), "plain in a pipe: {line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_in_which_nothing_fails_tells_nothing() {
    let server = ApiServer::builder().build();
    let mut running = Running::start("minimal-quiet", &server).await;
    let maps = Client::new(server).api::<ConfigMap>().namespace("default");
    let mut events = maps.watch(&WatchOptions::since("0")).await.expect("a watch");
    loop {
        let event = events.next().await.expect("it goes on").expect("an event");
        let (WatchEvent::Added(map) | WatchEvent::Modified(map)) = event else { continue };
        if map.annotation(COUNT) == Some("2") {
            break;
        }
    }
    let id = running.child.id().to_string();
    assert!(Command::new("kill").arg(id).status().expect("kill runs").success());
    assert_eq!(running.child.wait().expect("an end").code(), Some(0));
    let mut asides = String::new();
    running.asides.read_to_string(&mut asides).expect("text");
    assert_eq!(asides, "");
}

/// Runs the program on a machine without a cluster and returns its one line.
fn refused(variable: &str, value: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_minimal"));
    command.env_remove("KUBECONFIG").env_remove("RUST_LOG").env("HOME", "/nonexistent");
    let output = command.env(variable, value).output().expect("the program");
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success(), "{text}");
    assert!(text.starts_with("Error: ") && text.lines().count() == 1, "{text}");
    text
}

#[test]
fn a_machine_without_a_cluster_is_told() {
    let text = refused("HOME", "/nonexistent");
    assert!(
        text.contains("/nonexistent/.kube/config") && text.contains("set KUBECONFIG"),
        "{text}"
    );
}

#[test]
fn a_filter_that_is_none_is_told() {
    assert!(refused("RUST_LOG", "a=b=c").contains("RUST_LOG is \"a=b=c\""));
}
