//! Of the spec of a pod: what selects nothing, what is there twice, amounts that are no whole bytes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use watchkeeper_schema::error::{child, item};

use super::amounts::fraction;
use super::items;
use crate::error::quoted;

const SELECTS_NOTHING: &str = "a null labelSelector results in matching no pod";

/// A constraint without a selector spreads no pods.
pub(super) fn spread(spec: &Value, path: &str, warnings: &mut Vec<String>) {
    let list = "topologySpreadConstraints";
    for (index, constraint) in items(&spec[list]).iter().enumerate() {
        if constraint["labelSelector"].is_null() {
            let place = child(&item(&child(path, list), index), "labelSelector");
            warnings.push(format!("{place}: {SELECTS_NOTHING}"));
        }
    }
}

/// An address or a secret that is named before.
pub(super) fn repeated(spec: &Value, path: &str, warnings: &mut Vec<String>) {
    for (list, key, what) in [("hostAliases", "ip", "ip"), ("imagePullSecrets", "name", "name")] {
        let mut known = BTreeSet::new();
        for (index, entry) in items(&spec[list]).iter().enumerate() {
            let value = entry[key].as_str().unwrap_or_default();
            if !known.insert(value) {
                let place = child(&item(&child(path, list), index), key);
                warnings.push(format!("{place}: duplicate {what} {}", quoted(value)));
            }
        }
    }
    for (index, secret) in items(&spec["imagePullSecrets"]).iter().enumerate() {
        if secret["name"].as_str().unwrap_or_default().is_empty() {
            let place = child(&item(&child(path, "imagePullSecrets"), index), "name");
            warnings.push(format!("{place}: invalid empty name \"\""));
        }
    }
}

/// What is measured in bytes.
const BYTES: [&str; 2] = ["memory", "ephemeral-storage"];

/// What running a pod takes beside its containers.
pub(super) fn overhead(spec: &Value, path: &str, warnings: &mut Vec<String>) {
    for name in BYTES {
        warnings.extend(fraction(&format!("{path}.overhead[{name}]"), &spec["overhead"][name]));
    }
}

/// What a container takes.
pub(super) fn amounts(container: &Value, place: &str, warnings: &mut Vec<String>) {
    for name in BYTES {
        for part in ["limits", "requests"] {
            let place = format!("{place}.resources.{part}[{name}]");
            warnings.extend(fraction(&place, &container["resources"][part][name]));
        }
    }
}

/// A name of a port that another has.
pub(super) fn port_names(containers: &[(String, &Value)], warnings: &mut Vec<String>) {
    let mut known: BTreeMap<&str, String> = BTreeMap::new();
    for (place, container) in containers {
        for (index, port) in items(&container["ports"]).iter().enumerate() {
            let name = port["name"].as_str().filter(|name| !name.is_empty());
            let Some(name) = name else { continue };
            let place = item(&child(place, "ports"), index);
            match known.get(name) {
                Some(other) => warnings.push(format!(
                    "{place}: duplicate port name {} with {other}, services and probes that \
                     select ports by name will use {other}",
                    quoted(name)
                )),
                None => _ = known.insert(name, place),
            }
        }
    }
}

/// A term without a selector is about no pod.
pub(super) fn affinity(spec: &Value, path: &str, warnings: &mut Vec<String>) {
    let scheduling = "DuringSchedulingIgnoredDuringExecution";
    for kind in ["podAffinity", "podAntiAffinity"] {
        for (how, below) in [("required", ""), ("preferred", ".podAffinityTerm")] {
            let list = format!("{how}{scheduling}");
            for (index, term) in items(&spec["affinity"][kind][&list]).iter().enumerate() {
                let term = if below.is_empty() { term } else { &term["podAffinityTerm"] };
                if term["labelSelector"].is_null() {
                    let place = item(&format!("{path}.affinity.{kind}.{list}"), index);
                    warnings.push(format!("{place}{below}.labelSelector: {SELECTS_NOTHING}"));
                }
            }
        }
    }
}
