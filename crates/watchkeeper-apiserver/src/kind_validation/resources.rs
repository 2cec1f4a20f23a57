//! Names and amounts of resources (`pkg/apis/core/helper`, and `ValidateResourceQuantityValue` in
//! `pkg/apis/core/validation`).

use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;

use super::{Check, names};

/// What there is a whole number of.
const COUNTED: [&str; 9] = [
    "configmaps",
    "persistentvolumeclaims",
    "pods",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "services",
    "services.loadbalancers",
    "services.nodeports",
];
/// What quotas know beside that.
const MEASURED: [&str; 10] = [
    "cpu",
    "ephemeral-storage",
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
    "requests.storage",
];

/// An amount that is not below zero, and whole where it is a count.
pub(super) fn amount(check: &mut Check<'_>, path: &str, name: &str, text: &str) {
    let quantity = Quantity::from(text);
    if quantity < Quantity::from("0") {
        check.push(FieldError::invalid(path, text, "must be greater than or equal to 0"));
    }
    let thousandths = quantity.amount().map_or(0, |amount| amount.milli_value());
    if (COUNTED.contains(&name) || is_extended(name)) && thousandths % 1000 != 0 {
        check.push(FieldError::invalid(path, text, "must be an integer"));
    }
}

/// Whether quotas know a resource by itself.
pub(super) fn is_of_quotas(name: &str) -> bool {
    let is_of_pages = ["hugepages-", "requests.hugepages-"].iter().any(|of| name.starts_with(of));
    is_of_pages || COUNTED.contains(&name) || MEASURED.contains(&name)
}

/// Whether a name is of Kubernetes: without a domain, or with one of its own.
pub(super) fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

/// Whether a resource is one of somebody else, of which there may be a quota.
fn is_extended(name: &str) -> bool {
    !is_native(name)
        && !name.starts_with("requests.")
        && names::qualified(&format!("requests.{name}")).is_empty()
}
