//! Which built-in kind has which columns.

use serde_json::Value;

use super::row::Row;
use super::{Cells, Column, Columns, pod, workloads};

mod core;
mod devices;
mod machinery;
mod other;
mod rare;
mod service;
mod words;

type Fill = fn(Row<'_>) -> Vec<Value>;

/// The columns after the name, separated by commas: `#` in front marks a whole number, `?` a
/// boolean, `@` a date, `=` a name; `+` in front of that a column that only `-o wide` shows.
struct Kind {
    group: &'static str,
    kind: &'static str,
    columns: &'static str,
    fill: Fill,
}

const fn kind(group: &'static str, kind: &'static str, columns: &'static str, fill: Fill) -> Kind {
    Kind { group, kind, columns, fill }
}

const SUBJECTS: &str = "Role,Age,+Users,+Groups,+ServiceAccounts";

/// What all kinds with a pod template show, after these columns.
macro_rules! with_template {
    ($columns:literal) => {
        concat!($columns, ",Age,+Containers,+Images,+Selector")
    };
}

const KINDS: &[Kind] = &[
    kind(
        "",
        "Pod",
        "Ready,Status,Restarts,Age,+IP,+Node,+Nominated Node,+Readiness Gates",
        pod::cells,
    ),
    kind(
        "",
        "ReplicationController",
        with_template!("#Desired,#Current,#Ready"),
        workloads::replica_set,
    ),
    kind("", "Service", "Type,Cluster-IP,External-IP,Port(s),Age,+Selector", service::service),
    kind("", "Endpoints", "Endpoints,Age", service::endpoints),
    kind(
        "",
        "Node",
        "Status,Roles,Age,Version,+Internal-IP,+External-IP,+OS-Image,+Kernel-Version,\
         +Container-Runtime",
        core::node,
    ),
    kind("", "Namespace", "Status,Age", core::namespace),
    kind("", "ConfigMap", "Data,Age", core::config_map),
    kind("", "Secret", "Type,Data,Age", core::secret),
    kind("", "ServiceAccount", "Age", core::name_and_age),
    kind(
        "",
        "PersistentVolume",
        "Capacity,Access Modes,Reclaim Policy,Status,Claim,StorageClass,VolumeAttributesClass,\
         Reason,Age,+VolumeMode",
        core::persistent_volume,
    ),
    kind(
        "",
        "PersistentVolumeClaim",
        "Status,Volume,Capacity,Access Modes,StorageClass,VolumeAttributesClass,Age,+VolumeMode",
        core::persistent_volume_claim,
    ),
    kind("apps", "Deployment", with_template!("Ready,Up-to-date,Available"), workloads::deployment),
    kind("apps", "ReplicaSet", with_template!("#Desired,#Current,#Ready"), workloads::replica_set),
    kind("apps", "StatefulSet", "Ready,Age,+Containers,+Images", workloads::stateful_set),
    kind(
        "apps",
        "DaemonSet",
        with_template!("#Desired,#Current,#Ready,#Up-to-date,#Available,Node Selector"),
        workloads::daemon_set,
    ),
    kind("apps", "ControllerRevision", "Controller,Revision,Age", workloads::controller_revision),
    kind("batch", "Job", with_template!("Status,Completions,Duration"), workloads::job),
    kind(
        "batch",
        "CronJob",
        with_template!("Schedule,Timezone,?Suspend,#Active,Last Schedule"),
        workloads::cron_job,
    ),
    kind(
        "autoscaling",
        "HorizontalPodAutoscaler",
        "Reference,Targets,MinPods,MaxPods,Replicas,Age",
        other::autoscaler,
    ),
    kind("autoscaling", "Scale", "#Desired,#Available,Age", other::scale),
    kind("coordination.k8s.io", "Lease", "Holder,Age", other::lease),
    kind(
        "discovery.k8s.io",
        "EndpointSlice",
        "AddressType,Ports,Endpoints,Age",
        service::endpoint_slice,
    ),
    kind("networking.k8s.io", "Ingress", "Class,Hosts,Address,Ports,Age", service::ingress),
    kind("networking.k8s.io", "IngressClass", "Controller,Parameters,Age", service::ingress_class),
    kind("networking.k8s.io", "NetworkPolicy", "Pod-Selector,Age", service::network_policy),
    kind(
        "policy",
        "PodDisruptionBudget",
        "Min Available,Max Unavailable,#Allowed Disruptions,Age",
        other::disruption_budget,
    ),
    kind("rbac.authorization.k8s.io", "RoleBinding", SUBJECTS, other::role_binding),
    kind("rbac.authorization.k8s.io", "ClusterRoleBinding", SUBJECTS, other::role_binding),
    kind(
        "scheduling.k8s.io",
        "PriorityClass",
        "#Value,?Global-Default,Age,PreemptionPolicy",
        other::priority_class,
    ),
    kind(
        "storage.k8s.io",
        "StorageClass",
        "Provisioner,ReclaimPolicy,VolumeBindingMode,AllowVolumeExpansion,Age",
        other::storage_class,
    ),
    kind(
        "admissionregistration.k8s.io",
        "MutatingWebhookConfiguration",
        "#Webhooks,Age",
        other::webhooks,
    ),
    kind(
        "admissionregistration.k8s.io",
        "ValidatingWebhookConfiguration",
        "#Webhooks,Age",
        other::webhooks,
    ),
    kind("", "PodTemplate", "Containers,Images,Pod Labels", rare::pod_template),
    kind("", "ResourceQuota", "Request,Limit,Age", rare::resource_quota),
    kind("apiregistration.k8s.io", "APIService", "Service,Available,Age", rare::api_service),
    kind(
        "certificates.k8s.io",
        "CertificateSigningRequest",
        "Age,SignerName,Requestor,RequestedDuration,Condition",
        rare::signing_request,
    ),
    kind("node.k8s.io", "RuntimeClass", "Handler,Age", rare::runtime_class),
    kind("storage.k8s.io", "CSINode", "#Drivers,Age", rare::csi_node),
    kind(
        "storage.k8s.io",
        "CSIDriver",
        "?AttachRequired,?PodInfoOnMount,?StorageCapacity,TokenRequests,?RequiresRepublish,Modes,\
         Age",
        rare::csi_driver,
    ),
    kind(
        "storage.k8s.io",
        "VolumeAttachment",
        "=Attacher,PV,Node,?Attached,Age",
        rare::volume_attachment,
    ),
    kind("networking.k8s.io", "ServiceCIDR", "CIDRs,Age", rare::service_cidr),
    kind(
        "admissionregistration.k8s.io",
        "ValidatingAdmissionPolicy",
        "#Validations,ParamKind,Age",
        rare::admission_policy,
    ),
    kind(
        "admissionregistration.k8s.io",
        "MutatingAdmissionPolicy",
        "#Mutations,ParamKind,Age",
        rare::admission_policy,
    ),
    kind(
        "admissionregistration.k8s.io",
        "ValidatingAdmissionPolicyBinding",
        "PolicyName,ParamRef,Age",
        rare::admission_binding,
    ),
    kind(
        "admissionregistration.k8s.io",
        "MutatingAdmissionPolicyBinding",
        "PolicyName,ParamRef,Age",
        rare::admission_binding,
    ),
    kind("resource.k8s.io", "DeviceClass", "Age", core::name_and_age),
    kind("resource.k8s.io", "ResourceClaimTemplate", "Age", core::name_and_age),
    kind("resource.k8s.io", "ResourceClaim", "State,Age", devices::claim),
    kind("resource.k8s.io", "ResourceSlice", "Node,Driver,Pool,Age", devices::slice),
    kind(
        "storage.k8s.io",
        "VolumeAttributesClass",
        "DriverName,Age",
        rare::volume_attributes_class,
    ),
    kind("networking.k8s.io", "IPAddress", "ParentRef", rare::ip_address),
    kind(
        "flowcontrol.apiserver.k8s.io",
        "FlowSchema",
        "PriorityLevel,MatchingPrecedence,DistinguisherMethod,Age,MissingPL",
        machinery::flow_schema,
    ),
    kind(
        "flowcontrol.apiserver.k8s.io",
        "PriorityLevelConfiguration",
        "Type,NominalConcurrencyShares,Queues,HandSize,QueueLengthLimit,Age",
        machinery::priority_level,
    ),
    kind("", "ComponentStatus", "Status,Message,Error", machinery::component_status),
];

pub(super) fn columns(group: &str, kind: &str) -> Columns {
    if kind == "Event" {
        return events();
    }
    let is_pod = (group, kind) == ("", "Pod");
    let found = KINDS.iter().find(|of| of.group == group && of.kind == kind);
    let (names, fill) = match found {
        Some(of) => (of.columns, of.fill),
        // What upstream prints for kinds that have no printer.
        None => ("@Created At", core::name_and_creation as Fill),
    };
    let mut columns = vec![Column::name()];
    if kind == "Scale" {
        // It has the name of another object.
        columns[0].format.clear();
    }
    columns.extend(names.split(',').map(column));
    describe(kind, &mut columns);
    let condition = is_pod.then_some(pod::condition as fn(Row<'_>) -> Option<Value>);
    Columns { columns, cells: Cells::Builtin(fill), condition }
}

fn column(text: &str) -> Column {
    let (text, priority) = text.strip_prefix('+').map_or((text, 0), |text| (text, 1));
    let (name, type_) = match text.split_at_checked(1) {
        Some(("#", name)) => (name, "integer"),
        Some(("?", name)) => (name, "boolean"),
        Some(("@", name)) => (name, "date"),
        Some(("=", name)) => {
            return Column { priority, ..Column { name: name.to_owned(), ..Column::name() } };
        }
        _ => (text, "string"),
    };
    Column { priority, type_: type_.to_owned(), ..Column::text(name) }
}

fn describe(kind: &str, columns: &mut [Column]) {
    for column in columns {
        words::describe(kind, &column.name).clone_into(&mut column.description);
    }
}

/// What the name says, on any kind.
pub(super) fn name_words() -> &'static str {
    words::describe("", "Name")
}

/// What the age says, on any kind.
pub(super) fn age_words() -> &'static str {
    words::describe("", "Age")
}

/// Events are the one kind whose name comes last.
fn events() -> Columns {
    let names = "Last Seen,Type,Reason,Object,+Subobject,+Source,Message,+First Seen,+Count";
    let mut columns: Vec<Column> = names.split(',').map(column).collect();
    columns.push(Column { priority: 1, ..Column::name() });
    describe("Event", &mut columns);
    Columns { columns, cells: Cells::Builtin(core::event), condition: None }
}
