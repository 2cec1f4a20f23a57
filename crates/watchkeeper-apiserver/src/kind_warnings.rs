//! What a kube-apiserver warns of although it takes it (`kubernetes/pkg/api/pod`, warnings of kinds
//! and versions on their way out).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use watchkeeper_schema::Schema;
use watchkeeper_schema::error::{child, item};
use watchkeeper_schema::validate::unknown_formats;

use crate::error::quoted;
use crate::kind_validation::names;
use crate::meta;
use crate::resource::Resource;

mod addresses;
mod amounts;
mod jobs;
mod pod;
mod service;
mod volumes;

#[cfg(test)]
mod tests;

/// What is said of whoever asks for a kind that has another in its place.
#[must_use]
pub fn deprecation(resource: &Resource) -> Option<&'static str> {
    match (resource.group.as_str(), resource.plural.as_str()) {
        ("", "componentstatuses") => Some("v1 ComponentStatus is deprecated in v1.19+"),
        ("", "endpoints") => {
            Some("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice")
        }
        _ => None,
    }
}

/// What an object is warned of when it is made, or when what it wants changes: of pods, of the
/// templates of pods, of claims of volumes, and of Services.
#[must_use]
pub fn of(resource: &Resource, old: Option<&Value>, new: &Value) -> Vec<String> {
    match (resource.group.as_str(), resource.kind.as_str()) {
        ("", "Service") => service::warnings(new),
        ("", "Node") => node(new),
        ("", "PersistentVolumeClaim") => amounts::of_claim(new),
        ("storage.k8s.io", "CSIDriver") => csi_driver(old, new),
        ("apiextensions.k8s.io", "CustomResourceDefinition") => formats(old, new),
        ("apps", "StatefulSet") => {
            let mut warnings = of_template(resource, old, new);
            warnings.extend(amounts::of_stateful_set(old, new));
            warnings
        }
        ("batch", "CronJob") => {
            let mut warnings = of_template(resource, old, new);
            warnings.extend(jobs::zone_of_schedule(old, new));
            warnings
        }
        _ => of_template(resource, old, new),
    }
}

/// What is said of pods, and of what pods are made from.
fn of_template(resource: &Resource, old: Option<&Value>, new: &Value) -> Vec<String> {
    let path = match (resource.group.as_str(), resource.kind.as_str()) {
        // Nobody is warned of changes to a pod: they are no person's.
        ("", "Pod") if old.is_none() => "spec",
        ("", "PodTemplate") => "template.spec",
        ("", "ReplicationController")
        | ("apps", "Deployment" | "ReplicaSet" | "StatefulSet" | "DaemonSet")
        | ("batch", "Job") => "spec.template.spec",
        ("batch", "CronJob") => "spec.jobTemplate.spec.template.spec",
        _ => return Vec::new(),
    };
    if old.is_some_and(|old| generation(resource, old) == generation(resource, new)) {
        return Vec::new();
    }
    // Of an update of these upstream takes the template before for the new one.
    let looks_back = resource.is("", "replicationcontrollers");
    let told = old.filter(|_| looks_back).unwrap_or(new);
    let pointer = format!("/{}", path.replace('.', "/"));
    let of_spec = told.pointer(&pointer).map_or_else(Vec::new, |spec| of_pod(spec, path));
    let of_name = if old.is_none() { of_name(&resource.kind, new) } else { None };
    let of_job = jobs::indexes(&resource.kind, new);
    of_name.into_iter().chain(of_job).chain(of_spec).collect()
}

/// What a status is warned of.
#[must_use]
pub fn of_status(resource: &Resource, new: &Value) -> Vec<String> {
    addresses::of_status(&resource.kind, new)
}

/// A name that hosts and pods get from the object, and that is no label of DNS.
fn of_name(kind: &str, new: &Value) -> Option<String> {
    let used = match kind {
        "Pod" => "the Pod's hostname",
        "Deployment" | "ReplicaSet" | "ReplicationController" | "Job" | "CronJob" => {
            "Pod names and hostnames"
        }
        _ => return None,
    };
    let wrong = names::label(meta::name(new));
    if wrong.is_empty() {
        return None;
    }
    Some(format!(
        "metadata.name: this is used in {used}, which can result in surprising behavior; a DNS \
         label is recommended: [{}]",
        wrong.join(" ")
    ))
}

fn node(new: &Value) -> Vec<String> {
    let is_set = new["spec"]["externalID"].as_str().is_some_and(|id| !id.is_empty());
    let told = "spec.externalID: this field is deprecated, and is unused by Kubernetes";
    is_set.then(|| told.to_owned()).into_iter().collect()
}

/// What goes up when it is time to warn: that of a daemon set is the one of its template.
fn generation<'a>(resource: &Resource, object: &'a Value) -> &'a Value {
    match resource.is("apps", "daemonsets") {
        true => &object["metadata"]["annotations"]["deprecated.daemonset.template.generation"],
        false => &object["metadata"]["generation"],
    }
}

