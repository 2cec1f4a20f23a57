//! The addresses of a Service and their families, as far as they must fit one another
//! (`ValidateServiceClusterIPsRelatedFields` in `pkg/apis/core/validation`).

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::super::{Check, Place, addresses};

const FAMILIES: [&str; 2] = ["IPv4", "IPv6"];
const POLICIES: [&str; 3] = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/// What is wrong with them, whatever the cluster has. An external name has neither.
#[must_use]
pub(crate) fn related(new: &Value, old: Option<&Value>) -> Vec<FieldError> {
    let mut check = Check::of(new, old);
    first(&mut check);
    families(&mut check);
    if are_addresses(&mut check) {
        of_families(&mut check);
    }
    check.errors
}

/// Whether a text is an address of the newer family.
pub(crate) fn is_new(address: &str) -> bool {
    addresses::lenient(address).is_some_and(|address| address.is_ipv6())
}

/// The one address is the first of the list.
fn first(check: &mut Check<'_>) {
    let (one, list) = (check.at("spec.clusterIP"), check.at("spec.clusterIPs"));
    let first = list.items().first().map(Place::text);
    let detail = match first {
        None if one.is_empty() => return,
        None => return check.push(FieldError::required(list.path, "")),
        Some(_) if one.is_empty() => "must be empty when `clusterIP` is not specified",
        Some(first) if first != one.text() => "first value must match `clusterIP`",
        Some(_) => return,
    };
    refuse(check, &list, detail);
}

/// The whole list is shown.
fn refuse(check: &mut Check<'_>, list: &Place<'_>, detail: &str) {
    let value = list.value.cloned().unwrap_or_default();
    check.push(FieldError::invalid(&*list.path, value, detail));
}

/// Families and a policy that there are, each family once.
fn families(check: &mut Check<'_>) {
    let mut seen = BTreeSet::new();
    for family in check.at("spec.ipFamilies").items() {
        if !FAMILIES.contains(&family.text()) {
            check.push(FieldError::not_supported(&*family.path, family.text(), FAMILIES));
        }
        if !seen.insert(family.text()) {
            check.push(FieldError::duplicate(&*family.path, family.text()));
        }
    }
    check.optional(&check.at("spec.ipFamilyPolicy"), &POLICIES);
}

/// Whether all of the list are addresses, or its only one is none at all. What was taken once stays, however it is
/// written.
fn are_addresses(check: &mut Check<'_>) -> bool {
    let list = check.at("spec.clusterIPs");
    let before = check.before().map(|before| before.at("spec.clusterIPs").items());
    let before = before.unwrap_or_default();
    let before: BTreeSet<&str> = before.iter().map(Place::text).collect();
    let items = list.items();
    let told = check.errors.len();
    for (index, item) in items.iter().enumerate() {
        if index == 0 && item.text() == "None" {
            if items.len() > 1 {
                refuse(check, &list, "'None' must be the first and only value");
            }
        } else if !before.contains(item.text()) {
            let _ = addresses::address(check, item);
        }
    }
    let are_all = check.errors.len() == told;
    if items.len() > 2 {
        refuse(check, &list, "may only hold up to 2 values");
    }
    are_all
}

/// Two addresses are of two families, and each is of that which stands at its place.
fn of_families(check: &mut Check<'_>) {
    let list = check.at("spec.clusterIPs");
    let items = list.items();
    let families: BTreeSet<bool> = items.iter().map(|item| is_new(item.text())).collect();
    if items.len() > 1 && families.len() == 1 {
        refuse(check, &list, "may specify no more than one IP for each IP family");
    }
    if matches!(&items[..], [one] if one.text() == "None") {
        return;
    }
    let families = check.at("spec.ipFamilies").items();
    for (index, (item, family)) in items.iter().zip(families).enumerate() {
        let fits = match family.text() {
            "IPv4" => !is_new(item.text()),
            "IPv6" => is_new(item.text()),
            _ => true,
        };
        if !fits {
            let family = family.text();
            let detail =
                format!("expected an {family} value as indicated by `ipFamilies[{index}]`");
            check.push(FieldError::invalid(&*item.path, item.text(), detail));
        }
    }
}
