//! Where volumes are, and what has to be told of that (`ValidatePersistentVolumeSpec` in
//! `pkg/apis/core/validation`).

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::child;

use super::super::pod::volumes as of_pods;
use super::super::storage::driver_name;
use super::super::{Check, Place, names};

/// The kinds of volumes, in the order in which they are looked for.
pub(super) const SOURCES: [&str; 22] = [
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
/// A volume is of one kind.
pub(super) fn check(check: &mut Check<'_>, spec: &Place<'_>) {
    let given: Vec<&str> = SOURCES.into_iter().filter(|name| spec.has(name)).collect();
    if given.is_empty() {
        return check.push(FieldError::required(&*spec.path, "must specify a volume type"));
    }
    for (index, name) in given.into_iter().enumerate() {
        if index > 0 && name != "flexVolume" {
            let name = if name == "cephfs" { "cephFS" } else { name };
            let detail = "may not specify more than 1 volume type";
            check.push(FieldError::forbidden(child(&spec.path, name), detail));
        } else {
            source(check, spec, name);
        }
    }
}

/// Of a disk of GCE upstream tells under another name.
fn source(check: &mut Check<'_>, spec: &Place<'_>, name: &str) {
    let told = if name == "gcePersistentDisk" { "persistentDisk" } else { name };
    let place = Place { path: child(&spec.path, told), ..spec.member(name) };
    if name == "csi" {
        return csi(check, &place);
    }
    for required in required(name).iter().map(|name| place.member(name)).filter(Place::is_empty) {
        check.push(FieldError::required(required.path, ""));
    }
    match name {
        "hostPath" => of_pods::host_path(check, &place),
        "local" => local(check, spec, &place),
        "nfs" => {
            let path = place.member("path");
            if !path.text().starts_with('/') {
                let detail = "must be an absolute path";
                check.push(FieldError::invalid(&*path.path, path.text(), detail));
            }
        }
        "cinder" => secret_of(check, &place),
        "storageos" => {
            for label in ["volumeName", "volumeNamespace"].map(|name| place.member(name)) {
                if !label.is_empty() {
                    check.all(&label, label.text(), names::label(label.text()));
                }
            }
            secret_of(check, &place);
        }
        _ => of_pods::sources::of_storage(check, name, &place),
    }
}

/// What there must be of a kind: what there must be of it in a pod, but for those that no pod has so.
fn required(name: &str) -> &'static [&'static str] {
    match name {
        "local" => &["path"],
        "storageos" => &["volumeName"],
        name => of_pods::required(name),
    }
}

/// A volume of one node says which that is.
fn local(check: &mut Check<'_>, spec: &Place<'_>, place: &Place<'_>) {
    of_pods::files::no_steps_back(check, &place.member("path"));
    if !spec.has("nodeAffinity") {
        let path = child(&spec.path, "nodeAffinity");
        check.push(FieldError::required(path, "Local volume requires node affinity"));
    }
}

fn secret_of(check: &mut Check<'_>, place: &Place<'_>) {
    let secret = place.member("secretRef");
    if secret.is_missing() {
        return;
    }
    for part in ["name", "namespace"].map(|name| secret.member(name)) {
        if part.is_empty() {
            check.push(FieldError::required(&*part.path, ""));
        }
    }
}

/// A volume of a driver, and the secrets that it is reached with.
fn csi(check: &mut Check<'_>, place: &Place<'_>) {
    driver_name(check, &place.member("driver"));
    let handle = place.member("volumeHandle");
    if handle.is_empty() {
        check.push(FieldError::required(&*handle.path, ""));
    }
    for name in [
        "controllerPublishSecretRef",
        "controllerExpandSecretRef",
        "nodePublishSecretRef",
        "nodeExpandSecretRef",
    ] {
        let secret = place.member(name);
        if !secret.is_missing() {
            check.name(&secret.member("name"), "", names::subdomain);
            check.name(&secret.member("namespace"), "", names::label);
        }
    }
}

/// Whether a path leads to the root of a host.
pub(super) fn is_root(path: &str) -> bool {
    let mut depth = 0_usize;
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => depth = depth.saturating_sub(1),
            _ => depth += 1,
        }
    }
    path.starts_with('/') && depth == 0
}
