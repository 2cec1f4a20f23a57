//! What a kube-apiserver refuses in metadata and in built-in kinds, in its own words
//! (`apimachinery/pkg/api/validation`, `kubernetes/pkg/apis/*/validation`).
//!
//! Objects come here completed: defaults filled in. Rules that nobody meets by accident are left
//! to the real thing; what is here are those that people meet.

use std::cell::OnceCell;

use serde_json::Value;
use watchkeeper_schema::error::{child, item};
use watchkeeper_schema::{FieldError, Reason};

mod addresses;
mod autoscaling;
mod certificates;
mod classes;
mod definition;
mod devices;
mod endpoint_slices;
mod endpoints;
mod event;
mod expressions;
mod flow_control;
mod internal;
mod limits;
mod look;
pub(crate) mod managed_fields;
mod metadata;
pub mod names;
mod networking;
mod nodes;
mod other;
mod pod;
mod policies;
mod quota;
pub(crate) mod resource_claims;
mod resource_slices;
mod resources;
mod roles;
mod selector;
mod sent;
pub(crate) mod service;
mod status;
mod storage;
mod told;
mod volumes;
mod webhooks;
mod workloads;

#[cfg(test)]
mod tests;

pub use look::{Look, is_judged_last};
pub(crate) use metadata::marks;
pub use metadata::{embedded_metadata, metadata};
pub use status::{finalizers_of_namespace, status};

/// What is wrong with a built-in object, in the order of upstream's checks, after what [`metadata()`] tells. Where
/// upstream comes back to the metadata of an update later, that is told here.
#[must_use]
pub fn validate(group: &str, kind: &str, new: &Value, old: Option<&Value>) -> Vec<FieldError> {
    validate_as_sent(group, kind, (new, old), None)
}

/// The same, with the object as it was sent: what is shown of it has lists and maps without anything in them, which are
/// gone from `new`.
#[must_use]
pub fn validate_as_sent(
    group: &str,
    kind: &str,
    (new, old): (&Value, Option<&Value>),
    sent: Option<&Value>,
) -> Vec<FieldError> {
    let mut check = Check { sent, ..Check::of(new, old) };
    match group {
        "" => core(&mut check, kind),
        "apps" | "batch" => workload(&mut check, kind),
        "admissionregistration.k8s.io" => admission(&mut check, kind),
        _ => rest(&mut check, group, kind),
    }
    check.errors
}

/// What is wrong with a pod of which only a part is written: `ephemeralcontainers` or `resize`. `qos` is what a spec is
/// worth to its node.
#[must_use]
pub fn part_of_pod(
    subresource: &str,
    new: &Value,
    old: &Value,
    qos: fn(&Value) -> &'static str,
) -> Vec<FieldError> {
    let mut check = Check::of(new, Some(old));
    match subresource {
        "resize" => pod::parts::resize(&mut check, qos),
        _ => pod::parts::ephemeral(&mut check),
    }
    check.errors
}

/// What is wrong with a request for a certificate of which it is written whether it is approved.
#[must_use]
pub fn approval(new: &Value, old: &Value) -> Vec<FieldError> {
    let mut check = Check::of(new, Some(old));
    certificates::request(&mut check, certificates::Part::Approval);
    check.errors
}

fn core(check: &mut Check<'_>, kind: &str) {
    match kind {
        "Pod" => pod::pod(check),
        "PodTemplate" => {
            let template = check.at("template");
            pod::template(check, &template, &pod::Whose::default());
        }
        "ReplicationController" => workloads::replication_controller(check),
        "Service" => service::service(check),
        "Endpoints" => endpoints::endpoints(check),
        "Namespace" => other::namespace(check),
        "ConfigMap" => other::config_map(check),
        "Secret" => other::secret(check),
        "Event" => event::event(check, ""),
        "PersistentVolumeClaim" => volumes::claim(check),
        "PersistentVolume" => volumes::volume(check),
        "ResourceQuota" => quota::quota(check),
        "LimitRange" => limits::limit_range(check),
        "Node" => nodes::node(check),
        _ => {}
    }
}

fn workload(check: &mut Check<'_>, kind: &str) {
    match kind {
        "Deployment" => workloads::deployment(check),
        "ReplicaSet" => workloads::replica_set(check),
        "StatefulSet" => workloads::stateful_set(check),
        "DaemonSet" => workloads::daemon_set(check),
        "ControllerRevision" => other::controller_revision(check),
        "Job" => workloads::job(check),
        "CronJob" => workloads::cron_job(check),
        _ => {}
    }
}

