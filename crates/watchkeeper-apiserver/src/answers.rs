//! Requests under way, until hooks are told what was answered.

use std::collections::BTreeMap;

use http::request::Parts;

use crate::access::{Attributes, Target};
use crate::hooks::{Answered, Hook};
use crate::step::{Output, Ticket};

/// What those ask who have no answer yet. Empty on a server without hooks.
#[derive(Debug, Default)]
pub(crate) struct Answers(BTreeMap<Ticket, Asked>);

#[derive(Debug)]
struct Asked {
    actor: String,
    verb: String,
    table: String,
    subresource: String,
    key: String,
}

impl Answers {
    /// Takes up a request of somebody who is known.
    pub(crate) fn open(&mut self, ticket: Ticket, head: &Parts, asked: &Attributes) {
        self.0.insert(ticket, Asked::of(head, asked));
    }

    /// Tells hooks what comes out of a step. A watch is answered when it begins.
    pub(crate) fn tell(&mut self, outputs: &[Output], hooks: &mut [Box<dyn Hook>]) {
        if self.0.is_empty() {
            return;
        }
        for output in outputs {
            let (ticket, code) = match output {
                Output::Reply(ticket, response) => (ticket, Some(response.status().as_u16())),
                Output::List(ticket, response) => (ticket, Some(response.status().as_u16())),
                Output::Start(ticket, _) | Output::Connect(ticket, _) => (ticket, Some(200)),
                Output::Hangup(ticket) => (ticket, None),
                _ => continue,
            };
            if let Some(asked) = self.0.remove(ticket) {
                let answered = asked.answered(code);
                hooks.iter_mut().for_each(|hook| hook.on_answer(&answered));
            }
        }
    }

    /// The client has left.
    pub(crate) fn forget(&mut self, ticket: Ticket) {
        self.0.remove(&ticket);
    }
}

impl Asked {
    fn of(head: &Parts, asked: &Attributes) -> Self {
        let actor = crate::request::actor(&head.headers);
        let verb = asked.verb.clone();
        let (table, subresource, key) = match &asked.target {
            Target::Path(path) => (String::new(), String::new(), path.clone()),
            Target::Resource { group, resource, subresource, namespace, name } => {
                let dot = if group.is_empty() { "" } else { "." };
                let slash = if namespace.is_empty() { "" } else { "/" };
                let table = format!("{resource}{dot}{group}");
                (table, subresource.clone(), format!("{namespace}{slash}{name}"))
            }
        };
        Self { actor, verb, table, subresource, key }
    }

    fn answered(&self, code: Option<u16>) -> Answered<'_> {
        let Self { actor, verb, table, subresource, key } = self;
        Answered { actor, verb, table, subresource, key, code }
    }
}
