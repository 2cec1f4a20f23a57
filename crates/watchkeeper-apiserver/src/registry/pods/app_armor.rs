//! Profiles of `AppArmor` that the annotations of a new pod name become fields of its containers, from which they are read
//! (`applyAppArmorVersionSkew` in `k8s.io/kubernetes/pkg/registry/core/pod`).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::turn::Turn;

const ANNOTATION: &str = "container.apparmor.security.beta.kubernetes.io/";
const FIELD: &str = "/securityContext/appArmorProfile";
/// How long the name of a profile is at most, in bytes.
const LONGEST: usize = 4095;

/// Gives each container without a profile of its own the one that is named for it. Who names one so is warned, unless its
/// pod has the same.
pub(super) fn take_named(pod: &mut Value, turn: &mut Turn<'_>) {
    if pod.pointer("/spec/os/name").is_some_and(|system| system == "windows") {
        return;
    }
    for container in give_named(pod) {
        let path = format!("metadata.annotations[{ANNOTATION}{container}]");
        let what = "deprecated since v1.30; use the \"appArmorProfile\" field instead";
        turn.warn(format!("{path}: {what}"));
    }
}

/// Gives the containers what is named for them; the names of those of which is warned.
///
/// A name is given once. Who names several containers alike is refused later, and must not have the profile copied for
/// each of them before.
fn give_named(pod: &mut Value) -> Vec<String> {
    let mut named = named(pod);
    let mut told = Vec::new();
    if named.is_empty() {
        return told;
    }
    let of_pod = pod.pointer("/spec/securityContext/appArmorProfile").cloned().unwrap_or_default();
    for list in ["initContainers", "containers", "ephemeralContainers"] {
        let containers = pod.pointer_mut(&format!("/spec/{list}")).and_then(Value::as_array_mut);
        for container in containers.into_iter().flatten() {
            let name = container.get("name").and_then(Value::as_str).unwrap_or_default();
            let Some((name, profile)) = named.remove_entry(name) else { continue };
            if container.pointer(FIELD).is_some_and(|own| !own.is_null()) {
                continue;
            }
            match profile {
                Some(profile) if is_same(&profile, &of_pod) => continue,
                Some(profile) => set(container, profile),
                None => {}
            }
            told.push(name);
        }
    }
    told
}

/// What is named for the containers of each name, where it is a profile.
fn named(pod: &Value) -> BTreeMap<String, Option<Value>> {
    let annotations = pod.pointer("/metadata/annotations").and_then(Value::as_object);
    let named = annotations.into_iter().flatten().filter_map(|(name, value)| {
        let container = name.strip_prefix(ANNOTATION)?.to_owned();
        Some((container, profile(value.as_str().unwrap_or_default())))
    });
    named.collect()
}

fn profile(said: &str) -> Option<Value> {
    match said {
        "unconfined" => Some(json!({"type": "Unconfined"})),
        "runtime/default" => Some(json!({"type": "RuntimeDefault"})),
        _ => {
            let file = said.strip_prefix("localhost/")?;
            let is_name = !file.is_empty() && file.trim() == file && file.len() <= LONGEST;
            is_name.then(|| json!({"type": "Localhost", "localhostProfile": file}))
        }
    }
}

fn is_same(one: &Value, other: &Value) -> bool {
    ["type", "localhostProfile"].iter().all(|name| one[*name] == other[*name])
}

fn set(container: &mut Value, profile: Value) {
    let Some(container) = container.as_object_mut() else { return };
    let context = container.entry("securityContext").or_insert(Value::Null);
    if context.is_null() {
        *context = Map::new().into();
    }
    if let Some(context) = context.as_object_mut() {
        context.insert("appArmorProfile".to_owned(), profile);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_read_from_what_is_said() {
        assert_eq!(profile("unconfined"), Some(json!({"type": "Unconfined"})));
        assert_eq!(profile("runtime/default"), Some(json!({"type": "RuntimeDefault"})));
        let named = json!({"type": "Localhost", "localhostProfile": "a b"});
        assert_eq!(profile("localhost/a b"), Some(named));
        for none in ["", "nope", "localhost/", "localhost/ a", "docker/default"] {
            assert_eq!(profile(none), None, "{none}");
        }
        assert_eq!(profile(&format!("localhost/{}", "x".repeat(LONGEST + 1))), None);
    }

    /// A pod may have as many containers of a name as there is room for, until it is refused.
    #[test]
    fn a_profile_is_given_to_one_container() {
        let annotations = json!({
            "container.apparmor.security.beta.kubernetes.io/a": "localhost/x",
            "container.apparmor.security.beta.kubernetes.io/b": "unconfined",
            "container.apparmor.security.beta.kubernetes.io/none": "unconfined",
        });
        let container = |name: &str| json!({"name": name});
        let containers = ["a", "a", "b", "a", "c"].map(container);
        let mut pod = json!({
            "metadata": {"annotations": annotations}, "spec": {"containers": containers},
        });
        assert_eq!(give_named(&mut pod), ["a", "b"]);
        let has = |at: usize| pod["spec"]["containers"][at].pointer(FIELD).is_some();
        assert_eq!([0, 1, 2, 3, 4].map(has), [true, false, true, false, false]);
    }
}
