//! `core/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::core::v1::{
    AWSElasticBlockStoreVolumeSource, Affinity, AppArmorProfile, AttachedVolume,
    AzureDiskVolumeSource, AzureFilePersistentVolumeSource, AzureFileVolumeSource, Binding,
    CSIPersistentVolumeSource, CSIVolumeSource, Capabilities, CephFSPersistentVolumeSource,
    CephFSVolumeSource, CinderPersistentVolumeSource, CinderVolumeSource, ClientIPConfig,
    ClusterTrustBundleProjection, ComponentCondition, ComponentStatus, ConfigMap,
    ConfigMapEnvSource, ConfigMapKeySelector, ConfigMapNodeConfigSource, ConfigMapProjection,
    ConfigMapVolumeSource, Container, ContainerExtendedResourceRequest, ContainerImage,
    ContainerPort, ContainerResizePolicy, ContainerRestartRule, ContainerRestartRuleOnExitCodes,
    ContainerState, ContainerStateRunning, ContainerStateTerminated, ContainerStateWaiting,
    ContainerStatus, ContainerUser, DaemonEndpoint, DownwardAPIProjection, DownwardAPIVolumeFile,
    DownwardAPIVolumeSource, EmptyDirVolumeSource, EndpointAddress, EndpointPort, EndpointSubset,
    Endpoints, EnvFromSource, EnvVar, EnvVarSource, EphemeralContainer, EphemeralVolumeSource,
    Event, EventSeries, EventSource, ExecAction, FCVolumeSource, FileKeySelector,
    FlexPersistentVolumeSource, FlexVolumeSource, FlockerVolumeSource,
    GCEPersistentDiskVolumeSource, GRPCAction, GitRepoVolumeSource,
    GlusterfsPersistentVolumeSource, GlusterfsVolumeSource, HTTPGetAction, HTTPHeader, HostAlias,
    HostIP, HostPathVolumeSource, ISCSIPersistentVolumeSource, ISCSIVolumeSource,
    ImageVolumeSource, ImageVolumeStatus, KeyToPath, Lifecycle, LifecycleHandler, LimitRange,
    LimitRangeItem, LimitRangeSpec, LinuxContainerUser, LoadBalancerIngress, LoadBalancerStatus,
    LocalObjectReference, LocalVolumeSource, ModifyVolumeStatus, NFSVolumeSource, Namespace,
    NamespaceCondition, NamespaceSpec, NamespaceStatus, Node, NodeAddress, NodeAffinity,
    NodeAllocatableResourceClaimStatus, NodeCondition, NodeConfigSource, NodeConfigStatus,
    NodeDaemonEndpoints, NodeFeatures, NodeProxyOptions, NodeRuntimeHandler,
    NodeRuntimeHandlerFeatures, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, NodeSpec,
    NodeStatus, NodeSwapStatus, NodeSystemInfo, ObjectFieldSelector, ObjectReference,
    PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimCondition,
    PersistentVolumeClaimSpec, PersistentVolumeClaimStatus, PersistentVolumeClaimTemplate,
    PersistentVolumeClaimVolumeSource, PersistentVolumeSpec, PersistentVolumeStatus,
    PhotonPersistentDiskVolumeSource, Pod, PodAffinity, PodAffinityTerm, PodAntiAffinity,
    PodAttachOptions, PodCertificateProjection, PodCondition, PodDNSConfig, PodDNSConfigOption,
    PodExecOptions, PodExtendedResourceClaimStatus, PodIP, PodLogOptions, PodOS,
    PodPortForwardOptions, PodProxyOptions, PodReadinessGate, PodResourceClaim,
    PodResourceClaimStatus, PodSchedulingGate, PodSchedulingGroup, PodSecurityContext, PodSpec,
    PodStatus, PodStatusResult, PodTemplate, PodTemplateSpec, PortStatus, PortworxVolumeSource,
    PreferredSchedulingTerm, Probe, ProjectedVolumeSource, QuobyteVolumeSource,
    RBDPersistentVolumeSource, RBDVolumeSource, RangeAllocation, ReplicationController,
    ReplicationControllerCondition, ReplicationControllerSpec, ReplicationControllerStatus,
    ResourceClaim, ResourceFieldSelector, ResourceHealth, ResourceQuota, ResourceQuotaSpec,
    ResourceQuotaStatus, ResourceRequirements, ResourceStatus, SELinuxOptions,
    ScaleIOPersistentVolumeSource, ScaleIOVolumeSource, ScopeSelector,
    ScopedResourceSelectorRequirement, SeccompProfile, Secret, SecretEnvSource, SecretKeySelector,
    SecretProjection, SecretReference, SecretVolumeSource, SecurityContext, SerializedReference,
    Service, ServiceAccount, ServiceAccountTokenProjection, ServicePort, ServiceProxyOptions,
    ServiceSpec, ServiceStatus, SessionAffinityConfig, SleepAction,
    StorageOSPersistentVolumeSource, StorageOSVolumeSource, Sysctl, TCPSocketAction, Taint,
    Toleration, TopologySelectorLabelRequirement, TopologySelectorTerm, TopologySpreadConstraint,
    TypedLocalObjectReference, TypedObjectReference, Volume, VolumeDevice, VolumeMount,
    VolumeMountStatus, VolumeNodeAffinity, VolumeProjection, VolumeResourceRequirements,
    VolumeStatus, VsphereVirtualDiskVolumeSource, WeightedPodAffinityTerm,
    WindowsSecurityContextOptions,
};
use crate::meta::v1::{Condition, LabelSelector, ObjectMeta};
use crate::{ByteString, IStr, IntOrString, List, Map, MicroTime, Quantity, Shared, Time, setters};

