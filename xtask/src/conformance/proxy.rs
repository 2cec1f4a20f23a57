//! A server without TLS: behind `kubectl proxy`.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::{Outcome, process, real};

/// How long kubectl may take to say where it listens.
const PATIENCE: Duration = Duration::from_secs(20);

/// `kubectl proxy`, as long as this lives.
pub(super) struct Proxy {
    child: Child,
    pub(super) address: String,
}

impl Proxy {
    /// Starts it before the real server of the run.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start() -> Outcome<Self> {
        Self::of(real::program("kubectl")?)
    }

    /// Starts it, with a kubectl that knows its server.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn of(mut kubectl: Command) -> Outcome<Self> {
        let mut child = kubectl
            // By default it lets nobody run or attach to anything.
            .args(["proxy", "--port=0", "--reject-paths="])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot run kubectl proxy: {e}"))?;
        let told = child.stdout.take().map(process::lines);
        let line = told.and_then(|lines| lines.recv_timeout(PATIENCE).ok()).unwrap_or_default();
        let address = line.rsplit(' ').next().unwrap_or_default().to_owned();
        Ok(Self { child, address })
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // Already gone is as good as ended.
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
}
