//! `core/v1`: `PodSpec` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{
    Affinity, AppArmorProfile, Container, ContainerPort, ContainerResizePolicy,
    ContainerRestartRule, EnvFromSource, EnvVar, Lifecycle, LocalObjectReference, Probe,
    ResourceRequirements, SELinuxOptions, SeccompProfile, SecurityContext, Volume, VolumeDevice,
    VolumeMount, WindowsSecurityContextOptions,
};
use crate::codec::codec;
use crate::meta::v1::LabelSelector;
use crate::{IStr, List, Map, Quantity, Shared};

/// `io.k8s.api.core.v1.PodSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodSpec {
    pub volumes: List<Volume>,
    pub init_containers: List<Container>,
    pub containers: List<Container>,
    pub ephemeral_containers: List<EphemeralContainer>,
    pub restart_policy: IStr,
    pub termination_grace_period_seconds: Option<i64>,
    pub active_deadline_seconds: Option<i64>,
    pub dns_policy: IStr,
    pub node_selector: Map,
    pub service_account_name: IStr,
    pub service_account: IStr,
    pub automount_service_account_token: Option<bool>,
    pub node_name: IStr,
    pub host_network: bool,
    pub host_pid: bool,
    pub host_ipc: bool,
    pub share_process_namespace: Option<bool>,
    pub security_context: Option<Box<PodSecurityContext>>,
    pub image_pull_secrets: List<LocalObjectReference>,
    pub hostname: IStr,
    pub subdomain: IStr,
    pub affinity: Option<Box<Affinity>>,
    pub scheduler_name: IStr,
    pub tolerations: Shared<List<Toleration>>,
    pub host_aliases: List<HostAlias>,
    pub priority_class_name: IStr,
    pub priority: Option<i32>,
    pub dns_config: Option<Box<PodDNSConfig>>,
    pub readiness_gates: List<PodReadinessGate>,
    pub runtime_class_name: Option<IStr>,
    pub enable_service_links: Option<bool>,
    pub preemption_policy: Option<IStr>,
    pub overhead: Map<Quantity>,
    pub topology_spread_constraints: List<TopologySpreadConstraint>,
    pub set_hostname_as_fqdn: Option<bool>,
    pub os: Option<Box<PodOS>>,
    pub host_users: Option<bool>,
    pub scheduling_gates: List<PodSchedulingGate>,
    pub resource_claims: List<PodResourceClaim>,
    pub resources: Option<Box<ResourceRequirements>>,
    pub hostname_override: Option<IStr>,
    pub scheduling_group: Option<Box<PodSchedulingGroup>>,
}

codec! { PodSpec
    0 "volumes" opt volumes .list_map(&["name"])
    1 "initContainers" opt init_containers .list_map(&["name"])
    2 "containers" opt containers .required() .list_map(&["name"])
    3 "ephemeralContainers" opt ephemeral_containers .list_map(&["name"])
    4 "restartPolicy" opt restart_policy
    5 "terminationGracePeriodSeconds" opt termination_grace_period_seconds
    6 "activeDeadlineSeconds" opt active_deadline_seconds
    7 "dnsPolicy" opt dns_policy
    8 "nodeSelector" opt node_selector .map_atomic()
    9 "serviceAccountName" opt service_account_name
    10 "serviceAccount" opt service_account
    11 "automountServiceAccountToken" opt automount_service_account_token
    12 "nodeName" opt node_name
    13 "hostNetwork" opt host_network
    14 "hostPID" opt host_pid
    15 "hostIPC" opt host_ipc
    16 "shareProcessNamespace" opt share_process_namespace
    17 "securityContext" opt security_context
    18 "imagePullSecrets" opt image_pull_secrets .list_map(&["name"])
    19 "hostname" opt hostname
    20 "subdomain" opt subdomain
    21 "affinity" opt affinity
    22 "schedulerName" opt scheduler_name
    23 "tolerations" opt tolerations .list_atomic()
    24 "hostAliases" opt host_aliases .list_map(&["ip"])
    25 "priorityClassName" opt priority_class_name
    26 "priority" opt priority
    27 "dnsConfig" opt dns_config
    28 "readinessGates" opt readiness_gates .list_atomic()
    29 "runtimeClassName" opt runtime_class_name
    30 "enableServiceLinks" opt enable_service_links
    31 "preemptionPolicy" opt preemption_policy
    32 "overhead" opt overhead
    33 "topologySpreadConstraints" opt topology_spread_constraints .list_map(&["topologyKey", "whenUnsatisfiable"])
    34 "setHostnameAsFQDN" opt set_hostname_as_fqdn
    35 "os" opt os
    36 "hostUsers" opt host_users
    37 "schedulingGates" opt scheduling_gates .list_map(&["name"])
    38 "resourceClaims" opt resource_claims .list_map(&["name"])
    39 "resources" opt resources
    40 "hostnameOverride" opt hostname_override
    41 "schedulingGroup" opt scheduling_group
}

