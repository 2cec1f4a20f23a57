//! Building the programs: only what changed, with downloads tried again.

use crate::{Outcome, process, step, workspace};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The release whose programs these are; `conformance/real/go.mod` pins it too.
pub(crate) const RELEASE: &str = "v1.36.3";

const PROGRAMS: [&str; 5] =
    ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl", "keygen"];

/// How often a download is tried, with a longer pause each time.
const ATTEMPTS: u32 = 4;

/// Builds what is missing or older than its sources.
///
/// # Errors
/// When Go is missing, a module cannot be fetched, or a program does not compile.
pub(crate) fn all(bin: &Path) -> Outcome<()> {
    let stamp = stamp()?;
    let stamp_file = bin.join("stamp");
    let fresh = fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp);
    if fresh && PROGRAMS.iter().all(|name| bin.join(name).exists()) {
        return Ok(());
    }
    fs::create_dir_all(bin).map_err(|e| format!("cannot make {}: {e}", bin.display()))?;
    step::timed("go mod download", download)?;
    for name in PROGRAMS {
        step::timed(&format!("go build {name}"), || program(name, bin))?;
    }
    fs::write(&stamp_file, stamp).map_err(|e| format!("cannot write {}: {e}", stamp_file.display()))
}

/// Everything the programs are made of, as text: modules, sources, flags.
fn stamp() -> Outcome<String> {
    let module = module();
    let mut files = vec![module.join("go.mod"), module.join("go.sum")];
    files.push(module.join("lifeline/lifeline.go"));
    files.extend(PROGRAMS.iter().map(|name| module.join("cmd").join(name).join("main.go")));
    let mut text = ldflags();
    for file in files {
        text.push_str(
            &fs::read_to_string(&file)
                .map_err(|e| format!("cannot read {}: {e}", file.display()))?,
        );
    }
    Ok(text)
}

fn download() -> Outcome<()> {
    for attempt in 1.. {
        match process::succeed(go().args(["mod", "download"])) {
            Err(problem) if attempt == ATTEMPTS => return Err(problem),
            Err(problem) => {
                eprintln!("{problem}; trying again");
                step::pause(Duration::from_secs(5 * u64::from(attempt)));
            }
            Ok(()) => break,
        }
    }
    Ok(())
}

fn program(name: &str, bin: &Path) -> Outcome<()> {
    let mut build = go();
    build.args(["build", "-trimpath", "-ldflags", &ldflags(), "-o"]);
    process::succeed(build.arg(bin.join(name)).arg(format!("./cmd/{name}")))
}

/// Without a version the API server cannot answer /version, and kubectl fails to
/// parse its own.
fn ldflags() -> String {
    let mut flags = String::from("-s -w");
    for package in ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"] {
        for (name, value) in [
            ("gitVersion", RELEASE),
            ("gitMajor", "1"),
            ("gitMinor", "36"),
            ("gitTreeState", "clean"),
        ] {
            flags.push_str(&format!(" -X {package}.{name}={value}"));
        }
    }
    flags
}

fn go() -> Command {
    let mut go = Command::new("go");
    go.current_dir(module());
    go
}

fn module() -> std::path::PathBuf {
    workspace::root().join("conformance/real")
}
