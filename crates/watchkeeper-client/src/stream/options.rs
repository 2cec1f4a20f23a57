//! What to run, and with which streams.

use crate::query::Query;

/// What to run in which container, and which of its streams to take (upstream: `PodExecOptions`,
/// `PodAttachOptions`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecOptions {
    /// The program and its arguments; not looked at by attach.
    pub command: Vec<String>,
    /// In which container; may be left out where there is one.
    pub container: Option<String>,
    /// Whether there is standard input.
    pub stdin: bool,
    /// Whether to take standard output.
    pub stdout: bool,
    /// Whether to take standard error. A terminal has none of its own.
    pub stderr: bool,
    /// Whether it is a terminal.
    pub tty: bool,
}

impl ExecOptions {
    /// Runs `command` and takes its output.
    pub fn new<S: Into<String>>(command: impl IntoIterator<Item = S>) -> Self {
        let command = command.into_iter().map(Into::into).collect();
        Self { command, container: None, stdin: false, stdout: true, stderr: true, tty: false }
    }

    /// Takes the output of what runs: for attach.
    #[must_use]
    pub fn output() -> Self {
        Self::new(Vec::<String>::new())
    }

    /// In this container.
    #[must_use]
    pub fn container(mut self, name: impl Into<String>) -> Self {
        self.container = Some(name.into());
        self
    }

    /// With standard input.
    #[must_use]
    pub const fn stdin(mut self) -> Self {
        self.stdin = true;
        self
    }

    /// In a terminal, which mixes standard error into standard output.
    #[must_use]
    pub const fn tty(mut self) -> Self {
        (self.tty, self.stderr) = (true, false);
        self
    }

    pub(super) fn query(&self) -> Query {
        let mut query = Query::default();
        for word in &self.command {
            query.raw("command", word);
        }
        query.text("container", self.container.as_deref().unwrap_or(""));
        for (name, set) in [
            ("stdin", self.stdin),
            ("stdout", self.stdout),
            ("stderr", self.stderr),
            ("tty", self.tty),
        ] {
            query.text(name, if set { "true" } else { "" });
        }
        query
    }
}
