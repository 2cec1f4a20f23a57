//! `watchkeeper serve` over TLS, for clients that are not ours.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{Lifetime, Server};
use crate::{Outcome, process, step};

/// How long it may take to be there.
const READY: Duration = Duration::from_secs(60);

/// The program, which is stopped when this goes.
pub(super) struct Serving {
    server: Server,
    kubeconfig: PathBuf,
    kubectl: PathBuf,
}

impl Serving {
    /// Starts it with three nodes; its log and its kubeconfig are in a folder.
    ///
    /// # Errors
    /// That it does not answer.
    pub(super) fn start(program: &Path, bin: &Path, folder: &Path, actors: &str) -> Outcome<Self> {
        let kubeconfig = folder.join("kubeconfig");
        let mut serve = Command::new(program);
        serve.args(["serve", "--tls", "--nodes", "3", "--actors", actors]);
        serve.arg("--kubeconfig-out").arg(&kubeconfig);
        let server = Server::start(serve, &folder.join("watchkeeper.log"), Lifetime::Ours)?;
        let mut serving = Self { server, kubeconfig, kubectl: bin.join("kubectl") };
        step::timed("watchkeeper ready", || step::until(READY, || serving.is_ready()))?;
        Ok(serving)
    }

    fn is_ready(&mut self) -> Outcome<bool> {
        self.server.check()?;
        let is_there = self.kubeconfig.exists();
        Ok(is_there && process::answers(self.kubectl().args(["get", "--raw", "/readyz"]))?)
    }

    pub(super) fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// A kubectl that knows it.
    pub(super) fn kubectl(&self) -> Command {
        let mut kubectl = Command::new(&self.kubectl);
        kubectl.arg("--kubeconfig").arg(&self.kubeconfig);
        kubectl
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.server.stop();
    }
}
