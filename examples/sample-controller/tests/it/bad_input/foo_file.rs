//! What is wrong with the file that `--foo` names.

use crate::program::{Scratch, foo, refused};

/// Runs with a file of this text and returns the sentence, which names it.
fn file(name: &str, text: &str) -> String {
    let file = Scratch::new(name, text);
    let text = refused(&["--once", "--timeout", "10s", "--foo", file.path()]);
    assert!(text.contains(file.path()), "it names the file: {text}");
    text
}

#[test]
fn a_file_that_is_not_there_before_anything_is_connected() {
    for server in [&[][..], &["--master", "http://127.0.0.1:1"]] {
        let text = refused(&[&["--foo", "/nonexistent/foo.yaml"], server].concat());
        assert!(text.contains("/nonexistent/foo.yaml cannot be read"), "{text}");
    }
}

#[test]
fn a_folder() {
    assert!(refused(&["--once", "--foo", "/"]).contains("/ cannot be read: Is a directory"));
}

#[test]
fn an_empty_file() {
    for (name, text) in [("empty", ""), ("comment", "# a Foo\n"), ("separators", "---\n---\n")] {
        assert!(file(name, text).contains("is empty; write a Foo such as"));
    }
}

#[test]
fn a_file_that_is_not_yaml() {
    let text = file("not-yaml", "apiVersion: [\n");
    assert!(text.contains("is not YAML: ") && text.contains("line 1, column 13"), "{text}");
}

#[test]
fn a_file_of_two_foos() {
    let one = foo("spec: {deploymentName: web}");
    assert!(file("two", &format!("{one}---\n{one}")).contains("holds 2 documents; leave one"));
}

#[test]
fn a_file_that_is_no_foo() {
    let text = file("pod", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n");
    assert!(
        text.contains(
            "is no Foo: its apiVersion is \"v1\" and its kind is \"Pod\"; write apiVersion: sample"
        ),
        "{text}"
    );
    assert!(file("scalar", "hello\n").contains("is no Foo: its apiVersion is missing"));
    let text = foo("spec: {deploymentName: web}").replace("v1alpha1", "v1beta1");
    assert!(file("version", &text).contains("write apiVersion: samplecontroller.k8s.io/v1alpha1"));
    let text = foo("spec: {deploymentName: web}").replace("kind: Foo", "kind: Bar");
    assert!(file("kind", &text).contains("its kind is \"Bar\"; write kind: Foo"));
}

#[test]
fn a_foo_without_a_name() {
    let text = foo("").replace("name: a", "labels: {}");
    assert!(file("unnamed", &text).contains("names no Foo: write metadata: {name: …}"));
}

#[test]
fn a_foo_that_the_schema_refuses() {
    let text = file("refused", &foo("spec: {deploymentName: web, replicas: 11}"));
    assert!(text.contains("spec.replicas"), "{text}");
}

#[test]
fn a_foo_with_an_unknown_field() {
    let text = file("unknown", &foo("spec: {deploymentName: web, replicsa: 1}"));
    assert!(text.contains(".spec.replicsa: field not declared in schema"), "{text}");
}

#[test]
fn a_foo_that_does_not_converge_in_time() {
    let foo = Scratch::new("nameless", &foo("spec: {replicas: 1}"));
    let text = refused(&["--once", "--timeout", "300ms", "--foo", foo.path()]);
    assert!(text.contains("has not converged within 300ms"), "{text}");
}
