//! Programs in a pod that runs, and what is said to its own: with the programs of `conformance/real/cmd/node`.

use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use kube::Api;
use kube::api::{AttachParams, AttachedProcess};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::told::{Outcome, Story};

/// The pod, and where it is.
const POD: (&str, &str) = ("default", "streams");

pub async fn tell(story: &Story) -> Outcome {
    let (namespace, pod) = POD;
    let pods = Api::<Pod>::namespaced(story.client.clone(), namespace);
    let plain = AttachParams::default().container("main");
    for command in [&["both"][..], &["exit", "3"], &["fill", "100000"], &["none"]] {
        let ran = pods.exec(pod, command.iter().copied(), &plain).await?;
        story.say(&format!("exec {command:?}"), done(ran, &[]).await?);
    }
    let heard = |name: &str| AttachParams::default().container(name).stdin(true);
    let large = vec![b'x'; 200_000];
    for (command, input) in [("cat", &b"to and fro"[..]), ("cat", b""), ("sum", &large)] {
        let ran = pods.exec(pod, [command], &heard("main")).await?;
        story.say(&format!("{command} of {} bytes", input.len()), done(ran, input).await?);
    }
    let attached = pods.attach(pod, &heard("diary")).await?;
    story.say("attached", done(attached, b"one\ntwo\n").await?);
    Ok(())
}

/// What a program said to what it heard, and how it ended.
async fn done(mut ran: AttachedProcess, input: &[u8]) -> Outcome<String> {
    let status = ran.take_status().ok_or("no status")?;
    let (mut out, mut err) = (Vec::new(), String::new());
    let (into, from, beside) = (ran.stdin(), ran.stdout(), ran.stderr());
    let write = async {
        let Some(mut into) = into else { return Ok(()) };
        into.write_all(input).await?;
        into.shutdown().await
    };
    let (mut from, mut beside) = (from.ok_or("no output")?, beside.ok_or("no errors")?);
    let read =
        async { tokio::try_join!(from.read_to_end(&mut out), beside.read_to_string(&mut err)) };
    let (status, written, read) = tokio::join!(status, write, read);
    written?;
    read?;
    ran.join().await?;
    Ok(format!("{} {err:?} {}", shown(&out), status.as_ref().map_or_else(String::new, ended)))
}

/// The output; of much how much it is, and what it adds up to.
fn shown(out: &[u8]) -> String {
    if out.len() < 100 {
        return format!("{:?}", String::from_utf8_lossy(out));
    }
    let sum: u64 = out.iter().map(|byte| u64::from(*byte)).sum();
    format!("{} bytes of {sum}", out.len())
}

fn ended(status: &Status) -> String {
    let causes = status.details.iter().filter_map(|details| details.causes.as_ref()).flatten();
    let causes: Vec<_> = causes.map(|cause| (&cause.reason, &cause.message)).collect();
    let Status { status: summary, code, reason, message, .. } = status;
    format!("{summary:?} {code:?} {reason:?} {message:?} {causes:?}")
}
