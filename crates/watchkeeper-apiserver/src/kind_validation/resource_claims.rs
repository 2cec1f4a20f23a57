//! Claims of devices (`validateDeviceClaim` in `pkg/apis/resource/validation`). Expressions are not compiled here: what
//! they speak of is known to what asks them.

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;

use super::{Check, Place, metadata, names};

const MOST_REQUESTS: u64 = 32;
const MOST_ALTERNATIVES: u64 = 8;
const MOST_SELECTORS: u64 = 32;

/// What is claimed is judged once and stays.
pub(super) fn resource_claim(check: &mut Check<'_>) {
    if check.old.is_none() {
        claim(check, &check.at("spec"));
    }
    check.struct_stays("spec", "io.k8s.api.resource.v1.ResourceClaimSpec");
}

/// A template is judged as a new one in each update, too.
pub(super) fn resource_claim_template(check: &mut Check<'_>) {
    let spec = check.at("spec");
    let marks = spec.member("metadata");
    metadata::annotations(check, marks.member("annotations"));
    metadata::labels(check, &marks.member("labels"));
    claim(check, &spec.member("spec"));
    metadata::update_again(check);
    check.struct_stays("spec", "io.k8s.api.resource.v1.ResourceClaimTemplateSpec");
}

fn claim(check: &mut Check<'_>, spec: &Place<'_>) {
    let requests = spec.member("devices").member("requests");
    set(check, &requests, MOST_REQUESTS, request);
}

/// Items that are not too many, and of which no two have the same name.
fn set(check: &mut Check<'_>, list: &Place<'_>, most: u64, each: fn(&mut Check<'_>, &Place<'_>)) {
    let items = list.items();
    if items.len() as u64 > most {
        return check.push(FieldError::too_many(&*list.path, items.len() as u64, most));
    }
    for item in &items {
        each(check, item);
    }
    let mut seen = BTreeSet::new();
    for item in &items {
        let name = item.member("name").text();
        if !seen.insert(name) {
            check.push(FieldError::duplicate(&*item.path, name));
        }
    }
}

/// Devices are asked for in one way, or in the first of several that there are.
fn request(check: &mut Check<'_>, request: &Place<'_>) {
    const ONE: &str = "exactly one of `exactly` or `firstAvailable` is required";
    name(check, request);
    let (one, first) = (request.member("exactly"), request.member("firstAvailable"));
    match (one.is_missing(), first.is_empty()) {
        (true, true) => check.push(FieldError::required(&*request.path, ONE)),
        (false, false) => {
            let detail = format!("{ONE}, but multiple fields are set");
            check.push(FieldError::invalid(&*request.path, serde_json::Value::Null, detail));
        }
        (true, false) => set(check, &first, MOST_ALTERNATIVES, |check, alternative| {
            name(check, alternative);
            devices(check, alternative);
        }),
        (false, true) => devices(check, &one),
    }
}

fn name(check: &mut Check<'_>, of: &Place<'_>) {
    let name = of.member("name");
    check.all(&name, name.text(), names::label(name.text()));
}

/// How many devices, and which.
fn devices(check: &mut Check<'_>, place: &Place<'_>) {
    check.name(&place.member("deviceClassName"), "", names::subdomain);
    let selectors = place.member("selectors");
    let count = selectors.items().len() as u64;
    if count > MOST_SELECTORS {
        check.push(FieldError::too_many(&*selectors.path, count, MOST_SELECTORS));
    } else {
        for expression in selectors.items().iter().map(|selector| selector.member("cel")) {
            if expression.is_missing() {
                check.push(FieldError::required(&*expression.path, ""));
            }
        }
    }
    let (mode, count) = (place.member("allocationMode"), place.member("count"));
    let number = count.number().unwrap_or_default();
    let detail = match mode.text() {
        "All" if number != 0 => "must not be specified when allocationMode is 'All'",
        "ExactCount" if number <= 0 => "must be greater than zero",
        "All" | "ExactCount" => return,
        other => {
            let known = ["All", "ExactCount"];
            return check.push(FieldError::not_supported(&*mode.path, other, known));
        }
    };
    check.push(FieldError::invalid(&*count.path, number, detail));
}