/// `io.k8s.api.core.v1.EphemeralContainer`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EphemeralContainer {
    pub name: IStr,
    pub image: IStr,
    pub command: List<IStr>,
    pub args: List<IStr>,
    pub working_dir: IStr,
    pub ports: List<ContainerPort>,
    pub env_from: List<EnvFromSource>,
    pub env: List<EnvVar>,
    pub resources: ResourceRequirements,
    pub resize_policy: List<ContainerResizePolicy>,
    pub restart_policy: Option<IStr>,
    pub restart_policy_rules: List<ContainerRestartRule>,
    pub volume_mounts: List<VolumeMount>,
    pub volume_devices: List<VolumeDevice>,
    pub liveness_probe: Option<Box<Probe>>,
    pub readiness_probe: Option<Box<Probe>>,
    pub startup_probe: Option<Box<Probe>>,
    pub lifecycle: Option<Box<Lifecycle>>,
    pub termination_message_path: IStr,
    pub termination_message_policy: IStr,
    pub image_pull_policy: IStr,
    pub security_context: Option<Box<SecurityContext>>,
    pub stdin: bool,
    pub stdin_once: bool,
    pub tty: bool,
    pub target_container_name: IStr,
}

codec! { EphemeralContainer
    0 "name" req name .required()
    1 "image" opt image
    2 "command" opt command .list_atomic()
    3 "args" opt args .list_atomic()
    4 "workingDir" opt working_dir
    5 "ports" opt ports .list_map(&["containerPort", "protocol"])
    6 "envFrom" opt env_from .list_atomic()
    7 "env" opt env .list_map(&["name"])
    8 "resources" opt resources
    9 "resizePolicy" opt resize_policy .list_atomic()
    10 "restartPolicy" opt restart_policy
    11 "restartPolicyRules" opt restart_policy_rules .list_atomic()
    12 "volumeMounts" opt volume_mounts .list_map(&["mountPath"])
    13 "volumeDevices" opt volume_devices .list_map(&["devicePath"])
    14 "livenessProbe" opt liveness_probe
    15 "readinessProbe" opt readiness_probe
    16 "startupProbe" opt startup_probe
    17 "lifecycle" opt lifecycle
    18 "terminationMessagePath" opt termination_message_path
    19 "terminationMessagePolicy" opt termination_message_policy
    20 "imagePullPolicy" opt image_pull_policy
    21 "securityContext" opt security_context
    22 "stdin" opt stdin
    23 "stdinOnce" opt stdin_once
    24 "tty" opt tty
    25 "targetContainerName" opt target_container_name
}

/// `io.k8s.api.core.v1.HostAlias`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostAlias {
    pub ip: IStr,
    pub hostnames: List<IStr>,
}

codec! { HostAlias
    0 "ip" req ip .required()
    1 "hostnames" opt hostnames .list_atomic()
}

/// `io.k8s.api.core.v1.PodDNSConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodDNSConfig {
    pub nameservers: List<IStr>,
    pub searches: List<IStr>,
    pub options: List<PodDNSConfigOption>,
}

codec! { PodDNSConfig
    0 "nameservers" opt nameservers .list_atomic()
    1 "searches" opt searches .list_atomic()
    2 "options" opt options .list_atomic()
}

/// `io.k8s.api.core.v1.PodDNSConfigOption`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodDNSConfigOption {
    pub name: IStr,
    pub value: Option<IStr>,
}

codec! { PodDNSConfigOption
    0 "name" opt name
    1 "value" opt value
}

/// `io.k8s.api.core.v1.PodOS`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodOS {
    pub name: IStr,
}

codec! { PodOS
    0 "name" req name .required()
}

