//! Who provides volumes, and where they are attached (`pkg/apis/storage/validation`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::child;

use super::{Check, Place, metadata, names, selector, volumes};

/// How long the name of a driver is, at most, in bytes.
const LONGEST_DRIVER: u64 = 63;
/// How many bytes the name of a node has for a driver, at most.
const LONGEST_NODE: usize = 256;
/// How many parameters a class has, at most, and how many bytes are in them.
const MOST_PARAMETERS: usize = 512;
const MOST_BYTES: usize = 256 << 10;
/// How many bytes a driver may say of what went wrong.
const LONGEST_MESSAGE: usize = 1024;

/// A class of storage stays as it is.
pub(super) fn storage_class(check: &mut Check<'_>) {
    check.name(&check.at("provisioner"), "", |name| names::qualified(&name.to_lowercase()));
    parameters(check, &check.at("parameters"), true);
    let policy = check.at("reclaimPolicy");
    if !policy.is_empty() {
        check.optional(&policy, &["Delete", "Retain"]);
    }
    let mode = check.at("volumeBindingMode");
    if mode.is_missing() {
        check.push(FieldError::required(&*mode.path, ""));
    }
    check.optional(&mode, &["Immediate", "WaitForFirstConsumer"]);
    topologies(check, &check.at("allowedTopologies"));
    metadata::update_again(check);
    check.immutable("parameters");
    check.immutable_text("provisioner");
    check.immutable("reclaimPolicy");
    check.immutable("volumeBindingMode");
}

/// The name of a driver (`ValidateCSIDriverName` in `pkg/apis/core/validation`).
pub(super) fn driver_name(check: &mut Check<'_>, place: &Place<'_>) {
    if place.text().len() as u64 > LONGEST_DRIVER {
        check.push(FieldError::too_long(&*place.path, LONGEST_DRIVER));
    }
    check.name(place, "", |name| names::subdomain(&name.to_lowercase()));
}

/// What a driver is told of a class (`validateParameters`).
fn parameters(check: &mut Check<'_>, place: &Place<'_>, may_be_none: bool) {
    let entries = place.entries();
    if entries.len() > MOST_PARAMETERS {
        return check.push(FieldError::too_long(&*place.path, MOST_PARAMETERS as u64));
    }
    if entries.iter().any(|(name, _)| name.is_empty()) {
        check.push(FieldError::invalid(&*place.path, "", "field can not be empty."));
    }
    let size: usize = entries.iter().map(|(name, value)| name.len() + value.len()).sum();
    if size > MOST_BYTES {
        check.push(FieldError::too_long(&*place.path, MOST_BYTES as u64));
    }
    if entries.is_empty() && !may_be_none {
        let detail = "must contain at least one key/value pair";
        check.push(FieldError::required(&*place.path, detail));
    }
}

/// Where volumes of a class may be: no two terms say the same (`validateAllowedTopologies`).
fn topologies(check: &mut Check<'_>, list: &Place<'_>) {
    let terms = list.items();
    // Upstream begins with as many empty terms as there are, and finds those.
    let mut seen: BTreeMap<BTreeMap<&str, BTreeSet<&str>>, usize> = BTreeMap::new();
    seen.insert(BTreeMap::new(), terms.len());
    for term in &terms {
        let requirements = term.member("matchLabelExpressions");
        let mut said: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for requirement in requirements.items() {
            let (key, values) = (requirement.member("key"), requirement.member("values"));
            if values.is_empty() {
                check.push(FieldError::required(&*values.path, ""));
            }
            let mut named = BTreeSet::new();
            for value in values.items() {
                if !named.insert(value.text()) {
                    check.push(FieldError::duplicate(&*value.path, value.text()));
                }
            }
            check.all(&key, key.text(), names::qualified(key.text()));
            if said.insert(key.text(), named).is_some() {
                check.push(FieldError::duplicate(&*key.path, key.text()));
            }
        }
        let same = seen.entry(said).or_default();
        for _ in 0..*same {
            if check.is_full() {
                break;
            }
            check.push(FieldError::duplicate(&*requirements.path, ""));
        }
        *same += 1;
    }
}

