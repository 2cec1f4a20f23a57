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
use crate::{IStr, List, Map, Quantity, Shared, blank};

/// `io.k8s.api.core.v1.PodSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct PodSpec {
    pub volumes: List<Shared<Volume>>,
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
    pub security_context: Option<Shared<PodSecurityContext>>,
    pub image_pull_secrets: List<LocalObjectReference>,
    pub hostname: IStr,
    pub subdomain: IStr,
    pub affinity: Option<Shared<Affinity>>,
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
    0 "volumes" [1] each volumes .list_map(&["name"])
    1 "initContainers" [20] opt init_containers .list_map(&["name"])
    2 "containers" [2] opt containers .required() .list_map(&["name"])
    3 "ephemeralContainers" [34] opt ephemeral_containers .list_map(&["name"])
    4 "restartPolicy" [3] opt restart_policy
    5 "terminationGracePeriodSeconds" [4] opt termination_grace_period_seconds
    6 "activeDeadlineSeconds" [5] opt active_deadline_seconds
    7 "dnsPolicy" [6] opt dns_policy
    8 "nodeSelector" [7] same node_selector .map_atomic()
    9 "serviceAccountName" [8] opt service_account_name
    10 "serviceAccount" [9] opt service_account
    11 "automountServiceAccountToken" [21] opt automount_service_account_token
    12 "nodeName" [10] opt node_name
    13 "hostNetwork" [11] opt host_network
    14 "hostPID" [12] opt host_pid
    15 "hostIPC" [13] opt host_ipc
    16 "shareProcessNamespace" [27] opt share_process_namespace
    17 "securityContext" [14] opt security_context
    18 "imagePullSecrets" [15] opt image_pull_secrets .list_map(&["name"])
    19 "hostname" [16] opt hostname
    20 "subdomain" [17] opt subdomain
    21 "affinity" [18] opt affinity
    22 "schedulerName" [19] opt scheduler_name
    23 "tolerations" [22] opt tolerations .list_atomic()
    24 "hostAliases" [23] opt host_aliases .list_map(&["ip"])
    25 "priorityClassName" [24] opt priority_class_name
    26 "priority" [25] opt priority
    27 "dnsConfig" [26] opt dns_config
    28 "readinessGates" [28] opt readiness_gates .list_atomic()
    29 "runtimeClassName" [29] opt runtime_class_name
    30 "enableServiceLinks" [30] opt enable_service_links
    31 "preemptionPolicy" [31] opt preemption_policy
    32 "overhead" [32] opt overhead
    33 "topologySpreadConstraints" [33] same topology_spread_constraints .list_map(&["topologyKey", "whenUnsatisfiable"])
    34 "setHostnameAsFQDN" [35] opt set_hostname_as_fqdn
    35 "os" [36] opt os
    36 "hostUsers" [37] opt host_users
    37 "schedulingGates" [38] opt scheduling_gates .list_map(&["name"])
    38 "resourceClaims" [39] opt resource_claims .list_map(&["name"])
    39 "resources" [40] opt resources
    40 "hostnameOverride" [41] opt hostname_override
    41 "schedulingGroup" [43] opt scheduling_group
    => [43 scheduling_group] [41 hostname_override] [40 resources] [39 resource_claims]
       [38 scheduling_gates] [37 host_users] [36 os] [35 set_hostname_as_fqdn]
       [34 ephemeral_containers] [33 topology_spread_constraints] [32 overhead]
       [31 preemption_policy] [30 enable_service_links] [29 runtime_class_name] [28 readiness_gates]
       [27 share_process_namespace] [26 dns_config] [25 priority] [24 priority_class_name]
       [23 host_aliases] [22 tolerations] [21 automount_service_account_token] [20 init_containers]
       [19 scheduler_name] [18 affinity] [17 subdomain] [16 hostname] [15 image_pull_secrets]
       [14 security_context] [13 host_ipc] [12 host_pid] [11 host_network] [10 node_name]
       [9 service_account] [8 service_account_name] [7 node_selector] [6 dns_policy]
       [5 active_deadline_seconds] [4 termination_grace_period_seconds] [3 restart_policy]
       [2 containers] [1 volumes]
}

