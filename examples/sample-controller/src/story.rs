//! The story of a run: one line for each thing that came, changed or went.
//!
//! [`Story`] decides what is worth a line; [`Teller`] prints it.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use watchkeeper::api::apps::v1::ReplicaSet;
use watchkeeper::api::core::v1::{Event, Pod};
use watchkeeper::prelude::*;

use crate::args::Output;
use crate::foo::Foo;

#[cfg(test)]
mod tests;

/// One line of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Since the start of the process.
    pub at: Duration,
    /// What it is about: `cluster`, `foo`, `deployment`, …
    pub subject: &'static str,
    /// Which one: `namespace/name`.
    pub name: String,
    /// What happened.
    pub text: String,
}

/// Remembers what was told of each thing, so that nothing is told twice.
#[derive(Debug, Default)]
pub struct Story {
    told: BTreeMap<(&'static str, String), String>,
}

impl Story {
    /// A line, unless the last one about the same thing said the same.
    pub fn tell(
        &mut self,
        at: Duration,
        subject: &'static str,
        name: impl Into<String>,
        text: impl Into<String>,
    ) -> Option<Line> {
        let (name, text) = (name.into(), text.into());
        let last = self.told.insert((subject, name.clone()), text.clone());
        (last.as_ref() != Some(&text)).then_some(Line { at, subject, name, text })
    }

    /// The line of a change, if it is worth one.
    pub fn hear<K: Told>(&mut self, at: Duration, change: &Change<K>) -> Option<Line> {
        let object = change.object();
        let name = object.title();
        match change {
            Change::Deleted { .. } => {
                let line = self.tell(at, K::SUBJECT, name.clone(), "deleted");
                self.told.remove(&(K::SUBJECT, name));
                line.filter(|_| K::MORTAL)
            }
            Change::Added { .. } | Change::Updated { .. } => {
                self.tell(at, K::SUBJECT, name, object.summary()?)
            }
        }
    }
}

/// A kind that the story follows.
pub trait Told: Object {
    /// The word in the subject column.
    const SUBJECT: &'static str;
    /// Whether its end is worth a line.
    const MORTAL: bool = true;

    /// Which one it is.
    fn title(&self) -> String {
        self.key().to_string()
    }

    /// Its state in a few words; `None` where there is nothing to tell yet.
    fn summary(&self) -> Option<String>;
}

impl Told for Foo {
    const SUBJECT: &'static str = "foo";

    fn summary(&self) -> Option<String> {
        if self.spec.deployment_name.is_empty() {
            return Some("names no Deployment".to_owned());
        }
        let available = self.status.available_replicas;
        Some(match self.spec.replicas {
            Some(wanted) => {
                format!(
                    "asks for Deployment {}: {available} of {wanted} available",
                    self.spec.deployment_name
                )
            }
            None => {
                format!("asks for Deployment {}: {available} available", self.spec.deployment_name)
            }
        })
    }
}

impl Told for Deployment {
    const SUBJECT: &'static str = "deployment";

    fn summary(&self) -> Option<String> {
        let status = &self.status;
        let wanted = self.spec.replicas.unwrap_or(1);
        Some(format!(
            "{} of {wanted} available, {} up to date",
            status.available_replicas, status.updated_replicas
        ))
    }
}

impl Told for ReplicaSet {
    const SUBJECT: &'static str = "replicaset";

    fn summary(&self) -> Option<String> {
        let wanted = self.spec.replicas.unwrap_or(1);
        Some(format!("{} of {wanted} ready", self.status.ready_replicas))
    }
}

impl Told for Pod {
    const SUBJECT: &'static str = "pod";

    fn summary(&self) -> Option<String> {
        if self.is_deleting() {
            return Some("terminating".to_owned());
        }
        let ready = self
            .status
            .conditions
            .iter()
            .any(|condition| condition.type_ == "Ready" && condition.status == "True");
        Some(if ready {
            format!("ready on {} at {}", self.spec.node_name, self.status.pod_ip)
        } else if self.spec.node_name.is_empty() {
            "waits for a node".to_owned()
        } else {
            format!("placed on {}", self.spec.node_name)
        })
    }
}

impl Told for Event {
    const SUBJECT: &'static str = "event";
    const MORTAL: bool = false;

    fn title(&self) -> String {
        format!("{} {}", self.involved_object.kind, self.involved_object.name)
    }

    fn summary(&self) -> Option<String> {
        Some(match self.count {
            0 | 1 => format!("{}: {}", self.reason, self.message),
            count => format!("{} (x{count}): {}", self.reason, self.message),
        })
    }
}

/// Prints lines, for people or for machines.
#[derive(Debug)]
pub struct Teller {
    output: Output,
    coloured: bool,
}

impl Teller {
    /// Colours only on a terminal, and only text.
    #[must_use]
    pub fn new(output: Output) -> Self {
        Self { output, coloured: output == Output::Text && std::io::stdout().is_terminal() }
    }

    /// Prints one line. A reader that went away is not an error.
    pub fn print(&self, line: &Line) {
        let text = match self.output {
            Output::Text => render(line, self.coloured),
            Output::Json => json(line),
        };
        let mut stdout = std::io::stdout().lock();
        let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    }
}

/// The aligned line: seconds, subject, text; the name before the text.
fn render(line: &Line, coloured: bool) -> String {
    let style = if coloured { style_of(line.subject) } else { Style::new() };
    let dim = if coloured { Style::new().dimmed() } else { Style::new() };
    let seconds = line.at.as_secs_f64();
    let name = if line.name.is_empty() { String::new() } else { format!("{}  ", line.name) };
    format!("{dim}{seconds:8.3}s{dim:#}  {style}{:<10}{style:#}  {name}{}", line.subject, line.text)
}

fn style_of(subject: &str) -> Style {
    let colour = match subject {
        "foo" => AnsiColor::Green,
        "deployment" => AnsiColor::Blue,
        "replicaset" => AnsiColor::Cyan,
        "pod" => AnsiColor::Magenta,
        "event" => AnsiColor::Yellow,
        _ => AnsiColor::White,
    };
    Style::new().fg_color(Some(colour.into())).bold()
}

fn json(line: &Line) -> String {
    serde_json::json!({
        "seconds": line.at.as_secs_f64(),
        "subject": line.subject,
        "name": line.name,
        "text": line.text,
    })
    .to_string()
}
