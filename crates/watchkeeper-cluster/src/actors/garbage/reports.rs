//! What is told of references to owners that cannot be meant.
//!
//! The collector is no controller, and those alone have a hand for events: a small one tells what it is given.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::json;
use watchkeeper_api::{ObjectKey, Unstructured};
use watchkeeper_controller::{Context, EventType, Request, Trigger};

use super::graph::{Node, OwnerLink};

/// The name that the events carry.
pub(super) const NAME: &str = "garbage-collector-controller";

/// What is to be told, by the namespace and the uid of the dependent.
pub(super) struct Reports {
    waiting: Mutex<BTreeMap<ObjectKey, Vec<Report>>>,
    trigger: Trigger,
}

/// A dependent, and its reference to an owner in another namespace.
type Report = (Node, OwnerLink);

impl Reports {
    pub(super) fn new() -> Self {
        Self { waiting: Mutex::default(), trigger: Trigger::new("references to other namespaces") }
    }

    /// What asks for the one that tells.
    pub(super) const fn trigger(&self) -> &Trigger {
        &self.trigger
    }

    /// To be told some time.
    pub(super) fn add(&self, report: Report) {
        let (dependent, _) = &report;
        let home = dependent.key.namespace().unwrap_or_default();
        let key = ObjectKey::new(home, dependent.uid.as_str());
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.entry(key.clone()).or_default().push(report);
        drop(waiting);
        self.trigger.request(key);
    }

    pub(super) fn tell(&self, request: &Request, ctx: &Context) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let reports = waiting.remove(&request.key).unwrap_or_default();
        drop(waiting);
        for (dependent, owner) in reports {
            let Some(object) = object(&dependent) else { continue };
            let message = message(&dependent, &owner);
            ctx.event(&object, EventType::Warning, "OwnerRefInvalidNamespace", message);
        }
    }
}

/// As much of the object as an event names.
fn object(node: &Node) -> Option<Unstructured> {
    let metadata = json!({
        "name": node.key.name(),
        "namespace": node.key.namespace().unwrap_or_default(),
        "uid": node.uid,
    });
    let (version, kind) = (node.kind.api_version(), &node.kind.kind);
    let object = json!({"apiVersion": &*version, "kind": &**kind, "metadata": metadata});
    let mut object = Unstructured::from_value(&object).ok()?;
    object.set_kind(&node.kind);
    Some(object)
}

fn message(dependent: &Node, owner: &OwnerLink) -> String {
    let home = dependent.key.namespace().unwrap_or_default();
    let OwnerLink { api_version, kind, name, uid, .. } = owner;
    format!(
        "ownerRef [{api_version}/{kind}, namespace: {home}, name: {name}, uid: {uid}] does not exist in \
         namespace \"{home}\""
    )
}
