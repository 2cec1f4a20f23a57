//! Pods at the edges of their rules: what is refused, and beside it what is just allowed.

use super::*;

mod amounts;
mod containers;
mod files;
mod resizes;
mod updates;
mod volumes;
mod windows;

const NONE: [&str; 0] = [];

/// A pod of one container, with more in its spec.
fn pod(more: &Value) -> Value {
    let spec = json!({"containers": [{"name": "a", "image": "x"}]});
    json!({"spec": crate::patch::merge(&spec, more)})
}

fn each(errors: &[FieldError]) -> Vec<String> {
    errors.iter().map(|error| format!("{}: {}", error.field, error.detail)).collect()
}

/// What is said of a new pod with more in its spec, without the values.
fn told(more: &Value) -> Vec<String> {
    each(&validate("", "Pod", &completed("", "Pod", pod(more)), None))
}

/// What is said of a pod with a volume of this source, with the places below the volume.
fn told_of_volume(source: &Value) -> Vec<String> {
    let mut volume = source.clone();
    volume["name"] = "v".into();
    let told = told(&json!({"volumes": [volume]}));
    let place = "spec.volumes[0].";
    told.iter().map(|told| told.strip_prefix(place).unwrap_or(told).to_owned()).collect()
}

/// What is said of an update of a pod, without the values.
fn told_of_update(old: &Value, new: &Value) -> Vec<String> {
    let [old, new] = [old, new].map(|pod| completed("", "Pod", pod.clone()));
    each(&validate("", "Pod", &new, Some(&old)))
}
