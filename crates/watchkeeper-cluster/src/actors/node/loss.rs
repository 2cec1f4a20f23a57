//! A node that is lost: what becomes of it when nobody hears of it any more.
//!
//! The annotation [`LOST`] of a node takes its kubelet away, and its lease is not renewed any more. What is told of it
//! then is what upstream's node lifecycle controller tells.

use std::time::Duration;

use watchkeeper_api::core::v1::{Node, NodeCondition, NodeStatus, Taint};
use watchkeeper_api::{List, Object, Time};

use crate::actors::state::readiness;

/// Whether a node is lost: yes, unless there is none or it says `false`.
const LOST: &str = "fake-kubelet/lost";
/// The taint of a node that is given up (`core/v1` `TaintNodeUnreachable`).
pub(crate) const UNREACHABLE: &str = "node.kubernetes.io/unreachable";
/// How long a node is waited for (`--node-monitor-grace-period`).
const GRACE: Duration = Duration::from_secs(50);
/// What a kubelet tells of its node, and nobody knows when it is lost.
const CONDITIONS: [&str; 4] = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/// What becomes of a lost node next.
#[derive(Debug, PartialEq)]
pub(crate) enum Loss {
    /// It is waited for, until then.
    Wait(Time),
    /// It is given up: this is told of it.
    GiveUp(Box<NodeStatus>),
    /// It has these taints: no pod is placed there any more.
    Taint(List<Taint>),
    /// Nothing.
    Rest,
}

/// Whether the node is lost.
pub(crate) fn is_lost(node: &Node) -> bool {
    node.annotation(LOST).is_some_and(|text| text != "false")
}

/// Whether nobody knows whether it is ready.
pub(crate) fn is_given_up(node: &Node) -> bool {
    readiness(node).is_some_and(|ready| ready.status == "Unknown")
}

/// Since when the node is ready; `None` for one that is not, or does not say.
pub(crate) fn ready_since(node: &Node) -> Option<Time> {
    let ready = readiness(node)?;
    ready.last_transition_time.filter(|_| ready.status == "True")
}

/// Decides what becomes of a lost node that was heard of last at that time.
pub(crate) fn next(node: &Node, heard: Option<Time>, now: Time) -> Loss {
    let due = heard.map_or(now, |heard| heard + GRACE);
    match (is_given_up(node), missing(node, now)) {
        (false, _) if due > now => Loss::Wait(due),
        (false, _) => Loss::GiveUp(Box::new(unknown(node, now))),
        (true, missing) if missing.is_empty() => Loss::Rest,
        (true, missing) => Loss::Taint(node.spec.taints.iter().cloned().chain(missing).collect()),
    }
}

/// What is told of a node that is given up. What was never told of it is unknown, too.
fn unknown(node: &Node, now: Time) -> NodeStatus {
    let mut status = node.status.clone();
    for type_ in CONDITIONS {
        match status.conditions.iter_mut().find(|known| known.type_ == type_) {
            Some(known) if known.status == "Unknown" => {}
            Some(known) => {
                known.status = "Unknown".into();
                known.reason = "NodeStatusUnknown".into();
                known.message = "Kubelet stopped posting node status.".into();
                known.last_transition_time = Some(now);
            }
            None => status.conditions.push(never_told(node, type_, now)),
        }
    }
    status
}

/// A condition of which no kubelet has ever told.
fn never_told(node: &Node, type_: &str, now: Time) -> NodeCondition {
    NodeCondition {
        type_: type_.into(),
        status: "Unknown".into(),
        reason: "NodeStatusNeverUpdated".into(),
        message: "Kubelet never posted node status.".into(),
        last_heartbeat_time: node.creation_timestamp(),
        last_transition_time: Some(now),
    }
}

/// The taints that a node still lacks which is given up.
fn missing(node: &Node, now: Time) -> Vec<Taint> {
    let has = |wanted: &Taint| {
        let mut taints = node.spec.taints.iter();
        taints.any(|taint| taint.key == wanted.key && taint.effect == wanted.effect)
    };
    let wanted = ["NoSchedule", "NoExecute"].map(|effect| Taint {
        key: UNREACHABLE.into(),
        effect: effect.into(),
        time_added: Some(now),
        ..Taint::default()
    });
    wanted.into_iter().filter(|taint| !has(taint)).collect()
}
