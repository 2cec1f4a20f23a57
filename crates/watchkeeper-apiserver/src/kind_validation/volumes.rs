//! Volumes: claims, what is claimed, and who provides it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use watchkeeper_api::Quantity;
use watchkeeper_schema::error::{child, key};
use watchkeeper_schema::{FieldError, Reason};

use super::pod::placing;
use super::{Check, Place, internal, metadata, names, put_back, selector};

const MODES: [&str; 4] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const CLAIM_SPEC: &str = "io.k8s.api.core.v1.PersistentVolumeClaimSpec";
const SOURCE: &str = "io.k8s.api.core.v1.PersistentVolumeSource";
const VOLUME_MODES: [&str; 2] = ["Block", "Filesystem"];

/// A claim asks for an amount and for ways to reach it, and once made it asks for that.
pub(super) fn claim(check: &mut Check<'_>) {
    let spec = check.at("spec");
    claim_spec(check, &spec);
    claim_stays(check, &spec);
}

/// What is asked for, wherever it is.
pub(super) fn claim_spec(check: &mut Check<'_>, spec: &Place<'_>) {
    access_modes(check, spec, "at least 1 access mode is required");
    selector::check(check, &spec.member("selector"));
    exclusive(check, spec);
    let storage = Place {
        path: key(&child(&spec.path, "resources"), "storage"),
        ..spec.member("resources").member("requests").member("storage")
    };
    if storage.is_missing() {
        check.push(FieldError::required(&*storage.path, ""));
    } else {
        positive(check, &storage);
    }
    class_and_mode(check, spec);
}

fn claim_stays(check: &mut Check<'_>, spec: &Place<'_>) {
    let Some(old) = check.old else { return };
    let [before, now] = compared(old, check.new);
    if before != now {
        let detail = "spec is immutable after creation except resources.requests and \
                      volumeAttributesClassName for bound claims";
        let changes = internal::changes(CLAIM_SPEC, Some(&before), Some(&now));
        check.push(FieldError::forbidden(&*spec.path, format!("{detail}{changes}")));
    }
    let requested = |object: &Value| {
        let text = object.pointer("/spec/resources/requests/storage").and_then(Value::as_str);
        Quantity::from(text.unwrap_or("0"))
    };
    let capacity = old.pointer("/status/capacity/storage").and_then(Value::as_str);
    let (now, had) = (requested(check.new), Quantity::from(capacity.unwrap_or("0")));
    if now < requested(old) && now <= had {
        let detail = "field can not be less than status.capacity";
        check.push(FieldError::forbidden("spec.resources.requests.storage", detail));
    }
    check.stays("spec.volumeMode", "volumeMode");
}

/// Two states of a claim without what may be different: a volume is found once, and so is a class.
fn compared(old: &Value, new: &Value) -> [Value; 2] {
    let spec = |object: &Value| object.get("spec").cloned().unwrap_or_default();
    let (mut before, mut now) = (spec(old), spec(new));
    if before["volumeName"].as_str().is_none_or(str::is_empty) {
        put_back(&mut before, &now, &["volumeName"]);
    }
    if before["storageClassName"].is_null() && !now["storageClassName"].is_null() {
        put_back(&mut now, &before, &["storageClassName"]);
    }
    if old.pointer("/status/phase").is_some_and(|phase| phase == "Bound") {
        put_back(&mut now, &before, &["volumeAttributesClassName"]);
        let requested = before.pointer("/resources/requests").cloned().unwrap_or_default();
        if let Some(requests) = now.pointer_mut("/resources/requests") {
            put_back(requests, &requested, &["storage"]);
        }
    }
    [before, now]
}

fn access_modes(check: &mut Check<'_>, spec: &Place<'_>, absent: &str) {
    let modes = spec.member("accessModes");
    if modes.is_empty() {
        check.push(FieldError::required(&*modes.path, absent));
    }
}

