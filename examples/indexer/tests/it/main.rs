//! The index on an embedded cluster in paused time, and the program itself.

use std::cell::RefCell;
use std::future::pending;
use std::process::Command;
use std::time::Duration;

use expect_test::expect;
use indexer::{PodsByNode, script};
use tokio::task::JoinSet;
use watchkeeper::apiserver::{Clock, Now};
use watchkeeper::cluster::{Cluster, Endpoint};
use watchkeeper::prelude::*;

#[tokio::test(start_paused = true)]
async fn pods_are_found_by_their_node() {
    let clock = Clock::Virtual(Now(Duration::from_secs(1_767_225_600)));
    let cluster = Cluster::builder().seed(1).clock(clock).nodes(2).build();
    let pods = PodsByNode::new(&cluster.client("indexer"));
    let (told, mut played) = (RefCell::new(Vec::new()), Ok(()));
    let print = |table: &str| told.borrow_mut().push(table.to_owned());
    let client = cluster.client("script");
    let enough = async { played = script::play(&client, &pods).await };
    tokio::select! {
        biased;
        ended = cluster.run(pending()) => panic!("the cluster ended: {ended:?}"),
        outcome = pods.run(print, enough) => outcome.expect("an orderly end"),
    }
    played.expect("the end of the script");
    expect![[r#"
        node-0: default/web-0, default/web-1
        node-1: default/web-2
        --
        node-0: default/web-1
        node-1: default/web-2
        --"#]]
    .assert_eq(&told.into_inner().join("\n"));
    let all = client.api::<Pod>().list(&Default::default()).await.expect("pods").items;
    for pod in &all {
        let found = pods.on(&pod.spec.node_name);
        assert!(found.iter().any(|found| found.name() == pod.name()), "{}", pod.name());
    }
    assert!(pods.on("nowhere").is_empty());
}

#[test]
fn the_program_ends_well_after_the_script() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_indexer"));
    let output = command.arg("--once").env_remove("KUBECONFIG").output().expect("the program");
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.contains("default/web-0") && text.contains("default/web-2"), "{text}");
    let last = text.trim_end().rsplit("--\n").next().unwrap_or_default();
    assert!(!last.contains("default/web-0") && last.contains("default/web-1"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kubeconfig_leads_to_its_cluster() {
    let cluster = Cluster::builder().build();
    let pods = cluster.client("script").api::<Pod>().namespace("default");
    let pod = object!(Pod {
        metadata: { name: "a" },
        spec: { node_name: "east", containers: [{ name: "a", image: "a" }] },
    });
    pods.create(&pod, &Default::default()).await.expect("a pod");
    let mut endpoint = Endpoint::bind(0).await.expect("a port");
    let kubeconfig = endpoint.kubeconfig().expect("a kubeconfig");
    // The runtime's other threads serve while this one blocks on the program.
    let mut serving = JoinSet::new();
    serving.spawn(async move { endpoint.serve(&cluster, pending()).await });
    let mut command = Command::new(env!("CARGO_BIN_EXE_indexer"));
    let output = command.arg("--kubeconfig").arg(kubeconfig).arg("--once").output();
    let output = output.expect("the program");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("east: default/a\n"), "{text}");
}

#[test]
fn a_kubeconfig_that_is_not_there_is_one_sentence() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_indexer"));
    let output = command.args(["--kubeconfig", "/nonexistent"]).output().expect("the program");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(text.starts_with("error: ") && text.lines().count() == 1, "{text}");
}
