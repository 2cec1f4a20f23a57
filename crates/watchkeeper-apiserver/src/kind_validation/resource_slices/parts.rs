//! What is told of a device beside its name and its node: what it is like, what it takes from
//! others, and what has to be so before it is used (`validateDevice` in
//! `pkg/apis/resource/validation`).

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::error::key;
use watchkeeper_schema::{FieldError, Reason};

use super::super::{Check, Place, devices, names};

const MOST_ATTRIBUTES: usize = 32;
const MOST_VALUES: usize = 48;
const LONGEST_VALUE: usize = 64;
/// A longer name of an attribute is shown without its middle: a domain, a slash, and an identifier.
const LONGEST_KEY: usize = 96;
const MOST_TAINTS: u64 = 16;
const MOST_CONSUMED: u64 = 2;
const MOST_SETS: u64 = 8;
const MOST_COUNTERS: u64 = 32;
const MOST_CONDITIONS: u64 = 4;

/// What a device is like, and how much of what it has.
pub(super) fn likeness(check: &mut Check<'_>, device: &Place<'_>) {
    let (attributes, capacity) = (members(device, "attributes"), members(device, "capacity"));
    let mut too_many = |count: usize, what: &str, most: usize| {
        if count > most {
            let detail = format!("the total number of {what} must not exceed {most}");
            check.push(FieldError::invalid(&*device.path, count, detail));
        }
    };
    too_many(attributes.len() + capacity.len(), "attributes and capacities", MOST_ATTRIBUTES);
    too_many(attributes.len(), "attribute values", MOST_VALUES);
    for (name, attribute) in &attributes {
        devices::qualified_name(check, &device.member("attributes"), name);
        self::attribute(check, attribute);
    }
    let is_shared = super::is_true(&device.member("allowMultipleAllocations"));
    for (name, amount) in &capacity {
        devices::qualified_name(check, &device.member("capacity"), name);
        let policy = amount.member("requestPolicy");
        if !is_shared && !policy.is_missing() {
            let detail = "allowMultipleAllocations must be true";
            check.push(FieldError::forbidden(&*policy.path, detail));
        }
    }
}

/// The members of a map, each at its key.
fn members<'a>(of: &Place<'a>, name: &str) -> Vec<(&'a str, Place<'a>)> {
    let map = of.member(name);
    let members = map.value.and_then(Value::as_object).into_iter().flatten();
    let place = |(name, value): (&'a String, &'a Value)| {
        let path = key(&map.path, &shortened(name));
        (name.as_str(), Place { value: Some(value), path })
    };
    members.map(place).collect()
}

/// `truncateIfTooLong`
fn shortened(name: &str) -> String {
    if name.len() <= LONGEST_KEY {
        return name.to_owned();
    }
    let rest = LONGEST_KEY - "...".len();
    let begin = name.get(..rest.div_ceil(2)).unwrap_or_default();
    let end = name.get(name.len() - rest / 2..).unwrap_or_default();
    format!("{begin}...{end}")
}

/// An attribute is one value.
fn attribute(check: &mut Check<'_>, place: &Place<'_>) {
    let text = place.member("string");
    if text.text().len() > LONGEST_VALUE {
        check.push(FieldError::too_long(&*text.path, LONGEST_VALUE as u64));
    }
    let version = place.member("version");
    if !version.is_missing() {
        if !is_version(version.text()) {
            let detail = "must be a string compatible with semver.org spec 2.0.0";
            check.push(FieldError::invalid(&*version.path, version.text(), detail));
        }
        if version.text().len() > LONGEST_VALUE {
            check.push(FieldError::too_long(&*version.path, LONGEST_VALUE as u64));
        }
    }
    let one = ["int", "bool", "string", "version"];
    let detail = "exactly one value must be specified";
    match one.iter().filter(|name| place.has(name)).count() {
        0 => check.push(FieldError::invalid(&*place.path, "", detail)),
        1 => {}
        _ => {
            // Upstream shows the attribute, with the names that its members have inside. Lists are of a gate that is off.
            let shown = |name: &str, of: &str| {
                let value = place.member(of).value.cloned().unwrap_or_default();
                format!("\"{name}\":{value}")
            };
            let shown = [
                shown("IntValue", "int"),
                shown("BoolValue", "bool"),
                shown("StringValue", "string"),
                shown("VersionValue", "version"),
                "\"IntValues\":null".to_owned(),
                "\"BoolValues\":null".to_owned(),
                "\"StringValues\":null".to_owned(),
                "\"VersionValues\":null".to_owned(),
            ];
            let detail = format!("{{{}}}: {detail}", shown.join(","));
            check.push(FieldError::new(Reason::Invalid, &*place.path, None, detail));
        }
    }
}

