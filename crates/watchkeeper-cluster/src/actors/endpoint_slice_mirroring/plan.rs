//! Which slices mirror Endpoints: one for each set of ports and each kind of address.

use std::sync::Arc;

use watchkeeper_api::core::v1::Endpoints;
use watchkeeper_api::discovery::v1::{Endpoint, EndpointSlice};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Map, Object};
use watchkeeper_controller::controlled_by;

use super::US;
use super::image::Group;
use crate::actors::endpoint_slice::arrange::{MANAGED_BY, SERVICE_NAME, sorted_ports};
use crate::actors::endpoint_slice::changes::Changes;
use crate::actors::endpoint_slice::{endpoint, moments};

/// The annotation that is of its object alone: what kubectl was given.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// What is to be written for slices to show these groups. `slices` are those that there are.
pub(crate) fn plan(
    endpoints: &Endpoints,
    groups: Vec<Group>,
    slices: &[Arc<EndpointSlice>],
) -> Changes {
    let mut changes = Changes::default();
    let mut rest = slices.to_vec();
    for group in groups {
        let (matching, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(|slice| {
            slice.address_type == group.type_ && sorted_ports(slice) == group.ports
        });
        rest = others;
        let mut matching = matching.into_iter();
        if !group.endpoints.is_empty() {
            match matching.next() {
                None => changes.create.push(new_slice(endpoints, group)),
                Some(slice) if shows(&slice, &group, endpoints) => {}
                Some(slice) => {
                    let changed = remade(&slice, new_slice(endpoints, group));
                    changes.update.push((slice, changed));
                }
            }
        }
        changes.delete.extend(matching);
    }
    changes.delete.extend(rest);
    reuse(&mut changes);
    changes
}

/// Whether a slice shows all that it shall, and says whose it is.
fn shows(slice: &EndpointSlice, group: &Group, endpoints: &Endpoints) -> bool {
    let is_right = |known: &Endpoint| {
        let wanted = group.endpoints.get(&endpoint::identity(known));
        wanted.is_some_and(|wanted| endpoint::is_alike(wanted, known))
    };
    let of_former = slice.owners().any(|owner| {
        owner.kind == "Endpoints" && owner.name == endpoints.name() && owner.uid != endpoints.uid()
    });
    slice.endpoints.len() == group.endpoints.len()
        && slice.endpoints.iter().all(is_right)
        && slice.metadata.labels == labels(endpoints)
        && slice.metadata.annotations == annotations(endpoints)
        && !of_former
}

fn new_slice(endpoints: &Endpoints, group: Group) -> EndpointSlice {
    EndpointSlice {
        metadata: ObjectMeta {
            generate_name: format!("{}-", endpoints.name()).as_str().into(),
            namespace: endpoints.metadata.namespace.clone(),
            labels: labels(endpoints),
            annotations: annotations(endpoints),
            owner_references: [controlled_by(endpoints)].into(),
            ..ObjectMeta::default()
        },
        address_type: group.type_.into(),
        endpoints: group.endpoints.into_values().collect(),
        ports: group.ports.into(),
    }
}

/// The labels: those of the Endpoints, and those that lead to their service.
fn labels(endpoints: &Endpoints) -> Map {
    let mut labels = endpoints.metadata.labels.clone();
    labels.insert(SERVICE_NAME, endpoints.name());
    labels.insert(MANAGED_BY, US);
    labels
}

/// The annotations of the Endpoints that are not about themselves alone.
fn annotations(endpoints: &Endpoints) -> Map {
    let mut annotations = endpoints.metadata.annotations.clone();
    annotations.retain(|name, _| name != moments::ANNOTATION && name != LAST_APPLIED);
    annotations
}

/// A slice that says what a new one would.
fn remade(slice: &EndpointSlice, new: EndpointSlice) -> EndpointSlice {
    let mut remade = slice.clone();
    remade.metadata.labels = new.metadata.labels;
    remade.metadata.annotations = new.metadata.annotations;
    remade.metadata.owner_references = new.metadata.owner_references;
    (remade.endpoints, remade.ports) = (new.endpoints, new.ports);
    remade
}

/// Writes what would be new into what would go.
fn reuse(changes: &mut Changes) {
    for slice in std::mem::take(&mut changes.delete) {
        let fitting = |new: &EndpointSlice| new.address_type == slice.address_type;
        match changes.create.iter().position(fitting) {
            Some(place) => {
                let changed = remade(&slice, changes.create.remove(place));
                changes.update.push((slice, changed));
            }
            None => changes.delete.push(slice),
        }
    }
}
