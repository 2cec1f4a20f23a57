//! Defaults that depend on nothing.

use serde_json::{Value, json};
use watchkeeper_schema::builtin::facts;
use watchkeeper_schema::facts::Presence;

use super::Object;

/// Fills the missing members of a value of that Go type. Text that Go keeps by value counts as
/// missing when it is empty, and such a number when it is zero.
pub(super) fn fill(object: &mut Object, model: &str) {
    let Value::Object(defaults) = of(model) else { return };
    for (name, value) in defaults {
        let missing = match object.get(&name) {
            None | Some(Value::Null) => true,
            Some(Value::String(text)) => {
                let is_pointer = || is_pointer(&format!("io.k8s.api.{model}"), &name);
                text.is_empty() && value != "" && !is_pointer()
            }
            Some(Value::Number(number)) => number.as_f64() == Some(0.0) && is_by_value(model),
            Some(_) => false,
        };
        if missing {
            object.insert(name, value);
        }
    }
}

/// Whether a member of a Go type, or of one that it embeds, is a pointer, so that empty text is
/// something.
fn is_pointer(model: &str, name: &str) -> bool {
    let fields = facts().get(model).map(|of| of.fields.as_slice()).unwrap_or_default();
    fields.iter().any(|field| match (field.presence, field.ty.model()) {
        (Presence::Inline, Some(inner)) => is_pointer(inner, name),
        (Presence::Pointer | Presence::PointerOrNull, _) => field.json == name,
        _ => false,
    })
}

/// Whether the numbers of a Go type are no pointers, so that zero is nothing.
fn is_by_value(model: &str) -> bool {
    let known =
        ["core.v1.Probe", "flowcontrol.v1.FlowSchemaSpec", "flowcontrol.v1.QueuingConfiguration"];
    known.contains(&model)
}

fn of(model: &str) -> Value {
    if let Some(model) = model.strip_prefix("core.v1.") {
        return of_core(model);
    }
    match model {
        "apps.v1.DeploymentSpec" => {
            json!({"replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600})
        }
        "apps.v1.ReplicaSetSpec" => json!({"replicas": 1}),
        "apps.v1.DaemonSetSpec" => json!({"revisionHistoryLimit": 10}),
        "apps.v1.StatefulSetSpec" => json!({"podManagementPolicy": "OrderedReady", "replicas": 1,
            "revisionHistoryLimit": 10}),
        "apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy" => {
            json!({"whenDeleted": "Retain", "whenScaled": "Retain"})
        }
        "batch.v1.CronJobSpec" => json!({"concurrencyPolicy": "Allow", "suspend": false,
            "successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 1}),
        "batch.v1.PodFailurePolicyOnPodConditionsPattern" => json!({"status": "True"}),
        "discovery.v1.EndpointPort" => json!({"name": "", "protocol": "TCP"}),
        "networking.v1.NetworkPolicyPort" => json!({"protocol": "TCP"}),
        "networking.v1.IngressClassParametersReference" => json!({"scope": "Cluster"}),
        "rbac.v1.RoleRef" => json!({"apiGroup": "rbac.authorization.k8s.io"}),
        "autoscaling.v1.HorizontalPodAutoscalerSpec" => json!({"minReplicas": 1}),
        "scheduling.v1.PriorityClass" => json!({"preemptionPolicy": "PreemptLowerPriority"}),
        "storage.v1.StorageClass" => {
            json!({"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"})
        }
        "storage.v1.CSIDriverSpec" => json!({"attachRequired": true, "podInfoOnMount": false,
            "storageCapacity": false, "fsGroupPolicy": "ReadWriteOnceWithFSType",
            "volumeLifecycleModes": ["Persistent"], "requiresRepublish": false,
            "seLinuxMount": false}),
        "flowcontrol.v1.FlowSchemaSpec" => json!({"matchingPrecedence": 1000}),
        "flowcontrol.v1.ExemptPriorityLevelConfiguration" => {
            json!({"nominalConcurrencyShares": 0, "lendablePercent": 0})
        }
        "flowcontrol.v1.LimitedPriorityLevelConfiguration" => {
            json!({"nominalConcurrencyShares": 30, "lendablePercent": 0})
        }
        "flowcontrol.v1.QueuingConfiguration" => {
            json!({"handSize": 8, "queues": 64, "queueLengthLimit": 50})
        }
        "resource.v1.ExactDeviceRequest" | "resource.v1.DeviceSubRequest" => {
            json!({"allocationMode": "ExactCount"})
        }
        _ => of_admission(model),
    }
}

fn of_core(model: &str) -> Value {
    match model {
        "PodSpec" => json!({"dnsPolicy": "ClusterFirst", "restartPolicy": "Always",
            "securityContext": {}, "terminationGracePeriodSeconds": 30,
            "schedulerName": "default-scheduler"}),
        "Container" | "EphemeralContainer" => json!({
            "terminationMessagePath": "/dev/termination-log",
            "terminationMessagePolicy": "File"}),
        "Probe" => json!({"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1,
            "failureThreshold": 3}),
        "HTTPGetAction" => json!({"path": "/", "scheme": "HTTP"}),
        "SecretVolumeSource"
        | "ConfigMapVolumeSource"
        | "DownwardAPIVolumeSource"
        | "ProjectedVolumeSource" => json!({"defaultMode": 0o644}),
        "ServiceAccountTokenProjection" => json!({"expirationSeconds": 3600}),
        "HostPathVolumeSource" => json!({"type": ""}),
        "ObjectFieldSelector" => json!({"apiVersion": "v1"}),
        "Secret" => json!({"type": "Opaque"}),
        "EndpointPort" => json!({"protocol": "TCP"}),
        "PersistentVolumeSpec" => {
            json!({"persistentVolumeReclaimPolicy": "Retain", "volumeMode": "Filesystem"})
        }
        "PersistentVolumeStatus" | "PersistentVolumeClaimStatus" => json!({"phase": "Pending"}),
        "PersistentVolumeClaimSpec" => json!({"volumeMode": "Filesystem"}),
        "NamespaceStatus" => json!({"phase": "Active"}),
        _ => Value::Null,
    }
}

fn of_admission(model: &str) -> Value {
    let Some(model) = model.strip_prefix("admissionregistration.v1.") else { return Value::Null };
    match model {
        "ValidatingWebhook" => json!({"failurePolicy": "Fail", "matchPolicy": "Equivalent",
            "namespaceSelector": {}, "objectSelector": {}, "timeoutSeconds": 10}),
        "MutatingWebhook" => json!({"failurePolicy": "Fail", "matchPolicy": "Equivalent",
            "namespaceSelector": {}, "objectSelector": {}, "timeoutSeconds": 10,
            "reinvocationPolicy": "Never"}),
        "RuleWithOperations" | "NamedRuleWithOperations" | "Rule" => json!({"scope": "*"}),
        "ServiceReference" => json!({"port": 443}),
        "ValidatingAdmissionPolicySpec" | "MutatingAdmissionPolicySpec" => {
            json!({"failurePolicy": "Fail"})
        }
        "MatchResources" => {
            json!({"matchPolicy": "Equivalent", "namespaceSelector": {}, "objectSelector": {}})
        }
        _ => Value::Null,
    }
}
