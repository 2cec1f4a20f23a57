//! The program itself, run as its users run it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;

use tokio::task::JoinSet;
use watchkeeper::cluster::{Cluster, Endpoint};

/// A file of a test's own, removed with it.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sample-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a file");
        Self(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("text")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _gone = std::fs::remove_file(&self.0);
    }
}

/// The program, not yet started, on a machine without a kubeconfig.
pub(crate) fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sample-controller"));
    command.args(args).env_remove("KUBECONFIG").env_remove("RUST_LOG").env("HOME", "/nonexistent");
    command
}

/// Runs the program to its end.
pub(crate) fn run(args: &[&str]) -> Output {
    program(args).output().expect("the program")
}

/// Wants that the program failed, and returns its one sentence, which is all that it says.
pub(crate) fn sentence(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("text");
    assert!(!output.status.success(), "it should fail: {text}");
    assert!(text.starts_with("error: "), "{text}");
    assert_eq!(text.matches("error:").count(), 1, "{text}");
    assert!(!text.contains("panicked") && !text.contains("backtrace"), "{text}");
    // The usage that follows a wrong flag is not part of it.
    text.lines().next().unwrap_or_default().to_owned()
}

/// Runs the program, wants it to fail, and returns its one sentence.
pub(crate) fn refused(args: &[&str]) -> String {
    sentence(&run(args))
}

/// A Foo named `a` as a file has it.
pub(crate) fn foo(spec: &str) -> String {
    format!(
        "apiVersion: samplecontroller.k8s.io/v1alpha1\nkind: Foo\nmetadata: {{name: a}}\n{spec}\n"
    )
}

/// A cluster behind a port, until it is dropped. It is served by the runtime's other threads, so a
/// test may block on the program.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    _serving: JoinSet<()>,
}

impl Served {
    /// Serves `cluster`, whose actors nobody runs, at this port, any free one for 0.
    pub(crate) async fn at(port: u16, cluster: Cluster) -> Self {
        let endpoint = bind(port).await;
        let address = endpoint.address();
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            endpoint.serve(&cluster, std::future::pending()).await.expect("connections");
        });
        Self { address, _serving: serving }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// A port that was in use a moment ago may be held by a program that is being started and has not let go yet.
async fn bind(port: u16) -> Endpoint {
    const TRIES: usize = 1000;
    for _ in 1..TRIES {
        if let Ok(endpoint) = Endpoint::bind(port).await {
            return endpoint;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Endpoint::bind(port).await.expect("a port")
}

#[test]
fn once_converges_and_tells_the_story() {
    let output = run(&["--once"]);
    let text = String::from_utf8(output.stdout).expect("text");
    let aside = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{text}{aside}");
    for part in ["cluster", "crd", "foo", "deployment", "replicaset", "pod", "converged"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "plain in a pipe");
    assert!(!text.contains("FailedScheduling"), "no pod comes too early:\n{text}");
    assert_eq!(aside, "", "nothing beside the story");
}

#[test]
fn once_tells_machines_in_json() {
    let output = run(&["--once", "--output", "json"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(line["subject"].is_string() && line["seconds"].is_number(), "{line}");
    }
    assert!(text.lines().count() > 5, "{text}");
    assert!(output.stderr.is_empty(), "nothing beside the story");
}

#[test]
fn once_needs_no_place_for_a_kubeconfig() {
    let output = program(&["--once"]).env("TMPDIR", "/nonexistent").output().expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kubeconfig_leads_to_its_cluster() {
    let cluster = Cluster::builder().build();
    let mut endpoint = Endpoint::bind(0).await.expect("a port");
    let kubeconfig = endpoint.kubeconfig().expect("a kubeconfig").display().to_string();
    let (mut parts, actors) = (JoinSet::new(), cluster.clone());
    parts.spawn(async move { actors.run(std::future::pending()).await });
    parts.spawn(async move { endpoint.serve(&cluster, std::future::pending()).await });
    let args = ["--kubeconfig", &kubeconfig, "--install-crd", "--once"];
    let output = run(&[&args[..], &["--foo", "artifacts/example-foo.yaml"]].concat());
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for part in ["connected, Kubernetes v1.36", "established", "default/example-foo  converged"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
}
