//! `cargo xtask guide`: follows docs/first-operator.md from an empty folder, as its readers do.
//!
//! Blocks with a file's name are written, `sh` is run, and the `text` below it is what that must print.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::process::{Lifetime, Server};
use crate::programs::{built, is_built};
use crate::{Outcome, step, workspace};

mod page;
#[cfg(test)]
mod tests;

use page::{Block, Printed};

/// The arguments of `cargo xtask guide`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The kubectl to use [default: the one that `cargo xtask real build` made]
    #[arg(long, env = "KUBECTL")]
    kubectl: Option<PathBuf>,
    /// Leave the folder behind, and tell which one it is
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    cache: crate::real::Cache,
}

impl Args {
    /// With everything built as readers build it.
    pub(crate) fn of(cache: crate::real::Cache) -> Self {
        Self { kubectl: None, keep: false, cache }
    }
}

/// What starts in the background may have to be built before.
const STARTED_WITHIN: Duration = Duration::from_secs(900);

/// Runs the chore.
///
/// # Errors
/// The first command that fails or prints something else.
pub(crate) fn run(args: &Args) -> Outcome {
    let kubectl = match &args.kubectl {
        Some(program) => program.clone(),
        None => args.cache.folder()?.join("bin/kubectl"),
    };
    let text = read(&workspace::root().join("docs/first-operator.md"))?;
    let folder = std::env::temp_dir().join(format!("watchkeeper-guide-{}", std::process::id()));
    let command = is_built().then(|| built("debug", "watchkeeper"));
    let followed = Reader::new(&folder, &kubectl, command)
        .and_then(|mut reader| page::blocks(&text).iter().try_for_each(|block| reader.take(block)));
    if args.keep {
        eprintln!("the folder is {}", folder.display());
    } else {
        drop(std::fs::remove_dir_all(&folder));
    }
    followed.map(|()| ExitCode::SUCCESS)
}

/// Who does what the page says.
struct Reader {
    /// The empty folder.
    start: PathBuf,
    /// What need not be installed.
    command: Option<PathBuf>,
    path: String,
    /// Lines that change the shell they are typed into.
    typed: Vec<String>,
    /// What was written so far.
    files: BTreeMap<String, String>,
    running: Vec<Server>,
    printed: Printed,
}

impl Reader {
    fn new(start: &Path, kubectl: &Path, command: Option<PathBuf>) -> Outcome<Self> {
        let bin = start.join("installed/bin");
        std::fs::create_dir_all(&bin).map_err(|e| format!("{}: {e}", bin.display()))?;
        link(kubectl, &bin.join("kubectl"))?;
        link(&workspace::root(), &start.join("watchkeeper"))?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = format!("{}:{}", bin.display(), path.display());
        Ok(Self {
            start: start.to_owned(),
            command,
            path,
            typed: Vec::new(),
            files: BTreeMap::new(),
            running: Vec::new(),
            printed: Printed::Nothing,
        })
    }

    fn take(&mut self, block: &Block<'_>) -> Outcome<()> {
        match (block.language, block.label) {
            ("sh", "") => step::timed(first_line(block.text), || self.call(block.text)),
            ("sh", how) => step::timed(first_line(block.text), || self.start(block.text, how)),
            ("text", _) => self.compare(block.text),
            (_, "") => Ok(()),
            (_, file) => self.write(file, block.text),
        }
    }

    /// A block of a file, or what goes below the last one of the same file.
    fn write(&mut self, file: &str, text: &str) -> Outcome<()> {
        let path = self.start.join("first-operator").join(file);
        let whole = self.files.entry(file.to_owned()).or_default();
        if !whole.is_empty() {
            whole.push('\n');
        }
        whole.push_str(text);
        std::fs::write(&path, whole).map_err(|e| format!("{}: {e}", path.display()))
    }

    fn shell(&self, text: &str) -> Command {
        let mut command = Command::new("bash");
        command.args(["-euc", &format!("{}\n{text}", self.typed.join("\n"))]);
        command.current_dir(&self.start).env("PATH", &self.path).stdin(Stdio::null());
        command.env("CARGO_INSTALL_ROOT", self.start.join("installed"));
        command.env_remove("KUBECONFIG").env("KUBERC", "off").env("NO_COLOR", "1");
        command
    }

    fn call(&mut self, text: &str) -> Outcome<()> {
        if text.starts_with("cargo install ")
            && let Some(command) = &self.command
        {
            self.printed = Printed::Nothing;
            return link(command, &self.start.join("installed/bin/watchkeeper"));
        }
        let command = self.shell(&format!("exec 2>&1\n{text}")).output();
        let output = command.map_err(|e| format!("cannot start bash: {e}"))?;
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            return Err(format!("{text}ended with {}:\n{told}", output.status));
        }
        let stays = |line: &&str| line.starts_with("cd ") || line.starts_with("export ");
        self.typed.extend(text.lines().filter(stays).map(str::to_owned));
        self.printed = Printed::Whole(told);
        Ok(())
    }

    /// Starts what runs in a terminal of its own; `background stop` ends the last one before.
    fn start(&mut self, text: &str, how: &str) -> Outcome<()> {
        if how.ends_with("stop")
            && let Some(mut last) = self.running.pop()
        {
            last.stop();
        }
        let log = self.start.join(format!("terminal-{}", self.running.len()));
        let command = self.shell(&format!("exec {text}"));
        self.running.push(Server::start(command, &log, Lifetime::Detached)?);
        self.printed = Printed::Growing(log);
        Ok(())
    }

    fn compare(&mut self, wanted: &str) -> Outcome<()> {
        match std::mem::replace(&mut self.printed, Printed::Nothing) {
            Printed::Nothing => Err(format!("nothing was called that prints:\n{wanted}")),
            Printed::Whole(told) => page::missing(wanted, &told),
            Printed::Growing(log) => {
                let mut last = Ok(());
                let waited = step::until(STARTED_WITHIN, || {
                    last = page::missing(wanted, &read(&log)?);
                    self.running.last_mut().map_or(Ok(()), Server::check)?;
                    Ok(last.is_ok())
                });
                last.and(waited)
            }
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.running.iter_mut().rev().for_each(Server::stop);
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn link(to: &Path, at: &Path) -> Outcome<()> {
    std::os::unix::fs::symlink(to, at).map_err(|e| format!("{}: {e}", at.display()))
}
