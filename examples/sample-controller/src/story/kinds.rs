//! The kinds that the story follows, and what is told of each.

use watchkeeper::api::apps::v1::ReplicaSet;
use watchkeeper::api::core::v1::Event;
use watchkeeper::prelude::*;

use crate::foo::Foo;

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

/// `1 of 2 ready`; while there are too many, `3 ready, 2 asked for`.
fn share(count: i32, wanted: i32, what: &str) -> String {
    if count <= wanted {
        format!("{count} of {wanted} {what}")
    } else {
        format!("{count} {what}, {wanted} asked for")
    }
}

impl Told for Foo {
    const SUBJECT: &'static str = "foo";

    fn summary(&self) -> Option<String> {
        if self.spec.deployment_name.is_empty() {
            return Some("names no Deployment".to_owned());
        }
        let available = self.status.available_replicas;
        let available = match self.spec.replicas {
            Some(wanted) => share(available, wanted, "available"),
            None => format!("{available} available"),
        };
        Some(format!("asks for Deployment {}: {available}", self.spec.deployment_name))
    }
}

impl Told for Deployment {
    const SUBJECT: &'static str = "deployment";

    fn summary(&self) -> Option<String> {
        let status = &self.status;
        let wanted = self.spec.replicas.unwrap_or(1);
        let available = share(status.available_replicas, wanted, "available");
        Some(format!("{available}, {} up to date", status.updated_replicas))
    }
}

impl Told for ReplicaSet {
    const SUBJECT: &'static str = "replicaset";

    fn summary(&self) -> Option<String> {
        let wanted = self.spec.replicas.unwrap_or(1);
        Some(share(self.status.ready_replicas, wanted, "ready"))
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
