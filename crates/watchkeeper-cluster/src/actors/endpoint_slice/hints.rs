//! For whom an endpoint is: what a service asks for (`spec.trafficDistribution` and an annotation).

use std::sync::Arc;

use watchkeeper_api::core::v1::Service;
use watchkeeper_api::discovery::v1::{Endpoint, EndpointHints, EndpointSlice, ForNode, ForZone};
use watchkeeper_api::{IStr, List, Object};

use super::changes::Changes;

/// The annotation that asks for hints by the shares of the zones, and the one that did before and goes first.
const MODE: &str = "service.kubernetes.io/topology-mode";
const FORMER_MODE: &str = "service.kubernetes.io/topology-aware-hints";

/// Which hints a service wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Everybody may go anywhere.
    Nothing,
    /// Whoever is in a zone goes to endpoints there.
    SameZone,
    /// Whoever is on a node goes to endpoints there, or else in its zone.
    SameNode,
    /// Each zone gets its share of the endpoints.
    Shares,
}

impl Wish {
    pub(crate) fn of(service: &Service) -> Self {
        let mode = service.annotation(FORMER_MODE).or_else(|| service.annotation(MODE));
        match (mode, service.spec.traffic_distribution.as_deref()) {
            (Some("Auto" | "auto"), _) => Self::Shares,
            (_, Some("PreferClose" | "PreferSameZone")) => Self::SameZone,
            (_, Some("PreferSameNode")) => Self::SameNode,
            _ => Self::Nothing,
        }
    }

    /// The hints of an endpoint. One that is not ready keeps those that it has, as nobody is sent there.
    fn hints(self, endpoint: &Endpoint) -> Option<Box<EndpointHints>> {
        if self == Self::Nothing {
            return None;
        }
        if !is_ready(endpoint) {
            return endpoint.hints.clone();
        }
        let node = endpoint.node_name.clone().filter(|_| self == Self::SameNode);
        let for_zones: List<ForZone> =
            endpoint.zone.clone().into_iter().map(|name| ForZone { name }).collect();
        let for_nodes: List<ForNode> = node.into_iter().map(|name| ForNode { name }).collect();
        let any = !for_zones.is_empty() || !for_nodes.is_empty();
        any.then(|| Box::new(EndpointHints { for_zones, for_nodes }))
    }
}

pub(crate) fn is_ready(endpoint: &Endpoint) -> bool {
    endpoint.conditions.ready == Some(true)
}

/// The hint that an endpoint is for one zone.
pub(crate) fn for_zone(zone: IStr) -> Option<Box<EndpointHints>> {
    let for_zones = List::from([ForZone { name: zone }]);
    Some(Box::new(EndpointHints { for_zones, ..EndpointHints::default() }))
}

/// Gives endpoints the hints that follow from themselves alone. A slice that would stay as it is changes if its hints
/// do.
pub(crate) fn follow(wish: Wish, changes: &mut Changes, slices: &[Arc<EndpointSlice>]) {
    let differs = |endpoint: &Endpoint| wish.hints(endpoint) != endpoint.hints;
    for slice in changes.unchanged(slices) {
        if slice.endpoints.iter().any(differs) {
            let changed = (*slice).clone();
            changes.update.push((slice, changed));
        }
    }
    for slice in changes.written_mut() {
        for endpoint in &mut slice.endpoints {
            endpoint.hints = wish.hints(endpoint);
        }
    }
}
