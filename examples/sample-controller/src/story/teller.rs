//! How lines look, and where they go.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};

use super::Line;
use crate::args::Output;

/// Prints lines, for people or for machines: the story on standard output, asides on standard
/// error.
#[derive(Debug)]
pub struct Teller {
    output: Output,
    story_coloured: bool,
    asides_coloured: bool,
}

impl Teller {
    /// Colours only on a terminal, and only text.
    #[must_use]
    pub fn new(output: Output) -> Self {
        let text = output == Output::Text;
        Self {
            output,
            story_coloured: text && io::stdout().is_terminal(),
            asides_coloured: text && io::stderr().is_terminal(),
        }
    }

    /// Prints one line of the story. A reader that went away is not an error.
    pub fn print(&self, line: &Line) {
        self.print_to(io::stdout().lock(), line, self.story_coloured);
    }

    /// Prints what is told beside the story.
    pub fn print_aside(&self, line: &Line) {
        self.print_to(io::stderr().lock(), line, self.asides_coloured);
    }

    fn print_to(&self, mut to: impl Write, line: &Line, coloured: bool) {
        let text = match self.output {
            Output::Text => render(line, coloured),
            Output::Json => json(line),
        };
        let _gone = writeln!(to, "{text}").and_then(|()| to.flush());
    }
}

/// The aligned line: seconds, subject, text; the name before the text.
pub(super) fn render(line: &Line, coloured: bool) -> String {
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
        "event" | "warning" => AnsiColor::Yellow,
        "error" => AnsiColor::Red,
        _ => AnsiColor::White,
    };
    Style::new().fg_color(Some(colour.into())).bold()
}

/// The line as one JSON object.
pub(super) fn json(line: &Line) -> String {
    serde_json::json!({
        "seconds": line.at.as_secs_f64(),
        "subject": line.subject,
        "name": line.name,
        "text": line.text,
    })
    .to_string()
}
