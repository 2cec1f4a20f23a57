//! Programs that a chore runs to their end, or starts and stops by process id.

use crate::{Outcome, step};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Runs a program to its end and wants it to succeed.
///
/// # Errors
/// When it cannot be started or fails.
pub(crate) fn succeed(command: &mut Command) -> Outcome<()> {
    let status = status(command)?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", shown(command))) }
}

/// Runs a program to its end.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn status(command: &mut Command) -> Outcome<ExitStatus> {
    command.status().map_err(|e| cannot_run(command, &e))
}

/// Runs a program, wants it to succeed, and gives what it printed.
///
/// # Errors
/// When it cannot be started or fails.
pub(crate) fn output(command: &mut Command) -> Outcome<Vec<u8>> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|e| cannot_run(command, &e))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("{} ended with {}", shown(command), output.status))
    }
}

/// Whether a program ends well; what it prints is dropped.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn answers(command: &mut Command) -> Outcome<bool> {
    Ok(status(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()))?.success())
}

fn cannot_run(command: &Command, error: &std::io::Error) -> String {
    format!("cannot run {}: {error}", shown(command))
}

fn shown(command: &Command) -> String {
    Path::new(command.get_program())
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Seconds of CPU that the programs took that have been waited for, as the kernel counts.
///
/// # Errors
/// Elsewhere than on Linux.
pub(crate) fn children_cpu() -> Outcome<f64> {
    // cutime and cstime are the 16th and 17th field.
    let ticks = ticks("self", 16);
    let ticks = ticks.ok_or("no times in /proc/self/stat; CPU time is measured on Linux")?;
    Ok(ticks as f64 / 100.0)
}

/// How much CPU a program took that runs, in hundredths of a second.
pub(crate) fn cpu_ticks(id: u32) -> Option<u64> {
    // utime and stime are the 14th and 15th field.
    ticks(&id.to_string(), 14)
}

/// The sum of two fields of a process, the first of which is counted from one.
fn ticks(process: &str, field: usize) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second is the name, which may hold spaces.
    let (_, fields) = text.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(field - 3).map(|field| field.parse::<u64>().ok());
    Some(fields.next()?? + fields.next()??)
}

/// How long a started program lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lifetime {
    /// Until this process ends, however it ends.
    Ours,
    /// Until it is stopped by its process id.
    Detached,
}

/// A program in the background that writes to a log file.
#[derive(Debug)]
pub(crate) struct Server {
    name: String,
    child: Child,
}

impl Server {
    /// Starts it in a process group of its own, so that Ctrl-C reaches only us.
    ///
    /// # Errors
    /// When the log cannot be made or the program not be started.
    pub(crate) fn start(mut command: Command, log: &Path, lifetime: Lifetime) -> Outcome<Self> {
        let name = shown(&command);
        let file = File::create(log).map_err(|e| format!("cannot write {}: {e}", log.display()))?;
        let copy = file.try_clone().map_err(|e| format!("cannot write {}: {e}", log.display()))?;
        command.process_group(0).stdout(file).stderr(copy);
        match lifetime {
            Lifetime::Ours => command.env("REAL_LIFELINE", "1").stdin(Stdio::piped()),
            Lifetime::Detached => command.stdin(Stdio::null()),
        };
        let child = command.spawn().map_err(|e| format!("cannot start {name}: {e}"))?;
        Ok(Self { name, child })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// # Errors
    /// When it has ended.
    pub(crate) fn check(&mut self) -> Outcome<()> {
        match self.child.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(format!("{} ended early with {status}", self.name)),
            Err(e) => Err(format!("cannot watch {}: {e}", self.name)),
        }
    }

    /// Ends it without asking, also if it is stopped.
    pub(crate) fn kill(&mut self) {
        // Already gone is as good as ended.
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }

    /// Asks it to end, waits, and insists after a while.
    pub(crate) fn stop(&mut self) {
        drop(self.child.stdin.take());
        terminate(self.child.id());
        let ended = step::until(Duration::from_secs(10), || Ok(self.check().is_err()));
        if ended.is_err() {
            self.kill();
        }
    }
}

/// Asks a process to end. That it is gone already is no failure.
pub(crate) fn terminate(id: u32) {
    signal(id, "TERM");
}

/// Sends a signal with the shell's own `kill`: the program of that name is not on every machine.
pub(crate) fn signal(id: u32, name: &str) {
    let _sent = answers(Command::new("sh").args(["-c", "kill -s $0 $1", name, &id.to_string()]));
}

/// What comes line by line, as it comes. The reading goes on when nobody listens: a pipe must not fill.
pub(crate) fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            let _gone = sender.send(line);
        }
    });
    lines
}

/// Whether a process with this id runs this program: ids are used again.
pub(crate) fn runs(id: u32, program: &Path) -> bool {
    command_line(id).split(|byte| *byte == 0).next() == Some(program.as_os_str().as_bytes())
}

/// Whether a process has this id, and has not ended.
pub(crate) fn exists(id: u32) -> bool {
    !command_line(id).is_empty()
}

/// The program and its arguments, each with a zero byte after it; empty when it has ended.
fn command_line(id: u32) -> Vec<u8> {
    std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default()
}

#[cfg(test)]
mod tests;
