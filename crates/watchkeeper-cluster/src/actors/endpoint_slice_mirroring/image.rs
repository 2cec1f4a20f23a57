//! What is to be seen of Endpoints in slices: a group for each set of ports and each kind of address.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};

use watchkeeper_api::core::v1::{self, EndpointAddress, EndpointSubset, Endpoints};
use watchkeeper_api::discovery::v1::{Endpoint, EndpointConditions, EndpointPort};
use watchkeeper_api::{IStr, List};

use crate::actors::endpoint_slice::endpoint::{self, Identity};
use crate::actors::endpoints::subsets;

/// The most addresses of a subset that are mirrored (what kube-controller-manager allows).
pub(crate) const MOST: usize = 1_000;

/// What is to be seen in slices.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) groups: Vec<Group>,
    /// How many addresses are none.
    pub(crate) invalid: usize,
    /// How many are left out, those among them.
    pub(crate) skipped: usize,
}

/// What one slice is to show.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) type_: &'static str,
    pub(crate) ports: Vec<EndpointPort>,
    pub(crate) endpoints: BTreeMap<Identity, Endpoint>,
}

impl Image {
    pub(crate) fn of(endpoints: &Endpoints) -> Self {
        let mut image = Self { groups: Vec::new(), invalid: 0, skipped: 0 };
        for subset in subsets::repack(&endpoints.subsets) {
            image.add(&subset);
        }
        image
    }

    fn add(&mut self, subset: &EndpointSubset) {
        let ports = ports(subset);
        let group = |type_| Group { type_, ports: ports.clone(), endpoints: BTreeMap::new() };
        let [mut v4, mut v6] = ["IPv4", "IPv6"].map(group);
        let (mut all, mut taken) = (0, 0);
        for (address, is_ready) in subsets::each_of(subset) {
            all += 1;
            if taken == MOST {
                continue;
            }
            let Some(ip) = read(&address.ip) else {
                self.invalid += 1;
                continue;
            };
            taken += 1;
            let endpoint = endpoint_of(address, ip, is_ready);
            let of_kind = if ip.is_ipv4() { &mut v4 } else { &mut v6 };
            of_kind.endpoints.insert(endpoint::identity(&endpoint), endpoint);
        }
        self.skipped += all - taken;
        self.groups.extend([v4, v6]);
    }
}

/// The ports of a subset, as slices have them.
fn ports(subset: &EndpointSubset) -> Vec<EndpointPort> {
    let port = |port: &v1::EndpointPort| EndpointPort {
        name: Some(port.name.clone()),
        port: Some(port.port),
        protocol: Some(port.protocol.clone()),
        app_protocol: port.app_protocol.clone(),
    };
    let mut ports: Vec<EndpointPort> = subset.ports.iter().map(port).collect();
    endpoint::sort(&mut ports);
    ports
}

/// An address as it was written, with zeros before its numbers perhaps.
fn read(text: &str) -> Option<IpAddr> {
    let sloppy = || {
        let numbers = text.split('.').map(number).collect::<Option<Vec<u8>>>()?;
        <[u8; 4]>::try_from(numbers).ok().map(Ipv4Addr::from).map(IpAddr::from)
    };
    let ip: Option<IpAddr> = text.parse().ok().or_else(sloppy);
    ip.map(|ip| ip.to_canonical())
}

fn number(digits: &str) -> Option<u8> {
    let are_all = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| are_all)
}

fn endpoint_of(address: &EndpointAddress, ip: IpAddr, is_ready: bool) -> Endpoint {
    Endpoint {
        addresses: List::from([IStr::from(ip.to_string())]),
        conditions: EndpointConditions { ready: Some(is_ready), ..EndpointConditions::default() },
        hostname: Some(address.hostname.clone()).filter(|name| !name.is_empty()),
        target_ref: address.target_ref.clone(),
        node_name: address.node_name.clone(),
        ..Endpoint::default()
    }
}
