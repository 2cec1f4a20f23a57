//! What is told beside the story, on standard error: failures, and a server that is lost and found.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStderr, Output, Stdio};

use watchkeeper::apiserver::error::ApiError;
use watchkeeper::apiserver::hooks::{Hook, Verdict, Write};
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;

use crate::program::{Scratch, Served, foo, program, run};

/// Refuses to store Deployments.
struct Full;

impl Hook for Full {
    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        if write.table != "deployments.apps" {
            return Verdict::Proceed;
        }
        Verdict::Refuse(Box::new(ApiError::new(403, "Forbidden", "the quota is used up")))
    }
}

/// Runs `--once` with a Foo that wants the Deployment `web` on this cluster.
async fn once(name: &str, cluster: Cluster, more: &[&str]) -> Output {
    let served = Served::at(0, cluster).await;
    let foo = Scratch::new(name, &foo("spec: {deploymentName: web, replicas: 1}"));
    let (url, file) = (served.url(), foo.path());
    let args = ["--master", &url, "--install-crd", "--once", "--timeout", "5s", "--foo", file];
    run(&[&args, more].concat())
}

/// The lines of standard error; the last one is why the program gave up.
fn asides(output: &Output) -> Vec<String> {
    assert!(!output.status.success(), "the Foo cannot converge");
    let text = String::from_utf8(output.stderr.clone()).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let end = lines.pop().unwrap_or_default();
    assert!(end.starts_with("error: Foo default/a has not converged within 5s"), "{text}");
    lines
}

/// The lines of standard error, each JSON.
fn json_asides(output: &Output) -> Vec<serde_json::Value> {
    assert_eq!(output.status.code(), Some(1));
    let lines = output.stderr.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).expect("JSON")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_refuses_writes_is_told_once_in_the_style_of_the_story() {
    let cluster = Cluster::builder().build();
    cluster.server().add_hook(Full);
    let output = once("refuses", cluster, &[]).await;
    let lines = asides(&output);
    assert_eq!(lines.len(), 1, "tried often, told once: {lines:#?}");
    let (time, rest) = lines[0].split_once("s  ").expect("the time");
    assert_eq!((time.len(), time.trim().parse::<f64>().is_ok()), (8, true), "{lines:?}");
    assert!(rest.starts_with("error       default/a  reconcile failed: "), "{rest}");
    assert!(rest.contains("the quota is used up") && rest.contains("retry after"), "{rest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deployment_of_somebody_else_is_told() {
    let cluster = Cluster::builder().build();
    let labels = Map::from([("app", "theirs")]);
    let theirs = object!(Deployment {
        metadata: { name: "web" },
        spec: {
            selector: { match_labels: &labels },
            template: {
                metadata: { labels: &labels },
                spec: { containers: [{ name: "a", image: "a" }] },
            },
        },
    });
    let deployments = cluster.client("script").api::<Deployment>().namespace("default");
    deployments.create(&theirs, &Default::default()).await.expect("their Deployment");
    let lines = asides(&once("theirs", cluster, &[]).await);
    assert_eq!(lines.len(), 1, "{lines:#?}");
    let words = "reconcile failed: Resource \"web\" already exists and is not managed by Foo";
    assert!(lines[0].contains(words), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_read_failures_as_json_on_standard_error() {
    let cluster = Cluster::builder().build();
    cluster.server().add_hook(Full);
    let output = once("refuses-json", cluster, &["--output", "json"]).await;
    let lines = json_asides(&output);
    let [line, end] = &lines[..] else { panic!("two lines: {lines:#?}") };
    assert_eq!((&line["subject"], &line["name"]), (&"error".into(), &"default/a".into()));
    assert!(line["text"].as_str().is_some_and(|text| text.contains("quota")), "{line}");
    assert_eq!((&end["subject"], &end["name"]), (&"error".into(), &"".into()));
    let why = "Foo default/a has not converged within 5s";
    assert!(end["text"].as_str().is_some_and(|text| text.starts_with(why)), "{end}");
    let story = String::from_utf8(output.stdout).expect("text");
    assert!(!story.contains("quota"), "standard output is the story alone: {story}");
}

#[test]
fn machines_read_the_last_word_as_json_too() {
    let args = ["--output", "json", "--foo", "/no/such/foo.yaml"];
    let output = program(&args).output().expect("the program");
    let lines = json_asides(&output);
    let [line] = &lines[..] else { panic!("one line: {lines:#?}") };
    assert_eq!(line["subject"], "error");
    assert!(line["text"].as_str().is_some_and(|text| text.contains("/no/such/foo.yaml")), "{line}");
}

/// The program while it runs; killed with the test.
struct Running {
    child: Child,
    asides: Lines<BufReader<ChildStderr>>,
}

impl Running {
    fn start(args: &[&str]) -> Self {
        let mut command = program(args);
        // Workers start once everything is watched.
        command.env("RUST_LOG", "watchkeeper_controller=info,watchkeeper_cache=info,warn");
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let stderr = child.stderr.take().expect("a pipe");
        Self { child, asides: BufReader::new(stderr).lines() }
    }

    /// The next line on standard error.
    fn aside(&mut self) -> String {
        self.asides.next().expect("it goes on").expect("text")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _gone = self.child.kill().and_then(|()| self.child.wait());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_lost_and_found_is_told() {
    let cluster = Cluster::builder().build();
    let served = Served::at(0, cluster.clone()).await;
    let (url, port) = (served.url(), served.address.port());
    let mut running = Running::start(&["--master", &url, "--install-crd"]);
    let synced = running.aside();
    assert!(synced.contains("starting workers"), "{synced}");
    drop(served);
    let lost: Vec<String> = (0..2).map(|_| running.aside()).collect();
    for line in &lost {
        assert!(line.contains("s  warning     ") && line.contains("lost the watch"), "{lost:#?}");
    }
    let _served = Served::at(port, cluster).await;
    loop {
        let line = running.aside();
        if line.contains("follows the server again") {
            assert!(line.contains("s  info        "), "{line}");
            break;
        }
        assert!(line.contains("s  warning     "), "{line}");
    }
}
