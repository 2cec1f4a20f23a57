//! `watchkeeper envtest-assets`: a folder for `KUBEBUILDER_ASSETS`.

use std::io;
use std::path::{Path, PathBuf};

use super::Program;
use crate::Outcome;

/// The arguments of `watchkeeper envtest-assets`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder, which is made if it is not there
    dir: PathBuf,
}

/// Links this program into the folder under the names that envtest looks for, and kubectl if there is
/// one; says how the folder is told to envtest.
///
/// # Errors
/// When the folder cannot be written, or has programs of others under these names.
#[expect(clippy::print_stdout, reason = "how the folder is told is what was asked for")]
pub(crate) fn run(args: &Args) -> Outcome {
    let cannot = |what: &Path, error: &io::Error| format!("{}: {error}", what.display());
    std::fs::create_dir_all(&args.dir).map_err(|error| cannot(&args.dir, &error))?;
    let folder = args.dir.canonicalize().map_err(|error| cannot(&args.dir, &error))?;
    let own = std::env::current_exe().map_err(|error| format!("where this program is: {error}"))?;
    for program in Program::ALL {
        link(&own, &folder.join(program.name()))?;
    }
    // envtest needs none; suites that call it look for it there.
    if let Some(kubectl) = in_path("kubectl", &folder) {
        link(&kubectl, &folder.join("kubectl"))?;
    }
    println!("export KUBEBUILDER_ASSETS={}", quoted(&folder));
    Ok(())
}

/// Makes a link, in place of an older one.
fn link(program: &Path, at: &Path) -> Outcome {
    let shown = at.display();
    match std::fs::symlink_metadata(at) {
        Ok(there) if !there.is_symlink() => {
            return Err(format!("{shown} is a program of others and stays; name another folder"));
        }
        Ok(_) => std::fs::remove_file(at).map_err(|error| format!("{shown}: {error}"))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(format!("{shown}: {error}")),
    }
    make(program, at).map_err(|error| format!("{shown} cannot be made: {error}"))
}

#[cfg(unix)]
fn make(program: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(program, at)
}

/// Not everybody may make links there.
#[cfg(not(unix))]
fn make(program: &Path, at: &Path) -> io::Result<()> {
    std::fs::hard_link(program, at.with_extension("exe"))
}

/// The first program of that name in `PATH`, folders other than this one.
fn in_path(name: &str, other_than: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let found = found.filter(|folder| folder.canonicalize().is_ok_and(|own| own != other_than));
    found.map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// As a shell takes it for one word.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::quoted;

    #[test]
    fn a_shell_takes_the_folder_for_one_word() {
        assert_eq!(quoted(Path::new("/a b/c's")), r"'/a b/c'\''s'");
    }
}
