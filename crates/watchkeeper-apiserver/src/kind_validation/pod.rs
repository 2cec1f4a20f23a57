//! Pods and pod templates.

use std::collections::BTreeMap;

use watchkeeper_schema::FieldError;

use super::{Check, Place, metadata, names};

pub(super) mod amounts;
mod annotations;
mod claims;
mod containers;
mod downward;
mod environment;
mod handler;
mod mounts;
mod network;
pub(super) mod parts;
pub(super) mod placing;
pub(super) mod running;
mod security;
mod update;
pub(super) mod volumes;
mod windows;

use containers::{Around, all_containers};

/// Whose pods are looked at.
#[derive(Default)]
pub(super) struct Whose<'a> {
    /// The name of a pod that is made from no template.
    pub(super) pod: Option<&'a str>,
    /// The names of claims that a controller adds to the volumes of the template.
    pub(super) claimed: &'a [&'a str],
    /// Whether a controller gives each pod a host name and a domain, whatever the template says.
    pub(super) names_hosts: bool,
}

pub(super) fn pod(check: &mut Check<'_>) {
    pod_and_spec(check);
    let place = check.at("spec");
    if let Some(old) = check.old {
        return update::update(check, old);
    }
    let added = place.member("ephemeralContainers");
    if !added.is_empty() {
        check.push(FieldError::forbidden(added.path, "cannot be set on create"));
    }
    if !place.member("nodeName").is_empty() && !place.member("schedulingGates").is_empty() {
        let detail = "cannot be set until all schedulingGates have been cleared";
        check.push(FieldError::forbidden(place.member("nodeName").path, detail));
    }
    annotations::agree(check);
}

/// What holds whatever is written of a pod (`validatePodMetadataAndSpec`, after what is wrong with all metadata).
fn pod_and_spec(check: &mut Check<'_>) {
    let place = check.at("spec");
    let name = check.at("metadata.name").text();
    annotations::check(check, &check.at("metadata.annotations"), &place);
    spec(check, &place, &Whose { pod: Some(name), ..Whose::default() });
    alone(check, &place);
}

/// What holds for pods and not for their templates: tokens are those of an account, and images have no space around.
fn alone(check: &mut Check<'_>, spec: &Place<'_>) {
    if spec.member("serviceAccountName").is_empty() {
        no_tokens(check, spec);
    }
    for list in ["containers", "initContainers"] {
        for container in spec.member(list).items() {
            containers::image(check, &container);
        }
    }
}

fn no_tokens(check: &mut Check<'_>, spec: &Place<'_>) {
    for volume in spec.member("volumes").items() {
        for source in volume.member("projected").member("sources").items() {
            let token = source.member("serviceAccountToken");
            if !token.is_missing() {
                let detail = "must not be specified when serviceAccountName is not set";
                check.push(FieldError::forbidden(&*token.path, detail));
            }
        }
    }
}

/// A pod template: labels, annotations and spec. Upstream leaves out that the first two are in the metadata.
pub(super) fn template(check: &mut Check<'_>, place: &Place<'_>, whose: &Whose<'_>) {
    template_marks(check, place);
    let (marks, pod) = (place.member("metadata"), place.member("spec"));
    let told = place.member("annotations").path;
    annotations::check(check, &Place { path: told, ..marks.member("annotations") }, &pod);
    spec(check, &pod, whose);
    let added = pod.member("ephemeralContainers");
    if !added.is_empty() {
        let detail = "ephemeral containers not allowed in pod template";
        check.push(FieldError::forbidden(added.path, detail));
    }
}

pub(super) fn template_marks(check: &mut Check<'_>, place: &Place<'_>) {
    let marks = place.member("metadata");
    let told = |name: &str| Place { path: place.member(name).path, ..marks.member(name) };
    metadata::labels(check, &told("labels"));
    metadata::annotations(check, told("annotations"));
}

/// In the order of `ValidatePodSpec`.
fn spec(check: &mut Check<'_>, place: &Place<'_>, whose: &Whose<'_>) {
    let volumes: BTreeMap<&str, bool> = volumes::check(check, &place.member("volumes"), whose);
    let around = Around {
        volumes,
        claims: claims::check(check, place, whose),
        restart: place.member("restartPolicy").text(),
        has_users_of_node: place.member("hostUsers").value != Some(&false.into()),
        grace: place.member("terminationGracePeriodSeconds").number(),
    };
    containers::check(check, place, &around);
    amounts::of_pod(check, place, &around.claims);
    network::ports_of_node(check, place, whose.pod.is_some());
    check.one_of(&place.member("restartPolicy"), &["Always", "OnFailure", "Never"]);
    let policies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
    check.one_of(&place.member("dnsPolicy"), &policies);
    metadata::labels(check, &place.member("nodeSelector"));
    security::of_pod(check, place);
    placing::affinity(check, &place.member("affinity"));
    network::resolver(check, place);
    placing::gates(check, place);
    placing::spread(check, &place.member("topologySpreadConstraints"));
    windows::processes_of_host(check, place);
    network::users(check, place);
    network::host_name(check, place);
    named(check, place, "serviceAccountName", names::subdomain);
    named(check, place, "nodeName", names::subdomain);
    deadline(check, &place.member("activeDeadlineSeconds"));
    if !whose.names_hosts {
        named(check, place, "hostname", names::label);
        named(check, place, "subdomain", names::label);
    }
    for toleration in place.member("tolerations").items() {
        running::toleration(check, &toleration);
    }
    running::aliases(check, &place.member("hostAliases"));
    named(check, place, "priorityClassName", names::subdomain);
    running::class(check, place);
    if !place.member("overhead").is_missing() {
        amounts::overhead(check, &place.member("overhead"));
    }
    running::system(check, place);
    environment::files_of(check, place);
}

/// A name that may be left out.
fn named(check: &mut Check<'_>, place: &Place<'_>, name: &str, form: fn(&str) -> Vec<String>) {
    let place = place.member(name);
    if !place.is_empty() {
        check.all(&place, place.text(), form(place.text()));
    }
}

fn deadline(check: &mut Check<'_>, deadline: &Place<'_>) {
    if let Some(number) = deadline.number().filter(|n| !(1..=i64::from(i32::MAX)).contains(n)) {
        let detail = "must be between 1 and 2147483647, inclusive";
        check.push(FieldError::invalid(&*deadline.path, number, detail));
    }
}
