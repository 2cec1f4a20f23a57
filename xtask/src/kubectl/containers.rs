//! `kubectl exec`, `attach`, `cp` and `port-forward`, on the cluster of the example `containers`, whose pods have
//! programs, files and ports.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::checks::{check, fed, gone};
use super::{Check, Kubectl, ports};
use crate::programs::at_hand;
use crate::sample::Sample;
use crate::{Outcome, process, step, workspace};

/// What is typed; what is copied comes after it.
const ALL: &[Check] = &[
    check("exec toolbox -c main -- echo a 'b c'", &["a b c"]),
    check(
        "exec toolbox -- env",
        &["Defaulted container \"main\" out of: main, side", "HOSTNAME=toolbox"],
    ),
    check("exec toolbox -c side -- cat /etc/hostname", &["toolbox"]),
    fed("exec -i toolbox -c main -- cat", "to and\nfro\n", &["to and fro"]),
    check("exec toolbox -c main -- mkdir /tmp/mine", &[]),
    check("exec toolbox -c main -- ls /tmp", &["mine"]),
    Check { lacks: &["mine"], ..check("exec toolbox -c side -- ls /tmp", &[]) },
    gone(
        "exec toolbox -c main -- ls /none",
        &["ls: /none: No such file or directory", "command terminated with exit code 2"],
    ),
    gone("exec toolbox -c main -- vi", &["exec: \"vi\": executable file not found in $PATH"]),
    gone("exec toolbox -c other -- ls", &["container other is not valid for pod toolbox"]),
    fed("attach -i toolbox -c side", "is heard\n", &["is heard"]),
    // What is made later has programs, too.
    check("run later --image none", &["pod/later created"]),
    check("exec later -- cat /etc/hostname", &["later"]),
];

/// Runs the checks on a cluster of their own, and tells how many there are.
///
/// # Errors
/// The first check that fails, or what was not copied as it is.
pub(super) fn checks(program: &Path, verbose: bool) -> Outcome<usize> {
    let sample = Sample::start_program(&at_hand("containers"), &[])?;
    let kubectl =
        Kubectl { program: program.to_path_buf(), kubeconfig: sample.kubeconfig(), verbose };
    for check in ALL {
        kubectl.check(check)?;
    }
    code(&kubectl)?;
    let copied = step::timed("cp", || copied(&kubectl))?;
    let forwarded = step::timed("port-forward", || ports::checks(&kubectl))?;
    sample.stop()?;
    Ok(ALL.len() + 1 + copied + forwarded)
}

/// kubectl ends with the code of the program.
fn code(kubectl: &Kubectl) -> Outcome<()> {
    let mut command = kubectl.command();
    command.args(["exec", "toolbox", "-c", "main", "--", "ls", "/none"]);
    let code = command.output().map_err(|e| format!("kubectl: {e}"))?.status.code();
    if code == Some(2) { Ok(()) } else { Err(format!("kubectl exec ended with {code:?}, not 2")) }
}

/// Copies a file and a folder there and back.
fn copied(kubectl: &Kubectl) -> Outcome<usize> {
    let folder = workspace::target().join("kubectl-cp");
    let _last = fs::remove_dir_all(&folder);
    let (file, tree) = (folder.join("file"), folder.join("tree"));
    write(&file, b"one\n")?;
    write(&tree.join("large"), &large())?;
    write(&tree.join("deep/er/empty"), b"")?;
    make(&tree.join("nothing"))?;

    let (file_back, tree_back) = (folder.join("file-back"), folder.join("tree-back"));
    let there = |path: &'static str| Path::new(path);
    let copies = [
        (&*file, there("toolbox:/tmp/file")),
        // Into a folder that is there.
        (&file, there("toolbox:/etc")),
        (&tree, there("toolbox:/tmp/tree")),
        (there("toolbox:/etc/file"), &*file_back),
        (there("toolbox:/tmp/tree"), &tree_back),
    ];
    for (from, to) in copies {
        process::output(kubectl.command().args(["cp", "-c", "side"]).args([from, to]))?;
    }
    same(&file, &file_back)?;
    same(&tree, &tree_back)?;
    kubectl.check(&gone("cp toolbox:/none none -c side", &["tar: /none: Cannot stat"]))?;
    Ok(copies.len() + 1)
}

/// More than fits into a message, and no text.
fn large() -> Vec<u8> {
    (0..300_000_u32).map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect()
}

fn make(folder: &Path) -> Outcome<()> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

fn write(file: &Path, bytes: &[u8]) -> Outcome<()> {
    file.parent().map_or(Ok(()), make)?;
    fs::write(file, bytes).map_err(|e| format!("{}: {e}", file.display()))
}

fn same(one: &Path, other: &Path) -> Outcome<()> {
    if tree(one)? == tree(other)? {
        return Ok(());
    }
    Err(format!("{} is not what {} is", other.display(), one.display()))
}

/// What is in a folder, by the paths in it; folders have no bytes.
fn tree(root: &Path) -> Outcome<BTreeMap<PathBuf, Option<Vec<u8>>>> {
    let told = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let (mut found, mut left) = (BTreeMap::new(), vec![root.to_path_buf()]);
    while let Some(path) = left.pop() {
        let name = path.strip_prefix(root).map_err(|e| e.to_string())?.to_path_buf();
        if path.is_dir() {
            for entry in fs::read_dir(&path).map_err(|e| told(&path, e))? {
                left.push(entry.map_err(|e| told(&path, e))?.path());
            }
            found.insert(name, None);
        } else {
            found.insert(name, Some(fs::read(&path).map_err(|e| told(&path, e))?));
        }
    }
    Ok(found)
}
