//! Slices of devices (`validateResourceSliceSpec` in `pkg/apis/resource/validation`).

mod parts;

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::pod::placing;
use super::storage::driver_name;
use super::{Check, Place, names};

const MOST_DEVICES: u64 = 128;
const MOST_DEVICES_WITH_MORE: u64 = 64;
const MOST_LETTERS_OF_POOL: u64 = 253;

/// Who has the devices, and which. The driver, the pool and the node of a slice stay.
pub(super) fn resource_slice(check: &mut Check<'_>) {
    let spec = check.at("spec");
    driver_name(check, &spec.member("driver"));
    pool(check, &spec.member("pool"));
    check.immutable_text("spec.pool.name");
    check.immutable_text("spec.driver");
    check.immutable("spec.nodeName");
    where_found(check, &spec);
    let (devices, counters) = (spec.member("devices"), spec.member("sharedCounters"));
    if !devices.is_missing() && !counters.is_missing() {
        let detail = "only one of `sharedCounters` or `devices` is allowed";
        check.push(FieldError::invalid(&*spec.path, "", detail));
    }
    self::devices(check, &devices, is_true(&spec.member("perDeviceNodeSelection")));
    parts::shared(check, &counters);
}

fn is_true(place: &Place<'_>) -> bool {
    place.value == Some(&Value::Bool(true))
}

/// `validatePoolName`
pub(super) fn pool_name(check: &mut Check<'_>, name: &Place<'_>) {
    if name.is_empty() {
        return check.push(FieldError::required(&*name.path, ""));
    }
    if name.text().len() as u64 > MOST_LETTERS_OF_POOL {
        check.push(FieldError::too_long(&*name.path, MOST_LETTERS_OF_POOL));
    }
    for part in name.text().split('/') {
        check.all(name, part, names::subdomain(part));
    }
}

fn pool(check: &mut Check<'_>, pool: &Place<'_>) {
    pool_name(check, &pool.member("name"));
    let (count, generation) = (pool.member("resourceSliceCount"), pool.member("generation"));
    let number = count.number().unwrap_or_default();
    if number <= 0 {
        check.push(FieldError::invalid(&*count.path, number, "must be greater than zero"));
    }
    if let Some(number) = generation.number().filter(|number| *number < 0) {
        let detail = "must be greater than or equal to zero";
        check.push(FieldError::invalid(&*generation.path, number, detail));
    }
}

/// The devices are found in one way.
fn where_found(check: &mut Check<'_>, spec: &Place<'_>) {
    const ONE: &str = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, \
                       `perDeviceNodeSelection` is required";
    let told = "must be either unset or set to a non-empty string";
    let mut given = at_nodes(check, spec, told);
    let selector = spec.member("nodeSelector");
    let terms = selector.member("nodeSelectorTerms");
    if !selector.is_missing() && terms.items().len() != 1 {
        let value = terms.value.cloned().unwrap_or_default();
        let detail = "must have exactly one node selector term";
        check.push(FieldError::invalid(&*terms.path, value, detail));
    }
    flag(check, spec, "allNodes", &mut given);
    flag(check, spec, "perDeviceNodeSelection", &mut given);
    match given.len() {
        0 => check.push(FieldError::required(&*spec.path, ONE)),
        1 => {}
        _ => {
            let value = format!("{{{}}}", given.join(", "));
            let detail = format!("{ONE}, but multiple fields are set");
            check.push(FieldError::invalid(&*spec.path, value, detail));
        }
    }
}

/// Whether a node is named, or some are selected.
fn at_nodes(check: &mut Check<'_>, place: &Place<'_>, empty: &str) -> Vec<&'static str> {
    let (name, selector) = (place.member("nodeName"), place.member("nodeSelector"));
    let mut given = Vec::new();
    if !name.is_empty() {
        given.push("`nodeName`");
        check.all(&name, name.text(), names::subdomain(name.text()));
    } else if !name.is_missing() {
        check.push(FieldError::invalid(&*name.path, "", empty));
    }
    if !selector.is_missing() {
        given.push("`nodeSelector`");
        placing::node_selector(check, &selector);
    }
    given
}

/// What is so or is not said.
fn flag(check: &mut Check<'_>, of: &Place<'_>, name: &str, given: &mut Vec<&'static str>) {
    let place = of.member(name);
    match place.value {
        None => {}
        Some(Value::Bool(true)) => given.push(match name {
            "allNodes" => "`allNodes`",
            _ => "`perDeviceNodeSelection`",
        }),
        Some(_) => {
            let detail = "must be either unset or set to true";
            check.push(FieldError::invalid(&*place.path, false, detail));
        }
    }
}

fn devices(check: &mut Check<'_>, place: &Place<'_>, each_tells: bool) {
    let devices = place.items();
    let has_more = devices.iter().any(|device| {
        !device.member("taints").is_empty() || !device.member("consumesCounters").is_empty()
    });
    let most = if has_more { MOST_DEVICES_WITH_MORE } else { MOST_DEVICES };
    if devices.len() as u64 > most {
        return check.push(FieldError::too_many(&*place.path, devices.len() as u64, most));
    }
    for device in &devices {
        self::device(check, device, each_tells);
    }
    let mut seen = BTreeSet::new();
    for device in &devices {
        let name = device.member("name").text();
        if !seen.insert(name) {
            check.push(FieldError::duplicate(&*device.path, name));
        }
    }
}

fn device(check: &mut Check<'_>, device: &Place<'_>, each_tells: bool) {
    let name = device.member("name");
    check.all(&name, name.text(), names::label(name.text()));
    parts::likeness(check, device);
    parts::taints(check, device);
    parts::consumed(check, &device.member("consumesCounters"));
    where_used(check, device, each_tells);
    parts::conditions(check, device);
}

/// Devices say where they are if their slice does not.
fn where_used(check: &mut Check<'_>, device: &Place<'_>, each_tells: bool) {
    let own = ["nodeName", "nodeSelector", "allNodes"].map(|name| device.member(name));
    if !each_tells {
        if own.iter().any(|place| !place.is_missing()) {
            let detail = "`nodeName`, `nodeSelector` and `allNodes` can only be set if \
                          `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
            check.push(FieldError::invalid(&*device.path, Value::Null, detail));
        }
        return;
    }
    let mut given = at_nodes(check, device, "must not be empty");
    flag(check, device, "allNodes", &mut given);
    let detail = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when \
                  `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
    match given.len() {
        0 => check.push(FieldError::required(&*device.path, detail)),
        1 => {}
        _ => {
            let value = format!("{{{}}}", given.join(", "));
            check.push(FieldError::invalid(&*device.path, value, detail));
        }
    }
}
