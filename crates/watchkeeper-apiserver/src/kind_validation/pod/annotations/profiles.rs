//! Profiles of containers that annotations name, from before they had fields: where both are there, they say the same.

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::{APP_ARMOR, SECCOMP_CONTAINER, SECCOMP_POD};
use crate::kind_validation::pod::all_containers;
use crate::kind_validation::{Check, Place};

/// How one kind of profile is told of.
struct Words {
    name: &'static str,
    /// What annotations say of the profile that comes with what runs the containers.
    of_runtime: &'static [&'static str],
}

const SECCOMP: Words =
    Words { name: "seccomp", of_runtime: &["runtime/default", "docker/default"] };
const ARMOR: Words = Words { name: "apparmor", of_runtime: &["runtime/default"] };

/// Of a new pod (`validateSeccompAnnotationsAndFields`, `validateAppArmorAnnotationsAndFieldsMatchOnCreate`).
pub(in crate::kind_validation::pod) fn agree(check: &mut Check<'_>) {
    let (annotations, spec) = (check.at("metadata.annotations"), check.at("spec"));
    let of_pod = spec.member("securityContext");
    let containers = all_containers(&spec);
    let said = annotations.member(SECCOMP_POD);
    same(check, &said, &of_pod.member("seccompProfile"), &SECCOMP);
    for container in &containers {
        let said = of_container(&annotations, SECCOMP_CONTAINER, container);
        let profile = container.member("securityContext").member("seccompProfile");
        same(check, &said, &profile, &SECCOMP);
    }
    if spec.member("os").member("name").text() == "windows" {
        return;
    }
    let of_pod = of_pod.member("appArmorProfile");
    for container in &containers {
        let said = of_container(&annotations, APP_ARMOR, container);
        let own = container.member("securityContext").member("appArmorProfile");
        // What a container has of its pod is told of as its own.
        let value = own.value.or(of_pod.value);
        same(check, &said, &Place { value, path: own.path }, &ARMOR);
    }
}

fn of_container<'a>(annotations: &Place<'a>, prefix: &str, container: &Place<'_>) -> Place<'a> {
    annotations.member(&format!("{prefix}{}", container.member("name").text()))
}

fn same(check: &mut Check<'_>, said: &Place<'_>, profile: &Place<'_>, words: &Words) {
    if said.is_missing() || profile.is_missing() {
        return;
    }
    let (of, file) = (profile.member("type"), profile.member("localhostProfile"));
    let said_file = said.text().strip_prefix("localhost/");
    let is_of_type = match of.text() {
        "Unconfined" => said.text() == "unconfined",
        "RuntimeDefault" => words.of_runtime.contains(&said.text()),
        "Localhost" => said_file.is_some(),
        _ => return,
    };
    let (place, what) = if !is_of_type {
        (of, "type")
    } else if of.text() == "Localhost" && said_file != file.value.and_then(Value::as_str) {
        (file, "profile")
    } else {
        return;
    };
    let detail = format!("{} {what} in annotation and field must match", words.name);
    check.push(FieldError::forbidden(place.path, detail));
}
