//! Bad input ends in one clear sentence and a failure, never in a stack trace.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A file of this test's own, removed with it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sample-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a file");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("text")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _gone = std::fs::remove_file(&self.0);
    }
}

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sample-controller"));
    command.args(args).env_remove("KUBECONFIG").output().expect("the program")
}

/// Runs the program, wants it to fail, and returns its one sentence.
fn refused(args: &[&str]) -> String {
    let output = run(args);
    assert!(!output.status.success(), "{args:?} should fail");
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.starts_with("error: "), "{text}");
    assert!(!text.contains("panicked") && !text.contains("backtrace"), "{text}");
    text
}

#[test]
fn a_kubeconfig_that_is_not_yaml() {
    let file = Scratch::new("kubeconfig", "clusters: [");
    let text = refused(&["--kubeconfig", file.path()]);
    assert!(text.contains(file.path()), "{text}");
}

#[test]
fn a_kubeconfig_that_is_not_there() {
    let text = refused(&["--kubeconfig", "/nonexistent/kubeconfig"]);
    assert!(text.contains("/nonexistent/kubeconfig"), "{text}");
}

#[test]
fn a_context_that_is_not_there() {
    let file = Scratch::new("contexts", &kubeconfig("http://127.0.0.1:1"));
    let text = refused(&["--kubeconfig", file.path(), "--context", "other"]);
    assert!(text.contains("other") && text.contains("here"), "{text}");
}

#[test]
fn a_server_that_does_not_answer() {
    // Port 1 is never served; the kernel refuses at once.
    let file = Scratch::new("unreachable", &kubeconfig("http://127.0.0.1:1"));
    let text = refused(&["--kubeconfig", file.path()]);
    assert!(text.contains("127.0.0.1:1"), "{text}");
}

fn kubeconfig(server: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: here\nclusters:\n- name: here\n  cluster:\n    server: {server}\ncontexts:\n- name: here\n  context:\n    cluster: here\n    user: me\nusers:\n- name: me\n  user: {{}}\n"
    )
}

#[test]
fn a_foo_that_the_schema_refuses() {
    let foo = Scratch::new("refused.yaml", &foo("spec: {deploymentName: web, replicas: 11}"));
    let text = refused(&["--once", "--foo", foo.path()]);
    assert!(text.contains("spec.replicas"), "{text}");
}

#[test]
fn a_foo_with_an_unknown_field() {
    let foo = Scratch::new("unknown.yaml", &foo("spec: {deploymentName: web, replicsa: 1}"));
    let text = refused(&["--once", "--foo", foo.path()]);
    assert!(text.contains(".spec.replicsa: field not declared in schema"), "{text}");
}

#[test]
fn a_file_that_is_no_foo() {
    let pod = Scratch::new("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n");
    let text = refused(&["--once", "--foo", pod.path()]);
    assert!(text.contains("is no Foo"), "{text}");
}

fn foo(spec: &str) -> String {
    format!(
        "apiVersion: samplecontroller.k8s.io/v1alpha1\nkind: Foo\nmetadata: {{name: a}}\n{spec}\n"
    )
}

#[test]
fn a_port_in_use() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let text = refused(&["--once", "--port", &port]);
    assert!(text.contains(&port) && text.contains("--port"), "{text}");
}

#[test]
fn a_foo_that_does_not_converge_in_time() {
    let foo = Scratch::new("nameless.yaml", &foo("spec: {replicas: 1}"));
    let text = refused(&["--once", "--timeout", "300ms", "--foo", foo.path()]);
    assert!(text.contains("has not converged within 300ms"), "{text}");
}

#[test]
fn once_converges_and_tells_the_story() {
    let output = run(&["--once"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for part in ["cluster", "crd", "foo", "deployment", "replicaset", "pod", "converged"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "plain in a pipe");
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
}
