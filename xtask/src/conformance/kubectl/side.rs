//! A server with our actors on it, and a kubectl that asks it.

use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use super::mask;
use super::script::Line;
use crate::process::{Lifetime, Server};
use crate::programs::built;
use crate::{Outcome, real, step, workspace};

/// One of the two.
pub(super) struct Side {
    /// The folder with the kubeconfig, of which commands tell.
    folder: PathBuf,
    kubectl: PathBuf,
    cluster: Option<real::Cluster>,
    actors: Server,
}

/// What a command said, masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) code: Option<i32>,
    pub(super) output: String,
    pub(super) error: String,
}

impl Side {
    /// The servers that are up already.
    ///
    /// # Errors
    /// When the actors cannot be started.
    pub(super) fn real(kubectl: &Path) -> Outcome<Self> {
        let folder = real::own_folder()?;
        let kubectl = kubectl.to_path_buf();
        Ok(Self { actors: actors(&folder)?, folder, kubectl, cluster: None })
    }

    /// The embedded server, started by the flags of the real one and with its certificate.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn embedded(kubectl: &Path) -> Outcome<Self> {
        let theirs = real::own_folder()?;
        let folder = theirs.join("embedded");
        let bin = programs(&theirs)?;
        let options = real::Options::with_service_accounts();
        let cluster = real::start_beside(&folder, &bin, &options, &theirs.join("certs"))?;
        match actors(&folder) {
            Ok(actors) => {
                let kubectl = kubectl.to_path_buf();
                Ok(Self { folder, kubectl, cluster: Some(cluster), actors })
            }
            Err(problem) => {
                let mut cluster = cluster;
                cluster.stop();
                Err(problem)
            }
        }
    }

    /// Ends what was started for it.
    pub(super) fn stop(&mut self) {
        self.actors.stop();
        if let Some(cluster) = &mut self.cluster {
            cluster.stop();
        }
    }

    /// Types a command.
    ///
    /// # Errors
    /// When kubectl cannot be started.
    pub(super) fn say(&self, line: &Line) -> Outcome<Said> {
        let mut command = Command::new(&self.kubectl);
        command
            .args(&line.words)
            .current_dir(workspace::root().join("conformance/kubectl/manifests"))
            .env("KUBECONFIG", self.folder.join("kubeconfig"))
            .env("KUBECACHEDIR", self.folder.join("cache"))
            .env("KUBERC", "off")
            .env("TZ", "UTC")
            .env("KUBE_EDITOR", "false")
            .envs(line.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        let said = whole(command)?;
        let shown = |text: &[u8]| mask::mask(&String::from_utf8_lossy(text), &self.folder);
        let output = shown(&said.stdout);
        Ok(Said {
            code: said.status.code(),
            output: if line.is_bare { mask::fields(&output) } else { output },
            error: shown(&said.stderr),
        })
    }
}

/// How long a command may take, before it is ended: some would wait for somebody who never comes.
const PATIENCE: Duration = Duration::from_secs(45);

/// What a command says in all, if it ends in time.
fn whole(mut command: Command) -> Outcome<Output> {
    let failed = |e: std::io::Error| format!("cannot run kubectl: {e}");
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let ended = step::within(PATIENCE, || {
        step::pause(Duration::from_millis(5));
        child.try_wait().map(|status| status.is_some()).map_err(failed)
    });
    if ended != Ok(true) {
        // Ended meanwhile is as good as killed.
        let _gone = child.kill();
    }
    let status = child.wait().map_err(failed)?;
    let text = |reader: JoinHandle<Vec<u8>>| reader.join().unwrap_or_default();
    Ok(Output { status, stdout: text(stdout), stderr: text(stderr) })
}

/// Reads to the end, so that the pipe does not fill.
fn read(from: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        // What has been read until it breaks is what there is.
        let _broken = from.map(|mut from| from.read_to_end(&mut text));
        text
    })
}

/// Our actors on the server of this folder's kubeconfig.
fn actors(folder: &Path) -> Outcome<Server> {
    let mut actors = Command::new(built("debug", "examples/actors"));
    actors.arg("--kubeconfig").arg(folder.join("kubeconfig"));
    Server::start(actors, &folder.join("actors.log"), Lifetime::Ours)
}

/// The embedded server under the names of the real ones, beside the other programs of the run.
fn programs(folder: &Path) -> Outcome<PathBuf> {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).map_err(|e| format!("{}: {e}", bin.display()))?;
    let ours = built("debug", "watchkeeper");
    let theirs = real::path_of("REAL_KUBECTL")?;
    for name in ["etcd", "kube-apiserver", "keygen", "kubectl"] {
        let is_ours = ["etcd", "kube-apiserver"].contains(&name);
        let from = if is_ours { ours.clone() } else { theirs.with_file_name(name) };
        let link = bin.join(name);
        symlink(from, &link).map_err(|e| format!("{}: {e}", link.display()))?;
    }
    Ok(bin)
}
