//! `cargo xtask kubectl`: an unmodified kubectl against the sample controller's embedded cluster, and against one
//! whose containers have programs and ports.
//!
//! Each check is a command line a person would type, and what must be in the answer.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::sample::Sample;
use crate::{Outcome, process, real, step};

mod checks;
mod containers;
mod counted;
mod ports;
mod stream;

/// The releases of other kubectls than the pinned one.
pub(crate) const MINORS: [&str; 2] = ["v1.35.4", "v1.37.2"];

/// Which of them is of a minor version: `v1.35.4` of `1.35`.
///
/// # Errors
/// When none is.
pub(crate) fn release_of(minor: &str) -> Outcome<&'static str> {
    let is_of = |release: &&str| release.starts_with(&format!("v{minor}."));
    let found = MINORS.into_iter().find(is_of);
    found.ok_or_else(|| format!("beside the pinned one there are {}", MINORS.join(" and ")))
}

/// The arguments of `cargo xtask kubectl`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The kubectl to use [default: the one that `cargo xtask real build` made]
    #[arg(long, env = "KUBECTL")]
    kubectl: Option<PathBuf>,
    /// With those of the minor versions before and after it, too, which upstream supports with a server of its own
    #[arg(long, conflicts_with = "kubectl")]
    minors: bool,
    /// Print every command with its answer
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    cache: real::Cache,
}

impl Args {
    /// With other kubectls than the pinned one, too.
    pub(crate) fn with_minors(cache: real::Cache) -> Self {
        Self { kubectl: None, minors: true, verbose: false, cache }
    }
}

/// One command line and what it must answer.
#[derive(Debug)]
pub(crate) struct Check {
    /// As typed after `kubectl`; split at blanks, `'…'` kept together.
    pub(crate) line: &'static str,
    /// What is fed to it.
    pub(crate) stdin: &'static str,
    /// Each must be in the answer (standard output and error together), blanks folded.
    pub(crate) has: &'static [&'static str],
    /// None may be in it.
    pub(crate) lacks: &'static [&'static str],
    /// Whether it must fail.
    pub(crate) fails: bool,
    /// How long to try again until the answer is right: what actors do takes a moment.
    pub(crate) within: Duration,
}

/// A kubectl and the cluster it talks to.
#[derive(Debug)]
pub(crate) struct Kubectl {
    program: PathBuf,
    kubeconfig: PathBuf,
    verbose: bool,
}

/// Runs the chore.
///
/// # Errors
/// The first check that fails, with the whole answer.
pub(crate) fn run(args: &Args) -> Outcome {
    let folder = args.cache.folder()?;
    let pinned = args.kubectl.clone().unwrap_or_else(|| folder.join("bin/kubectl"));
    checked(args, pinned)?;
    for release in if args.minors { &MINORS[..] } else { &[] } {
        checked(args, real::kubectl_of(&folder, release)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the checks with one kubectl, on a cluster of their own.
fn checked(args: &Args, program: PathBuf) -> Outcome<()> {
    let sample = Sample::start(&[])?;
    let kubectl = Kubectl { program, kubeconfig: sample.kubeconfig(), verbose: args.verbose };
    let version = process::output(kubectl.command().arg("version"))?;
    eprint!("{}", String::from_utf8_lossy(&version));
    let mut count = 0;
    for check in checks::ALL {
        kubectl.check(check)?;
        count += 1;
    }
    count += step::timed("x7 over 16m", || counted::counted(&kubectl))?;
    count += step::timed("get -w", || stream::watch(&kubectl))?;
    count += step::timed("proxy", || stream::proxy(&kubectl))?;
    sample.stop()?;
    count += step::timed("exec, attach, cp, port-forward", || {
        containers::checks(&kubectl.program, kubectl.verbose)
    })?;
    eprintln!("{count} kubectl checks passed");
    Ok(())
}

impl Kubectl {
    /// The program with the cluster's kubeconfig and nothing of the user's.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--kubeconfig").arg(&self.kubeconfig).stdin(Stdio::null());
        let cache = self.kubeconfig.with_file_name("cache");
        command.arg("--cache-dir").arg(cache).env("KUBERC", "off");
        command.env("KUBE_EDITOR", "sed -i -e 's/replicas: 2/replicas: 3/'");
        command
    }

    fn check(&self, check: &Check) -> Outcome<()> {
        let mut last = String::new();
        let tried = step::until(check.within, || {
            let (success, answer) = self.answer(check.line, check.stdin)?;
            let complaint = complaint(check, success, &answer);
            last = complaint.as_ref().map_or_else(String::new, |complaint| {
                format!("kubectl {}: {complaint}\n{answer}", check.line)
            });
            if self.verbose && complaint.is_none() {
                eprintln!("$ kubectl {}\n{answer}", check.line);
            }
            Ok(complaint.is_none())
        });
        match tried {
            Ok(()) => Ok(()),
            Err(_) if !last.is_empty() => Err(last),
            Err(problem) => Err(problem),
        }
    }

    /// Whether a command line succeeds, and what it says.
    fn answer(&self, line: &str, stdin: &str) -> Outcome<(bool, String)> {
        use std::io::Write as _;
        let mut child = self
            .command()
            .args(words(line))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", self.program.display()))?;
        if let Some(mut input) = child.stdin.take() {
            // A kubectl that does not read its input has closed it, which is no failure.
            let _closed = input.write_all(stdin.as_bytes());
        }
        let output = child.wait_with_output().map_err(|e| format!("kubectl: {e}"))?;
        let mut answer = String::from_utf8_lossy(&output.stdout).into_owned();
        answer.push_str(&String::from_utf8_lossy(&output.stderr));
        Ok((output.status.success(), answer))
    }
}

/// What is wrong with an answer.
fn complaint(check: &Check, success: bool, answer: &str) -> Option<String> {
    if success == check.fails {
        let wanted = if check.fails { "fail" } else { "succeed" };
        return Some(format!("it should {wanted}"));
    }
    let folded = answer.split_whitespace().collect::<Vec<_>>().join(" ");
    let missing = check.has.iter().find(|text| !folded.contains(**text));
    let surplus = check.lacks.iter().find(|text| folded.contains(**text));
    match (missing, surplus) {
        (Some(text), _) => Some(format!("{text:?} is missing")),
        (None, Some(text)) => Some(format!("{text:?} should not be there")),
        (None, None) => None,
    }
}

/// Splits a command line at blanks, keeping `'…'` together.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{MINORS, release_of};

    #[test]
    fn a_minor_version_names_a_release() {
        let named = ["1.35", "1.37"].map(|minor| release_of(minor).expect("a release"));
        assert_eq!(named, MINORS);
        let other = Err("beside the pinned one there are v1.35.4 and v1.37.2".to_owned());
        assert_eq!(
            [release_of("1.36"), release_of("1.3"), release_of("")],
            [&other; 3].map(Clone::clone)
        );
    }
}
