//! Amounts of resources that a status tells.

use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::key;

use super::super::{Check, Place, names, quota, resources};

/// The states of a claim that is to become larger.
const RESIZES: [&str; 5] = [
    "ControllerResizeInProgress",
    "ControllerResizeInfeasible",
    "NodeResizeInProgress",
    "NodeResizeInfeasible",
    "NodeResizePending",
];

pub(super) fn quota(check: &mut Check<'_>) {
    for list in ["status.hard", "status.used"] {
        quota::amounts(check, &check.at(list));
    }
}

pub(super) fn claim(check: &mut Check<'_>) {
    let capacity = check.at("status.capacity");
    for (name, text) in capacity.entries() {
        whole(check, &key(&capacity.path, name), text);
    }
    let states = check.at("status.allocatedResourceStatuses");
    for (name, state) in states.entries() {
        resource(check, &states, name);
        if !RESIZES.contains(&state) {
            check.push(FieldError::not_supported(&*states.path, name, RESIZES));
        }
    }
    let allocated = check.at("status.allocatedResources");
    for (name, text) in allocated.entries() {
        if resource(check, &allocated, name) {
            whole(check, &key(&allocated.path, name), text);
        }
    }
}

/// Upstream shows an amount that is too small as a number.
fn whole(check: &mut Check<'_>, path: &str, text: &str) {
    let number = Quantity::from(text).amount().map_or(0, |amount| amount.value());
    if number < 0 {
        check.push(FieldError::invalid(path, number, "must be a valid resource quantity"));
    }
}

/// Of what Kubernetes names itself a claim has storage. Whether a resource is one of a claim.
fn resource(check: &mut Check<'_>, list: &Place<'_>, name: &str) -> bool {
    let before = check.errors.len();
    check.all(list, name, names::qualified(name));
    if check.errors.len() == before && resources::is_native(name) && name != "storage" {
        check.push(FieldError::not_supported(&*list.path, name, ["storage"]));
    }
    check.errors.len() == before
}
