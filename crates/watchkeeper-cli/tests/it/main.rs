//! The command as it is called: files in, files out, and what it ends with.

mod cluster;
mod crds;
#[cfg(feature = "serve")]
mod envtest;
mod generate;
mod rbac;
#[cfg(feature = "serve")]
mod serve;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a call ended with.
struct Call {
    ok: bool,
    out: String,
    told: String,
}

/// Runs the command in a folder, with a text on its standard input.
fn call_with(folder: &Path, arguments: &[&str], input: &str) -> Call {
    let mut command = Command::new(env!("CARGO_BIN_EXE_watchkeeper"));
    command.current_dir(folder).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Call { ok: output.status.success(), out: text(output.stdout), told: text(output.stderr) }
}

fn call(folder: &Path, arguments: &[&str]) -> Call {
    call_with(folder, arguments, "")
}

/// Runs the command, which must end well.
fn done(folder: &Path, arguments: &[&str]) -> Call {
    let call = call(folder, arguments);
    assert!(call.ok, "{arguments:?}: {}", call.told);
    call
}

/// Runs the command, which must not; what it says.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let call = call(folder, arguments);
    assert!(!call.ok, "{arguments:?}");
    call.told
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The definitions of the generator's own tests.
fn definitions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../watchkeeper-codegen/tests/data/lamps.yaml")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("it can be written");
}
