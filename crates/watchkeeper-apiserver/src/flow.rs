//! Flow control: which flow schema a request is of, and what its answer says of that (V1.6).
//!
//! Requests are matched as upstream matches them, after impersonation and before anybody asks whether
//! they are allowed (`apiserver/pkg/server/filters/priority-and-fairness.go`). Nobody is queued and nobody
//! is preferred: how many there may be is said by [`under_way`](crate::under_way) alone.

mod order;
mod rules;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use http::{HeaderMap, HeaderName};
use serde_json::{Value, json};

use crate::access::{Attributes, Target};
use crate::clock::Now;
use crate::meta;
use crate::step::{Output, Ticket};
use crate::storage::Store;
use crate::under_way;
use crate::user::User;

use order::{Matched, Order};

/// The group of flow schemas and priority levels.
pub(crate) const GROUP: &str = "flowcontrol.apiserver.k8s.io";
/// Those that every cluster has.
pub(crate) const BOOTSTRAP: &str = include_str!("flow/bootstrap.json");

/// `ResponseHeaderMatchedFlowSchemaUID`.
const SCHEMA_UID: HeaderName = HeaderName::from_static("x-kubernetes-pf-flowschema-uid");
/// `ResponseHeaderMatchedPriorityLevelConfigurationUID`.
const LEVEL_UID: HeaderName = HeaderName::from_static("x-kubernetes-pf-prioritylevel-uid");

/// Which requests are of which schema.
#[derive(Debug, Default)]
pub(crate) struct Flows {
    order: Order,
    /// The requests whose answers have not begun.
    open: BTreeMap<Ticket, Matched>,
}

impl Flows {
    /// Notes what a request is of: the first schema that matches. Streams are of none.
    pub(crate) fn note(&mut self, ticket: Ticket, store: &Store, user: &User, asked: &Attributes) {
        if is_stream(asked) {
            return;
        }
        self.order.follow(store);
        if let Some(matched) = self.order.first(user, asked) {
            self.open.insert(ticket, matched.clone());
        }
    }

    /// Tells it in the answers among these outputs.
    pub(crate) fn tell(&mut self, outputs: &mut [Output]) {
        for output in outputs {
            match output {
                Output::Reply(ticket, response) => self.mark(*ticket, response.headers_mut()),
                Output::List(ticket, response) => self.mark(*ticket, response.headers_mut()),
                Output::Start(ticket, response) => self.mark(*ticket, response.headers_mut()),
                Output::Hangup(ticket) => self.forget(*ticket),
                _ => {}
            }
        }
    }

    /// Nobody waits for the answer any more.
    pub(crate) fn forget(&mut self, ticket: Ticket) {
        self.open.remove(&ticket);
    }

    fn mark(&mut self, ticket: Ticket, headers: &mut HeaderMap) {
        if let Some(Matched { schema, level }) = self.open.remove(&ticket) {
            headers.insert(SCHEMA_UID, schema);
            headers.insert(LEVEL_UID, level);
        }
    }
}

fn is_stream(asked: &Attributes) -> bool {
    match &asked.target {
        Target::Resource { subresource, .. } => {
            asked.verb == "proxy" || under_way::is_stream(subresource)
        }
        Target::Path(_) => false,
    }
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
