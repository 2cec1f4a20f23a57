//! Where volumes are, and what has to be told of that (`ValidatePersistentVolumeSpec` in
//! `pkg/apis/core/validation`).

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::child;

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
/// What is at a path of a host.
const HOST_PATHS: [&str; 8] = [
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
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
        "hostPath" => host_path(check, &place),
        "local" => local(check, spec, &place),
        "nfs" => {
            let path = place.member("path");
            if !path.text().starts_with('/') {
                let detail = "must be an absolute path";
                check.push(FieldError::invalid(&*path.path, path.text(), detail));
            }
        }
        "gcePersistentDisk" | "awsElasticBlockStore" => {
            let part = place.member("partition");
            if let Some(number) = part.number().filter(|number| !(0..=255).contains(number)) {
                let detail = "must be between 1 and 255, inclusive";
                check.push(FieldError::invalid(&*part.path, number, detail));
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
        _ => {}
    }
}

/// What there must be of a kind.
fn required(name: &str) -> &'static [&'static str] {
    match name {
        "hostPath" | "local" => &["path"],
        "gcePersistentDisk" => &["pdName"],
        "awsElasticBlockStore" | "cinder" | "portworxVolume" => &["volumeID"],
        "glusterfs" => &["endpoints", "path"],
        "nfs" => &["server", "path"],
        "rbd" => &["monitors", "image"],
        "cephfs" => &["monitors"],
        "iscsi" => &["targetPortal", "iqn"],
        "flexVolume" => &["driver"],
        "azureFile" => &["secretName", "shareName"],
        "vsphereVolume" => &["volumePath"],
        "photonPersistentDisk" => &["pdID"],
        "azureDisk" => &["diskName", "diskURI"],
        "scaleIO" => &["gateway", "system", "volumeName"],
        "storageos" => &["volumeName"],
        "quobyte" => &["volume"],
        _ => &[],
    }
}

fn host_path(check: &mut Check<'_>, place: &Place<'_>) {
    if !place.member("path").is_empty() {
        no_steps_back(check, &place.member("path"));
        check.optional(&place.member("type"), &HOST_PATHS);
    }
}

/// A volume of one node says which that is.
fn local(check: &mut Check<'_>, spec: &Place<'_>, place: &Place<'_>) {
    no_steps_back(check, &place.member("path"));
    if !spec.has("nodeAffinity") {
        let path = child(&spec.path, "nodeAffinity");
        check.push(FieldError::required(path, "Local volume requires node affinity"));
    }
}

fn no_steps_back(check: &mut Check<'_>, path: &Place<'_>) {
    if path.text().split('/').any(|step| step == "..") {
        let detail = "must not contain '..'";
        check.push(FieldError::invalid(&*path.path, path.text(), detail));
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
