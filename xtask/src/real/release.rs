//! The kube-apiserver or the kubectl of another release than the pinned one, out of a module that is made for it and not
//! kept.

use super::{build, files};
use crate::{Outcome, go, process, step};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The releases that are supported beside the pinned one.
pub(crate) const OTHERS: [&str; 3] = ["v1.34.4", "v1.35.4", "v1.37.2"];

/// What the pinned release lends: the API server is asked by these, whatever its release.
const LENT: [&str; 5] = ["etcd", "kubectl", "keygen", "node", "executor"];

const APISERVER: &str = "kube-apiserver";

/// A folder with its programs, built unless they are there.
///
/// # Errors
/// When the release is none, a module cannot be fetched, or it does not compile.
pub(crate) fn programs(cache: &Path, pinned: &Path, release: &str) -> Outcome<PathBuf> {
    let bin = cache.join(format!("bin-{release}"));
    fs::create_dir_all(&bin).map_err(|e| format!("cannot make {}: {e}", bin.display()))?;
    // Another run that builds it is waited for.
    let _lock = files::lock(&bin.join("lock"))?;
    if !bin.join(APISERVER).exists() {
        let module = cache.join(format!("module-{release}"));
        let built = apiserver(&module, &bin, release);
        let removed = fs::remove_dir_all(&module);
        built?;
        removed.map_err(|e| format!("cannot remove {}: {e}", module.display()))?;
    }
    for name in LENT {
        let link = bin.join(name);
        if link.exists() {
            continue;
        }
        // Of a folder that is gone.
        let _absent = fs::remove_file(&link);
        symlink(pinned.join(name), &link)
            .map_err(|e| format!("cannot make {}: {e}", link.display()))?;
    }
    Ok(bin)
}

/// A kubectl of another release, built unless it is there.
///
/// # Errors
/// When a module cannot be fetched, or it does not compile.
pub(crate) fn kubectl(cache: &Path, release: &str) -> Outcome<PathBuf> {
    let bin = cache.join(format!("kubectl-{release}"));
    fs::create_dir_all(&bin).map_err(|e| format!("cannot make {}: {e}", bin.display()))?;
    let _lock = files::lock(&bin.join("lock"))?;
    let program = bin.join("kubectl");
    if !program.exists() {
        let module = cache.join(format!("module-kubectl-{release}"));
        let built = step::timed(&format!("go build kubectl {release}"), || {
            copy("cmd/kubectl", &module)?;
            let parts = release.replacen("v1.", "v0.", 1);
            let needs = ["kubectl", "component-base"]
                .map(|name| format!("require k8s.io/{name} {parts}\n"));
            let manifest =
                format!("module watchkeeper.dev/real\n\ngo 1.24.0\n\n{}", needs.concat());
            files::write(&module.join("go.mod"), &manifest)?;
            process::succeed(go::command(&module).args(["mod", "tidy"]))?;
            build::program(&module, "kubectl", &bin, release)
        });
        let removed = fs::remove_dir_all(&module);
        built?;
        removed.map_err(|e| format!("cannot remove {}: {e}", module.display()))?;
    }
    Ok(program)
}

fn apiserver(module: &Path, bin: &Path, release: &str) -> Outcome<()> {
    copy("lifeline", module)?;
    copy("cmd/kube-apiserver", module)?;
    files::write(&module.join("go.mod"), "module watchkeeper.dev/real\n")?;
    step::timed(&format!("go.mod of {release}"), || {
        let text = manifest(module, release)?;
        files::write(&module.join("go.mod"), &text)?;
        go::check(module)?;
        process::succeed(go::command(module).args(["mod", "tidy"]))
    })?;
    step::timed(&format!("go build {APISERVER} {release}"), || {
        build::program(module, APISERVER, bin, release)
    })
}

/// What the pinned module has in a folder.
fn copy(folder: &str, module: &Path) -> Outcome<()> {
    let (from, to) = (build::module().join(folder), module.join(folder));
    fs::create_dir_all(&to).map_err(|e| format!("cannot make {}: {e}", to.display()))?;
    let entries = fs::read_dir(&from).map_err(|e| format!("{}: {e}", from.display()))?;
    for entry in entries {
        let entry = entry.map_err(|e| format!("{}: {e}", from.display()))?;
        fs::copy(entry.path(), to.join(entry.file_name()))
            .map_err(|e| format!("cannot copy {}: {e}", entry.path().display()))?;
    }
    Ok(())
}

/// A `go.mod` for a release: Kubernetes lists its own modules at no version, each is the published one.
fn manifest(module: &Path, release: &str) -> Outcome<String> {
    let wanted = format!("k8s.io/kubernetes@{release}");
    let told = process::output(go::command(module).args(["mod", "download", "-json", &wanted]))?;
    let told: serde_json::Value =
        serde_json::from_slice(&told).map_err(|e| format!("go mod download: {e}"))?;
    let theirs = PathBuf::from(told["GoMod"].as_str().ok_or("go mod download names no go.mod")?);
    let theirs = fs::read_to_string(&theirs).map_err(|e| format!("{}: {e}", theirs.display()))?;
    Ok(ours(&theirs, release))
}

fn ours(theirs: &str, release: &str) -> String {
    let parts = release.replacen("v1.", "v0.", 1);
    let mut text = "module watchkeeper.dev/real\n".to_owned();
    let kept = |line: &&str| line.starts_with("go ") || line.starts_with("godebug ");
    for line in theirs.lines().filter(kept) {
        // Writing to a String does not fail.
        let _ok = writeln!(text, "{line}");
    }
    let _ok = writeln!(text, "require k8s.io/kubernetes {release}");
    let _ok = writeln!(text, "require k8s.io/component-base {parts}");
    for line in theirs.lines() {
        if let Some((name, folder)) = line.trim().split_once(" => ")
            && folder.starts_with("./staging/")
        {
            let _ok = writeln!(text, "replace {name} => {name} {parts}");
        }
    }
    text
}

#[cfg(test)]
mod tests;
