//! What a pod takes of its node, and what a node has.

use std::collections::BTreeMap;

use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::{IStr, Map, Quantity};

use crate::actors::state::is_sidecar;

/// The address of a host port that is taken on all addresses of its node.
const EVERYWHERE: &str = "0.0.0.0";

/// Amounts by the name of the resource: processors in thousandths, all else in whole numbers. None is zero.
pub(crate) type Amounts = BTreeMap<IStr, i64>;

/// What a pod takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asks {
    pub(crate) amounts: Amounts,
    pub(crate) ports: Vec<Port>,
    pub(crate) priority: i32,
}

/// A port of the node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Port {
    number: i32,
    protocol: IStr,
    address: IStr,
}

impl Asks {
    pub(crate) fn of(pod: &Pod) -> Self {
        Self { amounts: requests(pod), ports: ports(pod), priority: priority(pod) }
    }
}

impl Port {
    /// Whether only one of the two may be taken.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        let is_shared = |address: &IStr| *address == *EVERYWHERE;
        self.number == other.number
            && self.protocol == other.protocol
            && (self.address == other.address
                || is_shared(&self.address)
                || is_shared(&other.address))
    }
}

/// The priority of a pod; without one it has none.
pub(crate) fn priority(pod: &Pod) -> i32 {
    pod.spec.priority.unwrap_or(0)
}

/// What a node has for its pods.
pub(crate) fn room(node: &Node) -> Amounts {
    let mut room = Amounts::new();
    add(&mut room, &node.status.allocatable);
    room
}

/// What all containers take that run together, or more if one that runs before them takes more; what is said of the
/// pod as a whole counts instead (upstream's `PodRequests`).
fn requests(pod: &Pod) -> Amounts {
    let mut sum = Amounts::new();
    for container in &pod.spec.containers {
        add(&mut sum, &container.resources.requests);
    }
    let (mut sidecars, mut most) = (Amounts::new(), Amounts::new());
    for container in &pod.spec.init_containers {
        let requests = &container.resources.requests;
        let mut meanwhile = sidecars.clone();
        add(&mut meanwhile, requests);
        raise(&mut most, &meanwhile);
        if is_sidecar(container) {
            add(&mut sum, requests);
            sidecars = meanwhile;
        }
    }
    raise(&mut sum, &most);
    let whole = pod.spec.resources.iter().flat_map(|whole| whole.requests.iter());
    for (name, quantity) in whole.filter(|(name, _)| is_of_the_whole(name)) {
        sum.insert(name.clone(), amount(name, quantity));
    }
    add(&mut sum, &pod.spec.overhead);
    sum.retain(|_, amount| *amount > 0);
    sum
}

/// Whether a pod may ask for it as a whole.
fn is_of_the_whole(name: &str) -> bool {
    name == "cpu" || name == "memory" || name.starts_with("hugepages-")
}

fn ports(pod: &Pod) -> Vec<Port> {
    let sidecars = pod.spec.init_containers.iter().filter(|one| is_sidecar(one));
    let ports = sidecars.chain(pod.spec.containers.iter()).flat_map(|one| one.ports.iter());
    let or = |text: &IStr, usual: &str| match text.is_empty() {
        true => usual.into(),
        false => text.clone(),
    };
    let taken = ports.filter(|port| port.host_port > 0).map(|port| Port {
        number: port.host_port,
        protocol: or(&port.protocol, "TCP"),
        address: or(&port.host_ip, EVERYWHERE),
    });
    taken.collect()
}

/// Text that is no quantity is nothing: the server lets none in.
fn amount(name: &str, quantity: &Quantity) -> i64 {
    let Ok(amount) = quantity.amount() else { return 0 };
    if name == "cpu" { amount.milli_value() } else { amount.value() }
}

fn add(sum: &mut Amounts, list: &Map<Quantity>) {
    for (name, quantity) in list {
        let amount = amount(name, quantity);
        if amount > 0 {
            let total = sum.entry(name.clone()).or_default();
            *total = total.saturating_add(amount);
        }
    }
}

fn raise(to: &mut Amounts, least: &Amounts) {
    for (name, least) in least {
        let amount = to.entry(name.clone()).or_default();
        *amount = (*amount).max(*least);
    }
}
