//! The node actor: registers the fake nodes and keeps their leases and conditions fresh, unless one is lost.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::coordination::v1::{Lease, LeaseSpec};
use watchkeeper_api::core::v1::{Namespace, Node, NodeAddress, NodeCondition, NodeStatus, Taint};
use watchkeeper_api::meta::v1::{ObjectMeta, OwnerReference};
use watchkeeper_api::{List, Map, Object, Quantity, Time};
use watchkeeper_cache::Watch;
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::heal::heal;
use self::loss::Loss;

mod heal;
pub(crate) mod loss;

#[cfg(test)]
mod tests;

/// The namespace of node leases.
const LEASES: &str = "kube-node-lease";
/// The taint of a node that is not ready (`core/v1` `TaintNodeNotReady`).
pub(crate) const NOT_READY: &str = "node.kubernetes.io/not-ready";
/// How long a lease lasts, and how often it is renewed (the kubelet's defaults).
const LEASE_SECONDS: i32 = 40;
const RENEW: Duration = Duration::from_secs(10);

/// A node that runs nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FakeNode {
    index: u16,
}

impl FakeNode {
    /// How many there are at most: a range of pod addresses for each.
    pub const MOST: u16 = 3000;

    /// The first `count` fake nodes: `node-0`, `node-1`, …; at most [`FakeNode::MOST`].
    #[must_use]
    pub fn first(count: u16) -> Vec<Self> {
        (0..count.min(Self::MOST)).map(|index| Self { index }).collect()
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        format!("node-{}", self.index)
    }

    /// Its internal address.
    #[must_use]
    pub fn address(&self) -> String {
        // 250 in each range of 256, the first of which is `10.0.0.2`.
        format!("10.0.{}.{}", self.index / 250, self.index % 250 + 2)
    }

    /// Its place among the nodes, from zero.
    #[must_use]
    pub fn index(&self) -> u16 {
        self.index
    }

    fn object(&self, now: Time) -> Node {
        let name = self.name();
        Node {
            metadata: ObjectMeta {
                name: name.as_str().into(),
                labels: Map::from([
                    ("kubernetes.io/hostname", name.as_str()),
                    ("kubernetes.io/arch", "amd64"),
                    ("kubernetes.io/os", "linux"),
                ]),
                ..ObjectMeta::default()
            },
            status: self.status(now),
            ..Node::default()
        }
    }

    fn status(&self, now: Time) -> NodeStatus {
        let amounts = || {
            Map::from([
                ("cpu", Quantity::from("32")),
                ("memory", Quantity::from("256Gi")),
                ("pods", Quantity::from("250")),
            ])
        };
        let address = |type_: &str, address: String| NodeAddress {
            type_: type_.into(),
            address: address.as_str().into(),
        };
        let mut status = NodeStatus {
            addresses: [address("InternalIP", self.address()), address("Hostname", self.name())]
                .into(),
            allocatable: amounts(),
            capacity: amounts(),
            conditions: conditions(now),
            ..NodeStatus::default()
        };
        let info = &mut status.node_info;
        info.architecture = "amd64".into();
        info.operating_system = "linux".into();
        info.kubelet_version = "v1.36.3".into();
        info.os_image = "none".into();
        info.kernel_version = "none".into();
        info.container_runtime_version = "fake://0".into();
        status
    }
}

fn conditions(now: Time) -> List<NodeCondition> {
    let condition = |type_: &str, status: &str, reason: &str, message: &str| NodeCondition {
        type_: type_.into(),
        status: status.into(),
        reason: reason.into(),
        message: message.into(),
        last_heartbeat_time: Some(now),
        last_transition_time: Some(now),
    };
    [
        condition(
            "MemoryPressure",
            "False",
            "KubeletHasSufficientMemory",
            "kubelet has sufficient memory available",
        ),
        condition(
            "DiskPressure",
            "False",
            "KubeletHasNoDiskPressure",
            "kubelet has no disk pressure",
        ),
        condition(
            "PIDPressure",
            "False",
            "KubeletHasSufficientPID",
            "kubelet has sufficient PID available",
        ),
        condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
    ]
    .into()
}

