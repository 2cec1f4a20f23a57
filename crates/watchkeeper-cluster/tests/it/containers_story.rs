//! The story of containers that `watchkeeper-connect`'s example `clients` tells, on the embedded cluster.
//!
//! `cargo xtask conformance clients` compares it with that of a real kube-apiserver, whose kubelet reads logs and
//! streams with upstream's code.

#[path = "../../../watchkeeper-connect/examples/clients/containers.rs"]
mod story;

use std::time::Duration;

use expect_test::expect_file;
use serde_json::{Value, json};
use tokio::io::copy;
use tokio::time::sleep;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Object as _, ObjectKey};
use watchkeeper_client::{Client, Codec, Patch, PatchOptions};
use watchkeeper_cluster::containers::{Containers, Exit, Run, Terminal};

use crate::world::{World, run};

#[tokio::test(start_paused = true)]
async fn the_containers_tell_the_same_story_on_every_server() {
    for codec in [Codec::Json, Codec::Protobuf] {
        run(1, async |world| {
            play(world).await;
            let told =
                story::containers(&world.client.clone().codec(codec)).await.expect("a story");
            expect_file!["../../../watchkeeper-connect/examples/clients/containers.txt"]
                .assert_eq(&told);
        })
        .await;
    }
}

/// The pods, with what `conformance/real/cmd/node` has in their containers.
async fn play(world: &World) {
    let containers = world.cluster.containers();
    let streams = &pod(world, "streams", "Always", &["main", "diary"]).await;
    let brief = &pod(world, "brief", "Never", &["main"]).await;
    world.settled().await;
    containers.print(streams, "main", "the life before").await.expect("printed");
    again(world).await;
    for (first, last) in [(1, 500), (501, 1000)] {
        sleep(Duration::from_secs(100)).await;
        let lines: Vec<String> = (first..=last).map(|number| format!("line {number}")).collect();
        containers.print(streams, "main", &lines.join("\n")).await.expect("printed");
    }
    containers.print(brief, "main", "welcome").await.expect("printed");
    let (client, brief, printing) = (world.client.clone(), brief.clone(), containers.clone());
    containers.on_run(move |run, terminal| {
        program(run, terminal, client.clone(), printing.clone(), brief.clone())
    });
    containers.on_port(7, |_, stream| async move {
        let (mut reader, mut writer) = tokio::io::split(stream);
        copy(&mut reader, &mut writer).await.map(drop).map_err(|error| error.to_string())
    });
}

async fn pod(world: &World, name: &str, restarts: &str, names: &[&str]) -> ObjectKey {
    let container = |name: &&str| json!({"name": name, "image": "none"});
    let containers: Vec<Value> = names.iter().map(container).collect();
    let never = json!({"fake-kubelet/ends-after": "never"});
    let pod: Pod = world
        .make(json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": "default", "annotations": never},
            "spec": {"restartPolicy": restarts, "containers": containers},
        }))
        .await;
    pod.key()
}

fn ends_after(text: &str) -> Value {
    json!({"metadata": {"annotations": {"fake-kubelet/ends-after": text}}})
}

/// Has the containers of `streams` end, and run anew.
async fn again(world: &World) {
    world.patch::<Pod>("streams", ends_after("5")).await;
    sleep(Duration::from_secs(2)).await;
    world.patch::<Pod>("streams", ends_after("never")).await;
    world.settled().await;
}

async fn program(
    run: Run,
    mut terminal: Terminal,
    client: Client,
    containers: Containers,
    brief: ObjectKey,
) -> Exit {
    let words: Vec<&str> = run.command.iter().flatten().map(String::as_str).collect();
    match &words[..] {
        [] => return attached(&run, terminal).await,
        ["both"] => {
            terminal.print("to standard output\n").await;
            terminal.print_error("to standard error\n").await;
        }
        ["exit", code] => return Exit::Code(code.parse().unwrap_or(1)),
        ["cat"] => {
            while let Some(piece) = terminal.read().await {
                terminal.print(piece).await;
            }
        }
        ["end"] => {
            containers.print(&brief, "main", "bye").await.expect("printed");
            let pods = client.api::<Pod>().namespace("default");
            let end = Patch::merge(&ends_after("0"));
            pods.patch("brief", &end, &PatchOptions::default()).await.expect("a patch");
        }
        [name, ..] => {
            let why = format!("exec: {name:?}: executable file not found in $PATH");
            return Exit::Failed(format!("error executing command in container: {why}"));
        }
    }
    Exit::Code(0)
}

/// The container's own program repeats the lines that it hears.
async fn attached(run: &Run, mut terminal: Terminal) -> Exit {
    terminal.print_error("beside\n").await;
    if !run.streams.stdin {
        return Exit::Code(0);
    }
    let mut heard = Vec::new();
    while let Some(piece) = terminal.read().await {
        heard.extend_from_slice(&piece);
    }
    for line in String::from_utf8_lossy(&heard).lines() {
        terminal.print(format!("heard {line}\n")).await;
    }
    Exit::Code(0)
}
