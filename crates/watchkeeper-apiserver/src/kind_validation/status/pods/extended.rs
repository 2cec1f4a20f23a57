//! The claim that was made for what a pod asks for in the old way (`validatePodExtendedResourceClaimStatus`).

use std::collections::{BTreeMap, BTreeSet};

use watchkeeper_schema::FieldError;

use super::super::super::{Check, Place, names};

/// What of the claim is for what of which container.
pub(super) fn check(check: &mut Check<'_>) {
    let place = check.at("status.extendedResourceClaimStatus");
    if place.is_missing() {
        return;
    }
    let lists = ["spec.initContainers", "spec.containers"].map(|list| check.at(list).items());
    let containers = lists.iter().flatten();
    let containers: BTreeMap<&str, &Place<'_>> =
        containers.map(|container| (container.member("name").text(), container)).collect();
    let mappings = place.member("requestMappings");
    if mappings.is_empty() {
        let detail = "at least one request mapping is required";
        check.push(FieldError::required(&*mappings.path, detail));
    }
    let mut seen = BTreeSet::new();
    for mapping in mappings.items() {
        let parts = ["containerName", "resourceName", "requestName"].map(|of| mapping.member(of));
        let [container, resource, request] = &parts;
        asked_for(check, containers.get(container.text()).copied(), container, resource);
        // Upstream tells of it at a place that there is not.
        let told = Place { path: place.member("requestName").path, ..request.clone() };
        check.all(&told, told.text(), names::label(told.text()));
        if !seen.insert(parts.each_ref().map(Place::text)) {
            for part in &parts {
                check.push(FieldError::duplicate(&*part.path, part.text()));
            }
        }
    }
    let claim = place.member("resourceClaimName");
    check.name(&claim, "", names::subdomain);
}

fn asked_for(
    check: &mut Check<'_>,
    container: Option<&Place<'_>>,
    name: &Place<'_>,
    resource: &Place<'_>,
) {
    let Some(container) = container else {
        let detail = "must match the name of an entry in spec.initContainers.name or \
                      spec.containers.name";
        return check.push(FieldError::invalid(&*name.path, name.text(), detail));
    };
    if !container.member("resources").member("requests").has(resource.text()) {
        let detail = "must match the extended resource name of an entry in \
                      spec.initContainers.resources.requests or spec.containers.resources.requests";
        check.push(FieldError::invalid(&*resource.path, resource.text(), detail));
    }
}
