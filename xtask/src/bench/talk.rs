//! Programs that are asked and answer line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::Outcome;

/// A program to talk with; stopped when it is dropped.
#[derive(Debug)]
pub(super) struct Talk {
    name: String,
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Talk {
    pub(super) fn start(mut command: Command) -> Outcome<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        let failed = |e: &dyn std::fmt::Display| format!("{name}: {e}");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| failed(&e))?;
        let answers = child.stdout.take().ok_or_else(|| failed(&"no output"))?;
        Ok(Self { name, child, answers: BufReader::new(answers) })
    }

    pub(super) fn say(&mut self, line: &str) -> Outcome<()> {
        let said = self.child.stdin.as_mut().map(|input| writeln!(input, "{line}"));
        said.and_then(Result::ok).ok_or_else(|| format!("{} does not listen", self.name))
    }

    /// Its process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line it prints.
    pub(super) fn hear(&mut self) -> Outcome<String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(1..) => Ok(line.trim_end().to_owned()),
            _ => Err(format!("{} ended instead of answering", self.name)),
        }
    }

    /// The next line it prints, as numbers.
    pub(super) fn hear_numbers<const N: usize>(&mut self) -> Outcome<[u64; N]> {
        let line = self.hear()?;
        numbers(&line).ok_or_else(|| format!("{} answered {line:?}", self.name))
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // Already gone is as good as ended.
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
}

/// A line of so many numbers.
pub(super) fn numbers<const N: usize>(line: &str) -> Option<[u64; N]> {
    let numbers: Option<Vec<u64>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}