/// `io.k8s.api.core.v1.PodReadinessGate`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodReadinessGate {
    pub condition_type: IStr,
}

codec! { PodReadinessGate
    0 "conditionType" req condition_type .required()
}

/// `io.k8s.api.core.v1.PodResourceClaim`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodResourceClaim {
    pub name: IStr,
    pub resource_claim_name: Option<IStr>,
    pub resource_claim_template_name: Option<IStr>,
}

codec! { PodResourceClaim
    0 "name" req name .required()
    1 "resourceClaimName" opt resource_claim_name
    2 "resourceClaimTemplateName" opt resource_claim_template_name
}

/// `io.k8s.api.core.v1.PodSchedulingGate`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodSchedulingGate {
    pub name: IStr,
}

codec! { PodSchedulingGate
    0 "name" req name .required()
}

/// `io.k8s.api.core.v1.PodSchedulingGroup`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodSchedulingGroup {
    pub pod_group_name: Option<IStr>,
}

codec! { PodSchedulingGroup
    0 "podGroupName" opt pod_group_name
}

/// `io.k8s.api.core.v1.PodSecurityContext`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodSecurityContext {
    pub se_linux_options: Option<Box<SELinuxOptions>>,
    pub windows_options: Option<Box<WindowsSecurityContextOptions>>,
    pub run_as_user: Option<i64>,
    pub run_as_group: Option<i64>,
    pub run_as_non_root: Option<bool>,
    pub supplemental_groups: List<i64>,
    pub supplemental_groups_policy: Option<IStr>,
    pub fs_group: Option<i64>,
    pub sysctls: List<Sysctl>,
    pub fs_group_change_policy: Option<IStr>,
    pub seccomp_profile: Option<Box<SeccompProfile>>,
    pub app_armor_profile: Option<Box<AppArmorProfile>>,
    pub se_linux_change_policy: Option<IStr>,
}

codec! { PodSecurityContext
    0 "seLinuxOptions" opt se_linux_options
    1 "windowsOptions" opt windows_options
    2 "runAsUser" opt run_as_user
    3 "runAsGroup" opt run_as_group
    4 "runAsNonRoot" opt run_as_non_root
    5 "supplementalGroups" opt supplemental_groups .list_atomic()
    6 "supplementalGroupsPolicy" opt supplemental_groups_policy
    7 "fsGroup" opt fs_group
    8 "sysctls" opt sysctls .list_atomic()
    9 "fsGroupChangePolicy" opt fs_group_change_policy
    10 "seccompProfile" opt seccomp_profile
    11 "appArmorProfile" opt app_armor_profile
    12 "seLinuxChangePolicy" opt se_linux_change_policy
}

/// `io.k8s.api.core.v1.Sysctl`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sysctl {
    pub name: IStr,
    pub value: IStr,
}

codec! { Sysctl
    0 "name" req name .required()
    1 "value" req value .required()
}

/// `io.k8s.api.core.v1.Toleration`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Toleration {
    pub key: IStr,
    pub operator: IStr,
    pub value: IStr,
    pub effect: IStr,
    pub toleration_seconds: Option<i64>,
}

codec! { Toleration
    0 "key" opt key
    1 "operator" opt operator
    2 "value" opt value
    3 "effect" opt effect
    4 "tolerationSeconds" opt toleration_seconds
}

/// `io.k8s.api.core.v1.TopologySpreadConstraint`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopologySpreadConstraint {
    pub max_skew: i32,
    pub topology_key: IStr,
    pub when_unsatisfiable: IStr,
    pub label_selector: Option<Box<LabelSelector>>,
    pub min_domains: Option<i32>,
    pub node_affinity_policy: Option<IStr>,
    pub node_taints_policy: Option<IStr>,
    pub match_label_keys: List<IStr>,
}

codec! { TopologySpreadConstraint
    0 "maxSkew" req max_skew .required()
    1 "topologyKey" req topology_key .required()
    2 "whenUnsatisfiable" req when_unsatisfiable .required()
    3 "labelSelector" opt label_selector .map_atomic()
    4 "minDomains" opt min_domains
    5 "nodeAffinityPolicy" opt node_affinity_policy
    6 "nodeTaintsPolicy" opt node_taints_policy
    7 "matchLabelKeys" opt match_label_keys .list_atomic()
}
