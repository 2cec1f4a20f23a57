//! What a kube-apiserver is told by its flags.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use watchkeeper_apiserver::ServiceRange;
use watchkeeper_apiserver::registry::Registry;

use super::super::flags::Flags;
use super::{plugins, unheeded};
use crate::Outcome;

#[cfg(test)]
mod tests;

/// Where certificates are unless told.
const CERTIFICATES: &str = "/var/run/kubernetes";
/// The addresses of Services unless told.
const RANGE: &str = "10.0.0.0/24";
/// The gate of selectors for a part of the objects.
const SHARDS: &str = "ShardedListAndWatch";

/// What a kube-apiserver is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) address: SocketAddr,
    /// The certificate that it shows, and its key.
    pub(super) certificate: PathBuf,
    pub(super) key: PathBuf,
    /// The authorities of clients.
    pub(super) client_ca: Option<PathBuf>,
    pub(super) token_file: Option<PathBuf>,
    /// Whether roles and bindings hold.
    pub(super) rbac: bool,
    pub(super) anonymous: bool,
    pub(super) service_accounts: bool,
    pub(super) shard_selectors: bool,
    pub(super) issuer: Option<String>,
    pub(super) service_range: ServiceRange,
    /// How many reads and writes may be under way at once.
    pub(super) reads: usize,
    pub(super) writes: usize,
    /// What was said and means nothing here, a sentence each.
    pub(super) unheeded: Vec<String>,
}

impl Settings {
    /// # Errors
    /// What cannot be done.
    pub(super) fn of(flags: &Flags) -> Outcome<Self> {
        let mut unheeded = unheeded::notes(flags)?;
        let rbac = is_rbac(flags, &mut unheeded)?;
        let shard_selectors = shard_selectors(flags, &mut unheeded);
        let service_accounts = plugins::service_accounts(flags, &mut unheeded)?;
        check_versions(flags, &mut unheeded)?;
        let (certificate, key) = identity(flags)?;
        let file = |name| flags.last(name).map(PathBuf::from);
        let range = flags.last("service-cluster-ip-range").unwrap_or(RANGE);
        Ok(Self {
            address: address(flags)?,
            certificate,
            key,
            client_ca: file("client-ca-file"),
            token_file: file("token-auth-file"),
            rbac,
            // Upstream turns it off, too, where everybody may do everything.
            anonymous: rbac && flags.is("anonymous-auth", true)?,
            service_accounts,
            shard_selectors,
            issuer: flags.all("service-account-issuer").next().map(str::to_owned),
            service_range: range
                .parse::<ServiceRange>()
                .map_err(|error| format!("--service-cluster-ip-range: {error}"))?,
            reads: flags.number("max-requests-inflight", 400)?,
            writes: flags.number("max-mutating-requests-inflight", 200)?,
            unheeded,
        })
    }
}

fn address(flags: &Flags) -> Outcome<SocketAddr> {
    let wanted = flags.last("bind-address").unwrap_or("0.0.0.0");
    // A name would be `localhost`, which envtest makes an address of.
    let ip: IpAddr = match wanted {
        "localhost" => Ipv4Addr::LOCALHOST.into(),
        ip => ip.parse().map_err(|_| format!("--bind-address={ip} is no address"))?,
    };
    match flags.number("secure-port", 6443)? {
        0 => Err("--secure-port is a number from 1 to 65535".to_owned()),
        port => Ok(SocketAddr::new(ip, port)),
    }
}

/// The files of the certificate and its key.
fn identity(flags: &Flags) -> Outcome<(PathBuf, PathBuf)> {
    match (flags.last("tls-cert-file"), flags.last("tls-private-key-file")) {
        (Some(certificate), Some(key)) => Ok((certificate.into(), key.into())),
        (None, None) => {
            let folder = Path::new(flags.last("cert-dir").unwrap_or(CERTIFICATES));
            Ok((folder.join("apiserver.crt"), folder.join("apiserver.key")))
        }
        _ => Err("--tls-cert-file and --tls-private-key-file go together".to_owned()),
    }
}

/// Whether roles and bindings hold: one that lets everybody do everything is enough for that.
fn is_rbac(flags: &Flags, notes: &mut Vec<String>) -> Outcome<bool> {
    let (mut is_open, mut rbac) = (false, false);
    for mode in flags.all("authorization-mode") {
        match mode {
            "AlwaysAllow" => is_open = true,
            "RBAC" => rbac = true,
            "Node" => notes
                .push("nodes have no rights of their own (--authorization-mode=Node)".to_owned()),
            other => {
                return Err(format!(
                    "--authorization-mode={other} is not to be had; RBAC and AlwaysAllow are"
                ));
            }
        }
    }
    match (is_open, rbac) {
        (true, _) => Ok(false),
        (false, true) => Ok(true),
        // Without any the real server lets everybody do everything.
        (false, false) if flags.all("authorization-mode").next().is_none() => Ok(false),
        (false, false) => Err("--authorization-mode=Node is not to be had alone".to_owned()),
    }
}

fn shard_selectors(flags: &Flags, notes: &mut Vec<String>) -> bool {
    let mut is_on = false;
    for gate in flags.all("feature-gates") {
        match gate.strip_prefix("kube:").unwrap_or(gate).split_once('=') {
            Some((SHARDS, value)) => is_on = value == "true",
            _ => notes.push(format!("--feature-gates={gate} is not heeded")),
        }
    }
    is_on
}

/// Versions are served or not, whatever is asked for; one that a test wants and does not get is an error.
fn check_versions(flags: &Flags, notes: &mut Vec<String>) -> Outcome<()> {
    let served = Registry::builtin();
    for wanted in flags.all("runtime-config") {
        let (path, is_on) = wanted.split_once('=').unwrap_or((wanted, "true"));
        if path.starts_with("api/") && path != "api/v1" {
            notes.push(format!("--runtime-config={wanted} is not heeded"));
            continue;
        }
        let path = path.strip_prefix("api/").unwrap_or(path);
        let mut parts = path.split('/');
        let (first, second, resource) = (parts.next(), parts.next(), parts.next());
        let (group, version) = match (first, second) {
            (Some(group), Some(version)) => (group, version),
            (version, _) => ("", version.unwrap_or_default()),
        };
        let is_served = match resource {
            Some(resource) => served.find(group, version, resource).is_some(),
            None => served.has_version(group, version),
        };
        if is_served != (is_on == "true") {
            let what = if is_served { "always" } else { "not" };
            return Err(format!("--runtime-config={wanted}: {path} is {what} served here"));
        }
    }
    Ok(())
}
