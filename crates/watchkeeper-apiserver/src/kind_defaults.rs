//! What a kube-apiserver fills into built-in objects.
//!
//! Upstream's defaulting functions (`pkg/apis/*/*/defaults.go`) belong to Go types, wherever they
//! are used, and so do ours: an object is walked along its schema, outer values first, and each
//! value whose model has defaults gets them. The generic defaults of OpenAPI come first.

use serde_json::{Map, Value};
use watchkeeper_schema::{SchemaRef, defaults};

use crate::shape;

mod apps;
mod core;
mod other;
mod values;

#[cfg(test)]
mod tests;

pub use apps::{count_templates, select_by_uid};
pub use core::{admit_pod, admit_tolerations};

/// An object that is being completed.
type Object = Map<String, Value>;

/// Brings a built-in object into its stored form: defaults filled in, quantities in canonical
/// form, members present as Go writes them.
pub fn complete(value: &mut Value, schema: SchemaRef<'_>) {
    shape::normalize(value, schema);
    defaults::default_values(value, schema);
    walk(value, schema);
    shape::normalize(value, schema);
}

fn walk(value: &mut Value, schema: SchemaRef<'_>) {
    match value {
        Value::Object(members) => {
            if let Some(model) = model(schema) {
                values::fill(members, model);
                by_rule(members, model);
            }
            for (name, value) in members {
                if let Some(of) = schema.member(name) {
                    walk(value, of);
                }
            }
        }
        Value::Array(items) => {
            if let Some(of) = schema.items() {
                items.iter_mut().for_each(|item| walk(item, of));
            }
        }
        _ => {}
    }
}

/// The Go type, without what all of them begin with.
fn model(schema: SchemaRef<'_>) -> Option<&str> {
    let model = schema.name()?;
    Some(model.strip_prefix("io.k8s.api.").unwrap_or(model))
}

/// Defaults that depend on other members.
fn by_rule(object: &mut Object, model: &str) {
    match model {
        "core.v1.Pod" => core::pod(object),
        "core.v1.PodSpec" => core::pod_spec(object),
        "core.v1.PodStatus" => core::pod_status(object),
        "core.v1.Container" | "core.v1.EphemeralContainer" => core::container(object),
        "core.v1.ResourceRequirements" | "core.v1.VolumeResourceRequirements" => {
            core::resources(object);
        }
        "core.v1.Volume" => core::volume(object),
        "core.v1.LimitRangeItem" => core::limit_range_item(object),
        "core.v1.Service" => core::service(object),
        "core.v1.ServiceSpec" => core::service_spec(object),
        "core.v1.ServicePort" => core::service_port(object),
        "core.v1.Namespace" => core::namespace(object),
        "core.v1.NodeSpec" => core::node_spec(object),
        "core.v1.NodeStatus" => core::node_status(object),
        "core.v1.ReplicationController" => core::replication_controller(object),
        "apps.v1.DeploymentStrategy" => apps::deployment_strategy(object),
        "apps.v1.DaemonSet" => apps::daemon_set(object),
        "apps.v1.DaemonSetUpdateStrategy" => apps::daemon_set_strategy(object),
        "apps.v1.StatefulSetUpdateStrategy" => apps::stateful_set_strategy(object),
        "apps.v1.StatefulSetSpec" => apps::stateful_set_spec(object),
        "batch.v1.Job" => apps::job(object),
        "resource.v1.ExactDeviceRequest" | "resource.v1.DeviceSubRequest" => {
            other::device_request(object);
        }
        "rbac.v1.Subject" => other::subject(object),
        "networking.v1.NetworkPolicySpec" => other::network_policy(object),
        "autoscaling.v2.HorizontalPodAutoscalerSpec" => other::autoscaler(object),
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition" => {
            other::definition(object);
        }
        _ => {}
    }
}

/// Sets a member that is missing or `null`.
fn default(object: &mut Object, name: &str, value: impl Into<Value>) {
    let member = object.entry(name).or_insert(Value::Null);
    if member.is_null() {
        *member = value.into();
    }
}

/// Sets a member that is missing or empty text.
fn default_text(object: &mut Object, name: &str, value: &str) {
    if text(object, name).is_empty() {
        object.insert(name.to_owned(), value.into());
    }
}

fn text<'a>(object: &'a Object, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The member as an object, made when it is missing.
fn inner<'a>(object: &'a mut Object, name: &str) -> Option<&'a mut Object> {
    default(object, name, Object::new());
    object.get_mut(name).and_then(Value::as_object_mut)
}

fn is_empty(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Object(members)) => members.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::String(text)) => text.is_empty(),
        Some(_) => false,
    }
}
