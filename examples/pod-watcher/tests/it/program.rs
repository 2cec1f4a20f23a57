//! The program itself, on its embedded cluster.

use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pod-watcher"));
    command.args(args).env_remove("KUBECONFIG").output().expect("the program")
}

#[test]
fn once_ends_well_after_the_script() {
    let output = run(&["--once"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.starts_with("Starting Pod controller\n"), "{text}");
    let end = "Pod default/goes does not exist anymore\nStopping Pod controller\n";
    assert!(text.ends_with(end), "{text}");
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
