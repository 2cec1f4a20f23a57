//! What containers and pods ask for and may take (`validateResourceRequirements`).

use std::collections::BTreeSet;

use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::{child, key};

use super::{Check, Place, names};
use crate::kind_validation::resources;

mod whole;

pub(super) use whole::of_pod;

/// What is wrong with the name of a resource, at a path.
type NameRule = fn(&mut Check<'_>, &str, &str);

/// Limits, requests, and the claims that they name.
struct Amounts<'a> {
    limits: Place<'a>,
    requests: Place<'a>,
    claims: Place<'a>,
    path: String,
}

impl<'a> Amounts<'a> {
    fn of(place: &Place<'a>) -> Self {
        let [limits, requests, claims] =
            ["limits", "requests", "claims"].map(|name| place.member(name));
        Self { limits, requests, claims, path: place.path.clone() }
    }
}

/// The resources of a container of a pod that has these claims.
pub(super) fn of_container(check: &mut Check<'_>, place: &Place<'_>, claims: &BTreeSet<&str>) {
    judge(check, &Amounts::of(place), resources::container_name, claims);
}

/// What a pod takes beside its containers, which upstream takes for limits of a container (`validateOverhead`).
pub(in crate::kind_validation) fn overhead(check: &mut Check<'_>, overhead: &Place<'_>) {
    let none = |name: &str| Place { value: None, path: child(&overhead.path, name) };
    let limits = Place { value: overhead.value, path: child(&overhead.path, "limits") };
    let (requests, claims, path) = (none("requests"), none("claims"), overhead.path.clone());
    let amounts = Amounts { limits, requests, claims, path };
    judge(check, &amounts, resources::container_name, &BTreeSet::new());
}

fn judge(check: &mut Check<'_>, of: &Amounts<'_>, rule: NameRule, claims: &BTreeSet<&str>) {
    for (name, text) in of.limits.entries() {
        let path = key(&of.limits.path, name);
        rule(check, &path, name);
        resources::amount(check, &path, name, text);
        pages(check, &path, name, text);
    }
    for (name, text) in of.requests.entries() {
        let path = key(&of.requests.path, name);
        rule(check, &path, name);
        resources::amount(check, &path, name, text);
        within(check, of, name, text);
        pages(check, &path, name, text);
    }
    let names = || of.limits.entries().into_iter().chain(of.requests.entries());
    let has_pages = names().any(|(name, _)| resources::is_of_pages(name));
    if has_pages && !names().any(|(name, _)| ["cpu", "memory"].contains(&name)) {
        check.push(FieldError::forbidden(&*of.path, "HugePages require cpu or memory"));
    }
    claim_names(check, &of.claims, claims);
}

/// A request is not above its limit. Of what cannot be promised twice it is the limit.
fn within(check: &mut Check<'_>, of: &Amounts<'_>, name: &str, text: &str) {
    let limit = of.limits.member(name);
    let is_overcommitted = resources::is_overcommitted(name);
    let (request, most) = (Quantity::from(text), Quantity::from(limit.text()));
    let detail = if limit.is_missing() {
        if !is_overcommitted {
            let detail = "Limit must be set for non overcommitable resources";
            check.push(FieldError::required(&*of.limits.path, detail));
        }
        return;
    } else if request != most && !is_overcommitted {
        format!("must be equal to {name} limit of {}", limit.text())
    } else if request > most {
        format!("must be less than or equal to {name} limit of {}", limit.text())
    } else {
        return;
    };
    check.push(FieldError::invalid(&*of.requests.path, text, detail));
}

/// Huge pages come as a whole (`validateResourceQuantityHugePageValue`).
fn pages(check: &mut Check<'_>, path: &str, name: &str, text: &str) {
    if resources::is_of_pages(name) && !resources::is_of_whole_pages(name, text) {
        let detail = format!("{text} is not positive integer multiple of {name}");
        check.push(FieldError::invalid(path, text, detail));
    }
}

/// A claim, or one request of it with a slash before it; neither has been named before, nor a part of the claim.
fn requested(check: &mut Check<'_>, claim: &Place<'_>, seen: &BTreeSet<String>) -> String {
    let (name, request) = (claim.member("name").text(), claim.member("request"));
    if !request.is_empty() {
        check.all(&request, request.text(), names::label(request.text()));
        let whole = format!("{name}/{}", request.text());
        if seen.contains(&whole) {
            check.push(FieldError::duplicate(&*claim.path, &*whole));
        }
        return whole;
    }
    let parts = format!("{name}/");
    let of_parts = seen.range(parts.clone()..).take_while(|of| of.starts_with(&parts));
    for _ in of_parts {
        check.push(FieldError::duplicate(&*claim.path, name));
    }
    name.to_owned()
}

/// A claim that is not one of the pod.
fn unknown(check: &mut Check<'_>, claim: &Place<'_>, name: &str, known: &BTreeSet<&str>) {
    if check.is_full() {
        return;
    }
    let known: Vec<&str> = known.iter().copied().collect();
    let known = match known.is_empty() {
        true => " which is empty".to_owned(),
        false => format!(": {}", known.join(", ")),
    };
    let mut error = FieldError::not_found(&*claim.path, name);
    error.detail = format!("must be one of the names in pod.spec.resourceClaims{known}");
    check.push(error);
}

/// The claims that are named are those of the pod, each once (`validateResourceClaimNames`).
fn claim_names(check: &mut Check<'_>, list: &Place<'_>, known: &BTreeSet<&str>) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for claim in list.items() {
        let name = claim.member("name").text();
        if name.is_empty() {
            check.push(FieldError::required(&*claim.path, ""));
            continue;
        }
        if seen.contains(name) {
            check.push(FieldError::duplicate(&*claim.path, name));
        } else {
            let whole = requested(check, &claim, &seen);
            seen.insert(whole);
        }
        if !known.contains(name) {
            unknown(check, &claim, name, known);
        }
    }
}
