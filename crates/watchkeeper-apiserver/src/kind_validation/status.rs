//! What a status may say (the `Validate…StatusUpdate` functions of `kubernetes/pkg/apis/*/validation`).

mod amounts;
mod balancers;
pub(super) mod conditions;
mod counts;
mod jobs;
mod pods;

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::{Check, certificates, definition, metadata, names, nodes, resource_claims, storage};

/// What is wrong with the status that a built-in object is given, in the order of upstream's checks, after what
/// [`metadata()`](super::metadata()) tells. Where upstream comes back to the metadata later, that is told here.
#[must_use]
pub fn status(group: &str, kind: &str, new: &Value, old: &Value) -> Vec<FieldError> {
    let mut check = Check::of(new, Some(old));
    match group {
        "" => core(&mut check, kind),
        "apps" | "batch" => workload(&mut check, kind),
        _ => rest(&mut check, group, kind),
    }
    check.errors
}

fn core(check: &mut Check<'_>, kind: &str) {
    match kind {
        "Namespace" => namespace(check),
        "Node" => nodes::update(check),
        "PersistentVolumeClaim" => amounts::claim(check),
        "Pod" => pods::pod(check),
        "ReplicationController" => counts::replication_controller(check),
        "ResourceQuota" => amounts::quota(check),
        "Service" => balancers::service(check),
        _ => {}
    }
}

fn workload(check: &mut Check<'_>, kind: &str) {
    match kind {
        "DaemonSet" => counts::daemon_set(check),
        "Deployment" => counts::deployment(check),
        "Job" => jobs::job(check),
        "ReplicaSet" => counts::replica_set(check),
        "StatefulSet" => {
            counts::stateful_set(check);
            metadata::update_again(check);
            counts::collisions(check);
        }
        _ => {}
    }
}

fn rest(check: &mut Check<'_>, group: &str, kind: &str) {
    match (group, kind) {
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy") => {
            conditions::standard(check, &check.at("status.conditions"));
        }
        ("apiextensions.k8s.io", "CustomResourceDefinition") => {
            definition::names_of(check, &check.at("status.acceptedNames"));
        }
        ("apiregistration.k8s.io", "APIService") => conditions::of_api_service(check),
        ("autoscaling", "HorizontalPodAutoscaler") => {
            check.not_negative(&check.at("status.currentReplicas"));
            check.not_negative(&check.at("status.desiredReplicas"));
        }
        ("certificates.k8s.io", "CertificateSigningRequest") => {
            certificates::request(check, certificates::Part::Status);
        }
        ("flowcontrol.apiserver.k8s.io", _) => conditions::of_flow_control(check),
        ("networking.k8s.io", "Ingress") => balancers::ingress(check),
        ("policy", "PodDisruptionBudget") => {
            conditions::standard(check, &check.at("status.conditions"));
            for name in ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] {
                check.not_negative(&check.at(&format!("status.{name}")));
            }
        }
        ("resource.k8s.io", "ResourceClaim") => resource_claims::status(check),
        ("storage.k8s.io", "VolumeAttachment") => storage::attachment(check),
        _ => {}
    }
}

/// A namespace is terminating while it is deleted and only then. Upstream has the phase under its name in Go.
fn namespace(check: &mut Check<'_>) {
    let phase = check.at("status.phase");
    let (wanted, detail) = if check.at("metadata.deletionTimestamp").is_missing() {
        ("Active", "may only be 'Active' if `deletionTimestamp` is empty")
    } else {
        ("Terminating", "may only be 'Terminating' if `deletionTimestamp` is not empty")
    };
    if phase.text() != wanted {
        check.push(FieldError::invalid("status.Phase", phase.text(), detail));
    }
}

/// What holds a namespace (`ValidateNamespaceFinalizeUpdate` in `pkg/apis/core/validation`).
#[must_use]
pub fn finalizers_of_namespace(new: &Value) -> Vec<FieldError> {
    let mut check = Check::of(new, None);
    for finalizer in check.at("spec.finalizers").items() {
        check.all(&finalizer, finalizer.text(), names::qualified(finalizer.text()));
        metadata::known_finalizer(&mut check, &finalizer);
    }
    check.errors
}