fn admission(check: &mut Check<'_>, kind: &str) {
    match kind {
        "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration" => {
            webhooks::configuration(check);
        }
        "ValidatingAdmissionPolicy" => policies::validating(check),
        "MutatingAdmissionPolicy" => policies::mutating(check),
        "ValidatingAdmissionPolicyBinding" => policies::validating_binding(check),
        "MutatingAdmissionPolicyBinding" => policies::mutating_binding(check),
        _ => {}
    }
}

fn rest(check: &mut Check<'_>, group: &str, kind: &str) {
    match (group, kind) {
        ("apiextensions.k8s.io", "CustomResourceDefinition") => definition::definition(check),
        ("autoscaling", "HorizontalPodAutoscaler") => autoscaling::autoscaler(check),
        ("certificates.k8s.io", "CertificateSigningRequest") => {
            certificates::request(check, certificates::Part::Itself);
        }
        ("coordination.k8s.io", "Lease") => other::lease(check),
        ("discovery.k8s.io", "EndpointSlice") => endpoint_slices::endpoint_slice(check),
        ("events.k8s.io", "Event") => event::event(check, group),
        ("flowcontrol.apiserver.k8s.io", "FlowSchema") => flow_control::flow_schema(check),
        ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration") => {
            flow_control::priority_level(check);
        }
        ("networking.k8s.io", "Ingress") => networking::ingress(check),
        ("networking.k8s.io", "IngressClass") => classes::ingress_class(check),
        ("networking.k8s.io", "NetworkPolicy") => networking::network_policy(check),
        ("networking.k8s.io", "ServiceCIDR") => classes::service_ranges(check),
        ("node.k8s.io", "RuntimeClass") => quota::runtime_class(check),
        ("policy", "PodDisruptionBudget") => other::disruption_budget(check),
        ("rbac.authorization.k8s.io", "RoleBinding" | "ClusterRoleBinding") => {
            roles::role_binding(check, kind);
        }
        ("rbac.authorization.k8s.io", "Role" | "ClusterRole") => roles::role(check, kind),
        ("resource.k8s.io", "DeviceClass") => devices::device_class(check),
        ("resource.k8s.io", "ResourceClaim") => resource_claims::resource_claim(check),
        ("resource.k8s.io", "ResourceClaimTemplate") => {
            resource_claims::resource_claim_template(check);
        }
        ("resource.k8s.io", "ResourceSlice") => resource_slices::resource_slice(check),
        ("scheduling.k8s.io", "PriorityClass") => other::priority_class(check),
        ("storage.k8s.io", "CSIDriver") => storage::csi_driver(check),
        ("storage.k8s.io", "CSINode") => storage::csi_node(check),
        ("storage.k8s.io", "CSIStorageCapacity") => storage::csi_capacity(check),
        ("storage.k8s.io", "StorageClass") => storage::storage_class(check),
        ("storage.k8s.io", "VolumeAttachment") => storage::attachment(check),
        ("storage.k8s.io", "VolumeAttributesClass") => storage::attributes_class(check),
        _ => {}
    }
}

/// An object under inspection.
struct Check<'a> {
    new: &'a Value,
    old: Option<&'a Value>,
    /// The new one before anything was dropped from it, where that is known.
    sent: Option<&'a Value>,
    errors: Vec<FieldError>,
    /// How many bytes they are, about.
    told: usize,
    /// Whether the spec stays as it is, once somebody has asked.
    keeps_spec: OnceCell<bool>,
}

impl<'a> Check<'a> {
    const fn of(new: &'a Value, old: Option<&'a Value>) -> Self {
        let keeps_spec = OnceCell::new();
        Self { new, old, sent: None, errors: Vec::new(), told: 0, keeps_spec }
    }