setters! {
    Affinity {
        with_node_affinity node_affinity: Option<Box<NodeAffinity>>,
        with_pod_affinity pod_affinity: Option<Box<PodAffinity>>,
        with_pod_anti_affinity pod_anti_affinity: Option<Box<PodAntiAffinity>>,
    }
    NodeAffinity {
        with_required_during_scheduling_ignored_during_execution required_during_scheduling_ignored_during_execution: Option<Box<NodeSelector>>,
        with_preferred_during_scheduling_ignored_during_execution preferred_during_scheduling_ignored_during_execution: List<PreferredSchedulingTerm>,
    }
    NodeSelector {
        with_node_selector_terms node_selector_terms: List<NodeSelectorTerm>,
    }
    NodeSelectorRequirement {
        with_key key: IStr,
        with_operator operator: IStr,
        with_values values: List<IStr>,
    }
    NodeSelectorTerm {
        with_match_expressions match_expressions: List<NodeSelectorRequirement>,
        with_match_fields match_fields: List<NodeSelectorRequirement>,
    }
    PodAffinity {
        with_required_during_scheduling_ignored_during_execution required_during_scheduling_ignored_during_execution: List<PodAffinityTerm>,
        with_preferred_during_scheduling_ignored_during_execution preferred_during_scheduling_ignored_during_execution: List<WeightedPodAffinityTerm>,
    }
    PodAffinityTerm {
        with_label_selector label_selector: Option<Box<LabelSelector>>,
        with_namespaces namespaces: List<IStr>,
        with_topology_key topology_key: IStr,
        with_namespace_selector namespace_selector: Option<Box<LabelSelector>>,
        with_match_label_keys match_label_keys: List<IStr>,
        with_mismatch_label_keys mismatch_label_keys: List<IStr>,
    }
    PodAntiAffinity {
        with_required_during_scheduling_ignored_during_execution required_during_scheduling_ignored_during_execution: List<PodAffinityTerm>,
        with_preferred_during_scheduling_ignored_during_execution preferred_during_scheduling_ignored_during_execution: List<WeightedPodAffinityTerm>,
    }
    PreferredSchedulingTerm {
        with_weight weight: i32,
        with_preference preference: NodeSelectorTerm,
    }
    WeightedPodAffinityTerm {
        with_weight weight: i32,
        with_pod_affinity_term pod_affinity_term: PodAffinityTerm,
    }
    Binding {
        with_metadata metadata: ObjectMeta,
        with_target target: ObjectReference,
    }
    ComponentStatus {
        with_metadata metadata: ObjectMeta,
        with_conditions conditions: List<ComponentCondition>,
    }
    ComponentCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_message message: IStr,
        with_error error: IStr,
    }
    ConfigMap {
        with_metadata metadata: ObjectMeta,
        with_immutable immutable: Option<bool>,
        with_data data: Map,
        with_binary_data binary_data: Map<ByteString>,
    }
    Container {
        with_name name: IStr,
        with_image image: IStr,
        with_command command: Shared<List<IStr>>,
        with_args args: Shared<List<IStr>>,
        with_working_dir working_dir: IStr,
        with_ports ports: Shared<List<ContainerPort>>,
        with_env_from env_from: List<EnvFromSource>,
        with_env env: Shared<List<EnvVar>>,
        with_resources resources: Shared<ResourceRequirements>,
        with_resize_policy resize_policy: List<ContainerResizePolicy>,
        with_restart_policy restart_policy: Option<IStr>,
        with_restart_policy_rules restart_policy_rules: List<ContainerRestartRule>,
        with_volume_mounts volume_mounts: List<Shared<VolumeMount>>,
        with_volume_devices volume_devices: List<VolumeDevice>,
        with_liveness_probe liveness_probe: Option<Shared<Probe>>,
        with_readiness_probe readiness_probe: Option<Shared<Probe>>,
        with_startup_probe startup_probe: Option<Shared<Probe>>,
        with_lifecycle lifecycle: Option<Box<Lifecycle>>,
        with_termination_message_path termination_message_path: IStr,
        with_termination_message_policy termination_message_policy: IStr,
        with_image_pull_policy image_pull_policy: IStr,
        with_security_context security_context: Option<Shared<SecurityContext>>,
        with_stdin stdin: bool,
        with_stdin_once stdin_once: bool,
        with_tty tty: bool,
    }
    AppArmorProfile {
        with_type type_: IStr,
        with_localhost_profile localhost_profile: Option<IStr>,
    }
    Capabilities {
        with_add add: List<IStr>,
        with_drop drop: List<IStr>,
    }
    ConfigMapEnvSource {
        with_name name: IStr,
        with_optional optional: Option<bool>,
    }
    ConfigMapKeySelector {
        with_name name: IStr,
        with_key key: IStr,
        with_optional optional: Option<bool>,
    }
    ContainerPort {
        with_name name: IStr,
        with_host_port host_port: i32,
        with_container_port container_port: i32,
        with_protocol protocol: IStr,
        with_host_ip host_ip: IStr,
    }
    ContainerResizePolicy {
        with_resource_name resource_name: IStr,
        with_restart_policy restart_policy: IStr,
    }
    ContainerRestartRule {
        with_action action: IStr,
        with_exit_codes exit_codes: Option<Box<ContainerRestartRuleOnExitCodes>>,
    }
    ContainerRestartRuleOnExitCodes {
        with_operator operator: IStr,
        with_values values: List<i32>,
    }
    EnvFromSource {
        with_prefix prefix: IStr,
        with_config_map_ref config_map_ref: Option<Box<ConfigMapEnvSource>>,
        with_secret_ref secret_ref: Option<Box<SecretEnvSource>>,
    }
    EnvVar {
        with_name name: IStr,
        with_value value: IStr,
        with_value_from value_from: Option<Box<EnvVarSource>>,
    }
    EnvVarSource {
        with_field_ref field_ref: Option<Box<ObjectFieldSelector>>,
        with_resource_field_ref resource_field_ref: Option<Box<ResourceFieldSelector>>,
        with_config_map_key_ref config_map_key_ref: Option<Box<ConfigMapKeySelector>>,
        with_secret_key_ref secret_key_ref: Option<Box<SecretKeySelector>>,
        with_file_key_ref file_key_ref: Option<Box<FileKeySelector>>,
    }
    ExecAction {
        with_command command: List<IStr>,
    }
    FileKeySelector {
        with_volume_name volume_name: IStr,
        with_path path: IStr,
        with_key key: IStr,
        with_optional optional: Option<bool>,
    }
    GRPCAction {
        with_port port: i32,
        with_service service: Option<IStr>,
    }
    HTTPGetAction {
        with_path path: IStr,
        with_port port: IntOrString,
        with_host host: IStr,
        with_scheme scheme: IStr,
        with_http_headers http_headers: List<HTTPHeader>,
    }
    HTTPHeader {
        with_name name: IStr,
        with_value value: IStr,
    }
    Lifecycle {
        with_post_start post_start: Option<Box<LifecycleHandler>>,
        with_pre_stop pre_stop: Option<Box<LifecycleHandler>>,
        with_stop_signal stop_signal: Option<IStr>,
    }
    LifecycleHandler {
        with_exec exec: Option<Box<ExecAction>>,
        with_http_get http_get: Option<Box<HTTPGetAction>>,
        with_tcp_socket tcp_socket: Option<Box<TCPSocketAction>>,
        with_sleep sleep: Option<Box<SleepAction>>,
    }
    ObjectFieldSelector {
        with_api_version api_version: IStr,
        with_field_path field_path: IStr,
    }
    Probe {
        with_exec exec: Option<Box<ExecAction>>,
        with_http_get http_get: Option<Box<HTTPGetAction>>,
        with_tcp_socket tcp_socket: Option<Box<TCPSocketAction>>,
        with_grpc grpc: Option<Box<GRPCAction>>,
        with_initial_delay_seconds initial_delay_seconds: i32,
        with_timeout_seconds timeout_seconds: i32,
        with_period_seconds period_seconds: i32,
        with_success_threshold success_threshold: i32,
        with_failure_threshold failure_threshold: i32,
        with_termination_grace_period_seconds termination_grace_period_seconds: Option<i64>,
    }
    ResourceClaim {
        with_name name: IStr,
        with_request request: IStr,
    }
    ResourceFieldSelector {
        with_container_name container_name: IStr,
        with_resource resource: IStr,
        with_divisor divisor: Quantity,
    }
    ResourceRequirements {
        with_limits limits: Map<Quantity>,
        with_requests requests: Map<Quantity>,
        with_claims claims: List<ResourceClaim>,
    }
    SELinuxOptions {
        with_user user: IStr,
        with_role role: IStr,
        with_type type_: IStr,
        with_level level: IStr,
    }
    SeccompProfile {
        with_type type_: IStr,
        with_localhost_profile localhost_profile: Option<IStr>,
    }
    SecretEnvSource {
        with_name name: IStr,
        with_optional optional: Option<bool>,
    }
    SecretKeySelector {
        with_name name: IStr,
        with_key key: IStr,
        with_optional optional: Option<bool>,
    }
    SecurityContext {
        with_capabilities capabilities: Option<Box<Capabilities>>,
        with_privileged privileged: Option<bool>,
        with_se_linux_options se_linux_options: Option<Box<SELinuxOptions>>,
        with_windows_options windows_options: Option<Box<WindowsSecurityContextOptions>>,
        with_run_as_user run_as_user: Option<i64>,
        with_run_as_group run_as_group: Option<i64>,
        with_run_as_non_root run_as_non_root: Option<bool>,
        with_read_only_root_filesystem read_only_root_filesystem: Option<bool>,
        with_allow_privilege_escalation allow_privilege_escalation: Option<bool>,
        with_proc_mount proc_mount: Option<IStr>,
        with_seccomp_profile seccomp_profile: Option<Box<SeccompProfile>>,
        with_app_armor_profile app_armor_profile: Option<Box<AppArmorProfile>>,
    }
    SleepAction {
        with_seconds seconds: i64,
    }
    TCPSocketAction {
        with_port port: IntOrString,
        with_host host: IStr,
    }
    VolumeDevice {
        with_name name: IStr,
        with_device_path device_path: IStr,
    }
    VolumeMount {
        with_name name: IStr,
        with_read_only read_only: bool,
        with_recursive_read_only recursive_read_only: Option<IStr>,
        with_mount_path mount_path: IStr,
        with_sub_path sub_path: IStr,
        with_mount_propagation mount_propagation: Option<IStr>,
        with_sub_path_expr sub_path_expr: IStr,
    }
    WindowsSecurityContextOptions {
        with_gmsa_credential_spec_name gmsa_credential_spec_name: Option<IStr>,
        with_gmsa_credential_spec gmsa_credential_spec: Option<IStr>,
        with_run_as_user_name run_as_user_name: Option<IStr>,
        with_host_process host_process: Option<bool>,
    }
    Endpoints {
        with_metadata metadata: ObjectMeta,
        with_subsets subsets: List<EndpointSubset>,
    }
    EndpointAddress {
        with_ip ip: IStr,
        with_hostname hostname: IStr,
        with_node_name node_name: Option<IStr>,
        with_target_ref target_ref: Option<Box<ObjectReference>>,
    }
    EndpointPort {
        with_name name: IStr,
        with_port port: i32,
        with_protocol protocol: IStr,
        with_app_protocol app_protocol: Option<IStr>,
    }
    EndpointSubset {
        with_addresses addresses: List<EndpointAddress>,
        with_not_ready_addresses not_ready_addresses: List<EndpointAddress>,
        with_ports ports: List<EndpointPort>,
    }
    Event {
        with_metadata metadata: ObjectMeta,
        with_involved_object involved_object: ObjectReference,
        with_reason reason: IStr,
        with_message message: IStr,
        with_source source: EventSource,
        with_first_timestamp first_timestamp: Option<Time>,
        with_last_timestamp last_timestamp: Option<Time>,
        with_count count: i32,
        with_type type_: IStr,
        with_event_time event_time: Option<MicroTime>,
        with_series series: Option<Box<EventSeries>>,
        with_action action: IStr,
        with_related related: Option<Box<ObjectReference>>,
        with_reporting_component reporting_component: IStr,
        with_reporting_instance reporting_instance: IStr,
    }
    EventSeries {
        with_count count: i32,
        with_last_observed_time last_observed_time: Option<MicroTime>,
    }
    EventSource {
        with_component component: IStr,
        with_host host: IStr,
    }
    LimitRange {
        with_metadata metadata: ObjectMeta,
        with_spec spec: LimitRangeSpec,
    }
    LimitRangeItem {
        with_type type_: IStr,
        with_max max: Map<Quantity>,
        with_min min: Map<Quantity>,
        with_default default: Map<Quantity>,
        with_default_request default_request: Map<Quantity>,
        with_max_limit_request_ratio max_limit_request_ratio: Map<Quantity>,
    }
    LimitRangeSpec {
        with_limits limits: List<LimitRangeItem>,
    }
    Namespace {
        with_metadata metadata: ObjectMeta,
        with_spec spec: NamespaceSpec,
        with_status status: NamespaceStatus,
    }
    NamespaceCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    NamespaceSpec {
        with_finalizers finalizers: List<IStr>,
    }
    NamespaceStatus {
        with_phase phase: IStr,
        with_conditions conditions: List<NamespaceCondition>,
    }
    Node {
        with_metadata metadata: ObjectMeta,
        with_spec spec: NodeSpec,
        with_status status: NodeStatus,
    }
    AttachedVolume {
        with_name name: IStr,
        with_device_path device_path: IStr,
    }
    ConfigMapNodeConfigSource {
        with_namespace namespace: IStr,
        with_name name: IStr,
        with_uid uid: IStr,
        with_resource_version resource_version: IStr,
        with_kubelet_config_key kubelet_config_key: IStr,
    }
    ContainerImage {
        with_names names: List<IStr>,
        with_size_bytes size_bytes: i64,
    }
    DaemonEndpoint {
        with_port port: i32,
    }
    NodeAddress {
        with_type type_: IStr,
        with_address address: IStr,
    }
    NodeCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_heartbeat_time last_heartbeat_time: Option<Time>,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    NodeConfigSource {
        with_config_map config_map: Option<Box<ConfigMapNodeConfigSource>>,
    }
    NodeConfigStatus {
        with_assigned assigned: Option<Box<NodeConfigSource>>,
        with_active active: Option<Box<NodeConfigSource>>,
        with_last_known_good last_known_good: Option<Box<NodeConfigSource>>,
        with_error error: IStr,
    }
    NodeDaemonEndpoints {
        with_kubelet_endpoint kubelet_endpoint: DaemonEndpoint,
    }
    NodeFeatures {
        with_supplemental_groups_policy supplemental_groups_policy: Option<bool>,
    }
    NodeRuntimeHandler {
        with_name name: IStr,
        with_features features: Option<Box<NodeRuntimeHandlerFeatures>>,
    }
    NodeRuntimeHandlerFeatures {
        with_recursive_read_only_mounts recursive_read_only_mounts: Option<bool>,
        with_user_namespaces user_namespaces: Option<bool>,
    }
    NodeSpec {
        with_pod_cidr pod_cidr: IStr,
        with_pod_cidrs pod_cidrs: List<IStr>,
        with_provider_id provider_id: IStr,
        with_unschedulable unschedulable: bool,
        with_taints taints: List<Taint>,
        with_config_source config_source: Option<Box<NodeConfigSource>>,
        with_external_id external_id: IStr,
    }
    NodeStatus {
        with_capacity capacity: Map<Quantity>,
        with_allocatable allocatable: Map<Quantity>,
        with_phase phase: IStr,
        with_conditions conditions: List<NodeCondition>,
        with_addresses addresses: List<NodeAddress>,
        with_daemon_endpoints daemon_endpoints: NodeDaemonEndpoints,
        with_node_info node_info: NodeSystemInfo,
        with_images images: List<ContainerImage>,
        with_volumes_in_use volumes_in_use: List<IStr>,
        with_volumes_attached volumes_attached: List<AttachedVolume>,
        with_config config: Option<Box<NodeConfigStatus>>,
        with_runtime_handlers runtime_handlers: List<NodeRuntimeHandler>,
        with_features features: Option<Box<NodeFeatures>>,
        with_declared_features declared_features: List<IStr>,
    }
    NodeSwapStatus {
        with_capacity capacity: Option<i64>,
    }
    NodeSystemInfo {
        with_machine_id machine_id: IStr,
        with_system_uuid system_uuid: IStr,
        with_boot_id boot_id: IStr,
        with_kernel_version kernel_version: IStr,
        with_os_image os_image: IStr,
        with_container_runtime_version container_runtime_version: IStr,
        with_kubelet_version kubelet_version: IStr,
        with_kube_proxy_version kube_proxy_version: IStr,
        with_operating_system operating_system: IStr,
        with_architecture architecture: IStr,
        with_swap swap: Option<Box<NodeSwapStatus>>,
    }
    Taint {
        with_key key: IStr,
        with_value value: IStr,
        with_effect effect: IStr,
        with_time_added time_added: Option<Time>,
    }
    NodeProxyOptions {
        with_path path: IStr,
    }
    PodAttachOptions {
        with_stdin stdin: bool,
        with_stdout stdout: bool,
        with_stderr stderr: bool,
        with_tty tty: bool,
        with_container container: IStr,
    }
    PodExecOptions {
        with_stdin stdin: bool,
        with_stdout stdout: bool,
        with_stderr stderr: bool,
        with_tty tty: bool,
        with_container container: IStr,
        with_command command: List<IStr>,
    }
    PodLogOptions {
        with_container container: IStr,
        with_follow follow: bool,
        with_previous previous: bool,
        with_since_seconds since_seconds: Option<i64>,
        with_since_time since_time: Option<Time>,
        with_timestamps timestamps: bool,
        with_tail_lines tail_lines: Option<i64>,
        with_limit_bytes limit_bytes: Option<i64>,
        with_insecure_skip_tls_verify_backend insecure_skip_tls_verify_backend: bool,
        with_stream stream: Option<IStr>,
    }
    PodPortForwardOptions {
        with_ports ports: List<i32>,
    }
    PodProxyOptions {
        with_path path: IStr,
    }
    SerializedReference {
        with_reference reference: ObjectReference,
    }
    ServiceProxyOptions {
        with_path path: IStr,
    }
    TopologySelectorLabelRequirement {
        with_key key: IStr,
        with_values values: List<IStr>,
    }
    TopologySelectorTerm {
        with_match_label_expressions match_label_expressions: List<TopologySelectorLabelRequirement>,
    }
    PersistentVolume {
        with_metadata metadata: ObjectMeta,
        with_spec spec: PersistentVolumeSpec,
        with_status status: PersistentVolumeStatus,
    }
    PersistentVolumeStatus {
        with_phase phase: IStr,
        with_message message: IStr,
        with_reason reason: IStr,
        with_last_phase_transition_time last_phase_transition_time: Option<Time>,
    }
    PersistentVolumeClaim {
        with_metadata metadata: ObjectMeta,
        with_spec spec: PersistentVolumeClaimSpec,
        with_status status: PersistentVolumeClaimStatus,
    }
    ModifyVolumeStatus {
        with_target_volume_attributes_class_name target_volume_attributes_class_name: IStr,
        with_status status: IStr,
    }
    PersistentVolumeClaimCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_probe_time last_probe_time: Option<Time>,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    PersistentVolumeClaimStatus {
        with_phase phase: IStr,
        with_access_modes access_modes: List<IStr>,
        with_capacity capacity: Map<Quantity>,
        with_conditions conditions: List<PersistentVolumeClaimCondition>,
        with_allocated_resources allocated_resources: Map<Quantity>,
        with_allocated_resource_statuses allocated_resource_statuses: Map,
        with_current_volume_attributes_class_name current_volume_attributes_class_name: Option<IStr>,
        with_modify_volume_status modify_volume_status: Option<Box<ModifyVolumeStatus>>,
    }
    PersistentVolumeSpec {
        with_capacity capacity: Map<Quantity>,
        with_gce_persistent_disk gce_persistent_disk: Option<Box<GCEPersistentDiskVolumeSource>>,
        with_aws_elastic_block_store aws_elastic_block_store: Option<Box<AWSElasticBlockStoreVolumeSource>>,
        with_host_path host_path: Option<Box<HostPathVolumeSource>>,
        with_glusterfs glusterfs: Option<Box<GlusterfsPersistentVolumeSource>>,
        with_nfs nfs: Option<Box<NFSVolumeSource>>,
        with_rbd rbd: Option<Box<RBDPersistentVolumeSource>>,
        with_iscsi iscsi: Option<Box<ISCSIPersistentVolumeSource>>,
        with_cinder cinder: Option<Box<CinderPersistentVolumeSource>>,
        with_cephfs cephfs: Option<Box<CephFSPersistentVolumeSource>>,
        with_fc fc: Option<Box<FCVolumeSource>>,
        with_flocker flocker: Option<Box<FlockerVolumeSource>>,
        with_flex_volume flex_volume: Option<Box<FlexPersistentVolumeSource>>,
        with_azure_file azure_file: Option<Box<AzureFilePersistentVolumeSource>>,
        with_vsphere_volume vsphere_volume: Option<Box<VsphereVirtualDiskVolumeSource>>,
        with_quobyte quobyte: Option<Box<QuobyteVolumeSource>>,
        with_azure_disk azure_disk: Option<Box<AzureDiskVolumeSource>>,
        with_photon_persistent_disk photon_persistent_disk: Option<Box<PhotonPersistentDiskVolumeSource>>,
        with_portworx_volume portworx_volume: Option<Box<PortworxVolumeSource>>,
        with_scale_io scale_io: Option<Box<ScaleIOPersistentVolumeSource>>,
        with_local local: Option<Box<LocalVolumeSource>>,
        with_storageos storageos: Option<Box<StorageOSPersistentVolumeSource>>,
        with_csi csi: Option<Box<CSIPersistentVolumeSource>>,
        with_access_modes access_modes: List<IStr>,
        with_claim_ref claim_ref: Option<Box<ObjectReference>>,
        with_persistent_volume_reclaim_policy persistent_volume_reclaim_policy: IStr,
        with_storage_class_name storage_class_name: IStr,
        with_mount_options mount_options: List<IStr>,
        with_volume_mode volume_mode: Option<IStr>,
        with_node_affinity node_affinity: Option<Box<VolumeNodeAffinity>>,
        with_volume_attributes_class_name volume_attributes_class_name: Option<IStr>,
    }
    AzureFilePersistentVolumeSource {
        with_secret_name secret_name: IStr,
        with_share_name share_name: IStr,
        with_read_only read_only: bool,
        with_secret_namespace secret_namespace: Option<IStr>,
    }
    CSIPersistentVolumeSource {
        with_driver driver: IStr,
        with_volume_handle volume_handle: IStr,
        with_read_only read_only: bool,
        with_fs_type fs_type: IStr,
        with_volume_attributes volume_attributes: Map,
        with_controller_publish_secret_ref controller_publish_secret_ref: Option<Box<SecretReference>>,
        with_node_stage_secret_ref node_stage_secret_ref: Option<Box<SecretReference>>,
        with_node_publish_secret_ref node_publish_secret_ref: Option<Box<SecretReference>>,
        with_controller_expand_secret_ref controller_expand_secret_ref: Option<Box<SecretReference>>,
        with_node_expand_secret_ref node_expand_secret_ref: Option<Box<SecretReference>>,
    }
    CephFSPersistentVolumeSource {
        with_monitors monitors: List<IStr>,
        with_path path: IStr,
        with_user user: IStr,
        with_secret_file secret_file: IStr,
        with_secret_ref secret_ref: Option<Box<SecretReference>>,
        with_read_only read_only: bool,
    }
    CinderPersistentVolumeSource {
        with_volume_id volume_id: IStr,
        with_fs_type fs_type: IStr,
        with_read_only read_only: bool,
        with_secret_ref secret_ref: Option<Box<SecretReference>>,
    }
    FlexPersistentVolumeSource {
        with_driver driver: IStr,
        with_fs_type fs_type: IStr,
        with_secret_ref secret_ref: Option<Box<SecretReference>>,
        with_read_only read_only: bool,
        with_options options: Map,
    }
    GlusterfsPersistentVolumeSource {
        with_endpoints endpoints: IStr,
        with_path path: IStr,
        with_read_only read_only: bool,
        with_endpoints_namespace endpoints_namespace: Option<IStr>,
    }
    ISCSIPersistentVolumeSource {
        with_target_portal target_portal: IStr,
        with_iqn iqn: IStr,
        with_lun lun: i32,
        with_iscsi_interface iscsi_interface: IStr,
        with_fs_type fs_type: IStr,
        with_read_only read_only: bool,
        with_portals portals: List<IStr>,
        with_chap_auth_discovery chap_auth_discovery: bool,
        with_chap_auth_session chap_auth_session: bool,
        with_secret_ref secret_ref: Option<Box<SecretReference>>,
        with_initiator_name initiator_name: Option<IStr>,
    }
    LocalVolumeSource {
        with_path path: IStr,
        with_fs_type fs_type: Option<IStr>,
    }
    ObjectReference {
        with_kind kind: IStr,
        with_namespace namespace: IStr,
        with_name name: IStr,
        with_uid uid: IStr,
        with_api_version api_version: IStr,
        with_resource_version resource_version: IStr,
        with_field_path field_path: IStr,
    }
    RBDPersistentVolumeSource {
        with_monitors monitors: List<IStr>,
        with_image image: IStr,
        with_fs_type fs_type: IStr,
        with_pool pool: IStr,
        with_user user: IStr,
        with_keyring keyring: IStr,
        with_secret_ref secret_ref: Option<Box<SecretReference>>,
        with_read_only read_only: bool,
    }
    ScaleIOPersistentVolumeSource {
        with_gateway gateway: IStr,
        with_system system: IStr,
        with_secret_ref secret_ref: Option<Box<SecretReference>>,
        with_ssl_enabled ssl_enabled: bool,
        with_protection_domain protection_domain: IStr,
        with_storage_pool storage_pool: IStr,
        with_storage_mode storage_mode: IStr,
        with_volume_name volume_name: IStr,
        with_fs_type fs_type: IStr,
        with_read_only read_only: bool,
    }
    SecretReference {
        with_name name: IStr,
        with_namespace namespace: IStr,
    }
    StorageOSPersistentVolumeSource {
        with_volume_name volume_name: IStr,
        with_volume_namespace volume_namespace: IStr,
        with_fs_type fs_type: IStr,
        with_read_only read_only: bool,
        with_secret_ref secret_ref: Option<Box<ObjectReference>>,
    }
    VolumeNodeAffinity {
        with_required required: Option<Box<NodeSelector>>,
    }
    Pod {
        with_metadata metadata: ObjectMeta,
        with_spec spec: PodSpec,
        with_status status: PodStatus,
    }
    ContainerExtendedResourceRequest {
        with_container_name container_name: IStr,
        with_resource_name resource_name: IStr,
        with_request_name request_name: IStr,
    }
    ContainerState {
        with_waiting waiting: Option<Box<ContainerStateWaiting>>,
        with_running running: Option<Box<ContainerStateRunning>>,
        with_terminated terminated: Option<Box<ContainerStateTerminated>>,
    }
    ContainerStateRunning {
        with_started_at started_at: Option<Time>,
    }
    ContainerStateTerminated {
        with_exit_code exit_code: i32,
        with_signal signal: i32,
        with_reason reason: IStr,
        with_message message: IStr,
        with_started_at started_at: Option<Time>,
        with_finished_at finished_at: Option<Time>,
        with_container_id container_id: IStr,
    }
    ContainerStateWaiting {
        with_reason reason: IStr,
        with_message message: IStr,
    }
    ContainerStatus {
        with_name name: IStr,
        with_state state: ContainerState,
        with_last_state last_state: ContainerState,
        with_ready ready: bool,
        with_restart_count restart_count: i32,
        with_image image: IStr,
        with_image_id image_id: IStr,
        with_container_id container_id: IStr,
        with_started started: Option<bool>,
        with_allocated_resources allocated_resources: Map<Quantity>,
        with_resources resources: Option<Shared<ResourceRequirements>>,
        with_volume_mounts volume_mounts: List<Shared<VolumeMountStatus>>,
        with_user user: Option<Box<ContainerUser>>,
        with_allocated_resources_status allocated_resources_status: List<ResourceStatus>,
        with_stop_signal stop_signal: Option<IStr>,
    }
    ContainerUser {
        with_linux linux: Option<Box<LinuxContainerUser>>,
    }
    HostIP {
        with_ip ip: IStr,
    }
    ImageVolumeStatus {
        with_image_ref image_ref: IStr,
    }
    LinuxContainerUser {
        with_uid uid: i64,
        with_gid gid: i64,
        with_supplemental_groups supplemental_groups: List<i64>,
    }
    NodeAllocatableResourceClaimStatus {
        with_resource_claim_name resource_claim_name: IStr,
        with_containers containers: List<IStr>,
        with_resources resources: Map<Quantity>,
    }
    PodCondition {
        with_type type_: IStr,
        with_observed_generation observed_generation: i64,
        with_status status: IStr,
        with_last_probe_time last_probe_time: Option<Time>,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    PodExtendedResourceClaimStatus {
        with_request_mappings request_mappings: List<ContainerExtendedResourceRequest>,
        with_resource_claim_name resource_claim_name: IStr,
    }
    PodIP {
        with_ip ip: IStr,
    }
    PodResourceClaimStatus {
        with_name name: IStr,
        with_resource_claim_name resource_claim_name: Option<IStr>,
    }
    PodStatus {
        with_observed_generation observed_generation: i64,
        with_phase phase: IStr,
        with_conditions conditions: List<PodCondition>,
        with_message message: IStr,
        with_reason reason: IStr,
        with_nominated_node_name nominated_node_name: IStr,
        with_host_ip host_ip: IStr,
        with_host_ips host_ips: List<HostIP>,
        with_pod_ip pod_ip: IStr,
        with_pod_ips pod_ips: List<PodIP>,
        with_start_time start_time: Option<Time>,
        with_init_container_statuses init_container_statuses: List<ContainerStatus>,
        with_container_statuses container_statuses: List<ContainerStatus>,
        with_qos_class qos_class: IStr,
        with_ephemeral_container_statuses ephemeral_container_statuses: List<ContainerStatus>,
        with_resize resize: IStr,
        with_resource_claim_statuses resource_claim_statuses: List<PodResourceClaimStatus>,
        with_extended_resource_claim_status extended_resource_claim_status: Option<Box<PodExtendedResourceClaimStatus>>,
        with_allocated_resources allocated_resources: Map<Quantity>,
        with_resources resources: Option<Box<ResourceRequirements>>,
        with_node_allocatable_resource_claim_statuses node_allocatable_resource_claim_statuses: List<NodeAllocatableResourceClaimStatus>,
    }
    ResourceHealth {
        with_resource_id resource_id: IStr,
        with_health health: IStr,
        with_message message: Option<IStr>,
    }
    ResourceStatus {
        with_name name: IStr,
        with_resources resources: List<ResourceHealth>,
    }
    VolumeMountStatus {
        with_name name: IStr,
        with_mount_path mount_path: IStr,
        with_read_only read_only: bool,
        with_recursive_read_only recursive_read_only: Option<IStr>,
        with_volume_status volume_status: Option<Box<VolumeStatus>>,
    }
    VolumeStatus {
        with_image image: Option<Box<ImageVolumeStatus>>,
    }
    PodSpec {
        with_volumes volumes: List<Shared<Volume>>,
        with_init_containers init_containers: List<Container>,
        with_containers containers: List<Container>,
        with_ephemeral_containers ephemeral_containers: List<EphemeralContainer>,
        with_restart_policy restart_policy: IStr,
        with_termination_grace_period_seconds termination_grace_period_seconds: Option<i64>,
        with_active_deadline_seconds active_deadline_seconds: Option<i64>,
        with_dns_policy dns_policy: IStr,
        with_node_selector node_selector: Map,
        with_service_account_name service_account_name: IStr,
        with_service_account service_account: IStr,
        with_automount_service_account_token automount_service_account_token: Option<bool>,
        with_node_name node_name: IStr,
        with_host_network host_network: bool,
        with_host_pid host_pid: bool,
        with_host_ipc host_ipc: bool,
        with_share_process_namespace share_process_namespace: Option<bool>,
        with_security_context security_context: Option<Shared<PodSecurityContext>>,
        with_image_pull_secrets image_pull_secrets: List<LocalObjectReference>,
        with_hostname hostname: IStr,
        with_subdomain subdomain: IStr,
        with_affinity affinity: Option<Shared<Affinity>>,
        with_scheduler_name scheduler_name: IStr,
        with_tolerations tolerations: Shared<List<Toleration>>,
        with_host_aliases host_aliases: List<HostAlias>,
        with_priority_class_name priority_class_name: IStr,
        with_priority priority: Option<i32>,
        with_dns_config dns_config: Option<Box<PodDNSConfig>>,
        with_readiness_gates readiness_gates: List<PodReadinessGate>,
        with_runtime_class_name runtime_class_name: Option<IStr>,
        with_enable_service_links enable_service_links: Option<bool>,
        with_preemption_policy preemption_policy: Option<IStr>,
        with_overhead overhead: Map<Quantity>,
        with_topology_spread_constraints topology_spread_constraints: List<TopologySpreadConstraint>,
        with_set_hostname_as_fqdn set_hostname_as_fqdn: Option<bool>,
        with_os os: Option<Box<PodOS>>,
        with_host_users host_users: Option<bool>,
        with_scheduling_gates scheduling_gates: List<PodSchedulingGate>,
        with_resource_claims resource_claims: List<PodResourceClaim>,
        with_resources resources: Option<Box<ResourceRequirements>>,
        with_hostname_override hostname_override: Option<IStr>,
        with_scheduling_group scheduling_group: Option<Box<PodSchedulingGroup>>,
    }
    EphemeralContainer {
        with_name name: IStr,
        with_image image: IStr,
        with_command command: List<IStr>,
        with_args args: List<IStr>,
        with_working_dir working_dir: IStr,
        with_ports ports: List<ContainerPort>,
        with_env_from env_from: List<EnvFromSource>,
        with_env env: List<EnvVar>,
        with_resources resources: ResourceRequirements,
        with_resize_policy resize_policy: List<ContainerResizePolicy>,
        with_restart_policy restart_policy: Option<IStr>,
        with_restart_policy_rules restart_policy_rules: List<ContainerRestartRule>,
        with_volume_mounts volume_mounts: List<VolumeMount>,
        with_volume_devices volume_devices: List<VolumeDevice>,
        with_liveness_probe liveness_probe: Option<Box<Probe>>,
        with_readiness_probe readiness_probe: Option<Box<Probe>>,
        with_startup_probe startup_probe: Option<Box<Probe>>,
        with_lifecycle lifecycle: Option<Box<Lifecycle>>,
        with_termination_message_path termination_message_path: IStr,
        with_termination_message_policy termination_message_policy: IStr,
        with_image_pull_policy image_pull_policy: IStr,
        with_security_context security_context: Option<Box<SecurityContext>>,
        with_stdin stdin: bool,
        with_stdin_once stdin_once: bool,
        with_tty tty: bool,
        with_target_container_name target_container_name: IStr,
    }
    HostAlias {
        with_ip ip: IStr,
        with_hostnames hostnames: List<IStr>,
    }
    PodDNSConfig {
        with_nameservers nameservers: List<IStr>,
        with_searches searches: List<IStr>,
        with_options options: List<PodDNSConfigOption>,
    }
    PodDNSConfigOption {
        with_name name: IStr,
        with_value value: Option<IStr>,
    }
    PodOS {
        with_name name: IStr,
    }
    PodReadinessGate {
        with_condition_type condition_type: IStr,
    }
    PodResourceClaim {
        with_name name: IStr,
        with_resource_claim_name resource_claim_name: Option<IStr>,
        with_resource_claim_template_name resource_claim_template_name: Option<IStr>,
    }
    PodSchedulingGate {
        with_name name: IStr,
    }
    PodSchedulingGroup {
        with_pod_group_name pod_group_name: Option<IStr>,
    }
    PodSecurityContext {
        with_se_linux_options se_linux_options: Option<Box<SELinuxOptions>>,
        with_windows_options windows_options: Option<Box<WindowsSecurityContextOptions>>,
        with_run_as_user run_as_user: Option<i64>,
        with_run_as_group run_as_group: Option<i64>,
        with_run_as_non_root run_as_non_root: Option<bool>,
        with_supplemental_groups supplemental_groups: List<i64>,
        with_supplemental_groups_policy supplemental_groups_policy: Option<IStr>,
        with_fs_group fs_group: Option<i64>,
        with_sysctls sysctls: List<Sysctl>,
        with_fs_group_change_policy fs_group_change_policy: Option<IStr>,
        with_seccomp_profile seccomp_profile: Option<Box<SeccompProfile>>,
        with_app_armor_profile app_armor_profile: Option<Box<AppArmorProfile>>,
        with_se_linux_change_policy se_linux_change_policy: Option<IStr>,
    }
    Sysctl {
        with_name name: IStr,
        with_value value: IStr,
    }
    Toleration {
        with_key key: IStr,
        with_operator operator: IStr,
        with_value value: IStr,
        with_effect effect: IStr,
        with_toleration_seconds toleration_seconds: Option<i64>,
    }
    TopologySpreadConstraint {
        with_max_skew max_skew: i32,
        with_topology_key topology_key: IStr,
        with_when_unsatisfiable when_unsatisfiable: IStr,
        with_label_selector label_selector: Option<Box<LabelSelector>>,
        with_min_domains min_domains: Option<i32>,
        with_node_affinity_policy node_affinity_policy: Option<IStr>,
        with_node_taints_policy node_taints_policy: Option<IStr>,
        with_match_label_keys match_label_keys: List<IStr>,
    }
    PodStatusResult {
        with_metadata metadata: ObjectMeta,
        with_status status: PodStatus,
    }
    PodTemplate {
        with_metadata metadata: ObjectMeta,
        with_template template: PodTemplateSpec,
    }
    PodTemplateSpec {
        with_metadata metadata: ObjectMeta,
        with_spec spec: PodSpec,
    }
    RangeAllocation {
        with_metadata metadata: ObjectMeta,
        with_range range: IStr,
        with_data data: ByteString,
    }
    ReplicationController {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ReplicationControllerSpec,
        with_status status: ReplicationControllerStatus,
    }
    ReplicationControllerCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    ReplicationControllerSpec {
        with_replicas replicas: Option<i32>,
        with_min_ready_seconds min_ready_seconds: i32,
        with_selector selector: Map,
        with_template template: Option<Box<PodTemplateSpec>>,
    }
    ReplicationControllerStatus {
        with_replicas replicas: i32,
        with_fully_labeled_replicas fully_labeled_replicas: i32,
        with_ready_replicas ready_replicas: i32,
        with_available_replicas available_replicas: i32,
        with_observed_generation observed_generation: i64,
        with_conditions conditions: List<ReplicationControllerCondition>,
    }
    ResourceQuota {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ResourceQuotaSpec,
        with_status status: ResourceQuotaStatus,
    }
    ResourceQuotaSpec {
        with_hard hard: Map<Quantity>,
        with_scopes scopes: List<IStr>,
        with_scope_selector scope_selector: Option<Box<ScopeSelector>>,
    }
    ResourceQuotaStatus {
        with_hard hard: Map<Quantity>,
        with_used used: Map<Quantity>,
    }
    ScopeSelector {
        with_match_expressions match_expressions: List<ScopedResourceSelectorRequirement>,
    }
    ScopedResourceSelectorRequirement {
        with_scope_name scope_name: IStr,
        with_operator operator: IStr,
        with_values values: List<IStr>,
    }
    Secret {
        with_metadata metadata: ObjectMeta,
        with_immutable immutable: Option<bool>,
        with_data data: Map<ByteString>,
        with_string_data string_data: Map,
        with_type type_: IStr,
    }
    Service {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ServiceSpec,
        with_status status: ServiceStatus,
    }
    ClientIPConfig {
        with_timeout_seconds timeout_seconds: Option<i32>,
    }
    LoadBalancerIngress {
        with_ip ip: IStr,
        with_hostname hostname: IStr,
        with_ip_mode ip_mode: Option<IStr>,
        with_ports ports: List<PortStatus>,
    }
    LoadBalancerStatus {
        with_ingress ingress: List<LoadBalancerIngress>,
    }
    PortStatus {
        with_port port: i32,
        with_protocol protocol: IStr,
        with_error error: Option<IStr>,
    }
    ServicePort {
        with_name name: IStr,
        with_protocol protocol: IStr,
        with_app_protocol app_protocol: Option<IStr>,
        with_port port: i32,
        with_target_port target_port: IntOrString,
        with_node_port node_port: i32,
    }
    ServiceSpec {
        with_ports ports: List<ServicePort>,
        with_selector selector: Map,
        with_cluster_ip cluster_ip: IStr,
        with_cluster_ips cluster_ips: List<IStr>,
        with_type type_: IStr,
        with_external_ips external_ips: List<IStr>,
        with_session_affinity session_affinity: IStr,
        with_load_balancer_ip load_balancer_ip: IStr,
        with_load_balancer_source_ranges load_balancer_source_ranges: List<IStr>,
        with_external_name external_name: IStr,
        with_external_traffic_policy external_traffic_policy: IStr,
        with_health_check_node_port health_check_node_port: i32,
        with_publish_not_ready_addresses publish_not_ready_addresses: bool,
        with_session_affinity_config session_affinity_config: Option<Box<SessionAffinityConfig>>,
        with_ip_families ip_families: List<IStr>,
        with_ip_family_policy ip_family_policy: Option<IStr>,
        with_allocate_load_balancer_node_ports allocate_load_balancer_node_ports: Option<bool>,
        with_load_balancer_class load_balancer_class: Option<IStr>,
        with_internal_traffic_policy internal_traffic_policy: Option<IStr>,
        with_traffic_distribution traffic_distribution: Option<IStr>,
    }
    ServiceStatus {
        with_load_balancer load_balancer: LoadBalancerStatus,
        with_conditions conditions: List<Condition>,
    }
    SessionAffinityConfig {
        with_client_ip client_ip: Option<Box<ClientIPConfig>>,
    }
    ServiceAccount {
        with_metadata metadata: ObjectMeta,
        with_secrets secrets: List<ObjectReference>,
        with_image_pull_secrets image_pull_secrets: List<LocalObjectReference>,
        with_automount_service_account_token automount_service_account_token: Option<bool>,
    }
    Volume {
        with_name name: IStr,
        with_host_path host_path: Option<Box<HostPathVolumeSource>>,
        with_empty_dir empty_dir: Option<Box<EmptyDirVolumeSource>>,
        with_gce_persistent_disk gce_persistent_disk: Option<Box<GCEPersistentDiskVolumeSource>>,
        with_aws_elastic_block_store aws_elastic_block_store: Option<Box<AWSElasticBlockStoreVolumeSource>>,
        with_git_repo git_repo: Option<Box<GitRepoVolumeSource>>,
        with_secret secret: Option<Box<SecretVolumeSource>>,
        with_nfs nfs: Option<Box<NFSVolumeSource>>,
        with_iscsi iscsi: Option<Box<ISCSIVolumeSource>>,
        with_glusterfs glusterfs: Option<Box<GlusterfsVolumeSource>>,
        with_persistent_volume_claim persistent_volume_claim: Option<Box<PersistentVolumeClaimVolumeSource>>,
        with_rbd rbd: Option<Box<RBDVolumeSource>>,
        with_flex_volume flex_volume: Option<Box<FlexVolumeSource>>,
        with_cinder cinder: Option<Box<CinderVolumeSource>>,
        with_cephfs cephfs: Option<Box<CephFSVolumeSource>>,
        with_flocker flocker: Option<Box<FlockerVolumeSource>>,
        with_downward_api downward_api: Option<Box<DownwardAPIVolumeSource>>,
        with_fc fc: Option<Box<FCVolumeSource>>,
        with_azure_file azure_file: Option<Box<AzureFileVolumeSource>>,
        with_config_map config_map: Option<Box<ConfigMapVolumeSource>>,
        with_vsphere_volume vsphere_volume: Option<Box<VsphereVirtualDiskVolumeSource>>,
        with_quobyte quobyte: Option<Box<QuobyteVolumeSource>>,
        with_azure_disk azure_disk: Option<Box<AzureDiskVolumeSource>>,
        with_photon_persistent_disk photon_persistent_disk: Option<Box<PhotonPersistentDiskVolumeSource>>,
        with_projected projected: Option<Shared<ProjectedVolumeSource>>,
        with_portworx_volume portworx_volume: Option<Box<PortworxVolumeSource>>,
        with_scale_io scale_io: Option<Box<ScaleIOVolumeSource>>,
        with_storageos storageos: Option<Box<StorageOSVolumeSource>>,
        with_csi csi: Option<Box<CSIVolumeSource>>,
        with_ephemeral ephemeral: Option<Box<EphemeralVolumeSource>>,
        with_image image: Option<Box<ImageVolumeSource>>,
    }
    AWSElasticBlockStoreVolumeSource {
        with_volume_id volume_id: IStr,
        with_fs_type fs_type: IStr,
        with_partition partition: i32,
        with_read_only read_only: bool,
    }
    AzureDiskVolumeSource {
        with_disk_name disk_name: IStr,
        with_disk_uri disk_uri: IStr,
        with_caching_mode caching_mode: Option<IStr>,
        with_fs_type fs_type: Option<IStr>,
        with_read_only read_only: Option<bool>,
        with_kind kind: Option<IStr>,
    }
    AzureFileVolumeSource {
        with_secret_name secret_name: IStr,
        with_share_name share_name: IStr,
        with_read_only read_only: bool,
    }
    CSIVolumeSource {
        with_driver driver: IStr,
        with_read_only read_only: Option<bool>,
        with_fs_type fs_type: Option<IStr>,
        with_volume_attributes volume_attributes: Map,
        with_node_publish_secret_ref node_publish_secret_ref: Option<Box<LocalObjectReference>>,
    }
    CephFSVolumeSource {
        with_monitors monitors: List<IStr>,
        with_path path: IStr,
        with_user user: IStr,
        with_secret_file secret_file: IStr,
        with_secret_ref secret_ref: Option<Box<LocalObjectReference>>,
        with_read_only read_only: bool,
    }
    CinderVolumeSource {
        with_volume_id volume_id: IStr,
        with_fs_type fs_type: IStr,
        with_read_only read_only: bool,
        with_secret_ref secret_ref: Option<Box<LocalObjectReference>>,
    }
    ClusterTrustBundleProjection {
        with_name name: Option<IStr>,
        with_signer_name signer_name: Option<IStr>,
        with_label_selector label_selector: Option<Box<LabelSelector>>,
        with_optional optional: Option<bool>,
        with_path path: IStr,
    }
    ConfigMapProjection {
        with_name name: IStr,
        with_items items: List<KeyToPath>,
        with_optional optional: Option<bool>,
    }
    ConfigMapVolumeSource {
        with_name name: IStr,
        with_items items: List<KeyToPath>,
        with_default_mode default_mode: Option<i32>,
        with_optional optional: Option<bool>,
    }
    DownwardAPIProjection {
        with_items items: List<DownwardAPIVolumeFile>,
    }
    DownwardAPIVolumeFile {
        with_path path: IStr,
        with_field_ref field_ref: Option<Box<ObjectFieldSelector>>,
        with_resource_field_ref resource_field_ref: Option<Box<ResourceFieldSelector>>,
        with_mode mode: Option<i32>,
    }
    DownwardAPIVolumeSource {
        with_items items: List<DownwardAPIVolumeFile>,
        with_default_mode default_mode: Option<i32>,
    }
    EmptyDirVolumeSource {
        with_medium medium: IStr,
        with_size_limit size_limit: Option<Quantity>,
    }
    EphemeralVolumeSource {
        with_volume_claim_template volume_claim_template: Option<Box<PersistentVolumeClaimTemplate>>,
    }
    FCVolumeSource {
        with_target_wwns target_wwns: List<IStr>,
        with_lun lun: Option<i32>,
        with_fs_type fs_type: IStr,
        with_read_only read_only: bool,
        with_wwids wwids: List<IStr>,
    }
    FlexVolumeSource {
        with_driver driver: IStr,
        with_fs_type fs_type: IStr,
        with_secret_ref secret_ref: Option<Box<LocalObjectReference>>,
        with_read_only read_only: bool,
        with_options options: Map,
    }
    FlockerVolumeSource {
        with_dataset_name dataset_name: IStr,
        with_dataset_uuid dataset_uuid: IStr,
    }
    GCEPersistentDiskVolumeSource {
        with_pd_name pd_name: IStr,
        with_fs_type fs_type: IStr,
        with_partition partition: i32,
        with_read_only read_only: bool,
    }
    GitRepoVolumeSource {
        with_repository repository: IStr,
        with_revision revision: IStr,
        with_directory directory: IStr,
    }
    GlusterfsVolumeSource {
        with_endpoints endpoints: IStr,
        with_path path: IStr,
        with_read_only read_only: bool,
    }
    HostPathVolumeSource {
        with_path path: IStr,
        with_type type_: Option<IStr>,
    }
    ISCSIVolumeSource {
        with_target_portal target_portal: IStr,
        with_iqn iqn: IStr,
        with_lun lun: i32,
        with_iscsi_interface iscsi_interface: IStr,
        with_fs_type fs_type: IStr,
        with_read_only read_only: bool,
        with_portals portals: List<IStr>,
        with_chap_auth_discovery chap_auth_discovery: bool,
        with_chap_auth_session chap_auth_session: bool,
        with_secret_ref secret_ref: Option<Box<LocalObjectReference>>,
        with_initiator_name initiator_name: Option<IStr>,
    }
    ImageVolumeSource {
        with_reference reference: IStr,
        with_pull_policy pull_policy: IStr,
    }
    KeyToPath {
        with_key key: IStr,
        with_path path: IStr,
        with_mode mode: Option<i32>,
    }
    LocalObjectReference {
        with_name name: IStr,
    }
    NFSVolumeSource {
        with_server server: IStr,
        with_path path: IStr,
        with_read_only read_only: bool,
    }
    PersistentVolumeClaimSpec {
        with_access_modes access_modes: List<IStr>,
        with_selector selector: Option<Box<LabelSelector>>,
        with_resources resources: VolumeResourceRequirements,
        with_volume_name volume_name: IStr,
        with_storage_class_name storage_class_name: Option<IStr>,
        with_volume_mode volume_mode: Option<IStr>,
        with_data_source data_source: Option<Box<TypedLocalObjectReference>>,
        with_data_source_ref data_source_ref: Option<Box<TypedObjectReference>>,
        with_volume_attributes_class_name volume_attributes_class_name: Option<IStr>,
    }
    PersistentVolumeClaimTemplate {
        with_metadata metadata: ObjectMeta,
        with_spec spec: PersistentVolumeClaimSpec,
    }
    PersistentVolumeClaimVolumeSource {
        with_claim_name claim_name: IStr,
        with_read_only read_only: bool,
    }
    PhotonPersistentDiskVolumeSource {
        with_pd_id pd_id: IStr,
        with_fs_type fs_type: IStr,
    }
    PodCertificateProjection {
        with_signer_name signer_name: IStr,
        with_key_type key_type: IStr,
        with_max_expiration_seconds max_expiration_seconds: Option<i32>,
        with_credential_bundle_path credential_bundle_path: IStr,
        with_key_path key_path: IStr,
        with_certificate_chain_path certificate_chain_path: IStr,
        with_user_annotations user_annotations: Map,
    }
    PortworxVolumeSource {
        with_volume_id volume_id: IStr,
        with_fs_type fs_type: IStr,
        with_read_only read_only: bool,
    }
    ProjectedVolumeSource {
        with_sources sources: List<VolumeProjection>,
        with_default_mode default_mode: Option<i32>,
    }
    QuobyteVolumeSource {
        with_registry registry: IStr,
        with_volume volume: IStr,
        with_read_only read_only: bool,
        with_user user: IStr,
        with_group group: IStr,
        with_tenant tenant: IStr,
    }
    RBDVolumeSource {
        with_monitors monitors: List<IStr>,
        with_image image: IStr,
        with_fs_type fs_type: IStr,
        with_pool pool: IStr,
        with_user user: IStr,
        with_keyring keyring: IStr,
        with_secret_ref secret_ref: Option<Box<LocalObjectReference>>,
        with_read_only read_only: bool,
    }
    ScaleIOVolumeSource {
        with_gateway gateway: IStr,
        with_system system: IStr,
        with_secret_ref secret_ref: Option<Box<LocalObjectReference>>,
        with_ssl_enabled ssl_enabled: bool,
        with_protection_domain protection_domain: IStr,
        with_storage_pool storage_pool: IStr,
        with_storage_mode storage_mode: IStr,
        with_volume_name volume_name: IStr,
        with_fs_type fs_type: IStr,
        with_read_only read_only: bool,
    }
    SecretProjection {
        with_name name: IStr,
        with_items items: List<KeyToPath>,
        with_optional optional: Option<bool>,
    }
    SecretVolumeSource {
        with_secret_name secret_name: IStr,
        with_items items: List<KeyToPath>,
        with_default_mode default_mode: Option<i32>,
        with_optional optional: Option<bool>,
    }
    ServiceAccountTokenProjection {
        with_audience audience: IStr,
        with_expiration_seconds expiration_seconds: Option<i64>,
        with_path path: IStr,
    }
    StorageOSVolumeSource {
        with_volume_name volume_name: IStr,
        with_volume_namespace volume_namespace: IStr,
        with_fs_type fs_type: IStr,
        with_read_only read_only: bool,
        with_secret_ref secret_ref: Option<Box<LocalObjectReference>>,
    }
    TypedLocalObjectReference {
        with_api_group api_group: Option<IStr>,
        with_kind kind: IStr,
        with_name name: IStr,
    }
    TypedObjectReference {
        with_api_group api_group: Option<IStr>,
        with_kind kind: IStr,
        with_name name: IStr,
        with_namespace namespace: Option<IStr>,
    }
    VolumeProjection {
        with_secret secret: Option<Box<SecretProjection>>,
        with_downward_api downward_api: Option<Box<DownwardAPIProjection>>,
        with_config_map config_map: Option<Box<ConfigMapProjection>>,
        with_service_account_token service_account_token: Option<Box<ServiceAccountTokenProjection>>,
        with_cluster_trust_bundle cluster_trust_bundle: Option<Box<ClusterTrustBundleProjection>>,
        with_pod_certificate pod_certificate: Option<Box<PodCertificateProjection>>,
    }
    VolumeResourceRequirements {
        with_limits limits: Map<Quantity>,
        with_requests requests: Map<Quantity>,
    }
    VsphereVirtualDiskVolumeSource {
        with_volume_path volume_path: IStr,
        with_fs_type fs_type: IStr,
        with_storage_policy_name storage_policy_name: IStr,
        with_storage_policy_id storage_policy_id: IStr,
    }
}
