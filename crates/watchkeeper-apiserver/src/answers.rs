//! Requests under way, until hooks are told what was answered.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use http::{Response, header};
use serde_json::Value;

use crate::access::{Attributes, Decision, Target};
use crate::admission::AuditAnnotation;
use crate::clock::Now;
use crate::hooks::{Answered, Hook, Particulars, Written};
use crate::step::{Output, Ticket};
use crate::storage::Event;
use crate::user::User;
use crate::{protobuf, reply, request};

/// What those ask who have no answer yet. Empty on a server without hooks.
#[derive(Debug, Default)]
pub(crate) struct Answers(BTreeMap<Ticket, Asked>);

#[derive(Debug)]
struct Asked {
    actor: String,
    table: String,
    key: String,
    asked: Attributes,
    audit_id: String,
    uri: String,
    user_agent: String,
    /// Who it is, and as whom it asks if that is somebody else.
    user: Arc<User>,
    acting: Option<Arc<User>>,
    decision: Decision,
    annotations: Vec<(String, String)>,
    written: Option<Written>,
    received: Now,
}

/// Who makes a request, as whom, and whether that one may.
pub(crate) struct Judged {
    pub user: Arc<User>,
    pub acting: Arc<User>,
    pub decision: Decision,
}

impl Answers {
    /// Takes up a request of somebody who is known.
    pub(crate) fn open(
        &mut self,
        ticket: Ticket,
        head: &Parts,
        asked: Attributes,
        judged: Judged,
        now: Now,
    ) {
        self.0.insert(ticket, Asked::of(ticket, head, asked, judged, now));
    }

    /// What admission adds to the audit of a request.
    pub(crate) fn annotate(&mut self, ticket: Ticket, annotation: &AuditAnnotation) {
        if let Some(asked) = self.0.get_mut(&ticket) {
            let AuditAnnotation { annotation, value, .. } = annotation;
            asked.annotations.push((annotation.clone(), value.clone()));
        }
    }

    /// A request wrote something; what it is about is its own, if that is among it.
    pub(crate) fn wrote(&mut self, ticket: Ticket, event: &Event) {
        if let Some(asked) = self.0.get_mut(&ticket)
            && *asked.table == *event.table
            && asked.is_about(&event.object.key)
        {
            let object = event.object.peek();
            let text = |path| object.pointer(path).and_then(Value::as_str).unwrap_or_default();
            asked.written = Some(Written {
                name: text("/metadata/name").to_owned(),
                uid: text("/metadata/uid").to_owned(),
                resource_version: event.revision,
            });
        }
    }

    /// Tells hooks what comes out of a step. A watch is answered when it begins.
    pub(crate) fn tell(&mut self, outputs: &[Output], hooks: &mut [Box<dyn Hook>], now: Now) {
        if self.0.is_empty() {
            return;
        }
        for output in outputs {
            let (ticket, code, failure) = match output {
                Output::Reply(ticket, response) => {
                    (ticket, Some(response.status().as_u16()), failure(response))
                }
                Output::List(ticket, response) => (ticket, Some(response.status().as_u16()), None),
                Output::Start(ticket, _) | Output::Connect(ticket, _) => (ticket, Some(200), None),
                Output::Hangup(ticket) => (ticket, None, None),
                _ => continue,
            };
            let goes_on = matches!(output, Output::Start(..) | Output::Connect(..));
            if let Some(asked) = self.0.remove(ticket) {
                let particulars = asked.particulars(failure.as_ref(), goes_on, now);
                let answered = asked.answered(code, &particulars);
                hooks.iter_mut().for_each(|hook| hook.on_answer(&answered));
            }
        }
    }

    /// The client has left.
    pub(crate) fn forget(&mut self, ticket: Ticket) {
        self.0.remove(&ticket);
    }
}

/// The Status of an answer that refuses.
fn failure(response: &Response<Bytes>) -> Option<Value> {
    if response.status().as_u16() < 400 {
        return None;
    }
    let media_type = response.headers().get(header::CONTENT_TYPE)?.as_bytes();
    if media_type == reply::JSON.as_bytes() {
        serde_json::from_slice(response.body()).ok()
    } else {
        protobuf::value(response.body(), ("v1", "Status")).ok()
    }
}

impl Asked {
    fn of(ticket: Ticket, head: &Parts, asked: Attributes, judged: Judged, now: Now) -> Self {
        let (table, key) = match &asked.target {
            Target::Path(path) => (String::new(), path.clone()),
            Target::Resource { group, resource, namespace, name, .. } => {
                let dot = if group.is_empty() { "" } else { "." };
                let slash = if namespace.is_empty() { "" } else { "/" };
                (format!("{resource}{dot}{group}"), format!("{namespace}{slash}{name}"))
            }
        };
        let text = |name| head.headers.get(name).and_then(|value| value.to_str().ok());
        let Judged { user, acting, decision } = judged;
        let acting = (!Arc::ptr_eq(&user, &acting)).then_some(acting);
        Self {
            actor: request::actor(&head.headers),
            table,
            key,
            asked,
            audit_id: request::audit_id(&head.headers, ticket),
            uri: head.uri.path_and_query().map_or("/", |uri| uri.as_str()).to_owned(),
            user_agent: text(header::USER_AGENT).unwrap_or_default().to_owned(),
            user,
            acting,
            decision,
            annotations: Vec::new(),
            written: None,
            received: now,
        }
    }

    /// Whether an object of its table may be the one that it names, or does not name.
    fn is_about(&self, key: &str) -> bool {
        key == self.key
            || self.key.is_empty()
            || key.starts_with(&*self.key) && self.key.ends_with('/')
    }

    fn particulars<'a>(
        &'a self,
        failure: Option<&'a Value>,
        goes_on: bool,
        answered: Now,
    ) -> Particulars<'a> {
        Particulars {
            audit_id: &self.audit_id,
            uri: &self.uri,
            user_agent: &self.user_agent,
            user: &self.user,
            acting: self.acting.as_deref(),
            target: &self.asked.target,
            decision: &self.decision,
            annotations: &self.annotations,
            written: self.written.as_ref(),
            failure,
            goes_on,
            received: self.received,
            answered,
        }
    }

    fn answered<'a>(&'a self, code: Option<u16>, particulars: &'a Particulars<'a>) -> Answered<'a> {
        let Self { actor, asked, table, key, .. } = self;
        let subresource = match &asked.target {
            Target::Resource { subresource, .. } => subresource,
            Target::Path(_) => "",
        };
        Answered { actor, verb: &asked.verb, table, subresource, key, code, particulars }
    }
}