/// An attachment is of one volume, and stays that.
pub(super) fn attachment(check: &mut Check<'_>) {
    driver_name(check, &check.at("spec.attacher"));
    let source = check.at("spec.source");
    let given = ["inlineVolumeSpec", "persistentVolumeName"].map(|name| source.member(name));
    match given.iter().filter(|place| !place.is_missing()).count() {
        0 => {
            let detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
            check.push(FieldError::required(&*source.path, detail));
        }
        1 => {
            let volume = source.member("persistentVolumeName");
            let detail = "must specify non empty persistentVolumeName";
            if volume.is_missing() {
                volumes::inline_volume(check, &source.member("inlineVolumeSpec"));
            } else if volume.is_empty() {
                check.push(FieldError::required(&*volume.path, detail));
            }
        }
        _ => {
            let detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
            check.push(FieldError::forbidden(&*source.path, detail));
        }
    }
    let node = check.at("spec.nodeName");
    check.all(&node, node.text(), names::subdomain(node.text()));
    attached(check);
    let volume = source.member("persistentVolumeName");
    if !volume.is_missing() {
        check.all(&volume, volume.text(), names::subdomain(volume.text()));
    }
    check.struct_stays("spec", "io.k8s.api.storage.v1.VolumeAttachmentSpec");
}

/// What a driver tells of an attachment (`validateVolumeAttachmentStatus`).
fn attached(check: &mut Check<'_>) {
    let status = check.at("status");
    let told = status.member("attachmentMetadata");
    let size: usize = told.entries().iter().map(|(name, value)| name.len() + value.len()).sum();
    if size > MOST_BYTES {
        check.push(FieldError::too_long(&*told.path, MOST_BYTES as u64));
    }
    for error in ["attachError", "detachError"].map(|name| status.member(name)) {
        let (message, code) = (error.member("message"), error.member("errorCode"));
        // Upstream names another bound than the one that it keeps.
        if message.text().len() > LONGEST_MESSAGE {
            check.push(FieldError::too_long(&*message.path, MOST_BYTES as u64));
        }
        if let Some(number) = code.number().filter(|number| *number < 0) {
            let detail = format!("must be between 0 and {}, inclusive", i32::MAX);
            check.push(FieldError::invalid(&*code.path, number, detail));
        }
    }
}

/// A driver says once whether volumes are attached and how long they live.
pub(super) fn csi_driver(check: &mut Check<'_>) {
    let spec = check.at("spec");
    let policies = ["File", "None", "ReadWriteOnceWithFSType"];
    check.optional(&spec.member("fsGroupPolicy"), &policies);
    token_requests(check, &spec.member("tokenRequests"));
    let modes = spec.member("volumeLifecycleModes");
    let known = ["Persistent", "Ephemeral"];
    for mode in modes.items().iter().filter(|mode| !known.contains(&mode.text())) {
        check.push(FieldError::not_supported(&*modes.path, mode.text(), known));
    }
    let period = spec.member("nodeAllocatableUpdatePeriodSeconds");
    if let Some(seconds) = period.number().filter(|seconds| *seconds < 10) {
        let detail = "must be greater than or equal to 10 seconds";
        check.push(FieldError::invalid(&*period.path, seconds, detail));
    }
    let secret = spec.member("serviceAccountTokenInSecrets");
    if !secret.is_missing() && spec.member("tokenRequests").is_empty() {
        let value = secret.value.cloned().unwrap_or_default();
        let detail = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
        check.push(FieldError::invalid(&*secret.path, value, detail));
    }
    check.stays("spec.attachRequired", "spec.attachedRequired");
    check.immutable("spec.volumeLifecycleModes");
}

fn token_requests(check: &mut Check<'_>, place: &Place<'_>) {
    let mut seen = BTreeSet::new();
    for request in place.items() {
        let audience = request.member("audience");
        if !seen.insert(audience.text().to_owned()) {
            let place = child(&request.path, "audience");
            check.push(FieldError::duplicate(place, audience.text()));
            continue;
        }
        let expiration = request.member("expirationSeconds");
        let detail = match expiration.number() {
            Some(..600) => "may not specify a duration less than 10 minutes",
            Some(0x1_0000_0001..) => "may not specify a duration larger than 2^32 seconds",
            _ => continue,
        };
        let value = expiration.value.cloned().unwrap_or_default();
        check.push(FieldError::invalid(&*expiration.path, value, detail));
    }
}