    /// The part of the object at a path of members.
    fn at(&self, path: &str) -> Place<'a> {
        let mut value = Some(self.new);
        for name in path.split('.') {
            value = value.and_then(|value| value.get(name)).filter(|value| !value.is_null());
        }
        Place { value, path: path.to_owned() }
    }

    /// The object before the update, if it is one.
    fn before(&self) -> Option<Self> {
        self.old.map(|old| Self::of(old, None))
    }

    /// Whether this is an update that leaves the spec as it is. A server of an older version may have taken one that
    /// this server refuses. What upstream could never have stored is not judged again then: it would tell people of
    /// what they have not written, and let nobody label or delete the object.
    fn keeps_spec(&self) -> bool {
        *self.keeps_spec.get_or_init(|| {
            let now = self.at("spec").value;
            now.is_some() && self.before().is_some_and(|before| before.at("spec").value == now)
        })
    }

    /// A part that no update changes.
    fn immutable(&mut self, path: &str) {
        let Some(before) = self.before() else { return };
        let before = before.at(path).value;
        let now = self.at(path);
        if before != now.value {
            let value = self.plain_as_sent(path, now.value);
            self.push(FieldError::invalid(path, value, "field is immutable"));
        }
    }

    /// A part that no update changes, which upstream tells of at another place.
    fn stays(&mut self, path: &str, told: &str) {
        let before = self.errors.len();
        self.immutable(path);
        for error in &mut self.errors[before..] {
            told.clone_into(&mut error.field);
        }
    }

    /// A part that is a struct of a model and that no update changes.
    fn struct_stays(&mut self, path: &str, model: &str) {
        let Some(before) = self.before() else { return };
        let before = before.at(path).value;
        let now = self.at(path).value;
        if before != now {
            let now = self.as_sent(path, now);
            self.push(changed(path, model, now.as_ref()));
        }
    }

    /// A text by value that no update changes: none is an empty one.
    fn immutable_text(&mut self, path: &str) {
        let Some(before) = self.before() else { return };
        let before = before.at(path).text();
        let now = self.at(path).text();
        if before != now {
            self.push(FieldError::invalid(path, now, "field is immutable"));
        }
    }

    /// A number that is not below zero.
    fn not_negative(&mut self, place: &Place<'_>) {
        if let Some(number) = place.number().filter(|number| *number < 0) {
            let detail = "must be greater than or equal to 0";
            self.push(FieldError::invalid(&*place.path, number, detail));
        }
    }

    /// A list of so many items at most.
    fn not_more(&mut self, list: &Place<'_>, most: u64) {
        let count = list.items().len() as u64;
        if count > most {
            self.push(FieldError::too_many(&*list.path, count, most));
        }
    }

    fn all(&mut self, place: &Place<'_>, value: &str, messages: Vec<String>) {
        for message in messages {
            self.push(FieldError::invalid(&*place.path, value, message));
        }
    }

    /// A text that must be there, or else `absent` is told, and keeps a rule of names.
    fn name(&mut self, place: &Place<'_>, absent: &str, rule: fn(&str) -> Vec<String>) {
        match place.text() {
            "" => self.push(FieldError::required(&*place.path, absent)),
            text => self.all(place, text, rule(text)),
        }
    }

    /// A text that is one of these where it is there.
    fn optional(&mut self, place: &Place<'_>, allowed: &[&str]) {
        if !place.is_missing() && !allowed.contains(&place.text()) {
            self.push(FieldError::not_supported(&*place.path, place.text(), allowed));
        }
    }

    /// A text that must be there and one of these.
    fn one_of(&mut self, place: &Place<'_>, allowed: &[&str]) {
        match place.text() {
            "" => self.push(FieldError::required(&*place.path, "")),
            text if !allowed.contains(&text) => {
                self.push(FieldError::not_supported(&*place.path, text, allowed));
            }
            _ => {}
        }
    }
}

/// Of a part that is a struct of a model: that it has changed.
fn changed(path: &str, model: &str, now: Option<&Value>) -> FieldError {
    let detail = format!("{}: field is immutable", internal::shown(model, now));
    FieldError::new(Reason::Invalid, path, None, detail)
}

/// Members of a struct as they are in another one.
fn put_back(to: &mut Value, from: &Value, names: &[&str]) {
    let Some(members) = to.as_object_mut() else { return };
    for name in names {
        match from.get(name) {
            Some(value) => members.insert((*name).to_owned(), value.clone()),
            None => members.remove(*name),
        };
    }
}

/// A part of an object and where it is.
#[derive(Clone, Debug)]
struct Place<'a> {
    value: Option<&'a Value>,
    path: String,
}

impl<'a> Place<'a> {
    fn member(&self, name: &str) -> Self {
        let value = self.value.and_then(|value| value.get(name)).filter(|value| !value.is_null());
        Self { value, path: child(&self.path, name) }
    }

    fn has(&self, name: &str) -> bool {
        self.value.and_then(|value| value.get(name)).is_some_and(|value| !value.is_null())
    }

    fn items(&self) -> Vec<Self> {
        let items = self.value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let place = |(index, value)| Self { value: Some(value), path: item(&self.path, index) };
        items.iter().enumerate().map(place).collect()
    }

    fn text(&self) -> &'a str {
        self.value.and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self) -> Option<i64> {
        self.value.and_then(Value::as_i64)
    }

    fn is_missing(&self) -> bool {
        self.value.is_none()
    }

    /// Missing, or without items, members or text.
    fn is_empty(&self) -> bool {
        match self.value {
            None => true,
            Some(Value::Array(items)) => items.is_empty(),
            Some(Value::Object(members)) => members.is_empty(),
            Some(Value::String(text)) => text.is_empty(),
            Some(_) => false,
        }
    }

    /// The entries of a map of text.
    fn entries(&self) -> Vec<(&'a str, &'a str)> {
        let members = self.value.and_then(Value::as_object).into_iter().flatten();
        members.map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default())).collect()
    }
}