/// Of a definition: formats that nobody knows, and that it did not have before.
fn formats(old: Option<&Value>, new: &Value) -> Vec<String> {
    if old.is_some_and(|old| old["spec"]["versions"] == new["spec"]["versions"]) {
        return Vec::new();
    }
    let found = |definition: &Value| -> Vec<String> {
        let mut schemas: Vec<&Value> = definition["spec"]["versions"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|version| version.pointer("/schema/openAPIV3Schema"))
            .collect();
        // A schema that all versions share is one.
        if let Some((first, others)) = schemas.split_first()
            && others.iter().all(|other| other == first)
        {
            schemas.truncate(1);
        }
        let read = schemas.into_iter().filter_map(|json| Schema::from_crd_json(json).ok());
        read.flat_map(|schema| {
            let formats = unknown_formats(&schema).into_iter();
            formats.map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
    };
    let before = old.map(found).unwrap_or_default();
    let new = found(new).into_iter().filter(|format| !before.contains(format));
    new.map(|format| format!("unrecognized format {}", quoted(&format))).collect()
}

fn of_pod(spec: &Value, path: &str) -> Vec<String> {
    let mut warnings = Vec::new();
    pod::spread(spec, path, &mut warnings);
    volumes::volumes(spec, path, &mut warnings);
    pod::repeated(spec, path, &mut warnings);
    pod::overhead(spec, path, &mut warnings);
    let containers: Vec<(String, &Value)> = ["initContainers", "containers"]
        .into_iter()
        .flat_map(|list| {
            let place = child(path, list);
            let all = items(&spec[list]).iter().enumerate();
            all.map(move |(index, container)| (item(&place, index), container))
        })
        .collect();
    for (place, container) in &containers {
        pod::amounts(container, place, &mut warnings);
        variables(container, place, &mut warnings);
    }
    ports(&containers, &mut warnings);
    pod::port_names(&containers, &mut warnings);
    if spec["terminationGracePeriodSeconds"].as_i64().is_some_and(|seconds| seconds < 0) {
        let place = child(path, "terminationGracePeriodSeconds");
        let why = "must be >= 0; negative values are invalid and will be treated as 1";
        warnings.push(format!("{place}: {why}"));
    }
    pod::affinity(spec, path, &mut warnings);
    addresses::of_pod(spec, path, &mut warnings);
    warnings
}

/// Tokens are better handed over as secrets; it is told when others are asked for.
fn csi_driver(old: Option<&Value>, driver: &Value) -> Vec<String> {
    let spec = &driver["spec"];
    let is_unset = spec["serviceAccountTokenInSecrets"].is_null();
    let is_as_before = old.is_some_and(|old| old["spec"]["tokenRequests"] == spec["tokenRequests"]);
    if items(&spec["tokenRequests"]).is_empty() || !is_unset || is_as_before {
        return Vec::new();
    }
    vec![
        "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true \
         to prevent possible logging of tokens in volume attributes"
            .to_owned(),
    ]
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// A variable hides the one before it of the same name, unless its value is made of that.
fn variables(container: &Value, place: &str, warnings: &mut Vec<String>) {
    let mut names = BTreeSet::new();
    for (index, variable) in items(&container["env"]).iter().enumerate() {
        let name = variable["name"].as_str().unwrap_or_default();
        if names.insert(name) {
            continue;
        }
        let (before, value) =
            (format!("$({name})"), variable["value"].as_str().unwrap_or_default());
        let hides = !variable["valueFrom"].is_null() || value == before || !value.contains(&before);
        if hides {
            let place = item(&child(place, "env"), index);
            let name = quoted(name);
            warnings.push(format!(
                "{place}: hides previous definition of {name}, which may be dropped when using apply"
            ));
        }
    }
}

/// A port of a container, and where it is.
struct Port<'a> {
    place: String,
    number: i64,
    protocol: &'a str,
    host: (&'a str, i64),
}

/// Of more warnings than this nobody would be told, as what is told has a length; so many pairs of ports are
/// looked at, which is more than any pod has that means something.
const MOST: usize = 1000;
const PAIRS: usize = 1_000_000;

fn ports(containers: &[(String, &Value)], warnings: &mut Vec<String>) {
    let mut known: BTreeMap<(i64, &str), Vec<Port<'_>>> = BTreeMap::new();
    let mut pairs = 0;
    for (place, container) in containers {
        for (index, port) in items(&container["ports"]).iter().enumerate() {
            let number = |name: &str| port[name].as_i64().unwrap_or_default();
            let text = |name: &str| port[name].as_str().unwrap_or_default();
            let port = Port {
                place: item(&child(place, "ports"), index),
                number: number("containerPort"),
                protocol: text("protocol"),
                host: (text("hostIP"), number("hostPort")),
            };
            let same = known.entry((port.number, port.protocol)).or_default();
            pairs += same.len();
            if pairs > PAIRS || warnings.len() > MOST {
                return;
            }
            warnings.extend(same.iter().filter_map(|other| clash(&port, other)));
            same.push(port);
        }
    }
}

fn clash(port: &Port<'_>, other: &Port<'_>) -> Option<String> {
    let ((ip, number), (other_ip, other_number)) = (port.host, other.host);
    let what = if port.host == other.host {
        "duplicate"
    } else if number == 0 || other_number == 0 {
        "overlapping"
    } else if number == other_number && ip.is_empty() != other_ip.is_empty() {
        "dangerously ambiguous"
    } else {
        return None;
    };
    Some(format!("{}: {what} port definition with {}", port.place, other.place))
}
