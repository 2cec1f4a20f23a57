//! The story of a run: one line for each thing that came, changed or went.
//!
//! [`Story`] decides what is worth a line, [`kinds`] has the words, [`Teller`] prints.

use std::collections::BTreeMap;
use std::time::Duration;

use watchkeeper::prelude::*;

use crate::foo::Foo;

pub mod kinds;
pub mod teller;

#[cfg(test)]
mod tests;

pub use self::kinds::Told;
pub use self::teller::Teller;

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

/// Where it is remembered which failure was told last.
const FAILURE: &str = "failure";

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
        self.is_news(subject, &name, &text).then_some(Line { at, subject, name, text })
    }

    /// The line of a change, if it is worth one.
    pub fn hear<K: Told>(&mut self, at: Duration, change: &Change<K>) -> Option<Line> {
        let object = change.object();
        let name = object.title();
        if K::SUBJECT == Foo::SUBJECT && !matches!(change, Change::Added { .. }) {
            // What fails from here on fails anew. Of one that is new nothing failed before, unless the controller heard
            // of it earlier than this.
            self.told.remove(&(FAILURE, name.clone()));
        }
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

    /// An aside about the work on one thing. What fails over and over in the same way is told once,
    /// until the thing changes.
    pub fn aside(&mut self, line: Line) -> Option<Line> {
        let is_failure = line.subject == "error" && !line.name.is_empty();
        (!is_failure || self.is_news(FAILURE, &line.name, &line.text)).then_some(line)
    }

    fn is_news(&mut self, subject: &'static str, name: &str, text: &str) -> bool {
        let last = self.told.insert((subject, name.to_owned()), text.to_owned());
        last.as_deref() != Some(text)
    }
}