/// Each mode is one, and that of a single pod stands alone.
fn exclusive(check: &mut Check<'_>, spec: &Place<'_>) {
    let place = spec.member("accessModes");
    let modes: Vec<&str> = place.items().iter().map(Place::text).collect();
    for mode in modes.iter().filter(|mode| !MODES.contains(mode)) {
        check.push(FieldError::not_supported(&*place.path, *mode, MODES));
    }
    let of_pod = |mode: &str| mode == "ReadWriteOncePod";
    let is_other = |mode: &str| MODES.contains(&mode) && !of_pod(mode);
    if modes.iter().any(|mode| of_pod(mode)) && modes.iter().any(|mode| is_other(mode)) {
        let detail = "may not use ReadWriteOncePod with other access modes";
        check.push(FieldError::forbidden(&*place.path, detail));
    }
}

fn positive(check: &mut Check<'_>, place: &Place<'_>) {
    if Quantity::from(place.text()) <= Quantity::from("0") {
        check.push(FieldError::invalid(&*place.path, place.text(), "must be greater than zero"));
    }
}

fn class_and_mode(check: &mut Check<'_>, spec: &Place<'_>) {
    let class = spec.member("storageClassName");
    if !class.is_empty() {
        check.all(&class, class.text(), names::subdomain(class.text()));
    }
    let mode = spec.member("volumeMode");
    if !mode.is_missing() && !VOLUME_MODES.contains(&mode.text()) {
        check.push(FieldError::not_supported(&*mode.path, mode.text(), VOLUME_MODES));
    }
}

/// The kinds of volumes, in the order in which they are looked for.
const SOURCES: [&str; 22] = [
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
];

/// A volume is of one kind, has a size, and stays where it is.
pub(super) fn volume(check: &mut Check<'_>) {
    let spec = check.at("spec");
    let told = check.errors.len();
    a_volume(check, &spec);
    if check.old.is_some() {
        // Upstream judges an update as a new volume, too, and says all of it again.
        let of_volume = check.errors[told..].to_vec();
        metadata::whole_again(check);
        check.errors.extend(of_volume);
        volume_stays(check, &spec);
    }
}

fn a_volume(check: &mut Check<'_>, spec: &Place<'_>) {
    access_modes(check, spec, "");
    exclusive(check, spec);
    capacity(check, &spec.member("capacity"));
    let policy = spec.member("persistentVolumeReclaimPolicy");
    let policies = ["Delete", "Recycle", "Retain"];
    if !policy.is_empty() && !policies.contains(&policy.text()) {
        check.push(FieldError::not_supported(&*policy.path, policy.text(), policies));
    }
    let affinity = spec.member("nodeAffinity");
    placing::node_selector(check, &affinity.member("required"));
    if !affinity.is_missing() && affinity.member("required").is_missing() {
        let place = child(&affinity.path, "required");
        check.push(FieldError::required(place, "must specify required node constraints"));
    }
    source(check, spec);
    class_and_mode(check, spec);
}

fn capacity(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_empty() {
        check.push(FieldError::required(&*place.path, ""));
    }
    let entries = place.entries();
    if entries.len() != 1 || place.member("storage").is_missing() {
        let value = place.value.cloned().unwrap_or_default();
        check.push(FieldError::not_supported(&*place.path, value, ["storage"]));
    }
    for (name, _) in entries {
        let amount = Place { path: key(&place.path, name), ..place.member(name) };
        positive(check, &amount);
    }
}

fn source(check: &mut Check<'_>, spec: &Place<'_>) {
    let given = SOURCES.iter().map(|name| spec.member(name)).filter(|place| !place.is_missing());
    let given: Vec<Place<'_>> = given.collect();
    let Some((first, others)) = given.split_first() else {
        return check.push(FieldError::required(&*spec.path, "must specify a volume type"));
    };
    let required: &[&str] = match first.path.rsplit('.').next() {
        Some("hostPath" | "local") => &["path"],
        Some("nfs") => &["server", "path"],
        Some("csi") => &["driver", "volumeHandle"],
        _ => &[],
    };
    for place in required.iter().map(|name| first.member(name)).filter(Place::is_empty) {
        check.push(FieldError::required(&*place.path, ""));
    }
    if first.path.ends_with(".nfs") && !first.member("path").text().starts_with('/') {
        let place = first.member("path");
        check.push(FieldError::invalid(&*place.path, place.text(), "must be an absolute path"));
    }
    for other in others {
        let detail = "may not specify more than 1 volume type";
        check.push(FieldError::forbidden(&*other.path, detail));
    }
}

