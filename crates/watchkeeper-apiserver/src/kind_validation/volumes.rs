//! Volumes: claims, and what is claimed.

mod sources;

use serde_json::Value;
use watchkeeper_api::Quantity;
use watchkeeper_schema::error::{child, key};
use watchkeeper_schema::{FieldError, Reason};

use self::sources::SOURCES;
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
        let now = check.as_sent("spec", Some(&now));
        let changes = internal::changes(CLAIM_SPEC, Some(&before), now.as_ref());
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
    check.optional(&spec.member("volumeMode"), &VOLUME_MODES);
}

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
    if !policy.is_empty() {
        check.optional(&policy, &["Delete", "Recycle", "Retain"]);
    }
    let affinity = spec.member("nodeAffinity");
    placing::node_selector(check, &affinity.member("required"));
    if !affinity.is_missing() && affinity.member("required").is_missing() {
        let place = child(&affinity.path, "required");
        check.push(FieldError::required(place, "must specify required node constraints"));
    }
    sources::check(check, spec);
    not_recycled(check, spec);
    class_and_mode(check, spec);
    attributes_class(check, spec);
}

/// The root of a host is not emptied for the next claim.
fn not_recycled(check: &mut Check<'_>, spec: &Place<'_>) {
    let (host, policy) = (spec.member("hostPath"), spec.member("persistentVolumeReclaimPolicy"));
    if policy.text() == "Recycle" && sources::is_root(host.member("path").text()) {
        let detail = "may not be 'recycle' for a hostPath mount of '/'";
        check.push(FieldError::forbidden(&*policy.path, detail));
    }
}

/// What a driver makes of a volume.
fn attributes_class(check: &mut Check<'_>, spec: &Place<'_>) {
    let class = spec.member("volumeAttributesClassName");
    if class.is_missing() {
        return;
    }
    check.name(&class, "an empty string is disallowed", names::subdomain);
    if !spec.has("csi") {
        let detail = "has to be specified when using volumeAttributesClassName";
        check.push(FieldError::required(child(&spec.path, "csi"), detail));
    }
}

/// A volume that stands in an attachment and is no object of its own. It is of a driver.
pub(super) fn inline_volume(check: &mut Check<'_>, spec: &Place<'_>) {
    const CONTEXT: &str = "in the context of inline volumes";
    let not_here = |check: &mut Check<'_>, name: &str, is_there: bool| {
        if is_there {
            let detail = format!("may not be specified {CONTEXT}");
            check.push(FieldError::forbidden(child(&spec.path, name), detail));
        }
    };
    not_here(check, "claimRef", spec.has("claimRef"));
    not_here(check, "capacity", !spec.member("capacity").is_empty());
    if !spec.has("csi") {
        let detail = format!("has to be specified {CONTEXT}");
        check.push(FieldError::required(child(&spec.path, "csi"), detail));
    }
    access_modes(check, spec, "");
    exclusive(check, spec);
    let policy = spec.member("persistentVolumeReclaimPolicy");
    if !matches!(policy.text(), "" | "Retain") {
        let detail = format!("may only be Retain {CONTEXT}");
        check.push(FieldError::forbidden(&*policy.path, detail));
    }
    not_here(check, "nodeAffinity", spec.has("nodeAffinity"));
    sources::check(check, spec);
    not_recycled(check, spec);
    not_here(check, "storageClassName", !spec.member("storageClassName").is_empty());
    let mode = spec.member("volumeMode");
    if !mode.is_missing() && mode.text() != "Filesystem" {
        let detail = format!("may not specify volumeMode other than Filesystem {CONTEXT}");
        check.push(FieldError::forbidden(&*mode.path, detail));
    }
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
        let whole = Quantity::from(amount.text()).amount().map_or(0, |amount| amount.value());
        if whole < 0 {
            let detail = "must be a valid resource quantity";
            check.push(FieldError::invalid(&*amount.path, whole, detail));
        }
        positive(check, &amount);
    }
}

fn volume_stays(check: &mut Check<'_>, spec: &Place<'_>) {
    let Some(old) = check.old else { return };
    let before = old.get("spec");
    let was = |name: &str| before.and_then(|spec| spec.get(name)).filter(|one| !one.is_null());
    if SOURCES.iter().any(|name| !is_same_source(name, was(name), spec.member(name).value)) {
        let now = check.as_sent(&spec.path, spec.value);
        let changes = internal::changes(SOURCE, before, now.as_ref());
        let detail = format!("spec.persistentvolumesource is immutable after creation{changes}");
        check.push(FieldError::forbidden("spec.persistentvolumesource", detail));
    }
    check.stays("spec.volumeMode", "volumeMode");
    let (place, now) = (was("nodeAffinity"), spec.member("nodeAffinity").value);
    if place.is_some() && place != now {
        let now = check.as_sent("spec.nodeAffinity", now);
        let shown = now.as_ref().map_or_else(
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
