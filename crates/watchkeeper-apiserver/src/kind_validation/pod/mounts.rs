//! Where volumes are in a container.

use std::collections::{BTreeMap, BTreeSet};

use watchkeeper_schema::FieldError;

use super::volumes::files;
use super::{Check, Place};

/// The volumes of a pod by name, and whether each is a claim.
pub(super) type Volumes<'a> = BTreeMap<&'a str, bool>;

/// What is mounted, and which devices there are: by name, and by path.
struct There<'a> {
    names: BTreeSet<&'a str>,
    paths: BTreeSet<&'a str>,
}

impl<'a> There<'a> {
    fn of(list: &[Place<'a>], path: &str) -> Self {
        // Of those with the same name upstream looks at the last.
        let last: BTreeMap<&str, &str> =
            list.iter().map(|of| (of.member("name").text(), of.member(path).text())).collect();
        Self { names: last.keys().copied().collect(), paths: last.values().copied().collect() }
    }
}

/// What is wrong with the mounts of a container, and with its devices.
pub(super) fn check(check: &mut Check<'_>, container: &Place<'_>, volumes: &Volumes<'_>) {
    let (list, devices) = (container.member("volumeMounts"), container.member("volumeDevices"));
    let (each, each_device) = (list.items(), devices.items());
    mounts(check, container, (&list, &each), volumes, &There::of(&each_device, "devicePath"));
    self::devices(check, &each_device, volumes, &There::of(&each, "mountPath"));
}

fn say(check: &mut Check<'_>, place: &Place<'_>, is_wrong: bool, detail: &str) {
    if is_wrong {
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
}

fn named(check: &mut Check<'_>, name: &Place<'_>) {
    if name.is_empty() {
        check.push(FieldError::required(&*name.path, ""));
    }
}

/// `ValidateVolumeMounts`, which tells of most parts without saying in which mount.
fn mounts(
    check: &mut Check<'_>,
    container: &Place<'_>,
    (list, each): (&Place<'_>, &[Place<'_>]),
    volumes: &Volumes<'_>,
    devices: &There<'_>,
) {
    let mut seen = BTreeSet::new();
    for mount in each {
        let (name, path) = (mount.member("name"), mount.member("mountPath"));
        named(check, &name);
        if !volumes.contains_key(name.text()) {
            check.push(FieldError::not_found(&*name.path, name.text()));
        }
        named(check, &path);
        say(check, &path, !seen.insert(path.text()), "must be unique");
        let (by_name, by_path) =
            (devices.names.contains(name.text()), devices.paths.contains(path.text()));
        say(check, &name, by_name, "must not already exist in volumeDevices");
        say(check, &path, by_path, "must not already exist as a path in volumeDevices");
        let told = |name: &str| Place { path: list.member(name).path, ..mount.member(name) };
        let (within, expression) = (told("subPath"), told("subPathExpr"));
        if !within.is_empty() {
            files::descending(check, &within);
        }
        if !expression.is_empty() {
            let detail = "subPathExpr and subPath are mutually exclusive";
            say(check, &mount.member("subPathExpr"), !within.is_empty(), detail);
            files::descending(check, &expression);
        }
        propagation(check, container, &told("mountPropagation"));
        read_only(check, mount, &told("recursiveReadOnly"));
    }
}

/// What is mounted inside is seen outside only where the container may do all.
fn propagation(check: &mut Check<'_>, container: &Place<'_>, mode: &Place<'_>) {
    check.optional(mode, &["Bidirectional", "HostToContainer", "None"]);
    let may_all = container.member("securityContext").member("privileged");
    if mode.text() == "Bidirectional" && may_all.value != Some(&true.into()) {
        let detail = "Bidirectional mount propagation is available only to privileged containers";
        check.push(FieldError::forbidden(&*mode.path, detail));
    }
}

/// What is read-only below a mount is so in the mount itself (`validateMountRecursiveReadOnly`).
fn read_only(check: &mut Check<'_>, mount: &Place<'_>, mode: &Place<'_>) {
    check.optional(mode, &["Disabled", "Enabled", "IfPossible"]);
    if !["Enabled", "IfPossible"].contains(&mode.text()) {
        return;
    }
    if mount.member("readOnly").value != Some(&true.into()) {
        let detail = "may only be specified when readOnly is true";
        check.push(FieldError::forbidden(&*mode.path, detail));
    }
    let propagation = mount.member("mountPropagation");
    if !propagation.is_missing() && propagation.text() != "None" {
        let detail = "may only be specified when mountPropagation is None or not specified";
        check.push(FieldError::forbidden(&*mode.path, detail));
    }
}

/// A device is of a volume that is a claim, and has a path of its own (`ValidateVolumeDevices`).
fn devices(check: &mut Check<'_>, each: &[Place<'_>], volumes: &Volumes<'_>, mounts: &There<'_>) {
    let (mut seen, mut paths) = (BTreeSet::new(), BTreeSet::new());
    for device in each {
        let (name, path) = (device.member("name"), device.member("devicePath"));
        named(check, &name);
        say(check, &name, !name.is_empty() && !seen.insert(name.text()), "must be unique");
        match volumes.get(name.text()) {
            None => check.push(FieldError::not_found(&*name.path, name.text())),
            Some(is_claim) => {
                let detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral \
                              for block mode";
                say(check, &name, !is_claim, detail);
            }
        }
        named(check, &path);
        say(check, &path, paths.contains(path.text()), "must be unique");
        if path.text().split('/').any(|step| step == "..") {
            say(check, &path, true, "can not contain backsteps ('..')");
        } else {
            paths.insert(path.text());
        }
        let (by_name, by_path) =
            (mounts.names.contains(name.text()), mounts.paths.contains(path.text()));
        say(check, &name, by_name, "must not already exist in volumeMounts");
        say(check, &path, by_path, "must not already exist as a path in volumeMounts");
    }
}