/// A driver on a node stays as it is, but for how much it takes.
pub(super) fn csi_node(check: &mut Check<'_>) {
    let drivers = check.at("spec.drivers").items();
    let mut seen = BTreeSet::new();
    for driver in &drivers {
        let name = driver.member("name");
        driver_name(check, &name);
        let id = driver.member("nodeID");
        if id.is_empty() {
            check.push(FieldError::required(&*id.path, ""));
        }
        if id.text().len() > LONGEST_NODE {
            let detail = format!("must be {LONGEST_NODE} characters or less");
            check.push(FieldError::invalid(&*id.path, id.text(), detail));
        }
        check.not_negative(&driver.member("allocatable").member("count"));
        if !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
        topology_keys(check, driver);
    }
    let mut by_name: BTreeMap<&str, Vec<&Place<'_>>> = BTreeMap::new();
    for driver in &drivers {
        by_name.entry(driver.member("name").text()).or_default().push(driver);
    }
    let old = check.old.and_then(|old| old.pointer("/spec/drivers")?.as_array());
    for old in old.into_iter().flatten() {
        let name = old.get("name").and_then(Value::as_str).unwrap_or_default();
        for driver in by_name.get(name).into_iter().flatten() {
            let Some(value) = driver.value else { continue };
            let (now, before) = (without_amount(value), without_amount(old));
            if now != before {
                let model = "io.k8s.api.storage.v1.CSINodeDriver";
                let now = check.as_sent(&driver.path, Some(&now));
                check.push(super::changed("spec.drivers", model, now.as_ref()));
            }
        }
    }
}

/// Upstream tells of the driver, not of the key.
fn topology_keys(check: &mut Check<'_>, driver: &Place<'_>) {
    let mut seen = BTreeSet::new();
    for key in driver.member("topologyKeys").items() {
        if key.is_empty() {
            check.push(FieldError::required(&*driver.path, ""));
        }
        if !seen.insert(key.text()) {
            check.push(FieldError::duplicate(&*driver.path, key.text()));
        }
        check.all(driver, key.text(), names::qualified(key.text()));
    }
}

fn without_amount(driver: &Value) -> Value {
    let mut driver = driver.clone();
    driver.as_object_mut().map(|members| members.remove("allocatable"));
    driver
}

/// How much there is of one class in one place.
pub(super) fn csi_capacity(check: &mut Check<'_>) {
    selector::check(check, &check.at("nodeTopology"));
    let class = check.at("storageClassName");
    check.all(&class, class.text(), names::subdomain(class.text()));
    let amount = check.at("capacity");
    if !amount.is_missing() && Quantity::from(amount.text()) < Quantity::from("0") {
        let detail = "must be greater than or equal to 0";
        check.push(FieldError::invalid(&*amount.path, amount.text(), detail));
    }
    metadata::update_again(check);
    let now = check.at("nodeTopology").value;
    let is_kept = check.before().is_none_or(|before| before.at("nodeTopology").value == now);
    match now {
        _ if is_kept => {}
        None => check.push(FieldError::invalid("nodeTopology", Value::Null, "field is immutable")),
        now => {
            let model = "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector";
            check.push(super::changed("nodeTopology", model, now));
        }
    }
    check.immutable_text("storageClassName");
}

/// Attributes of volumes stay as they are.
pub(super) fn attributes_class(check: &mut Check<'_>) {
    for name in ["driverName", "parameters"] {
        let was = check.old.map(|old| old.get(name));
        if was.is_some_and(|was| was != check.new.get(name)) {
            let detail = format!("updates to {name} are forbidden.");
            check.push(FieldError::forbidden(name, detail));
        }
    }
    metadata::whole_again(check);
    check.name(&check.at("driverName"), "", |name| names::qualified(&name.to_lowercase()));
    parameters(check, &check.at("parameters"), false);
}
