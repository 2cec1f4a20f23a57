//! `cargo xtask sample-real`: the sample controller, the pod watcher and our actors on a real kube-apiserver.
//!
//! The servers are started by `cargo xtask real run`, which runs this chore again with `--inside`;
//! the audit log of the API server is the evidence.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::process::{Lifetime, Server};
use crate::programs::at_hand;
use crate::{Outcome, process, real, step, workspace};

/// The arguments of `cargo xtask sample-real`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// Runs with the servers up already; KUBECONFIG and REAL_AUDIT_LOG tell where
    #[arg(long, hide = true)]
    inside: bool,
}

impl Args {
    /// On servers that are started for it.
    pub(crate) fn of(cache: real::Cache) -> Self {
        Self { cache, inside: false }
    }
}

/// Runs the chore.
///
/// # Errors
/// When the sample does not converge, or the audit log tells of a failure.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return inside();
    }
    real::run_inside(&args.cache, &["sample-real"])
}

fn inside() -> Outcome {
    let kubeconfig = real::path_of("KUBECONFIG")?;
    refused(&kubeconfig, &[], "the server has no foos.samplecontroller.k8s.io")?;
    let log = real::own_folder()?.join("actors.log");
    let mut actors = Command::new(at_hand("examples/actors"));
    actors.arg("--kubeconfig").arg(&kubeconfig);
    let mut actors = Server::start(actors, &log, Lifetime::Ours)?;
    let converged = step::timed("the sample on the real server", || {
        actors.check().map_err(|e| format!("{e}; see {}", log.display()))?;
        process::succeed(
            Command::new(at_hand("sample-controller"))
                .arg("--kubeconfig")
                .arg(&kubeconfig)
                .args(["--install-crd", "--once", "--timeout", "60s", "--foo"])
                .arg(
                    workspace::root().join("examples/sample-controller/artifacts/example-foo.yaml"),
                ),
        )
    });
    let watched = step::timed("the pod watcher on the real server", || pods_are_told(&kubeconfig));
    actors.stop();
    refused(&kubeconfig, &["--context", "nobody"], "this user may not list")?;
    converged.map_err(|e| format!("{e}; the actors' log is {}", log.display()))?;
    watched?;
    evidence()?;
    Ok(ExitCode::SUCCESS)
}

/// Wants the pod watcher to tell of each pod that kubectl tells of, and of one that is not there, in either style.
fn pods_are_told(kubeconfig: &Path) -> Outcome<()> {
    let mut kubectl = real::program("kubectl")?;
    kubectl.arg("--kubeconfig").arg(kubeconfig).args(["get", "pods", "--output", "name"]);
    let pods = String::from_utf8_lossy(&process::output(&mut kubectl)?).into_owned();
    let mut expected: Vec<String> = pods
        .lines()
        .map(|pod| format!("Sync/Add/Update for Pod {}", pod.trim_start_matches("pod/")))
        .chain(["Pod default/mypod does not exist anymore".to_owned()])
        .collect();
    if expected.len() < 2 {
        return Err("the sample should have left pods behind".to_owned());
    }
    expected.sort();
    for style in ["classic", "controller"] {
        let mut watcher = Command::new(at_hand("pod-watcher"));
        watcher.arg("--kubeconfig").arg(kubeconfig).args(["--once", "--style", style]);
        let text = String::from_utf8_lossy(&process::output(&mut watcher)?).into_owned();
        eprint!("{text}");
        let mut told: Vec<_> = text
            .lines()
            .filter(|line| line.contains("Pod default/") || line.starts_with("Sync"))
            .collect();
        told.sort_unstable();
        told.dedup();
        if told != expected {
            return Err(format!(
                "in the style {style} the pod watcher told {told:?}, not {expected:?}"
            ));
        }
    }
    Ok(())
}

/// Wants the sample to end with one sentence that has `words` in it: without the CRD, without the
/// permission.
fn refused(kubeconfig: &Path, args: &[&str], words: &str) -> Outcome<()> {
    let output = Command::new(at_hand("sample-controller"))
        .arg("--kubeconfig")
        .arg(kubeconfig)
        .args(args)
        .output()
        .map_err(|e| format!("cannot run the sample: {e}"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    eprint!("{told}");
    if output.status.success() || !told.starts_with("error: ") || !told.contains(words) {
        return Err(format!("the sample should have ended with {words:?}"));
    }
    Ok(())
}

/// Reads the audit log: who wrote what, and that nobody of ours was refused or broke the server.
fn evidence() -> Outcome<()> {
    let path = real::path_of("REAL_AUDIT_LOG")?;
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut writes: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for line in text.lines() {
        let Ok(entry) = serde_json::from_str::<Value>(line) else { continue };
        if entry["stage"] != "ResponseComplete" {
            continue;
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let actor = text(&entry["userAgent"]);
        let actor = actor.split('/').next().unwrap_or_default().to_owned();
        let verb = text(&entry["verb"]);
        // The refusals of the user without rights were asked for.
        if !is_ours(&actor) || entry["user"]["username"] == "nobody" {
            continue;
        }
        let code = entry["responseStatus"]["code"].as_i64().unwrap_or(0);
        if code >= 500 || code == 400 || code == 403 || code == 415 || code == 422 {
            return Err(format!("the server answered {code} to {actor}: {line}"));
        }
        if !matches!(verb.as_str(), "get" | "list" | "watch") {
            let mut resource = text(&entry["objectRef"]["resource"]);
            if let Some(sub) = entry["objectRef"]["subresource"].as_str() {
                resource = format!("{resource}/{sub}");
            }
            *writes.entry((actor, verb, resource)).or_default() += 1;
        }
    }
    for ((actor, verb, resource), count) in &writes {
        eprintln!("{count:>5}  {actor:<28} {verb:<8} {resource}");
    }
    let wrote = |resource: &str| writes.keys().any(|(.., written)| written == resource);
    for resource in ["deployments", "replicasets", "pods", "pods/binding", "foos/status"] {
        if !wrote(resource) {
            return Err(format!("nobody of ours wrote {resource}"));
        }
    }
    Ok(())
}

/// Whether a user agent is one of this project's controllers: the others on a bare API server are
/// itself, and kubectl.
fn is_ours(actor: &str) -> bool {
    !["kube-apiserver", "kubectl", "Go-http-client", "xtask"].contains(&actor)
}
