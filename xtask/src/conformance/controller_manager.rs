//! `cargo xtask conformance controller-manager`: the real kube-controller-manager on the embedded server, whose own
//! controllers are off, does what `conformance/controller-manager` tells, and complains of nothing. Scheduler and
//! nodes are ours. `--real` tells the same to a real kube-apiserver.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;
use watchkeeper_api::ByteString;

use super::proxy::Proxy;
use super::serving::Serving;
use crate::process::{Lifetime, Server};
use crate::{Outcome, process, programs, real, step, workspace};

mod chapters;
mod complaints;
mod has;

/// The actors beside the real controllers.
const ACTORS: &str = "scheduler,node,kubelet";
/// Without what asks for metrics, which nobody has. A machine with other work may be slow to renew a lease.
const FLAGS: [&str; 4] = [
    "--leader-elect=true",
    "--leader-elect-lease-duration=60s",
    "--leader-elect-renew-deadline=45s",
    "--controllers=*,-horizontal-pod-autoscaler-controller",
];

/// The arguments of `cargo xtask conformance controller-manager`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// On a real kube-apiserver, which shows that the chapters are right
    #[arg(long)]
    real: bool,
    #[command(flatten)]
    cache: real::Cache,
    /// Runs with the servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

/// Runs the chapters.
///
/// # Errors
/// What goes otherwise, or what kube-controller-manager complains of.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return on_the_real_server();
    }
    if args.real {
        let options = real::Options::with_controllers_of(&FLAGS);
        return real::run_inside_on(&args.cache, &options, &["conformance", "controller-manager"]);
    }
    on_ours(args)
}

fn on_the_real_server() -> Outcome {
    let folder = real::own_folder()?;
    let mut actors = Command::new(programs::built("debug", "examples/actors"));
    actors.arg("--kubeconfig").arg(real::path_of("KUBECONFIG")?);
    actors.args(["--nodes", "3", "--actors", ACTORS]);
    let mut actors = Server::start(actors, &folder.join("actors.log"), Lifetime::Ours)?;
    let outcome = Proxy::start().and_then(|proxy| told(&proxy));
    actors.stop();
    outcome.and_then(|()| complaints::none_in(&folder.join("kube-controller-manager.log")))?;
    Ok(ExitCode::SUCCESS)
}

fn on_ours(args: &Args) -> Outcome {
    let bin = args.cache.programs()?;
    let program = programs::command_of_ours()?;
    let folder = workspace::target().join("controller-manager");
    let _last = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let outcome = with_ours(&program, &bin, &folder);
    outcome.map_err(|problem| format!("{problem}\nthe logs are in {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn with_ours(program: &Path, bin: &Path, folder: &Path) -> Outcome<()> {
    let serving = Serving::start(program, bin, folder, ACTORS)?;
    real::service_account_key(&folder.join("sa.key"), bin)?;
    let mut manager = real::manager_command(folder, bin, &authority(serving.kubectl(), folder)?);
    manager.arg("--secure-port=0").args(FLAGS);
    let log = folder.join("kube-controller-manager.log");
    let mut manager = Server::start(manager, &log, Lifetime::Ours)?;
    let outcome = Proxy::of(serving.kubectl()).and_then(|proxy| told(&proxy));
    manager.stop();
    outcome.and_then(|()| complaints::none_in(&log))
}

/// The certificate of the authority that a kubeconfig names, in a file of its own.
fn authority(mut kubectl: Command, folder: &Path) -> Outcome<PathBuf> {
    let path = "jsonpath={.clusters[0].cluster.certificate-authority-data}";
    let told = process::output(kubectl.args(["config", "view", "--raw", "-o", path]))?;
    let pem = ByteString::from_base64(&String::from_utf8_lossy(&told));
    let pem = pem.as_ref().and_then(ByteString::as_text);
    let pem = pem.ok_or("the kubeconfig has no certificate of an authority")?;
    let file = folder.join("ca.crt");
    fs::write(&file, pem).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(file)
}

fn told(proxy: &Proxy) -> Outcome<()> {
    let path = workspace::root().join("conformance/controller-manager/chapters.json");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let phases: Value =
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let number = step::timed("all", || chapters::tell(&proxy.address, &phases))?;
    eprintln!("{number} chapters: kube-controller-manager does what it does");
    Ok(())
}
