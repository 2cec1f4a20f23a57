//! What is wrong with the kubeconfig, or with what it names.

use crate::program::{Scratch, program, refused, sentence};

/// A kubeconfig with one context named `here`, whose user is this.
fn kubeconfig(current: &str, user: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\n{current}\nclusters:\n- name: here\n  cluster:\n    server: http://127.0.0.1:1\ncontexts:\n- name: here\n  context:\n    cluster: here\n    user: me\nusers:\n- name: me\n  user: {user}\n"
    )
}

/// Runs with a kubeconfig of this text and returns the sentence, which names it.
fn file(name: &str, text: &str, more: &[&str]) -> String {
    let file = Scratch::new(name, text);
    let text = refused(&[&["--kubeconfig", file.path()], more].concat());
    assert!(text.contains(file.path()), "it names the file: {text}");
    text
}

/// Runs with a kubeconfig with this user.
fn user(name: &str, user: &str) -> String {
    let text = file(name, &kubeconfig("current-context: here", user), &[]);
    assert!(text.contains("\"here\""), "it names the context: {text}");
    text
}

#[test]
fn a_file_that_is_not_there() {
    let text = refused(&["--kubeconfig", "/nonexistent/kubeconfig"]);
    assert!(text.contains("/nonexistent/kubeconfig"), "{text}");
    assert!(refused(&["--kubeconfig", "/"]).contains("Is a directory"));
}

#[test]
fn no_kubeconfig_at_all() {
    let text = refused(&["--context", "here"]);
    assert!(text.contains("/nonexistent/.kube/config") && text.contains("--kubeconfig"), "{text}");
}

#[test]
fn a_file_that_is_not_yaml() {
    let text = file("broken", "clusters: [", &[]);
    assert!(text.contains("is malformed: line 1"), "{text}");
}

#[test]
fn a_file_that_is_empty() {
    assert!(file("blank", "", &[]).contains("has no contexts; is it a kubeconfig?"));
}

#[test]
fn no_current_context() {
    let text = file("no-current", &kubeconfig("", "{}"), &[]);
    assert!(text.contains("sets no current-context; choose one with --context"), "{text}");
    assert!(text.contains("it knows here"), "{text}");
}

#[test]
fn a_context_that_is_not_there() {
    let text = file("contexts", &kubeconfig("", "{}"), &["--context", "other"]);
    assert!(text.contains("no context \"other\" (it knows here)"), "{text}");
}

#[test]
fn a_token_file_that_is_not_there() {
    let text = user("token", "{tokenFile: /nonexistent/token}");
    assert!(text.contains("cannot read the token file /nonexistent/token"), "{text}");
}

#[test]
fn a_certificate_that_is_not_there() {
    let text =
        user("certificate", "{client-certificate: /nonexistent/c, client-key: /nonexistent/k}");
    assert!(text.contains("cannot read client-certificate /nonexistent/c"), "{text}");
}

#[test]
fn a_plugin_that_is_not_there() {
    let exec = "{exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin, interactiveMode: Never}}";
    let text = user("plugin", exec);
    assert!(text.contains("\"no-such-plugin\" is not installed, or not in PATH"), "{text}");
}

#[test]
fn a_server_that_does_not_answer() {
    // Port 1 is never served; the kernel refuses at once.
    let text = user("unreachable", "{}");
    assert!(text.contains("cannot connect to http://127.0.0.1:1"), "{text}");
}

#[test]
fn a_variable_that_names_no_file() {
    let mut command = program(&["--context", "here"]);
    let output = command.env("KUBECONFIG", "/nonexistent/a:/nonexistent/b").output();
    let text = sentence(&output.expect("the program"));
    assert!(text.contains("/nonexistent/a, /nonexistent/b"), "{text}");
}
