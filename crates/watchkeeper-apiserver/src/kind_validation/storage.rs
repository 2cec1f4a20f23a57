//! Who provides volumes, and where they are attached (`pkg/apis/storage/validation`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::child;

use super::{Check, Place, metadata, names, selector};

/// A class of storage stays as it is.
pub(super) fn storage_class(check: &mut Check<'_>) {
    check.name(&check.at("provisioner"), "", |name| names::qualified(&name.to_lowercase()));
    metadata::update_again(check);
    check.immutable("parameters");
    check.immutable_text("provisioner");
    check.immutable("reclaimPolicy");
    check.immutable("volumeBindingMode");
}

/// An attachment is of one volume, and stays that.
pub(super) fn attachment(check: &mut Check<'_>) {
    let attacher = check.at("spec.attacher");
    check.name(&attacher, "", |name| names::subdomain(&name.to_lowercase()));
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
            if !volume.is_missing() && volume.is_empty() {
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
    let volume = source.member("persistentVolumeName");
    if !volume.is_missing() {
        check.all(&volume, volume.text(), names::subdomain(volume.text()));
    }
    check.struct_stays("spec", "io.k8s.api.storage.v1.VolumeAttachmentSpec");
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
        check.name(&name, "", |name| names::subdomain(&name.to_lowercase()));
        let id = driver.member("nodeID");
        if id.is_empty() {
            check.push(FieldError::required(&*id.path, ""));
        }
        check.not_negative(&driver.member("allocatable").member("count"));
        if !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
    }
    let mut by_name: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for driver in &drivers {
        by_name.entry(driver.member("name").text()).or_default().extend(driver.value);
    }
    let old = check.old.and_then(|old| old.pointer("/spec/drivers")?.as_array());
    for old in old.into_iter().flatten() {
        let name = old.get("name").and_then(Value::as_str).unwrap_or_default();
        for driver in by_name.get(name).into_iter().flatten() {
            let (now, before) = (without_amount(driver), without_amount(old));
            if now != before {
                let model = "io.k8s.api.storage.v1.CSINodeDriver";
                check.push(super::changed("spec.drivers", model, Some(&now)));
            }
        }
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
    let parameters = check.at("parameters");
    if parameters.is_empty() {
        let detail = "must contain at least one key/value pair";
        check.push(FieldError::required(&*parameters.path, detail));
    }
}
