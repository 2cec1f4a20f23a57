//! Where a pod goes.

use std::collections::BTreeMap;
use std::sync::Arc;

use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{Node, Pod, Taint, Toleration};

use crate::actors::fit;

/// Chooses the node for `pod`: of those that take it, the one with the fewest pods, then by name. `load` says how
/// many pods a node has.
///
/// # Errors
///
/// Returns the sentence that upstream's scheduler puts into the `FailedScheduling` event.
pub(crate) fn place(
    pod: &Pod,
    nodes: &[Arc<Node>],
    load: impl Fn(&str) -> usize,
) -> Result<String, String> {
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let mut best: Option<(usize, &str)> = None;
    for node in nodes {
        match refusal(pod, node) {
            Some(reason) => *refusals.entry(reason).or_default() += 1,
            None => {
                let candidate = (load(node.name()), node.name());
                if best.is_none_or(|best| candidate < best) {
                    best = Some(candidate);
                }
            }
        }
    }
    match best {
        Some((_, name)) => Ok(name.to_owned()),
        None if nodes.is_empty() => Err("no nodes available to schedule pods".to_owned()),
        None => Err(sentence(nodes.len(), &refusals)),
    }
}

fn sentence(nodes: usize, refusals: &BTreeMap<String, usize>) -> String {
    let mut parts: Vec<String> =
        refusals.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    parts.sort();
    format!("0/{nodes} nodes are available: {}.", parts.join(", "))
}

/// Why `node` does not take `pod`.
fn refusal(pod: &Pod, node: &Node) -> Option<String> {
    let tolerations = &pod.spec.tolerations;
    if node.spec.unschedulable && !tolerates_unschedulable(tolerations) {
        return Some("node(s) were unschedulable".to_owned());
    }
    if !is_ready(node) {
        return Some("node(s) were not ready".to_owned());
    }
    if !fit::is_selected(&pod.spec, node) {
        return Some("node(s) didn't match Pod's node affinity/selector".to_owned());
    }
    let taint = fit::untolerated(tolerations, node, &["NoSchedule", "NoExecute"])?;
    Some(format!("node(s) had untolerated taint {{{}: {}}}", taint.key, taint.value))
}

/// Whether the node's `Ready` condition is true.
pub(crate) fn is_ready(node: &Node) -> bool {
    node.status
        .conditions
        .iter()
        .any(|condition| condition.type_ == "Ready" && condition.status == "True")
}

fn tolerates_unschedulable(tolerations: &[Toleration]) -> bool {
    let taint = Taint {
        key: "node.kubernetes.io/unschedulable".into(),
        effect: "NoSchedule".into(),
        ..Taint::default()
    };
    tolerations.iter().any(|toleration| fit::tolerates(toleration, &taint))
}
