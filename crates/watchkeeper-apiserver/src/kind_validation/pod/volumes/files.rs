//! Files in volumes: what is in them, where they are, and who may read them.

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;

use super::super::downward;
use crate::kind_validation::{Check, Place};

/// A longer name of a source is not told again and again.
const LONGEST: usize = 253;

pub(super) fn mode(check: &mut Check<'_>, place: &Place<'_>) {
    if let Some(mode) = place.number().filter(|mode| !(0..=0o777).contains(mode)) {
        let detail = "must be a number between 0 and 0777 (octal), both inclusive";
        check.push(FieldError::invalid(&*place.path, mode, detail));
    }
}

/// Keys of a secret or config map, each with the path of its file.
pub(super) fn keys(check: &mut Check<'_>, items: &Place<'_>) {
    for item in items.items() {
        for place in ["key", "path"].map(|name| item.member(name)) {
            if place.is_empty() {
                check.push(FieldError::required(&*place.path, ""));
            }
        }
        local(check, &item.member("path"));
        mode(check, &item.member("mode"));
    }
}

/// Fields of the pod as files. Upstream does not tell which item it speaks of.
pub(super) fn fields(check: &mut Check<'_>, items: &Place<'_>, told: &str) {
    for item in items.items() {
        let item = Place { path: told.to_owned(), ..item };
        let path = item.member("path");
        if path.is_empty() {
            check.push(FieldError::required(&*path.path, ""));
        }
        local(check, &path);
        let (of_pod, of_container) = (item.member("fieldRef"), item.member("resourceFieldRef"));
        if !of_pod.is_missing() {
            downward::field(check, &of_pod, &downward::OF_FILES);
        } else if !of_container.is_missing() {
            downward::resource(check, &of_container, true);
        }
        match (of_pod.is_missing(), of_container.is_missing()) {
            (false, false) => {
                let detail = "fieldRef and resourceFieldRef can not be specified simultaneously";
                check.push(FieldError::invalid(told, "resource", detail));
            }
            (true, true) => {
                let detail = "one of fieldRef and resourceFieldRef is required";
                check.push(FieldError::required(told, detail));
            }
            _ => {}
        }
        mode(check, &item.member("mode"));
    }
}

/// Several sources in one directory: no two of their files have the same path.
pub(super) fn projected(check: &mut Check<'_>, volume: &Place<'_>) {
    const KINDS: [&str; 6] = [
        "secret",
        "configMap",
        "downwardAPI",
        "serviceAccountToken",
        "clusterTrustBundle",
        "podCertificate",
    ];
    let mut paths = BTreeSet::new();
    for source in volume.member("sources").items() {
        for kind in ["secret", "configMap"] {
            let place = source.member(kind);
            if place.is_missing() {
                continue;
            }
            let name = place.member("name");
            if name.is_empty() {
                check.push(FieldError::required(&*name.path, ""));
            }
            keys(check, &place.member("items"));
            unique(check, volume, &place, Some(name.text()), &mut paths);
        }
        let place = source.member("downwardAPI");
        fields(check, &place.member("items"), &place.path);
        unique(check, volume, &place, None, &mut paths);
        token(check, volume, &source.member("serviceAccountToken"));
        if KINDS.iter().filter(|kind| source.has(kind)).count() > 1 {
            let detail = "may not specify more than 1 volume type per source";
            check.push(FieldError::forbidden(&*source.path, detail));
        }
    }
}

/// Of a path that another file has, the name of the source is told, or else the path itself.
fn unique<'a>(
    check: &mut Check<'_>,
    volume: &Place<'_>,
    source: &Place<'a>,
    told: Option<&str>,
    paths: &mut BTreeSet<&'a str>,
) {
    for path in source.member("items").items().iter().map(|item| item.member("path").text()) {
        if !path.is_empty() && !paths.insert(path) {
            let told = told.filter(|told| told.len() <= LONGEST);
            let detail = "conflicting duplicate paths";
            check.push(FieldError::invalid(&*volume.path, told.unwrap_or(path), detail));
        }
    }
}

/// A token lives for ten minutes at least. Its path is told without the source.
fn token(check: &mut Check<'_>, volume: &Place<'_>, token: &Place<'_>) {
    if token.is_missing() {
        return;
    }
    let lifetime = token.member("expirationSeconds");
    let seconds = lifetime.number().unwrap_or_default();
    let detail = match seconds {
        ..600 => Some("may not specify a duration less than 10 minutes"),
        0x1_0000_0001.. => Some("may not specify a duration larger than 2^32 seconds"),
        _ => None,
    };
    if let Some(detail) = detail {
        check.push(FieldError::invalid(&*lifetime.path, seconds, detail));
    }
    let path = Place { path: volume.member("path").path, ..token.member("path") };
    if path.is_empty() {
        check.push(FieldError::required(&*path.path, ""));
    } else {
        local(check, &path);
    }
}

/// A path that stays below where it begins (`validateLocalDescendingPath`).
pub(in super::super) fn descending(check: &mut Check<'_>, path: &Place<'_>) {
    if path.text().starts_with('/') {
        check.push(FieldError::invalid(&*path.path, path.text(), "must be a relative path"));
    }
    no_steps_back(check, path);
}

/// One that has no name of what keeps files (`ValidateLocalNonReservedPath`).
fn local(check: &mut Check<'_>, path: &Place<'_>) {
    descending(check, path);
    if path.text().starts_with("..") && !path.text().starts_with("../") {
        let detail = "must not start with '..'";
        check.push(FieldError::invalid(&*path.path, path.text(), detail));
    }
}

pub(in crate::kind_validation) fn no_steps_back(check: &mut Check<'_>, path: &Place<'_>) {
    if path.text().split('/').any(|step| step == "..") {
        let detail = "must not contain '..'";
        check.push(FieldError::invalid(&*path.path, path.text(), detail));
    }
}
