//! Claims of devices (`validateDeviceClaim` in `pkg/apis/resource/validation`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::{Check, Place, devices, metadata, names};

mod status;

pub(super) use status::status;

const MOST_REQUESTS: u64 = 32;
const MOST_ALTERNATIVES: u64 = 8;
const MOST_CONSTRAINTS: u64 = 32;
const MOST_CONFIGURATIONS: u64 = 32;

/// A device by which it is known: its driver, its pool, its name, and which share of it.
pub(crate) type Known<'a> = [&'a str; 4];

/// By what a device is known of which something is allocated or told.
pub(crate) fn known(device: &Value) -> Known<'_> {
    ["driver", "pool", "device", "shareID"].map(|name| device[name].as_str().unwrap_or_default())
}

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
    let all = spec.member("devices");
    let requests = all.member("requests");
    let named = Named::of(&requests);
    set(check, &requests, MOST_REQUESTS, request);
    devices::slice(check, &all.member("constraints"), MOST_CONSTRAINTS, |check, constraint| {
        self::constraint(check, constraint, &named);
    });
    devices::slice(check, &all.member("config"), MOST_CONFIGURATIONS, |check, place| {
        references(check, &place.member("requests"), &named);
        devices::configuration(check, place, false);
    });
}

/// The names of requests, each with those of its alternatives (`gatherRequestNames`).
struct Named<'a>(BTreeMap<&'a str, BTreeSet<&'a str>>);

impl<'a> Named<'a> {
    fn of(requests: &Place<'a>) -> Self {
        let named = |request: Place<'a>| {
            let first = request.member("firstAvailable").items();
            let parts: BTreeSet<&str> = first.iter().map(|one| one.member("name").text()).collect();
            (request.member("name").text(), parts)
        };
        Self(requests.items().into_iter().map(named).collect())
    }

    fn has(&self, name: &str) -> bool {
        match name.split_once('/') {
            None => self.0.contains_key(name),
            Some((request, one)) => self.0.get(request).is_some_and(|all| all.contains(one)),
        }
    }
}

/// Requests that something is said of, each once.
fn references(check: &mut Check<'_>, list: &Place<'_>, named: &Named<'_>) {
    let items = list.items();
    if items.len() as u64 > MOST_REQUESTS {
        let count = items.len() as u64;
        return check.push(FieldError::too_many(&*list.path, count, MOST_REQUESTS));
    }
    for item in &items {
        reference(check, item, named);
    }
    let mut seen = BTreeSet::new();
    for item in &items {
        if !seen.insert(item.text()) {
            check.push(FieldError::duplicate(&*item.path, item.text()));
        }
    }
}

/// A request, or one of its alternatives (`validateRequestNameRef`).
fn reference(check: &mut Check<'_>, place: &Place<'_>, named: &Named<'_>) {
    let parts: Vec<&str> = place.text().split('/').collect();
    if parts.len() < 3 {
        for part in &parts {
            check.all(place, part, names::label(part));
        }
    }
    if parts.len() > 2 || !named.has(place.text()) {
        let detail = "must be the name of a request in the claim or the name of a request and a \
                      subrequest separated by '/'";
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
}

/// What devices have in common, or have not (`validateDeviceConstraint`).
fn constraint(check: &mut Check<'_>, place: &Place<'_>, named: &Named<'_>) {
    references(check, &place.member("requests"), named);
    let [same, other] = ["matchAttribute", "distinctAttribute"].map(|name| place.member(name));
    match (same.is_missing(), other.is_missing()) {
        (false, _) => devices::full_name(check, &same),
        (true, false) => devices::full_name(check, &other),
        (true, true) => {
            let detail = "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, \
                          but multiple fields are set";
            check.push(FieldError::required(&*place.path, detail));
        }
    }
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
            check.push(FieldError::invalid(&*request.path, Value::Null, detail));
        }
        (true, false) => set(check, &first, MOST_ALTERNATIVES, |check, alternative| {
            name(check, alternative);
            wanted(check, alternative);
        }),
        (false, true) => wanted(check, &one),
    }
}

fn name(check: &mut Check<'_>, of: &Place<'_>) {
    let name = of.member("name");
    check.all(&name, name.text(), names::label(name.text()));
}

/// How many devices, and which.
fn wanted(check: &mut Check<'_>, place: &Place<'_>) {
    check.name(&place.member("deviceClassName"), "", names::subdomain);
    devices::selectors(check, &place.member("selectors"));
    mode(check, place);
    for toleration in place.member("tolerations").items() {
        devices::toleration(check, &toleration);
    }
}

fn mode(check: &mut Check<'_>, place: &Place<'_>) {
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
