//! The resources of a pod as a whole, and those of its containers within them (`validatePodResources`).

use std::collections::{BTreeMap, BTreeSet};

use watchkeeper_api::Quantity;
use watchkeeper_api::quantity::Amount;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::{child, item, key};

use super::{Amounts, Check, Place, judge};
use crate::kind_validation::resources;

/// What there is of each resource.
type Sum<'a> = BTreeMap<&'a str, Amount>;

/// What a pod as a whole asks for.
pub(in super::super) fn of_pod(check: &mut Check<'_>, spec: &Place<'_>, claims: &BTreeSet<&str>) {
    let whole = spec.member("resources");
    if whole.is_missing() {
        return;
    }
    if spec.member("os").member("name").text() == "windows" {
        return check.push(FieldError::forbidden(whole.path, "may not be set for a windows pod"));
    }
    if whole.has("claims") {
        let detail = "claims may not be set for Resources at pod-level";
        check.push(FieldError::forbidden(whole.member("claims").path, detail));
    }
    judge(check, &Amounts::of(&whole), pod_name, claims);
    covers(check, spec, &whole, "requests", |_| true);
    covers(check, spec, &whole, "limits", resources::is_of_pages);
    each_within(check, spec, &whole);
}

/// A resource that is counted for a pod as a whole (`validatePodResourceName`).
fn pod_name(check: &mut Check<'_>, path: &str, name: &str) {
    let told = check.errors.len();
    resources::known_name(check, path, name);
    let is_counted = ["cpu", "memory"].contains(&name) || resources::is_of_pages(name);
    if check.errors.len() == told && !is_counted {
        check.push(FieldError::not_supported(path, name, ["cpu", "hugepages-", "memory"]));
    }
}

/// What the containers ask for together is not more than the pod does.
fn covers(
    check: &mut Check<'_>,
    spec: &Place<'_>,
    whole: &Place<'_>,
    of: &str,
    counts: fn(&str) -> bool,
) {
    let list = whole.member(of);
    for (name, together) in together(spec, of).into_iter().filter(|(name, _)| counts(name)) {
        let own = list.member(name);
        let amount = Quantity::from(own.text()).amount();
        if !own.is_missing() && amount.is_ok_and(|amount| together > amount) {
            let sum = Quantity::from(together);
            let detail =
                format!("must be greater than or equal to aggregate container {of} of {sum}");
            check.push(FieldError::invalid(key(&list.path, name), own.text(), detail));
        }
    }
}

/// What containers take at a time: those that stay together, or one that runs before them, with those that it has beside
/// it (`AggregateContainerRequests`).
fn together<'a>(spec: &Place<'a>, of: &str) -> Sum<'a> {
    let (mut all, mut beside, mut before) = (Sum::new(), Sum::new(), Sum::new());
    for container in spec.member("containers").items() {
        add(&mut all, &amounts(&container, of));
    }
    // What a container does not name has been counted with those that it has beside it.
    for container in spec.member("initContainers").items() {
        let own = amounts(&container, of);
        if container.member("restartPolicy").text() == "Always" {
            add(&mut all, &own);
            add(&mut beside, &own);
            most(&mut before, own.keys().filter_map(|name| Some((*name, *beside.get(name)?))));
        } else {
            let with = |(name, own): (&&'a str, &Amount)| {
                (*name, beside.get(name).map_or(*own, |beside| *own + *beside))
            };
            most(&mut before, own.iter().map(with));
        }
    }
    most(&mut all, before.into_iter());
    all
}

fn amounts<'a>(container: &Place<'a>, of: &str) -> Sum<'a> {
    let list = container.member("resources").member(of);
    let amount = |text: &str| Quantity::from(text).amount().unwrap_or_default();
    list.entries().into_iter().map(|(name, text)| (name, amount(text))).collect()
}

fn add<'a>(to: &mut Sum<'a>, more: &Sum<'a>) {
    for (name, amount) in more {
        to.entry(name).and_modify(|sum| *sum = *sum + *amount).or_insert(*amount);
    }
}

fn most<'a>(to: &mut Sum<'a>, others: impl Iterator<Item = (&'a str, Amount)>) {
    for (name, amount) in others {
        to.entry(name).and_modify(|sum| *sum = (*sum).max(amount)).or_insert(amount);
    }
}

/// No container may take more than the pod. Upstream tells of it at a path that leads nowhere.
fn each_within(check: &mut Check<'_>, spec: &Place<'_>, whole: &Place<'_>) {
    for (index, container) in spec.member("containers").items().iter().enumerate() {
        for (name, text) in container.member("resources").member("limits").entries() {
            let most = whole.member("limits").member(name);
            if !most.is_missing() && Quantity::from(text) > Quantity::from(most.text()) {
                let path = key(&item(&child(&whole.path, "containers"), index), name);
                let detail = format!("must be less than or equal to pod limits of {}", most.text());
                check.push(FieldError::invalid(child(&path, "limits"), text, detail));
            }
        }
    }
}