fn volume_stays(check: &mut Check<'_>, spec: &Place<'_>) {
    let Some(old) = check.old else { return };
    let before = old.get("spec");
    let was = |name: &str| before.and_then(|spec| spec.get(name)).filter(|one| !one.is_null());
    if SOURCES.iter().any(|name| !is_same_source(name, was(name), spec.member(name).value)) {
        let changes = internal::changes(SOURCE, before, spec.value);
        let detail = format!("spec.persistentvolumesource is immutable after creation{changes}");
        check.push(FieldError::forbidden("spec.persistentvolumesource", detail));
    }
    check.stays("spec.volumeMode", "volumeMode");
    let (place, now) = (was("nodeAffinity"), spec.member("nodeAffinity").value);
    if place.is_some() && place != now {
        let shown = now.map_or_else(
            || "null".to_owned(),
            |now| internal::shown("io.k8s.api.core.v1.VolumeNodeAffinity", Some(now)),
        );
        let detail =
            format!("{shown}: field is immutable, except for updating from beta label to GA");
        check.push(FieldError::new(Reason::Invalid, "nodeAffinity", None, detail));
    }
    let class = spec.member("volumeAttributesClassName");
    if was("volumeAttributesClassName").is_some() && class.is_missing() {
        let detail = "update from non-nil value to nil is forbidden";
        check.push(FieldError::forbidden(&*class.path, detail));
    }
}

/// The secret that a volume is made larger with may be told later.
fn is_same_source(name: &str, before: Option<&Value>, now: Option<&Value>) -> bool {
    const LATER: &str = "controllerExpandSecretRef";
    if let ("csi", Some(Value::Object(before)), Some(Value::Object(now))) = (name, before, now)
        && !before.contains_key(LATER)
    {
        let mut now = now.clone();
        now.remove(LATER);
        return *before == now;
    }
    before == now
}

/// A class of storage stays as it is.
pub(super) fn storage_class(check: &mut Check<'_>) {
    check.name(&check.at("provisioner"), "", |name| names::qualified(&name.to_lowercase()));
    metadata::update_again(check);
    // Parameters inside of upstream are a map that is there, if only without entries.
    let before = check.before().map(|before| before.at("parameters").value.cloned());
    let now = check.at("parameters").value;
    if before.is_some_and(|before| before.as_ref() != now) {
        let value = now.cloned().unwrap_or_else(|| Value::Object(Map::new()));
        check.push(FieldError::invalid("parameters", value, "field is immutable"));
    }
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
    let (policy, policies) =
        (spec.member("fsGroupPolicy"), ["File", "None", "ReadWriteOnceWithFSType"]);
    if !policy.is_missing() && !policies.contains(&policy.text()) {
        check.push(FieldError::not_supported(&*policy.path, policy.text(), policies));
    }
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
        if name.is_empty() {
            check.push(FieldError::required(&*name.path, ""));
        } else {
            check.all(&name, name.text(), names::subdomain(&name.text().to_lowercase()));
        }
        let id = driver.member("nodeID");
        if id.is_empty() {
            check.push(FieldError::required(&*id.path, ""));
        }
        check.not_negative(&driver.member("allocatable").member("count"));
        if !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
    }
    let old = check.old.and_then(|old| old.pointer("/spec/drivers")?.as_array());
    for old in old.into_iter().flatten() {
        let of_name = |driver: &&Value| driver.get("name") == old.get("name");
        for driver in drivers.iter().filter_map(|driver| driver.value).filter(of_name) {
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
    let driver = check.at("driverName");
    if driver.is_empty() {
        check.push(FieldError::required(&*driver.path, ""));
    } else {
        check.all(&driver, driver.text(), names::qualified(&driver.text().to_lowercase()));
    }
    let parameters = check.at("parameters");
    if parameters.is_empty() {
        let detail = "must contain at least one key/value pair";
        check.push(FieldError::required(&*parameters.path, detail));
    }
}