/// `io.k8s.api.core.v1.EphemeralContainer`.
#[derive(Clone, Default, PartialEq)]
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
    0 "name" [1 1] req name .required()
    1 "image" [1 2] opt image
    2 "command" [1 3] opt command .list_atomic()
    3 "args" [1 4] opt args .list_atomic()
    4 "workingDir" [1 5] opt working_dir
    5 "ports" [1 6] opt ports .list_map(&["containerPort", "protocol"])
    6 "envFrom" [1 19] opt env_from .list_atomic()
    7 "env" [1 7] opt env .list_map(&["name"])
    8 "resources" [1 8] opt resources
    9 "resizePolicy" [1 23] opt resize_policy .list_atomic()
    10 "restartPolicy" [1 24] opt restart_policy
    11 "restartPolicyRules" [1 25] opt restart_policy_rules .list_atomic()
    12 "volumeMounts" [1 9] opt volume_mounts .list_map(&["mountPath"])
    13 "volumeDevices" [1 21] opt volume_devices .list_map(&["devicePath"])
    14 "livenessProbe" [1 10] opt liveness_probe
    15 "readinessProbe" [1 11] opt readiness_probe
    16 "startupProbe" [1 22] opt startup_probe
    17 "lifecycle" [1 12] opt lifecycle
    18 "terminationMessagePath" [1 13] opt termination_message_path
    19 "terminationMessagePolicy" [1 20] opt termination_message_policy
    20 "imagePullPolicy" [1 14] opt image_pull_policy
    21 "securityContext" [1 15] opt security_context
    22 "stdin" [1 16] opt stdin
    23 "stdinOnce" [1 17] opt stdin_once
    24 "tty" [1 18] opt tty
    25 "targetContainerName" [2] opt target_container_name
    => [2 target_container_name] (1 [25 restart_policy_rules] [24 restart_policy] [23 resize_policy]
       [22 startup_probe] [21 volume_devices] [20 termination_message_policy] [19 env_from] [18 tty]
       [17 stdin_once] [16 stdin] [15 security_context] [14 image_pull_policy]
       [13 termination_message_path] [12 lifecycle] [11 readiness_probe] [10 liveness_probe]
       [9 volume_mounts] [8 resources] [7 env] [6 ports] [5 working_dir] [4 args] [3 command]
       [2 image] [1 name])
}

/// `io.k8s.api.core.v1.HostAlias`.
#[derive(Clone, Default, PartialEq)]
pub struct HostAlias {
    pub ip: IStr,
    pub hostnames: List<IStr>,
}

codec! { HostAlias
    0 "ip" [1] req ip .required()
    1 "hostnames" [2] opt hostnames .list_atomic()
    => [2 hostnames] [1 ip]
}

/// `io.k8s.api.core.v1.PodDNSConfig`.
#[derive(Clone, Default, PartialEq)]
pub struct PodDNSConfig {
    pub nameservers: List<IStr>,
    pub searches: List<IStr>,
    pub options: List<PodDNSConfigOption>,
}

codec! { PodDNSConfig
    0 "nameservers" [1] opt nameservers .list_atomic()
    1 "searches" [2] opt searches .list_atomic()
    2 "options" [3] opt options .list_atomic()
    => [3 options] [2 searches] [1 nameservers]
}

/// `io.k8s.api.core.v1.PodDNSConfigOption`.
#[derive(Clone, Default, PartialEq)]
pub struct PodDNSConfigOption {
    pub name: IStr,
    pub value: Option<IStr>,
}

codec! { PodDNSConfigOption
    0 "name" [1] opt name
    1 "value" [2] opt value
    => [2 value] [1 name]
}

/// `io.k8s.api.core.v1.PodOS`.
#[derive(Clone, Default, PartialEq)]
pub struct PodOS {
    pub name: IStr,
}

codec! { PodOS
    0 "name" [1] req name .required()
    => [1 name]
}

/// `io.k8s.api.core.v1.PodReadinessGate`.
#[derive(Clone, Default, PartialEq)]
pub struct PodReadinessGate {
    pub condition_type: IStr,
}

codec! { PodReadinessGate
    0 "conditionType" [1] req condition_type .required()
    => [1 condition_type]
}

/// `io.k8s.api.core.v1.PodResourceClaim`.
#[derive(Clone, Default, PartialEq)]
pub struct PodResourceClaim {
    pub name: IStr,
    pub resource_claim_name: Option<IStr>,
    pub resource_claim_template_name: Option<IStr>,
}

