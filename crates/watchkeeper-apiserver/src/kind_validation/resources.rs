//! Names and amounts of resources (`pkg/apis/core/helper`, and `ValidateResourceQuantityValue` in
//! `pkg/apis/core/validation`).

use watchkeeper_api::Quantity;
use watchkeeper_api::quantity::Amount;
use watchkeeper_schema::FieldError;

use super::{Check, Place, names};

/// What the names of huge pages begin with; their size stands behind it.
const PAGES: &str = "hugepages-";

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
    let is_asked_for = name.starts_with("requests.hugepages-");
    is_of_pages(name) || is_asked_for || COUNTED.contains(&name) || MEASURED.contains(&name)
}

/// Whether a resource is huge pages of some size.
pub(super) fn is_of_pages(name: &str) -> bool {
    name.starts_with(PAGES)
}

/// Whether more of a resource may be promised than there is (`IsOvercommitAllowed`).
pub(super) fn is_overcommitted(name: &str) -> bool {
    is_native(name) && !is_of_pages(name)
}

/// Whether an amount of huge pages is that of some pages (`IsHugePageResourceValueDivisible`).
pub(super) fn is_of_whole_pages(name: &str, text: &str) -> bool {
    let size = name.strip_prefix(PAGES).and_then(|size| size.parse::<Amount>().ok());
    let size = size.filter(|size| size.nanos() > 0 && size.milli_value() % 1000 == 0);
    let amount = Quantity::from(text).amount().map_or(0, Amount::value);
    size.is_some_and(|size| amount.checked_rem(size.value()) == Some(0))
}

/// The name of a resource: one that is known, or one with a domain (`validateResourceName`).
pub(super) fn known_name(check: &mut Check<'_>, path: &str, name: &str) {
    let place = Place { value: None, path: path.to_owned() };
    let wrong = names::qualified(name);
    if wrong.is_empty() && !name.contains('/') && !is_of_quotas(name) && name != "storage" {
        let detail = "must be a standard resource type or fully qualified";
        return check.push(FieldError::invalid(path, name, detail));
    }
    check.all(&place, name, wrong);
}

/// The name of what a container may ask for (`validateContainerResourceName`).
pub(super) fn container_name(check: &mut Check<'_>, path: &str, name: &str) {
    known_name(check, path, name);
    let is_standard = ["cpu", "memory", "ephemeral-storage"].contains(&name) || is_of_pages(name);
    let detail = match name.contains('/') {
        false if !is_standard => "must be a standard resource for containers",
        true if !is_native(name) && !is_extended(name) => {
            "doesn't follow extended resource name standard"
        }
        _ => return,
    };
    check.push(FieldError::invalid(path, name, detail));
}

/// Whether a name is of Kubernetes: without a domain, or with one of its own.
pub(super) fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

/// Whether a resource is one of somebody else, of which there may be a quota.
pub(super) fn is_extended(name: &str) -> bool {
    !is_native(name)
        && !name.starts_with("requests.")
        && names::qualified(&format!("requests.{name}")).is_empty()
}
