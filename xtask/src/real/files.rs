//! The files that the servers and their clients read.

use crate::{Outcome, process};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::process::Command;

/// Makes an empty folder, replacing an old one that an earlier run made.
///
/// # Errors
/// When the folder has other things in it or cannot be made.
pub(crate) fn fresh(dir: &Path) -> Outcome<()> {
    let mark = dir.join("made-by-xtask");
    if mark.exists() {
        fs::remove_dir_all(dir).map_err(|e| format!("cannot remove {}: {e}", dir.display()))?;
    }
    fs::create_dir_all(dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))?;
    let mut entries = fs::read_dir(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    if entries.next().is_some() {
        return Err(format!("{} is not empty: name another folder", dir.display()));
    }
    write(&mark, "")
}

/// Removes the folders of runs whose process was killed before it could.
///
/// # Errors
/// When the cache cannot be read or such a folder not be removed.
pub(crate) fn sweep(cache: &Path) -> Outcome<()> {
    let entries = fs::read_dir(cache).map_err(|e| format!("{}: {e}", cache.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| format!("{}: {e}", cache.display()))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let id = name.and_then(|name| name.strip_prefix(RUN)?.parse().ok());
        if id.is_some_and(|id| !process::exists(id)) {
            fs::remove_dir_all(&path)
                .map_err(|e| format!("cannot remove {}: {e}", path.display()))?;
        }
    }
    Ok(())
}

/// How the folder of a run is called, before its process id.
pub(crate) const RUN: &str = "run-";

/// Waits for whoever else holds this file, and holds it until the answer is dropped.
///
/// # Errors
/// When the file cannot be made or locked.
pub(crate) fn lock(path: &Path) -> Outcome<File> {
    let file = File::create(path).map_err(|e| format!("cannot make {}: {e}", path.display()))?;
    file.lock().map_err(|e| format!("cannot lock {}: {e}", path.display()))?;
    Ok(file)
}

/// Writes a file.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> Outcome<()> {
    fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// Copies files of a folder into another one, which is made.
///
/// # Errors
/// When one cannot be copied.
pub(crate) fn copies(from: &Path, to: &Path, names: &[&str]) -> Outcome<()> {
    fs::create_dir_all(to).map_err(|e| format!("cannot make {}: {e}", to.display()))?;
    for name in names {
        let from = from.join(name);
        fs::copy(&from, to.join(name))
            .map_err(|e| format!("cannot copy {}: {e}", from.display()))?;
    }
    Ok(())
}

/// The users: `admin` may do everything, `nobody` next to nothing.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn tokens(path: &Path) -> Outcome<(String, String)> {
    let (admin, nobody) = (token()?, token()?);
    let lines = format!("{admin},admin,1,\"system:masters\"\n{nobody},nobody,2,\"nobodies\"\n");
    write(path, &lines)?;
    Ok((admin, nobody))
}

fn token() -> Outcome<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .map_err(|e| format!("cannot read /dev/urandom: {e}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The key that signs service account tokens.
///
/// # Errors
/// When it cannot be made or written.
pub(crate) fn service_account_key(path: &Path, bin: &Path) -> Outcome<()> {
    let pem = process::output(&mut Command::new(bin.join("keygen")))?;
    fs::write(path, pem).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// Every request is written to the audit log when it is answered, a watch also when it begins.
pub(crate) fn audit_everything(level: &str) -> String {
    format!(
        "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\n\
         rules:\n- level: {level}\n  omitManagedFields: true\n"
    )
}

/// Every write is written to the audit log when it is received and when it is answered, and what it says if it
/// is a lease.
pub(crate) const AUDIT_WRITES: &str = "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n\
    - level: None\n  verbs: [get, list, watch]\n\
    - level: Request\n  omitManagedFields: true\n  resources:\n  \
    - {group: coordination.k8s.io, resources: [leases]}\n\
    - level: Metadata\n";

/// A kubeconfig with a context for each user; the certificate authority is the
/// one that the server made for itself.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn kubeconfig(
    path: &Path,
    server: &str,
    authority: &Path,
    tokens: &(String, String),
) -> Outcome<()> {
    let mut text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: admin\nclusters:\n- name: real\n  cluster:\n    \
         server: {server}\n    certificate-authority: {}\nusers:\n",
        authority.display()
    );
    for (name, token) in [("admin", &tokens.0), ("nobody", &tokens.1)] {
        text.push_str(&format!("- name: {name}\n  user:\n    token: {token}\n"));
    }
    text.push_str("contexts:\n");
    for name in ["admin", "nobody"] {
        text.push_str(&format!(
            "- name: {name}\n  context:\n    cluster: real\n    user: {name}\n"
        ));
    }
    write(path, &text)
}

#[cfg(test)]
mod tests;