/// `1.2.3-beta.1+build`
fn is_version(text: &str) -> bool {
    let (rest, build) = match text.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (text, None),
    };
    let (numbers, before) = match rest.split_once('-') {
        Some((numbers, before)) => (numbers, Some(before)),
        None => (rest, None),
    };
    let is_number = |part: &str| {
        let has_digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        has_digits && (part.len() == 1 || !part.starts_with('0'))
    };
    let is_word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && before.is_none_or(|before| {
            before.split('.').all(|part| is_word(part) && (!is_digits(part) || is_number(part)))
        })
        && build.is_none_or(|build| build.split('.').all(is_word))
}

/// What is wrong with a device. What has been taken once may stay.
pub(super) fn taints(check: &mut Check<'_>, device: &Place<'_>) {
    let taints = device.member("taints");
    let name = device.member("name").text();
    let was = check.before().map(|before| before.at("spec.devices").items()).unwrap_or_default();
    let was = was.iter().find(|was| was.member("name").text() == name);
    if was.is_none_or(|was| was.member("taints").value != taints.value) {
        devices::slice(check, &taints, MOST_TAINTS, devices::taint);
    }
}

/// What a device takes of what several have in common.
pub(super) fn consumed(check: &mut Check<'_>, list: &Place<'_>) {
    devices::slice(check, list, MOST_CONSUMED, |check, one| {
        check.name(&one.member("counterSet"), "", names::label);
        counters(check, &one.member("counters"));
    });
    unique(check, list, MOST_CONSUMED, "counterSet");
}

/// What several devices have in common.
pub(super) fn shared(check: &mut Check<'_>, list: &Place<'_>) {
    devices::slice(check, list, MOST_SETS, |check, one| {
        check.name(&one.member("name"), "", names::label);
        counters(check, &one.member("counters"));
    });
    unique(check, list, MOST_SETS, "name");
}

fn counters(check: &mut Check<'_>, map: &Place<'_>) {
    let Some(entries) = map.value.and_then(Value::as_object).filter(|map| !map.is_empty()) else {
        return check.push(FieldError::required(&*map.path, ""));
    };
    let count = entries.len() as u64;
    if count > MOST_COUNTERS {
        return check.push(FieldError::too_many(&*map.path, count, MOST_COUNTERS));
    }
    for name in entries.keys() {
        check.all(map, name, names::label(name));
    }
}

/// No two items have the same name; of too many that is not told.
fn unique(check: &mut Check<'_>, list: &Place<'_>, most: u64, name: &str) {
    let items = list.items();
    let mut seen = BTreeSet::new();
    for item in items.iter().filter(|_| items.len() as u64 <= most) {
        let text = item.member(name).text();
        if !seen.insert(text) {
            check.push(FieldError::duplicate(&*item.path, text));
        }
    }
}

/// What has to be so before a device is used, and what says that it will not be
/// (`validateDeviceBindingParameters`).
pub(super) fn conditions(check: &mut Check<'_>, device: &Place<'_>) {
    let lists = ["bindingConditions", "bindingFailureConditions"].map(|name| device.member(name));
    for list in &lists {
        devices::slice(check, list, MOST_CONDITIONS, |check, one| {
            check.all(one, one.text(), names::qualified(one.text()));
        });
    }
    let [good, bad] = &lists;
    let wanted: BTreeSet<&str> = good.items().iter().map(Place::text).collect();
    for list in &lists {
        let mut seen = BTreeSet::new();
        for one in list.items() {
            if !seen.insert(one.text()) {
                check.push(FieldError::duplicate(&*one.path, one.text()));
            }
            if list.path == bad.path && wanted.contains(one.text()) {
                let detail = "bindingFailureConditions must not overlap with bindingConditions";
                check.push(FieldError::invalid(&*one.path, one.text(), detail));
            }
        }
    }
    let (none, detail) = match (good.is_empty(), bad.is_empty()) {
        (true, false) => (good, "bindingConditions are required to use bindingFailureConditions"),
        (false, true) => (bad, "bindingFailureConditions are required to use bindingConditions"),
        _ => return,
    };
    let value = none.value.cloned().unwrap_or_default();
    check.push(FieldError::invalid(&*none.path, value, detail));
}
