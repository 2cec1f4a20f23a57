//! Go's side, a program that answers line by line.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use watchkeeper_api::ByteString;

use crate::Outcome;

/// The running program.
#[derive(Debug)]
pub(super) struct Peer {
    child: Child,
    asked: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// What it makes of an object and our bytes of it.
#[derive(Debug)]
pub(super) struct Answer {
    /// How the bytes are wrong.
    pub(super) wrong: Option<String>,
    /// Its own bytes of the object.
    pub(super) bytes: Vec<u8>,
    /// Its JSON of our bytes.
    pub(super) json: Value,
}

impl Peer {
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(program: &Path) -> Outcome<Self> {
        let mut command = Command::new(program);
        command.arg("compare").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child =
            command.spawn().map_err(|e| format!("cannot start {}: {e}", program.display()))?;
        let (asked, answers) = (child.stdin.take(), child.stdout.take());
        let answers = BufReader::new(answers.ok_or("the program has no output")?);
        Ok(Self { child, asked, answers })
    }

    /// Whether it has a type of that name.
    ///
    /// # Errors
    /// When it is gone.
    pub(super) fn knows(&mut self, api_version: &str, kind: &str) -> Outcome<bool> {
        let nothing = json!({"apiVersion": api_version, "kind": kind});
        let answer = self.ask(&nothing, &[])?;
        Ok(!answer.wrong.is_some_and(|wrong| wrong.starts_with("no type is called")))
    }

    /// # Errors
    /// When it is gone, or speaks in riddles.
    pub(super) fn ask(&mut self, object: &Value, bytes: &[u8]) -> Outcome<Answer> {
        let gone = |e: std::io::Error| format!("the program in Go is gone: {e}");
        let line = json!({"json": object, "bytes": ByteString::from(bytes).to_base64()});
        let asked = self.asked.as_mut().ok_or("the program in Go is done")?;
        writeln!(asked, "{line}").and_then(|()| asked.flush()).map_err(gone)?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(gone)?;
        let answer: Value =
            serde_json::from_str(&line).map_err(|e| format!("no answer from Go: {e}"))?;
        let bytes = answer["bytes"].as_str().unwrap_or_default();
        Ok(Answer {
            wrong: answer["wrong"].as_str().map(str::to_owned),
            bytes: ByteString::from_base64(bytes).ok_or("no bytes from Go")?.to_vec(),
            json: answer["json"].clone(),
        })
    }

    /// # Errors
    /// When it does not end well.
    pub(super) fn finish(mut self) -> Outcome<()> {
        drop(self.asked.take());
        let status = self.child.wait().map_err(|e| format!("cannot wait for Go: {e}"))?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the program in Go ended with {status}"))
        }
    }
}
