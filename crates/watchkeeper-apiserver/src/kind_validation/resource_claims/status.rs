//! What a claim got, who uses it, and what drivers tell of its devices (`validateResourceClaimStatusUpdate`).

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::{FieldError, Reason};

use super::{Known, Named, known, reference, references};
use crate::go::go_escaped;
use crate::kind_validation::pod::placing;
use crate::kind_validation::resource_slices::pool_name;
use crate::kind_validation::status::conditions;
use crate::kind_validation::storage::driver_name;
use crate::kind_validation::{Check, Place, addresses, devices, names};

mod bindings;
mod uids;

const MOST_USERS: u64 = 256;
const MOST_RESULTS: u64 = 32;
/// Those of the class and those of the claim.
const MOST_CONFIGURATIONS: u64 = 64;
const MOST_CONDITIONS: u64 = 8;
const LONGEST_INTERFACE: u64 = 256;
const LONGEST_HARDWARE: u64 = 128;
const MOST_ADDRESSES: u64 = 16;
const ALLOCATION: &str = "io.k8s.api.resource.v1.AllocationResult";

pub(in crate::kind_validation) fn status(check: &mut Check<'_>) {
    let status = check.at("status");
    let allocation = status.member("allocation");
    users(check, &status.member("reservedFor"));
    told(check, &status.member("devices"), &allocation);
    reserved(check, &status.member("reservedFor"), &allocation);
    let had = check.before().map(|before| before.at("status.allocation"));
    if allocation.is_missing() {
        return;
    }
    // What was allocated stays, and is not judged again.
    if had.is_some_and(|had| !had.is_missing()) {
        check.struct_stays("status.allocation", ALLOCATION);
    } else {
        allocated(check, &allocation);
    }
}

/// Who uses the claim, each once.
fn users(check: &mut Check<'_>, list: &Place<'_>) {
    let before = check.errors.len();
    devices::slice(check, list, MOST_USERS, |check, user| {
        for place in ["resource", "name", "uid"].map(|name| user.member(name)) {
            if place.is_empty() {
                check.push(FieldError::required(&*place.path, ""));
            }
        }
    });
    let is_too_long =
        check.errors[before..].first().is_some_and(|error| error.reason == Reason::TooMany);
    let mut seen = BTreeSet::new();
    for user in list.items().iter().filter(|_| !is_too_long) {
        let uid = user.member("uid").text();
        if !seen.insert(uid) {
            check.push(FieldError::duplicate(&*user.path, uid));
        }
    }
}

/// Nobody uses what is not allocated, and nobody begins to use what is going.
fn reserved(check: &mut Check<'_>, list: &Place<'_>, allocation: &Place<'_>) {
    let items = list.items();
    if items.is_empty() {
        return;
    }
    if allocation.is_missing() {
        let detail = "may not be specified when `allocated` is not set";
        return check.push(FieldError::forbidden(&*list.path, detail));
    }
    if check.at("metadata.deletionTimestamp").is_missing() {
        return;
    }
    let user = |place: &Place<'_>| {
        ["apiGroup", "resource", "name", "uid"].map(|name| place.member(name).text().to_owned())
    };
    let before = check.before().map(|before| before.at("status.reservedFor").items());
    let before: BTreeSet<_> = before.unwrap_or_default().iter().map(user).collect();
    if items.iter().any(|item| !before.contains(&user(item))) {
        let detail = "new entries may not be added while `deallocationRequested` or \
                      `deletionTimestamp` are set";
        check.push(FieldError::forbidden(&*list.path, detail));
    }
}

fn known_at<'a>(place: &Place<'a>) -> Known<'a> {
    place.value.map(known).unwrap_or_default()
}

/// As upstream shows it.
fn shown(known: &Known<'_>) -> String {
    let [driver, pool, device, share] = known.map(Value::from);
    let shown =
        format!("{{\"Driver\":{driver},\"Pool\":{pool},\"Device\":{device},\"ShareID\":{share}}}");
    go_escaped(&shown)
}

/// What drivers tell of devices that the claim has, each once.
fn told(check: &mut Check<'_>, list: &Place<'_>, allocation: &Place<'_>) {
    let results = allocation.member("devices").member("results").items();
    let had: BTreeSet<Known<'_>> = results.iter().map(known_at).collect();
    let items = list.items();
    for item in &items {
        device(check, item, &had);
    }
    let mut seen = BTreeSet::new();
    for item in &items {
        if !seen.insert(known_at(item)) {
            let shown = shown(&known_at(item));
            check.push(FieldError::new(Reason::Duplicate, &*item.path, None, shown));
        }
    }
}

fn device(check: &mut Check<'_>, place: &Place<'_>, had: &BTreeSet<Known<'_>>) {
    identity(check, place);
    let known = known_at(place);
    if !had.contains(&known) {
        let detail = format!("{}: must be an allocated device in the claim", shown(&known));
        check.push(FieldError::new(Reason::Invalid, &*place.path, None, detail));
    }
    let conditions = place.member("conditions");
    check.not_more(&conditions, MOST_CONDITIONS);
    conditions::standard(check, &conditions);
    let data = place.member("data");
    if !data.is_missing() {
        devices::object(check, &data, false);
    }
    network(check, &place.member("networkData"));
}

/// The names of a device, of what is allocated and of what is told.
fn identity(check: &mut Check<'_>, place: &Place<'_>) {
    driver_name(check, &place.member("driver"));
    pool_name(check, &place.member("pool"));
    let device = place.member("device");
    check.all(&device, device.text(), names::label(device.text()));
    uids::check(check, &place.member("shareID"));
}

/// How a device is reached (`validateNetworkDeviceData`).
fn network(check: &mut Check<'_>, place: &Place<'_>) {
    for (name, most) in
        [("interfaceName", LONGEST_INTERFACE), ("hardwareAddress", LONGEST_HARDWARE)]
    {
        let place = place.member(name);
        if place.text().len() as u64 > most {
            check.push(FieldError::too_long(&*place.path, most));
        }
    }
    let list = place.member("ips");
    let items = list.items();
    if items.len() as u64 > MOST_ADDRESSES {
        return check.not_more(&list, MOST_ADDRESSES);
    }
    items.iter().for_each(|address| addresses::interface(check, address));
    let mut seen = BTreeSet::new();
    for address in &items {
        if !seen.insert(address.text()) {
            check.push(FieldError::duplicate(&*address.path, address.text()));
        }
    }
}

/// What the claim has got (`validateAllocationResult`).
fn allocated(check: &mut Check<'_>, place: &Place<'_>) {
    let requests = check.at("spec.devices.requests");
    let named = Named::of(&requests);
    let devices = place.member("devices");
    devices::slice(check, &devices.member("results"), MOST_RESULTS, |check, result| {
        reference(check, &result.member("request"), &named);
        driver_name(check, &result.member("driver"));
        pool_name(check, &result.member("pool"));
        let device = result.member("device");
        check.all(&device, device.text(), names::label(device.text()));
        bindings::check(check, result);
        uids::check(check, &result.member("shareID"));
    });
    devices::slice(check, &devices.member("config"), MOST_CONFIGURATIONS, |check, place| {
        check.one_of(&place.member("source"), &["FromClaim", "FromClass"]);
        references(check, &place.member("requests"), &named);
        devices::configuration(check, place, false);
    });
    placing::node_selector(check, &place.member("nodeSelector"));
}
