//! controller-runtime's own tests that stand on envtest.

use std::fs;
use std::path::Path;

use crate::{Outcome, go, process};

/// Where its packages are.
const HOME: &str = "sigs.k8s.io/controller-runtime/pkg";

/// The packages whose tests start an environment. Not among them: `client/apiutil`, which downloads programs, and
/// `metrics/filters`, which needs modules that nothing else here does.
const PACKAGES: [&str; 12] = [
    "builder",
    "client",
    "cluster",
    "controller",
    "controller/controllerutil",
    "envtest",
    "handler",
    "internal/recorder",
    "manager/internal/integration",
    "reconcile",
    "source",
    "webhook",
];

/// Those that take minutes.
const LONG: [&str; 3] = ["cache", "internal/controller", "manager"];

/// Runs the tests of the packages, those that take minutes as well if they are wanted; how many there were.
///
/// # Errors
/// When a test fails, or a package has none.
pub(super) fn run(module: &Path, assets: &Path, log: &Path, is_long: bool) -> Outcome<usize> {
    let long = LONG.iter().filter(|_| is_long);
    let packages: Vec<String> =
        PACKAGES.iter().chain(long).map(|name| format!("{HOME}/{name}")).collect();
    let cannot = |e| format!("{}: {e}", log.display());
    let file = fs::File::create(log).map_err(cannot)?;
    let copy = file.try_clone().map_err(cannot)?;
    let mut test = go::command(module);
    test.args(["test", "-trimpath", "-mod=readonly", "-buildvcs=false", "-vet=off"]);
    // They wait for a second where they wait: one package at a time.
    test.args(["-count=1", "-p=1"]).args(&packages).env("KUBEBUILDER_ASSETS", assets);
    let outcome = process::succeed(test.stdout(file).stderr(copy));
    let told = fs::read_to_string(log).map_err(cannot)?;
    let all_of_it = format!("(all of it is in {})", log.display());
    if let Err(problem) = outcome {
        return Err(format!("{problem}\n{}\n{all_of_it}", failures(&told)));
    }
    match passed(&told) {
        number if number == packages.len() => Ok(number),
        number => Err(format!("{number} of {} packages passed {all_of_it}", packages.len())),
    }
}

/// How many packages have tests that passed.
pub(super) fn passed(told: &str) -> usize {
    let ok = |line: &&str| line.starts_with("ok  \t") && !line.contains("[no tests");
    told.lines().filter(ok).count()
}

/// The lines that name what failed.
pub(super) fn failures(told: &str) -> String {
    let failed = |line: &&str| line.contains("[FAIL]") || line.starts_with("FAIL\t");
    told.lines().filter(failed).collect::<Vec<_>>().join("\n")
}
