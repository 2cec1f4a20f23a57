//! The sample controller as a program: started, listened to, stopped.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::programs::at_hand;
use crate::{Outcome, process, step};

/// The arguments of `cargo xtask once`.
#[derive(Debug, clap::Args)]
pub(crate) struct Once {
    /// How many runs are timed
    #[arg(long, default_value_t = 10)]
    runs: u32,
}

/// A running sample controller on its embedded cluster.
#[derive(Debug)]
pub(crate) struct Sample {
    child: Child,
    kubeconfig: PathBuf,
    _lines: Receiver<String>,
}

impl Sample {
    /// Starts it and waits until it has converged.
    ///
    /// # Errors
    /// When it is not built, or says nothing of how to join in within half a minute.
    pub(crate) fn start(args: &[&str]) -> Outcome<Self> {
        Self::start_program(&at_hand("sample-controller"), args)
    }

    /// As [`start`](Self::start), of another profile.
    ///
    /// # Errors
    /// The same.
    pub(crate) fn start_program(program: &Path, args: &[&str]) -> Outcome<Self> {
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", program.display()))?;
        let lines = process::lines(child.stdout.take().ok_or("no standard output")?);
        loop {
            let line = lines
                .recv_timeout(Duration::from_secs(30))
                .map_err(|_| "the sample controller did not say how to join in".to_owned())?;
            let Some((_, rest)) = line.split_once("kubectl --kubeconfig ") else { continue };
            let kubeconfig = rest.split_whitespace().next().unwrap_or_default().into();
            return Ok(Self { child, kubeconfig, _lines: lines });
        }
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The kubeconfig of its cluster.
    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.kubeconfig.clone()
    }

    /// Interrupts it, as Ctrl-C does, and wants it to end well.
    ///
    /// # Errors
    /// When it does not.
    pub(crate) fn stop(mut self) -> Outcome<()> {
        process::signal(self.child.id(), "INT");
        let mut status = None;
        step::until(Duration::from_secs(40), || {
            status = self.child.try_wait().map_err(|e| e.to_string())?;
            Ok(status.is_some())
        })?;
        match status {
            Some(status) if status.success() => Ok(()),
            other => Err(format!("the sample controller ended with {other:?}")),
        }
    }
}

impl Drop for Sample {
    fn drop(&mut self) {
        // Ended already is as good as killed.
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
}

/// Runs `sample-controller --once` some times and prints how long each took, from outside.
///
/// # Errors
/// When a run fails.
pub(crate) fn once(args: &Once) -> Outcome {
    for run in 1..=args.runs {
        let mut command = Command::new(at_hand("sample-controller"));
        let (seconds, outcome) = step::measured(|| process::output(command.arg("--once")));
        outcome?;
        eprintln!("sample-controller --once, run {run:>2}  {seconds:.3} s");
    }
    Ok(ExitCode::SUCCESS)
}
