//! Flow control: which flow schema a request is of, and what its answer says of that (V1.6).
//!
//! Requests are matched as upstream matches them, after impersonation and before anybody asks whether
//! they are allowed (`apiserver/pkg/server/filters/priority-and-fairness.go`). Nobody is queued and nobody
//! is preferred: how many there may be is said by [`under_way`](crate::under_way) alone.

mod rules;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use crate::access::{Attributes, Target};
use crate::clock::Now;
use crate::meta;
use crate::step::{Output, Ticket};
use crate::storage::Store;
use crate::under_way;
use crate::user::User;

/// The group of flow schemas and priority levels.
pub(crate) const GROUP: &str = "flowcontrol.apiserver.k8s.io";
/// Those that every cluster has.
pub(crate) const BOOTSTRAP: &str = include_str!("flow/bootstrap.json");

const SCHEMAS: &str = "flowschemas.flowcontrol.apiserver.k8s.io";
const LEVELS: &str = "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io";

/// `ResponseHeaderMatchedFlowSchemaUID`.
const SCHEMA_UID: HeaderName = HeaderName::from_static("x-kubernetes-pf-flowschema-uid");
/// `ResponseHeaderMatchedPriorityLevelConfigurationUID`.
const LEVEL_UID: HeaderName = HeaderName::from_static("x-kubernetes-pf-prioritylevel-uid");

/// What a request is of: the uids, for whoever may not know the names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Matched {
    schema: HeaderValue,
    level: HeaderValue,
}

/// The requests whose answers have not begun.
#[derive(Debug, Default)]
pub(crate) struct Flows(BTreeMap<Ticket, Matched>);

impl Flows {
    /// Notes what a request is of.
    pub(crate) fn note(&mut self, ticket: Ticket, store: &Store, user: &User, asked: &Attributes) {
        if let Some(matched) = matched(store, user, asked) {
            self.0.insert(ticket, matched);
        }
    }

    /// Tells it in the answers among these outputs.
    pub(crate) fn tell(&mut self, outputs: &mut [Output]) {
        for output in outputs {
            match output {
                Output::Reply(ticket, response) => self.mark(*ticket, response.headers_mut()),
                Output::Start(ticket, response) => self.mark(*ticket, response.headers_mut()),
                Output::Hangup(ticket) => self.forget(*ticket),
                _ => {}
            }
        }
    }

    /// Nobody waits for the answer any more.
    pub(crate) fn forget(&mut self, ticket: Ticket) {
        self.0.remove(&ticket);
    }

    fn mark(&mut self, ticket: Ticket, headers: &mut HeaderMap) {
        if let Some(Matched { schema, level }) = self.0.remove(&ticket) {
            headers.insert(SCHEMA_UID, schema);
            headers.insert(LEVEL_UID, level);
        }
    }
}

/// The schema that matches and comes first, by its precedence and then by its name, with the priority
/// level that it names; those that name none that there is do not count. Streams are of none.
fn matched(store: &Store, user: &User, asked: &Attributes) -> Option<Matched> {
    if is_stream(asked) {
        return None;
    }
    let (schemas, levels) = (store.table(SCHEMAS)?, store.table(LEVELS)?);
    let mut first: Option<(i64, Matched)> = None;
    for stored in schemas.values() {
        let spec = &stored.value["spec"];
        let precedence = spec["matchingPrecedence"].as_i64().unwrap_or(i64::MAX);
        if first.as_ref().is_some_and(|(before, _)| *before <= precedence) {
            continue;
        }
        let level = spec["priorityLevelConfiguration"]["name"].as_str().unwrap_or_default();
        let Some(level) = levels.get(level) else { continue };
        if rules::matches(spec, user, asked)
            && let (Some(schema), Some(level)) = (uid(&stored.value), uid(&level.value))
        {
            first = Some((precedence, Matched { schema, level }));
        }
    }
    first.map(|(_, matched)| matched)
}

fn is_stream(asked: &Attributes) -> bool {
    match &asked.target {
        Target::Resource { subresource, .. } => {
            asked.verb == "proxy" || under_way::is_stream(subresource)
        }
        Target::Path(_) => false,
    }
}

fn uid(object: &Value) -> Option<HeaderValue> {
    HeaderValue::from_str(meta::text(object, "uid")).ok()
}

/// The state of an object that is there from the first moment.
pub(crate) fn begin(object: &mut Value, now: Now) {
    meta::set(object, "generation", 1);
    if object["kind"] != "FlowSchema" {
        object["status"] = json!({});
        return;
    }
    let level = object["spec"]["priorityLevelConfiguration"]["name"].as_str().unwrap_or_default();
    let level = crate::error::quoted(level);
    object["status"] = json!({"conditions": [{
        "type": "Dangling",
        "status": "False",
        "reason": "Found",
        "message": format!(
            "This FlowSchema references the PriorityLevelConfiguration object named {level} and it exists"
        ),
        "lastTransitionTime": now.rfc3339(),
    }]});
}