/// Adds the node actor to `manager`: `nodes` are registered and stay ready.
///
/// A node with the annotation `fake-kubelet/lost` (and another value than `false`) is lost: its lease is renewed no
/// more, after fifty seconds nobody knows whether it is ready (`Unknown`), and it has the taints
/// `node.kubernetes.io/unreachable`. Its pods are said not to be ready; nothing else happens to them, even if they are
/// deleted, as those are by [`taint_eviction`](super::taint_eviction()) that do not tolerate the taints, or no longer.
/// Without the annotation the node is as it was.
///
/// The namespace of the leases brings the first request: no node registers before it.
pub fn node(manager: &Manager, nodes: &[FakeNode]) {
    let watch = manager.watch::<Node>();
    let namespaces = manager.watch::<Namespace>();
    let names: Vec<watchkeeper_api::ObjectKey> =
        nodes.iter().map(|node| watchkeeper_api::ObjectKey::from(node.name().as_str())).collect();
    manager
        .controller("node", &watch)
        .watches(
            &namespaces,
            move |namespace: &Namespace| {
                if namespace.name() == LEASES { names.clone() } else { Vec::new() }
            },
        )
        .with(Nodes { watch, nodes: nodes.to_vec() })
        .reconcile(Nodes::reconcile);
}

#[derive(Debug)]
struct Nodes {
    watch: Watch<Node>,
    nodes: Vec<FakeNode>,
}

impl Nodes {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(fake) = self.nodes.iter().find(|node| node.name() == request.name()) else {
            return Ok(Action::done());
        };
        let node = match self.watch.get(&request).await? {
            Some(node) => node,
            None => Arc::new(register(fake, &ctx).await?),
        };
        if node.is_deleting() {
            return Ok(Action::after(RENEW));
        }
        if loss::is_lost(&node) {
            return lose(&node, &ctx).await;
        }
        let node = heal(fake, &node, &ctx).await?;
        welcome(&node, &ctx).await?;
        renew(&node, &ctx).await?;
        Ok(Action::after(RENEW))
    }
}

async fn register(fake: &FakeNode, ctx: &Context) -> Result<Node, Failure> {
    let wanted = fake.object(ctx.now());
    let made = ctx.create(&wanted).await?;
    let status = wanted.status;
    let written = ctx.edit_status(&made, |current| *current = status).await?;
    Ok(written.unwrap_or(made))
}

/// Takes off the taint that a server puts on every new node until it is ready (the admission plugin
/// `TaintNodesByCondition`), and those of a node that was lost; upstream's node lifecycle controller does so.
async fn welcome(node: &Node, ctx: &Context) -> Result<(), Failure> {
    let old = |taint: &Taint| taint.key == NOT_READY || taint.key == loss::UNREACHABLE;
    if node.spec.taints.iter().any(old) {
        ctx.edit(node, |node: &mut Node| node.spec.taints.retain(|taint| !old(taint))).await?;
    }
    Ok(())
}

/// Lets a lost node go without a sign of life, and says so in the end.
async fn lose(node: &Arc<Node>, ctx: &Context) -> Result<Action, Failure> {
    match loss::next(node, last_renewal(node, ctx).await?, ctx.now()) {
        Loss::Wait(until) => return Ok(Action::after(until.since(ctx.now()))),
        Loss::GiveUp(status) => {
            ctx.edit_status(node, |current| *current = *status).await?;
            let message = format!("Node {} status is now: NodeNotReady", node.name());
            ctx.event(&**node, EventType::Normal, "NodeNotReady", message);
        }
        Loss::Taint(taints) => {
            ctx.edit(node, |node: &mut Node| node.spec.taints = taints).await?;
        }
        Loss::Rest => {}
    }
    Ok(Action::done())
}

/// When the lease was renewed last. Nobody here watches leases, and few nodes are lost.
async fn last_renewal(node: &Node, ctx: &Context) -> Result<Option<Time>, Failure> {
    let leases = ctx.client().api::<Lease>().namespace(LEASES);
    let lease = leases.get_opt(node.name()).await?;
    Ok(lease.and_then(|lease| lease.spec.renew_time).map(Time::from))
}

/// Renews the node's lease, or makes it.
async fn renew(node: &Node, ctx: &Context) -> Result<(), Failure> {
    let lease = Lease {
        metadata: ObjectMeta {
            name: node.metadata.name.clone(),
            namespace: LEASES.into(),
            owner_references: [OwnerReference {
                api_version: "v1".into(),
                kind: "Node".into(),
                name: node.metadata.name.clone(),
                uid: node.metadata.uid.clone(),
                ..OwnerReference::default()
            }]
            .into(),
            ..ObjectMeta::default()
        },
        spec: LeaseSpec {
            holder_identity: Some(node.metadata.name.clone()),
            lease_duration_seconds: Some(LEASE_SECONDS),
            renew_time: Some(ctx.now().into()),
            ..LeaseSpec::default()
        },
    };
    ctx.apply(&lease).await?;
    Ok(())
}
