//! Subsets of addresses: the one form of all that say the same, and as many as there may be.

use std::collections::BTreeMap;

use watchkeeper_api::core::v1::{EndpointAddress, EndpointPort, EndpointSubset};
use watchkeeper_api::{IStr, List};

/// The most addresses of a service (upstream's `maxCapacity`).
pub(crate) const MOST: usize = 1_000;

/// By what ports are told apart, in the order in which they stand: the name and the number go first.
type Port = (IStr, i32, IStr, Option<IStr>);
/// By what addresses are told apart, in the order in which they stand: the address itself, and the uid of its pod.
type Host = (IStr, IStr);
/// Addresses, and whether they are ready.
type Hosts = BTreeMap<Host, bool>;

/// The same addresses with the same ports, in as few subsets as say it, all in order. An address that is once not
/// ready is not ready there. `None` stands for no port at all.
pub(crate) fn repack(subsets: &[EndpointSubset]) -> Vec<EndpointSubset> {
    let mut addresses: BTreeMap<Host, &EndpointAddress> = BTreeMap::new();
    let mut offers: BTreeMap<Option<Port>, Hosts> = BTreeMap::new();
    for subset in subsets {
        for (address, is_ready) in each_of(subset) {
            let host = host(address);
            for port in ports(subset) {
                let hosts = offers.entry(port).or_default();
                *hosts.entry(host.clone()).or_insert(true) &= is_ready;
            }
            addresses.entry(host).or_insert(address);
        }
    }
    let mut packed: Vec<(Hosts, Vec<EndpointPort>)> = Vec::new();
    for (port, hosts) in offers {
        let port = port.map(unfold);
        match packed.iter_mut().find(|(known, _)| *known == hosts) {
            Some((_, ports)) => ports.extend(port),
            None => packed.push((hosts, port.into_iter().collect())),
        }
    }
    let those = |hosts: &Hosts, are_ready: bool| {
        let hosts = hosts.iter().filter(|(_, is_ready)| **is_ready == are_ready);
        let found = hosts.filter_map(|(host, _)| addresses.get(host));
        found.map(|address| (*address).clone()).collect::<List<_>>()
    };
    let subset = |(hosts, ports): (Hosts, Vec<EndpointPort>)| EndpointSubset {
        addresses: those(&hosts, true),
        not_ready_addresses: those(&hosts, false),
        ports: ports.into(),
    };
    packed.into_iter().map(subset).collect()
}

/// The addresses of a subset, and whether they are ready.
pub(crate) fn each_of(subset: &EndpointSubset) -> impl Iterator<Item = (&EndpointAddress, bool)> {
    let ready = subset.addresses.iter().map(|address| (address, true));
    ready.chain(subset.not_ready_addresses.iter().map(|address| (address, false)))
}

fn host(address: &EndpointAddress) -> Host {
    let uid = address.target_ref.as_ref().map(|pod| pod.uid.clone());
    (address.ip.clone(), uid.unwrap_or_default())
}

fn ports(subset: &EndpointSubset) -> Vec<Option<Port>> {
    if subset.ports.is_empty() {
        return vec![None];
    }
    let port = |port: &EndpointPort| {
        Some((port.name.clone(), port.port, port.protocol.clone(), port.app_protocol.clone()))
    };
    subset.ports.iter().map(port).collect()
}

fn unfold((name, port, protocol, app_protocol): Port) -> EndpointPort {
    EndpointPort { name, port, protocol, app_protocol }
}

/// Leaves as many addresses as there may be: those that are ready before the others, and of each subset its part.
/// Whether there were too many.
pub(crate) fn shorten(subsets: &mut Vec<EndpointSubset>) -> bool {
    let ready: usize = subsets.iter().map(|subset| subset.addresses.len()).sum();
    let others: usize = subsets.iter().map(|subset| subset.not_ready_addresses.len()).sum();
    if ready + others <= MOST {
        return false;
    }
    let only_ready = ready > MOST;
    let (all, most) = if only_ready { (ready, MOST) } else { (others, MOST - ready) };
    let mut room = most;
    for subset in subsets.iter_mut() {
        let mut list = &mut subset.not_ready_addresses;
        if only_ready {
            list.clear();
            list = &mut subset.addresses;
        }
        let part = (list.len() * most).div_ceil(all).min(room);
        list.edit(|addresses| addresses.truncate(part));
        room -= list.len();
    }
    // The server takes no subset without addresses.
    subsets.retain(|subset| each_of(subset).next().is_some());
    true
}
