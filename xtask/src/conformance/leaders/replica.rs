//! A process that wants to lead: the sample controller, or a Go program with client-go's election.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, Lifetime, Server};
use crate::programs::at_hand;
use crate::{Outcome, real};

/// The lease of them all.
pub(super) const LEASE: &str = "sample-controller";
/// How long it lasts, how long it is tried to be renewed, and how often, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) lease: u64,
    renew: u64,
    retry: u64,
}

/// For many rounds.
pub(super) const QUICK: Times = Times { lease: 2_000, renew: 1_400, retry: 300 };
/// client-go reads the times of a lease by the second: two renewals within one second are one to it, and the lease
/// runs out from the first.
pub(super) const SHARED: Times = Times { lease: 3_000, renew: 2_000, retry: 1_000 };

impl Times {
    /// As flags, of which `prefix` is the beginning.
    fn flags(self, prefix: &str) -> [String; 3] {
        [
            format!("--{prefix}lease-duration={}ms", self.lease),
            format!("--{prefix}renew-deadline={}ms", self.renew),
            format!("--{prefix}retry-period={}ms", self.retry),
        ]
    }
}

/// Who made the election.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Ours,
    Go,
}

impl Side {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Ours => "ours-",
            Self::Go => "go-",
        }
    }

    pub(super) fn has(self, name: &str) -> bool {
        name.starts_with(self.prefix())
    }
}

/// A process, until it is dropped. No two have the same name, by which the server knows it, too.
#[derive(Debug)]
pub(super) struct Replica {
    pub(super) name: String,
    pub(super) side: Side,
    log: PathBuf,
    server: Server,
}

impl Replica {
    /// Starts one. Its log and its kubeconfig are in `folder`.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(side: Side, number: u32, times: Times, folder: &Path) -> Outcome<Self> {
        let name = format!("{}{number}", side.prefix());
        let kubeconfig = kubeconfig(&name, folder)?;
        let mut command = match side {
            Side::Ours => ours(&name, times),
            Side::Go => go(&name, times)?,
        };
        command.arg("--kubeconfig").arg(kubeconfig);
        let log = folder.join(format!("{name}.log"));
        let server = Server::start(command, &log, Lifetime::Ours)?;
        Ok(Self { name, side, log, server })
    }

    /// Whether this one is named by a lease.
    pub(super) fn is(&self, identity: &str) -> bool {
        // Ours adds what no other process has.
        identity.split('_').next() == Some(&self.name)
    }

    pub(super) fn runs(&mut self) -> bool {
        self.server.check().is_ok()
    }

    pub(super) fn kill(&mut self) {
        self.server.kill();
    }

    /// Lets it end in order.
    pub(super) fn stop(&mut self) {
        self.server.stop();
    }

    pub(super) fn pause(&self) {
        process::signal(self.server.id(), "STOP");
    }

    pub(super) fn wake(&self) {
        process::signal(self.server.id(), "CONT");
    }

    /// What it said so far.
    pub(super) fn said(&self) -> String {
        fs::read(&self.log)
            .map_or_else(|_| String::new(), |told| String::from_utf8_lossy(&told).into())
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.server.kill();
    }
}

fn ours(name: &str, times: Times) -> Command {
    let mut command = Command::new(at_hand("sample-controller"));
    command.arg("--leader-elect").args(times.flags("leader-elect-"));
    // Its identity begins with it.
    command.env("HOSTNAME", name).env("RUST_LOG", "watchkeeper_manager=info,warn");
    command
}

fn go(name: &str, times: Times) -> Outcome<Command> {
    let mut command = real::program("leader")?;
    command.arg(format!("--identity={name}")).arg(format!("--lease={LEASE}"));
    command.args(times.flags(""));
    Ok(command)
}

/// The administrator's kubeconfig, with everything done in the name of another.
fn kubeconfig(name: &str, folder: &Path) -> Outcome<PathBuf> {
    let path = real::path_of("REAL_KUBECONFIG")?;
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let user = "- name: admin\n  user:\n";
    if !text.contains(user) {
        return Err(format!("{} has no user admin", path.display()));
    }
    let acting = format!("{user}    as: {name}\n    as-groups: [\"system:masters\"]\n");
    let path = folder.join(format!("{name}.kubeconfig"));
    fs::write(&path, text.replacen(user, &acting, 1))
        .map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}

/// Wants each side to have been told that the other one leads, by its own account.
///
/// # Errors
/// One has not read what the other one wrote.
pub(super) fn read_each_other(folder: &Path) -> Outcome<()> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut said = String::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let is_ones =
            name.ends_with(".log") && [Side::Ours, Side::Go].iter().any(|side| side.has(&name));
        if is_ones {
            said += &String::from_utf8_lossy(&fs::read(&path).unwrap_or_default());
        }
    }
    for words in ["the leader is \"ours-", "leader go-"] {
        if !said.contains(words) {
            return Err(format!("nobody said {words:?}"));
        }
    }
    Ok(())
}
