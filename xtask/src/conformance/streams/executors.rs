//! What client-go's own executors and dialers are told by the real kube-apiserver, and by the embedded server with
//! the same programs and the port that echoes: line for line the same.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::process::{Lifetime, Server};
use crate::{Outcome, process, programs, real, step};

/// How long our program may take to have its pod run.
const READY: Duration = Duration::from_secs(60);

/// Asks both.
///
/// # Errors
/// The lines that differ.
pub(super) fn run(silence: u64) -> Outcome<()> {
    let real = told(&real::path_of("REAL_KUBECONFIG")?, silence)?;
    let ours = of_ours(silence)?;
    let (real, ours): (Vec<&str>, Vec<&str>) = (real.lines().collect(), ours.lines().collect());
    let differ: Vec<String> = real
        .iter()
        .zip(&ours)
        .filter(|(real, ours)| real != ours)
        .map(|(real, ours)| format!("embedded: {ours}\nreal:     {real}"))
        .collect();
    if !differ.is_empty() || real.len() != ours.len() || real.is_empty() {
        let (ours, real) = (ours.len(), real.len());
        return Err(format!("of {ours} lines, or {real}:\n{}", differ.join("\n")));
    }
    eprintln!("ok  client-go is told the same {} things by both servers", real.len());
    Ok(())
}

fn told(kubeconfig: &Path, silence: u64) -> Outcome<String> {
    let mut executor = real::program("executor")?;
    executor.arg("--kubeconfig").arg(kubeconfig).arg(format!("--silence={silence}"));
    Ok(String::from_utf8_lossy(&process::output(&mut executor)?).into_owned())
}

/// Starts the embedded server for it.
fn of_ours(silence: u64) -> Outcome<String> {
    let example = programs::example("watchkeeper-cluster", "programs")?;
    let folder = real::own_folder()?;
    let kubeconfig = folder.join("kubeconfig-embedded");
    let mut command = Command::new(example);
    command.arg(&kubeconfig);
    let mut server = Server::start(command, &folder.join("programs.log"), Lifetime::Ours)?;
    let ready = step::until(READY, || server.check().map(|()| kubeconfig.exists()));
    let told = ready.and_then(|()| told(&kubeconfig, silence));
    server.stop();
    told
}
