//! How endpoints are spread over slices, with as few writes as may be.

use std::collections::BTreeMap;
use std::sync::Arc;

use watchkeeper_api::core::v1::Service;
use watchkeeper_api::discovery::v1::{Endpoint, EndpointPort, EndpointSlice};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Map, Object};
use watchkeeper_controller::controlled_by;

use super::changes::Changes;
use super::endpoint::{self, Identity};

/// The most endpoints of a slice (what kube-controller-manager allows).
pub(crate) const MOST: usize = 100;

/// The label that names a slice's service, the one that says who sees to it, and whose value is ours.
pub(crate) const SERVICE_NAME: &str = "kubernetes.io/service-name";
pub(crate) const MANAGED_BY: &str = "endpointslice.kubernetes.io/managed-by";
pub(crate) const US: &str = "endpointslice-controller.k8s.io";
/// The label of slices whose service has no address of its own.
pub(crate) const HEADLESS: &str = "service.kubernetes.io/headless";

/// Endpoints that have the same ports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    pub(crate) ports: Vec<EndpointPort>,
    pub(crate) endpoints: BTreeMap<Identity, Endpoint>,
}

/// Arranges the endpoints of one kind of address. `slices` are those that there are. Hints are left to others, and so
/// is [`reuse`], which comes after them.
pub(crate) fn arrange(
    service: &Service,
    type_: &str,
    groups: Vec<Group>,
    slices: &[Arc<EndpointSlice>],
) -> Changes {
    let mut changes = Changes::default();
    let (own, foreign): (Vec<_>, Vec<_>) = slices
        .iter()
        .cloned()
        .partition(|slice| slice.owners().any(|owner| owner.uid == service.uid()));
    changes.delete.extend(foreign);
    let mut rest = own;
    for group in groups {
        let (matching, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|slice| sorted_ports(slice) == group.ports);
        rest = others;
        fill(service, type_, group, matching, &mut changes);
    }
    changes.delete.extend(rest);
    if changes.create.is_empty() && changes.delete.len() == slices.len() {
        keep_one(service, type_, &mut changes);
    }
    changes
}

/// The ports of a slice, so that they can be compared.
pub(crate) fn sorted_ports(slice: &EndpointSlice) -> Vec<EndpointPort> {
    let mut ports = slice.ports.to_vec();
    endpoint::sort(&mut ports);
    ports
}

/// A slice that is being changed.
struct Draft {
    was: Arc<EndpointSlice>,
    endpoints: Vec<Endpoint>,
    changed: bool,
}

/// Puts the endpoints of a group where they are already, then into slices that change anyhow, then into one that
/// holds all that are left, and else into new ones.
fn fill(
    service: &Service,
    type_: &str,
    mut group: Group,
    slices: Vec<Arc<EndpointSlice>>,
    changes: &mut Changes,
) {
    let mut drafts = Vec::new();
    for slice in slices {
        let keep = slice
            .endpoints
            .iter()
            .filter_map(|known| group.endpoints.remove(&endpoint::identity(known)));
        let mut endpoints: Vec<Endpoint> = keep.collect();
        let same = are_alike(&endpoints, &slice.endpoints);
        if endpoints.is_empty() && !same {
            changes.delete.push(slice);
            continue;
        }
        if same {
            // With their hints.
            endpoints = slice.endpoints.to_vec();
        }
        let changed = !same || slice.metadata.labels != labels(service);
        drafts.push(Draft { was: slice, endpoints, changed });
    }
    let mut left: Vec<Endpoint> = group.endpoints.into_values().collect();
    // The fullest ones first.
    let mut changing: Vec<&mut Draft> = drafts.iter_mut().filter(|draft| draft.changed).collect();
    changing.sort_by_key(|draft| std::cmp::Reverse(draft.endpoints.len()));
    for draft in changing {
        take(&mut draft.endpoints, &mut left);
    }
    while !left.is_empty() {
        let fitting = drafts
            .iter_mut()
            .filter(|draft| !draft.changed && draft.endpoints.len() + left.len() <= MOST);
        match fitting.max_by_key(|draft| draft.endpoints.len()) {
            Some(draft) => {
                draft.changed = true;
                take(&mut draft.endpoints, &mut left);
            }
            None => {
                let mut endpoints = Vec::new();
                take(&mut endpoints, &mut left);
                changes.create.push(new_slice(service, type_, &group.ports, endpoints));
            }
        }
    }
    let changed = drafts.into_iter().filter(|draft| draft.changed);
    changes.update.extend(changed.map(|draft| {
        let mut slice = (*draft.was).clone();
        slice.endpoints = draft.endpoints.into();
        slice.metadata.labels = labels(service);
        (draft.was, slice)
    }));
}

/// Whether the endpoints are those of a slice, and say the same.
fn are_alike(wanted: &[Endpoint], known: &[Endpoint]) -> bool {
    wanted.len() == known.len() && wanted.iter().zip(known).all(|(a, b)| endpoint::is_alike(a, b))
}

/// Moves as many endpoints as there is room for.
fn take(into: &mut Vec<Endpoint>, from: &mut Vec<Endpoint>) {
    let room = MOST.saturating_sub(into.len()).min(from.len());
    into.extend(from.drain(..room));
}

/// A service without endpoints has an empty slice.
fn keep_one(service: &Service, type_: &str, changes: &mut Changes) {
    let empty = new_slice(service, type_, &[], Vec::new());
    let is_it = |slice: &EndpointSlice| {
        slice.endpoints.is_empty()
            && slice.ports.is_empty()
            && slice.metadata.labels == empty.metadata.labels
    };
    match &changes.delete[..] {
        [only] if is_it(only) => changes.delete.clear(),
        _ => changes.create.push(empty),
    }
}

/// Writes what would be new into what would go.
pub(crate) fn reuse(service: &Service, changes: &mut Changes) {
    let mut gone = Vec::new();
    for slice in std::mem::take(&mut changes.delete) {
        let own = slice.owners().any(|owner| owner.uid == service.uid());
        match changes.create.pop() {
            Some(new) if own && new.address_type == slice.address_type => {
                let mut changed = (*slice).clone();
                (changed.endpoints, changed.ports) = (new.endpoints, new.ports);
                changed.metadata.labels = new.metadata.labels;
                changed.metadata.annotations = new.metadata.annotations;
                changes.update.push((slice, changed));
            }
            new => {
                changes.create.extend(new);
                gone.push(slice);
            }
        }
    }
    changes.delete = gone;
}

fn new_slice(
    service: &Service,
    type_: &str,
    ports: &[EndpointPort],
    endpoints: Vec<Endpoint>,
) -> EndpointSlice {
    EndpointSlice {
        metadata: ObjectMeta {
            generate_name: format!("{}-", service.name()).as_str().into(),
            namespace: service.metadata.namespace.clone(),
            labels: labels(service),
            owner_references: [controlled_by(service)].into(),
            ..ObjectMeta::default()
        },
        address_type: type_.into(),
        endpoints: endpoints.into(),
        ports: ports.to_vec().into(),
    }
}

/// The labels of a slice: those of the service, and those that lead to it.
fn labels(service: &Service) -> Map {
    let mut labels: Map =
        service.metadata.labels.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    labels.insert(SERVICE_NAME, service.name());
    labels.insert(MANAGED_BY, US);
    labels.remove(HEADLESS);
    if endpoint::is_headless(service) {
        labels.insert(HEADLESS, "");
    }
    labels
}
