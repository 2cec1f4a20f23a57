//! The program itself.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use watchkeeper::client::ExecOptions;
use watchkeeper::connection::{self, Config, Options};
use watchkeeper::prelude::*;

/// The program, and the kubeconfig that it told.
fn started() -> (Child, PathBuf) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_containers"));
    let mut program = command.stdout(Stdio::piped()).spawn().expect("the program");
    let out = program.stdout.take().expect("a pipe");
    let line = BufReader::new(out).lines().next().expect("a line").expect("text");
    assert!(line.starts_with("# to join in: kubectl --kubeconfig /"), "{line}");
    let kubeconfig = line.split_whitespace().nth(6).expect("a path").into();
    (program, kubeconfig)
}

#[tokio::test]
async fn who_joins_in_finds_a_pod_with_programs() {
    let (mut program, path) = started();
    let options = Options { path: Some(path), ..Options::default() };
    let config = Config::from_kubeconfig(&options).expect("a kubeconfig");
    let client = connection::verified(config).await.expect("a server");
    let pods = client.api::<Pod>().namespace("default");
    let command = ExecOptions::new(["cat", "/etc/hostname"]).container("side");
    let done = pods.exec("toolbox", &command).await.expect("a program").finish(1 << 20).await;
    program.kill().expect("it runs");
    program.wait().expect("its end");
    assert_eq!(done.expect("an end").stdout, b"toolbox\n");
}

#[test]
fn a_port_that_is_taken_is_one_sentence() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_containers"));
    let output = command.args(["--port", &port]).output().expect("the program");
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success() && text.lines().count() == 1, "{text}");
    assert!(text.contains("choose another port with --port"), "{text}");
}
