//! A node that is not ready any more, and should be.

use std::sync::Arc;

use watchkeeper_api::core::v1::{Node, NodeCondition, NodeStatus, NodeSystemInfo};
use watchkeeper_controller::{Context, Failure};

use super::FakeNode;
use crate::actors::state::is_node_ready;

/// A node that lost its condition, as after an edit by hand or when it comes back, is ready again.
pub(super) async fn heal(
    fake: &FakeNode,
    node: &Arc<Node>,
    ctx: &Context,
) -> Result<Arc<Node>, Failure> {
    if is_node_ready(node) {
        return Ok(node.clone());
    }
    let fresh = fake.status(ctx.now());
    let healed = ctx.edit_status(node, |current| mend(current, fresh)).await?;
    Ok(healed.map_or_else(|| node.clone(), Arc::new))
}

/// Says again what a kubelet says of its node. What others have said stays: it may have been given more room, or a
/// condition of its own.
pub(super) fn mend(current: &mut NodeStatus, fresh: NodeStatus) {
    for said in fresh.conditions {
        match current.conditions.iter_mut().find(|known| known.type_ == said.type_) {
            Some(known) => {
                // The time moves with the value alone.
                let since = known.last_transition_time.filter(|_| known.status == said.status);
                let since = since.or(said.last_transition_time);
                *known = NodeCondition { last_transition_time: since, ..said };
            }
            None => current.conditions.push(said),
        }
    }
    if current.addresses.is_empty() {
        current.addresses = fresh.addresses;
    }
    if current.capacity.is_empty() {
        current.capacity = fresh.capacity;
    }
    if current.allocatable.is_empty() {
        current.allocatable = fresh.allocatable;
    }
    if current.node_info == NodeSystemInfo::default() {
        current.node_info = fresh.node_info;
    }
}