codec! { PodResourceClaim
    0 "name" [1] req name .required()
    1 "resourceClaimName" [3] opt resource_claim_name
    2 "resourceClaimTemplateName" [4] opt resource_claim_template_name
    => [4 resource_claim_template_name] [3 resource_claim_name] [1 name]
}

/// `io.k8s.api.core.v1.PodSchedulingGate`.
#[derive(Clone, Default, PartialEq)]
pub struct PodSchedulingGate {
    pub name: IStr,
}

codec! { PodSchedulingGate
    0 "name" [1] req name .required()
    => [1 name]
}

/// `io.k8s.api.core.v1.PodSchedulingGroup`.
#[derive(Clone, Default, PartialEq)]
pub struct PodSchedulingGroup {
    pub pod_group_name: Option<IStr>,
}

codec! { PodSchedulingGroup
    0 "podGroupName" [1] opt pod_group_name
    => [1 pod_group_name]
}

/// `io.k8s.api.core.v1.PodSecurityContext`.
#[derive(Clone, Default, PartialEq)]
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
    0 "seLinuxOptions" [1] opt se_linux_options
    1 "windowsOptions" [8] opt windows_options
    2 "runAsUser" [2] opt run_as_user
    3 "runAsGroup" [6] opt run_as_group
    4 "runAsNonRoot" [3] opt run_as_non_root
    5 "supplementalGroups" [4] opt supplemental_groups .list_atomic()
    6 "supplementalGroupsPolicy" [12] opt supplemental_groups_policy
    7 "fsGroup" [5] opt fs_group
    8 "sysctls" [7] opt sysctls .list_atomic()
    9 "fsGroupChangePolicy" [9] opt fs_group_change_policy
    10 "seccompProfile" [10] opt seccomp_profile
    11 "appArmorProfile" [11] opt app_armor_profile
    12 "seLinuxChangePolicy" [13] opt se_linux_change_policy
    => [13 se_linux_change_policy] [12 supplemental_groups_policy] [11 app_armor_profile]
       [10 seccomp_profile] [9 fs_group_change_policy] [8 windows_options] [7 sysctls]
       [6 run_as_group] [5 fs_group] [4 supplemental_groups] [3 run_as_non_root] [2 run_as_user]
       [1 se_linux_options]
}

blank!(PodSecurityContext);

/// `io.k8s.api.core.v1.Sysctl`.
#[derive(Clone, Default, PartialEq)]
pub struct Sysctl {
    pub name: IStr,
    pub value: IStr,
}

codec! { Sysctl
    0 "name" [1] req name .required()
    1 "value" [2] req value .required()
    => [2 value] [1 name]
}

/// `io.k8s.api.core.v1.Toleration`.
#[derive(Clone, Default, PartialEq)]
pub struct Toleration {
    pub key: IStr,
    pub operator: IStr,
    pub value: IStr,
    pub effect: IStr,
    pub toleration_seconds: Option<i64>,
}

codec! { Toleration
    0 "key" [1] opt key
    1 "operator" [2] opt operator
    2 "value" [3] opt value
    3 "effect" [4] opt effect
    4 "tolerationSeconds" [5] opt toleration_seconds
    => [5 toleration_seconds] [4 effect] [3 value] [2 operator] [1 key]
}

/// `io.k8s.api.core.v1.TopologySpreadConstraint`.
#[derive(Clone, Default, PartialEq)]
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
    0 "maxSkew" [1] req max_skew .required()
    1 "topologyKey" [2] req topology_key .required()
    2 "whenUnsatisfiable" [3] req when_unsatisfiable .required()
    3 "labelSelector" [4] opt label_selector .map_atomic()
    4 "minDomains" [5] opt min_domains
    5 "nodeAffinityPolicy" [6] opt node_affinity_policy
    6 "nodeTaintsPolicy" [7] opt node_taints_policy
    7 "matchLabelKeys" [8] opt match_label_keys .list_atomic()
    => [8 match_label_keys] [7 node_taints_policy] [6 node_affinity_policy] [5 min_domains]
       [4 label_selector] [3 when_unsatisfiable] [2 topology_key] [1 max_skew]
}
