//! What several actors ask of the same objects, and of what is told of them.

use watchkeeper_api::core::v1::{Container, Node, NodeCondition, Pod};
use watchkeeper_cache::{HandlerOptions, Overflow};

/// Whether the pod has come to its end: its containers run no more and will not run again.
pub(crate) fn has_ended(pod: &Pod) -> bool {
    is_last(&pod.status.phase)
}

/// Whether it is a phase after which no other comes.
pub(crate) fn is_last(phase: &str) -> bool {
    phase == "Succeeded" || phase == "Failed"
}

/// Whether an init container is started before the others and stays beside them.
pub(crate) fn is_sidecar(container: &Container) -> bool {
    container.restart_policy.as_deref() == Some("Always")
}

/// What is said of whether the node is ready.
pub(crate) fn readiness(node: &Node) -> Option<&NodeCondition> {
    node.status.conditions.iter().find(|condition| condition.type_ == "Ready")
}

/// Whether the node says that it is ready.
pub(crate) fn is_node_ready(node: &Node) -> bool {
    readiness(node).is_some_and(|ready| ready.status == "True")
}

/// For who keeps accounts of his own beside what he is told: no change is merged into another, however many wait. What
/// came and went would not be told, although it was put into the accounts in between.
pub(crate) fn each_change(name: &str) -> HandlerOptions {
    HandlerOptions {
        name: name.to_owned(),
        // It never blocks: there is always room.
        buffer: usize::MAX,
        overflow: Overflow::Block,
        ..HandlerOptions::default()
    }
}
