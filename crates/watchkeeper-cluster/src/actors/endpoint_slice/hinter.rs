//! Who gives endpoints their hints, and knows for which services zones have their shares.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use watchkeeper_api::core::v1::{Node, Service};
use watchkeeper_api::discovery::v1::EndpointSlice;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::{Change, Watch};
use watchkeeper_controller::{Context, EventType};

use super::changes::Changes;
use super::endpoint::ZONE;
use super::hints::{self, Wish};
use super::topology::{self, Counts};
use crate::actors::state::is_node_ready;

/// The reasons of events.
const ENABLED: &str = "TopologyAwareHintsEnabled";
const DISABLED: &str = "TopologyAwareHintsDisabled";

/// Gives hints.
#[derive(Debug)]
pub(crate) struct Hinter {
    nodes: Watch<Node>,
    /// The services whose zones have their shares.
    spread: Mutex<BTreeMap<ObjectKey, Spread>>,
}

/// How the endpoints of a service are spread.
#[derive(Debug, Default)]
struct Spread {
    /// Whether somebody was told that the service has hints, and not that they are gone.
    told: bool,
    /// By kind of address.
    counts: BTreeMap<String, Counts>,
}

impl Hinter {
    pub(crate) fn new(nodes: Watch<Node>) -> Self {
        Self { nodes, spread: Mutex::default() }
    }

    /// Gives the endpoints of one kind of address the hints that their service asks for.
    pub(crate) fn hint(
        &self,
        service: &Service,
        type_: &str,
        changes: &mut Changes,
        slices: &[Arc<EndpointSlice>],
        ctx: &Context,
    ) {
        let (key, wish) = (service.key(), Wish::of(service));
        let tell = |of_what: EventType, reason: &str, what: &str| {
            ctx.event(service, of_what, reason, format!("{what}, addressType: {type_}"));
        };
        if wish != Wish::Shares {
            if self.remove(&key, type_) {
                tell(EventType::Warning, DISABLED, "Topology Aware Hints has been disabled");
            }
            return hints::follow(wish, changes, slices);
        }
        let shares = topology::shares(&self.nodes.peek_all());
        match topology::spread(shares.as_ref(), changes, slices) {
            Ok(counts) => {
                if !self.insert(&key, type_, counts) {
                    tell(EventType::Normal, ENABLED, "Topology Aware Hints has been enabled");
                }
            }
            Err(why) => {
                self.remove(&key, type_);
                hints::follow(Wish::Nothing, changes, slices);
                tell(EventType::Warning, DISABLED, &why);
            }
        }
    }

    /// The services of which some zone has too few endpoints, as the nodes are now.
    pub(crate) fn overloaded(&self) -> Vec<ObjectKey> {
        let spread = self.spread();
        if spread.is_empty() {
            return Vec::new();
        }
        let shares = topology::shares(&self.nodes.peek_all());
        let is_overloaded = |counts: &Counts| topology::is_overloaded(counts, shares.as_ref());
        let spread = spread.iter().filter(|(_, of)| of.counts.values().any(is_overloaded));
        spread.map(|(service, _)| service.clone()).collect()
    }

    /// Keeps how the endpoints of a service are spread. Whether it had hints before.
    fn insert(&self, service: &ObjectKey, type_: &str, counts: Counts) -> bool {
        let mut spread = self.spread();
        let of = spread.entry(service.clone()).or_default();
        of.counts.insert(type_.to_owned(), counts);
        std::mem::replace(&mut of.told, true)
    }

    /// Forgets it for one kind of address. Whether the service had hints.
    pub(crate) fn remove(&self, service: &ObjectKey, type_: &str) -> bool {
        let mut spread = self.spread();
        let Some(of) = spread.get_mut(service) else { return false };
        of.counts.remove(type_);
        let told = std::mem::take(&mut of.told);
        if of.counts.is_empty() {
            spread.remove(service);
        }
        told
    }

    pub(crate) fn forget(&self, service: &ObjectKey) {
        self.spread().remove(service);
    }

    fn spread(&self) -> MutexGuard<'_, BTreeMap<ObjectKey, Spread>> {
        self.spread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the change of a node may change the shares of zones.
pub(crate) fn matters(change: &Change<Node>) -> bool {
    match change {
        Change::Updated { old, new } => {
            is_node_ready(old) != is_node_ready(new) || old.label(ZONE) != new.label(ZONE)
        }
        _ => true,
    }
}
