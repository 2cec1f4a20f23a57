//! `watchkeeper serve` over plain HTTP, which does not outlive who started it.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::{Outcome, process};

/// How long a server may take to be there.
const PATIENCE: Duration = Duration::from_secs(30);

/// A process that does not outlive this.
pub(super) struct Killed(pub(super) Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // Ended already is as good as killed.
        let _gone = self.0.kill();
        let _status = self.0.wait();
    }
}

/// The program; dropping it is a kill -9.
pub(super) struct Served(Killed);

impl Served {
    /// Starts it with more arguments; its kubeconfig is in a folder.
    ///
    /// # Errors
    /// That it cannot be started.
    pub(super) fn start(program: &Path, folder: &Path, more: &[&str]) -> Outcome<Self> {
        let mut serve = Command::new(program);
        serve.arg("serve").args(more);
        serve.arg("--kubeconfig-out").arg(folder.join("kubeconfig"));
        serve.stdin(Stdio::null()).stdout(Stdio::piped());
        let child = serve.spawn().map_err(|e| format!("{}: {e}", program.display()))?;
        Ok(Self(Killed(child)))
    }

    /// Where it answers, as it says itself.
    ///
    /// # Errors
    /// That it says nothing, or that this was asked for before.
    pub(super) fn address(&mut self) -> Outcome<String> {
        let stdout = self.0.0.stdout.take().ok_or("its address was asked for before")?;
        let lines = process::lines(stdout);
        let line = lines.recv_timeout(PATIENCE).map_err(|_| "the server does not come up")?;
        let (_, rest) = line.split_once("http://").ok_or_else(|| format!("no address: {line}"))?;
        let (address, _) = rest.split_once(',').ok_or_else(|| format!("no address: {line}"))?;
        Ok(address.to_owned())
    }

    pub(super) fn id(&self) -> u32 {
        self.0.0.id()
    }
}
