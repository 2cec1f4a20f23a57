//! Something to see on an empty cluster: two pods are made and become ready, one of them goes.

use watchkeeper::api::core::v1::Namespace;
use watchkeeper::client::{Api, DeleteOptions, WatchEvent, WatchOptions};
use watchkeeper::prelude::*;

use crate::Outcome;
use crate::printer::Printer;

/// The pod that stays.
pub const STAYS: &str = "stays";
/// The pod that goes.
pub const GOES: &str = "goes";

/// Plays the script in `namespace`, which is made if it is not there. The pod that goes does so once it has been
/// `seen`: who has to list again never hears of a pod that came and went meanwhile.
///
/// # Errors
///
/// When the server refuses a step.
pub async fn play(
    client: &Client,
    namespace: &str,
    printer: &Printer,
    seen: impl Future<Output = ()>,
) -> Outcome {
    perform(client, namespace, printer, seen)
        .await
        .map_err(|error| format!("the script cannot go on: {error}"))
}

async fn perform(
    client: &Client,
    namespace: &str,
    printer: &Printer,
    seen: impl Future<Output = ()>,
) -> watchkeeper::Result<()> {
    ensure_namespace(client, namespace).await?;
    let pods = client.api::<Pod>().namespace(namespace);
    let mut ready = Vec::new();
    for name in [STAYS, GOES] {
        printer.line(format_args!("# the script makes pod {name}"));
        let made = pods.create(&pod(name), &Default::default()).await?;
        ready.push(until(&pods, made, is_ready).await?);
        printer.line(format_args!("# pod {name} is ready"));
    }
    seen.await;
    if let Some(last) = ready.pop() {
        printer.line(format_args!("# the script deletes pod {}", last.name()));
        pods.delete(last.name(), &DeleteOptions::only(last.uid())).await?;
        until(&pods, last, |event| matches!(event, WatchEvent::Deleted(_))).await?;
    }
    Ok(())
}

/// Makes a namespace, unless it is there.
async fn ensure_namespace(client: &Client, name: &str) -> watchkeeper::Result<()> {
    let namespace = object!(Namespace { metadata: { name: name } });
    match client.api::<Namespace>().create(&namespace, &Default::default()).await {
        Err(error) if !error.is_already_exists() => Err(error),
        _ => Ok(()),
    }
}

fn pod(name: &str) -> Pod {
    object!(Pod {
        metadata: { name: name },
        spec: { containers: [{ name: "nginx", image: "nginx:latest" }] },
    })
}

/// Watches the pod from the state in hand until `reached`, and returns the state that did.
async fn until(
    pods: &Api<Pod>,
    mut last: Pod,
    reached: impl Fn(&WatchEvent<Pod>) -> bool,
) -> watchkeeper::Result<Pod> {
    loop {
        let options = WatchOptions::since(last.resource_version())
            .fields(format_args!("metadata.name={}", last.name()));
        let mut events = pods.watch(&options).await?;
        while let Some(event) = events.next().await {
            let event = event?;
            let done = reached(&event);
            if let WatchEvent::Added(pod) | WatchEvent::Modified(pod) | WatchEvent::Deleted(pod) =
                event
            {
                last = pod;
            }
            if done {
                return Ok(last);
            }
        }
    }
}

fn is_ready(event: &WatchEvent<Pod>) -> bool {
    let WatchEvent::Modified(pod) = event else { return false };
    let mut conditions = pod.status.conditions.iter();
    conditions.any(|condition| condition.type_ == "Ready" && condition.status == "True")
}
