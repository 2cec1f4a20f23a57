//! Building the programs: only what changed, in a fixed order.

use super::files;
use crate::{Outcome, go, process, step, workspace};
use std::fs;
use std::path::{Path, PathBuf};

/// The release whose programs these are; `conformance/real/go.mod` pins it too.
pub(crate) const RELEASE: &str = "v1.36.3";

const PROGRAMS: [&str; 8] = [
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kubectl",
    "keygen",
    "leader",
    "node",
    "executor",
];

/// Builds what is missing or older than its sources.
///
/// # Errors
/// When Go is missing, a module cannot be fetched, or a program does not compile.
pub(crate) fn all(bin: &Path) -> Outcome<()> {
    let stamp = stamp()?;
    let stamp_file = bin.join("stamp");
    let is_fresh = || {
        fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp)
            && PROGRAMS.iter().all(|name| bin.join(name).exists())
    };
    if is_fresh() {
        return Ok(());
    }
    fs::create_dir_all(bin).map_err(|e| format!("cannot make {}: {e}", bin.display()))?;
    // Another run that builds them is waited for.
    let _lock = files::lock(&bin.join("lock"))?;
    if is_fresh() {
        return Ok(());
    }
    step::timed("go mod download", || go::download(&module()))?;
    for name in PROGRAMS {
        step::timed(&format!("go build {name}"), || program(&module(), name, bin, RELEASE))?;
    }
    fs::write(&stamp_file, &stamp)
        .map_err(|e| format!("cannot write {}: {e}", stamp_file.display()))
}

/// Everything the programs are made of, as text: modules, sources, flags.
fn stamp() -> Outcome<String> {
    let module = module();
    let mut files = vec![module.join("go.mod"), module.join("go.sum")];
    files.push(module.join("lifeline/lifeline.go"));
    for name in PROGRAMS {
        let folder = module.join("cmd").join(name);
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut sources: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        sources.sort();
        files.extend(sources);
    }
    let mut text = ldflags(RELEASE);
    for file in files {
        text.push_str(
            &fs::read_to_string(&file)
                .map_err(|e| format!("cannot read {}: {e}", file.display()))?,
        );
    }
    Ok(text)
}

/// Builds a program of a module.
///
/// # Errors
/// When it does not compile.
pub(super) fn program(module: &Path, name: &str, bin: &Path, release: &str) -> Outcome<()> {
    // Put in its place when it is whole: the old one may be running.
    let made = bin.join(format!("{name}.new"));
    let mut build = go::build(module);
    build.args(["-ldflags", &ldflags(release), "-o"]).arg(&made).arg(format!("./cmd/{name}"));
    process::succeed(&mut build)?;
    fs::rename(&made, bin.join(name)).map_err(|e| format!("cannot place {name}: {e}"))
}

/// Without a version the API server cannot answer /version, and kubectl fails to
/// parse its own.
fn ldflags(release: &str) -> String {
    let minor = release.split('.').nth(1).unwrap_or_default();
    let mut flags = String::from("-s -w");
    for package in ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"] {
        for (name, value) in [
            ("gitVersion", release),
            ("gitMajor", "1"),
            ("gitMinor", minor),
            ("gitTreeState", "clean"),
        ] {
            flags.push_str(&format!(" -X {package}.{name}={value}"));
        }
    }
    flags
}

/// Where the pinned release is named.
pub(super) fn module() -> PathBuf {
    workspace::root().join("conformance/real")
}
