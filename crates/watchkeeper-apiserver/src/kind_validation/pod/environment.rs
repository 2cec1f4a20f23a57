//! The environment of a container.

use std::collections::BTreeMap;

use watchkeeper_schema::FieldError;

use super::downward;
use super::volumes::files;
use crate::kind_validation::{Check, Place, names};

/// What is wrong with the variables of a container, and with where it has others from.
pub(super) fn check(check: &mut Check<'_>, container: &Place<'_>) {
    for variable in container.member("env").items() {
        let name = variable.member("name");
        match name.text() {
            "" => check.push(FieldError::required(&*name.path, "")),
            _ => variable_name(check, &name),
        }
        value_from(check, &variable);
    }
    let from = container.member("envFrom");
    for source in from.items() {
        variable_name(check, &source.member("prefix"));
        let (map, secret) = (source.member("configMapRef"), source.member("secretRef"));
        for named in [&map, &secret].into_iter().filter(|named| !named.is_missing()) {
            check.name(&named.member("name"), "", names::subdomain_prefix);
        }
        let why = match (map.is_missing(), secret.is_missing()) {
            (true, true) => "must specify one of: `configMapRef` or `secretRef`",
            (false, false) => "may not have more than one field specified at a time",
            _ => continue,
        };
        check.push(FieldError::invalid(&*from.path, "", why));
    }
}

/// A value that is found elsewhere is found in one place (`validateEnvVarValueFrom`).
fn value_from(check: &mut Check<'_>, variable: &Place<'_>) {
    const SOURCES: [&str; 5] =
        ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];
    let from = variable.member("valueFrom");
    if from.is_missing() {
        return;
    }
    for name in SOURCES {
        let of = from.member(name);
        match name {
            _ if of.is_missing() => {}
            "fieldRef" => downward::field(check, &of, &downward::OF_VARIABLES),
            "resourceFieldRef" => downward::resource(check, &of, false),
            "fileKeyRef" => file_entry(check, &of),
            _ => entry(check, &of),
        }
    }
    let given = SOURCES.iter().filter(|name| from.has(name)).count();
    let detail = match given {
        0 => {
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` \
             or `fileKeyRef`"
        }
        _ if !variable.member("value").is_empty() => {
            "may not be specified when `value` is not empty"
        }
        1 => return,
        _ => "may not have more than one field specified at a time",
    };
    check.push(FieldError::invalid(&*from.path, "", detail));
}

/// A key of a config map or secret.
fn entry(check: &mut Check<'_>, of: &Place<'_>) {
    let name = of.member("name");
    check.all(&name, name.text(), names::subdomain(name.text()));
    check.name(&of.member("key"), "", names::config_key);
}

/// An entry of a file in a volume (`validateFileKeySelector`).
fn file_entry(check: &mut Check<'_>, of: &Place<'_>) {
    let [key, volume, path] = ["key", "volumeName", "path"].map(|name| of.member(name));
    if key.is_empty() {
        check.push(FieldError::required(&*key.path, ""));
    } else {
        variable_name(check, &key);
    }
    check.name(&volume, "", names::label);
    if path.is_empty() {
        check.push(FieldError::required(&*path.path, ""));
    } else {
        files::no_steps_back(check, &path);
    }
}

/// Files with entries are in volumes that the containers of a pod write themselves (`validateFileKeyRefVolumes`).
pub(super) fn files_of(check: &mut Check<'_>, spec: &Place<'_>) {
    let volumes = spec.member("volumes").items();
    let volumes: BTreeMap<&str, &Place<'_>> =
        volumes.iter().map(|volume| (volume.member("name").text(), volume)).collect();
    for container in super::all_containers(spec) {
        for variable in container.member("env").items() {
            let entry = variable.member("valueFrom").member("fileKeyRef");
            let volume = entry.member("volumeName");
            if entry.is_missing() {
                continue;
            }
            match volumes.get(volume.text()) {
                None => check.push(FieldError::not_found(&*volume.path, volume.text())),
                Some(source) if !source.has("emptyDir") => {
                    let detail = "referenced volume must be of type emptyDir";
                    check.push(FieldError::invalid(&*volume.path, volume.text(), detail));
                }
                Some(_) => {}
            }
        }
    }
}

fn variable_name(check: &mut Check<'_>, name: &Place<'_>) {
    if !name.text().bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'=') {
        let detail = "a valid environment variable name must consist only of printable ASCII \
                      characters other than '='";
        check.push(FieldError::invalid(&*name.path, name.text(), detail));
    }
}
