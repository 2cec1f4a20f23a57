//! The program itself, on its embedded cluster.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use tokio::task::JoinSet;
use watchkeeper::cluster::{Cluster, Endpoint};
use watchkeeper::prelude::*;

/// The program, not yet started, on a machine without a kubeconfig.
fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pod-watcher"));
    command.args(args).env_remove("KUBECONFIG").env_remove("RUST_LOG").env("HOME", "/nonexistent");
    command
}

fn run(args: &[&str]) -> Output {
    program(args).output().expect("the program")
}

#[test]
fn once_ends_well_after_the_script() {
    for style in ["classic", "controller"] {
        let output = run(&["--once", "--style", style]);
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.starts_with("Starting Pod controller\n"), "{text}");
        assert!(text.contains("Pod default/mypod does not exist anymore\n"), "{text}");
        let end = "Pod default/goes does not exist anymore\nStopping Pod controller\n";
        assert!(text.ends_with(end), "{text}");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn once_needs_no_place_for_a_kubeconfig() {
    let output = program(&["--once"]).env("TMPDIR", "/nonexistent").output().expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn workers_that_are_none_are_one_sentence() {
    for wrong in ["0", "-1", "many"] {
        let text = String::from_utf8(run(&["--workers", wrong]).stderr).expect("text");
        assert!(text.contains("it must be a whole number from 1 to 1000"), "{text}");
    }
}

#[test]
fn a_port_that_is_none_or_taken_is_one_sentence() {
    for wrong in ["-1", "65536", "many"] {
        let text = String::from_utf8(run(&["--port", wrong]).stderr).expect("text");
        assert!(text.contains("it must be a port from 1 to 65535, or 0 for a free one"), "{text}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = run(&["--once", "--port", &port]);
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success() && text.lines().count() == 1, "{text}");
    assert!(text.contains(&port) && text.contains("choose another port with --port"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kubeconfig_leads_to_its_cluster() {
    let cluster = Cluster::builder().build();
    let pods = cluster.client("script").api::<Pod>().namespace("default");
    let pod = object!(Pod {
        metadata: { name: "a" },
        spec: { containers: [{ name: "a", image: "a" }] },
    });
    pods.create(&pod, &Default::default()).await.expect("a pod");
    let mut endpoint = Endpoint::bind(0).await.expect("a port");
    let kubeconfig = endpoint.kubeconfig().expect("a kubeconfig").display().to_string();
    // The runtime's other threads serve while this one blocks on the program.
    let mut serving = JoinSet::new();
    serving.spawn(async move { endpoint.serve(&cluster, std::future::pending()).await });
    for style in ["classic", "controller"] {
        let output = run(&["--kubeconfig", &kubeconfig, "--once", "--style", style]);
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("Sync/Add/Update for Pod a\n"), "{text}");
        assert!(text.contains("Pod default/mypod does not exist anymore\n"), "{text}");
    }
}

#[test]
fn a_filter_that_is_none_is_one_sentence() {
    let output = program(&["--once"]).env("RUST_LOG", "a=b=c").output().expect("the program");
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success());
    assert!(
        text.starts_with("error: RUST_LOG is \"a=b=c\"") && text.lines().count() == 1,
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_lost_is_told_in_one_line() {
    let cluster = Cluster::builder().build();
    let pods = cluster.client("script").api::<Pod>().namespace("default");
    let pod = object!(Pod {
        metadata: { name: "a" },
        spec: { containers: [{ name: "a", image: "a" }] },
    });
    pods.create(&pod, &Default::default()).await.expect("a pod");
    let endpoint = Endpoint::bind(0).await.expect("a port");
    let url = format!("http://{}", endpoint.address());
    // The runtime's other threads serve while this one blocks on the program.
    let mut serving = JoinSet::new();
    serving.spawn(async move { endpoint.serve(&cluster, std::future::pending()).await });
    let mut command = program(&["--master", &url]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    let mut told = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(told.any(|line| line.expect("text") == "Sync/Add/Update for Pod a"));
    serving.shutdown().await;
    let mut asides = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let line = asides.next().expect("a line").expect("text");
    child.kill().and_then(|()| child.wait()).expect("an end");
    assert!(line.contains(" WARN lost the watch; ") && line.contains("copy=\"pods"), "{line}");
}

#[test]
fn a_kubeconfig_that_is_not_there_is_one_sentence() {
    let output = run(&["--kubeconfig", "/nonexistent/kubeconfig"]);
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success());
    assert!(text.starts_with("error: ") && text.contains("/nonexistent/kubeconfig"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn a_server_that_does_not_answer_is_one_sentence() {
    // Port 1 is never served; the kernel refuses at once.
    let output = run(&["--master", "http://127.0.0.1:1"]);
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success());
    assert!(text.starts_with("error: ") && text.contains("127.0.0.1:1"), "{text}");
}
