//! `core/v1`: `Container` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::{IStr, IntOrString, List, Map, Quantity, Shared, blank};

/// `io.k8s.api.core.v1.Container`.
#[derive(Clone, Default, PartialEq)]
pub struct Container {
    pub name: IStr,
    pub image: IStr,
    pub command: Shared<List<IStr>>,
    pub args: Shared<List<IStr>>,
    pub working_dir: IStr,
    pub ports: Shared<List<ContainerPort>>,
    pub env_from: List<EnvFromSource>,
    pub env: Shared<List<EnvVar>>,
    pub resources: Shared<ResourceRequirements>,
    pub resize_policy: List<ContainerResizePolicy>,
    pub restart_policy: Option<IStr>,
    pub restart_policy_rules: List<ContainerRestartRule>,
    pub volume_mounts: List<Shared<VolumeMount>>,
    pub volume_devices: List<VolumeDevice>,
    pub liveness_probe: Option<Shared<Probe>>,
    pub readiness_probe: Option<Shared<Probe>>,
    pub startup_probe: Option<Shared<Probe>>,
    pub lifecycle: Option<Box<Lifecycle>>,
    pub termination_message_path: IStr,
    pub termination_message_policy: IStr,
    pub image_pull_policy: IStr,
    pub security_context: Option<Shared<SecurityContext>>,
    pub stdin: bool,
    pub stdin_once: bool,
    pub tty: bool,
}

codec! { Container
    0 "name" [1] req name .required()
    1 "image" [2] opt image
    2 "command" [3] opt command .list_atomic()
    3 "args" [4] opt args .list_atomic()
    4 "workingDir" [5] opt working_dir
    5 "ports" [6] opt ports .list_map(&["containerPort", "protocol"])
    6 "envFrom" [19] opt env_from .list_atomic()
    7 "env" [7] opt env .list_map(&["name"])
    8 "resources" [8] opt resources
    9 "resizePolicy" [23] opt resize_policy .list_atomic()
    10 "restartPolicy" [24] opt restart_policy
    11 "restartPolicyRules" [25] opt restart_policy_rules .list_atomic()
    12 "volumeMounts" [9] each volume_mounts .list_map(&["mountPath"])
    13 "volumeDevices" [21] opt volume_devices .list_map(&["devicePath"])
    14 "livenessProbe" [10] opt liveness_probe
    15 "readinessProbe" [11] opt readiness_probe
    16 "startupProbe" [22] opt startup_probe
    17 "lifecycle" [12] opt lifecycle
    18 "terminationMessagePath" [13] opt termination_message_path
    19 "terminationMessagePolicy" [20] opt termination_message_policy
    20 "imagePullPolicy" [14] opt image_pull_policy
    21 "securityContext" [15] opt security_context
    22 "stdin" [16] opt stdin
    23 "stdinOnce" [17] opt stdin_once
    24 "tty" [18] opt tty
    => [25 restart_policy_rules] [24 restart_policy] [23 resize_policy] [22 startup_probe]
       [21 volume_devices] [20 termination_message_policy] [19 env_from] [18 tty] [17 stdin_once]
       [16 stdin] [15 security_context] [14 image_pull_policy] [13 termination_message_path]
       [12 lifecycle] [11 readiness_probe] [10 liveness_probe] [9 volume_mounts] [8 resources]
       [7 env] [6 ports] [5 working_dir] [4 args] [3 command] [2 image] [1 name]
}

/// `io.k8s.api.core.v1.AppArmorProfile`.
#[derive(Clone, Default, PartialEq)]
pub struct AppArmorProfile {
    pub type_: IStr,
    pub localhost_profile: Option<IStr>,
}

codec! { AppArmorProfile
    0 "type" [1] req type_ .required()
    1 "localhostProfile" [2] opt localhost_profile
    => [2 localhost_profile] [1 type_]
}

/// `io.k8s.api.core.v1.Capabilities`.
#[derive(Clone, Default, PartialEq)]
pub struct Capabilities {
    pub add: List<IStr>,
    pub drop: List<IStr>,
}

codec! { Capabilities
    0 "add" [1] opt add .list_atomic()
    1 "drop" [2] opt drop .list_atomic()
    => [2 drop] [1 add]
}

/// `io.k8s.api.core.v1.ConfigMapEnvSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ConfigMapEnvSource {
    pub name: IStr,
    pub optional: Option<bool>,
}

codec! { ConfigMapEnvSource
    0 "name" [1 1] opt name
    1 "optional" [2] opt optional
    => [2 optional] (1 [1 name])
}

/// `io.k8s.api.core.v1.ConfigMapKeySelector`.
#[derive(Clone, Default, PartialEq)]
pub struct ConfigMapKeySelector {
    pub name: IStr,
    pub key: IStr,
    pub optional: Option<bool>,
}

codec! { ConfigMapKeySelector
    0 "name" [1 1] opt name
    1 "key" [2] req key .required()
    2 "optional" [3] opt optional
    => [3 optional] [2 key] (1 [1 name])
}

/// `io.k8s.api.core.v1.ContainerPort`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerPort {
    pub name: IStr,
    pub host_port: i32,
    pub container_port: i32,
    pub protocol: IStr,
    pub host_ip: IStr,
}

codec! { ContainerPort
    0 "name" [1] opt name
    1 "hostPort" [2] opt host_port
    2 "containerPort" [3] req container_port .required()
    3 "protocol" [4] opt protocol .default_json("\"TCP\"")
    4 "hostIP" [5] opt host_ip
    => [5 host_ip] [4 protocol] [3 container_port] [2 host_port] [1 name]
}

/// `io.k8s.api.core.v1.ContainerResizePolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerResizePolicy {
    pub resource_name: IStr,
    pub restart_policy: IStr,
}

codec! { ContainerResizePolicy
    0 "resourceName" [1] req resource_name .required()
    1 "restartPolicy" [2] req restart_policy .required()
    => [2 restart_policy] [1 resource_name]
}

/// `io.k8s.api.core.v1.ContainerRestartRule`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerRestartRule {
    pub action: IStr,
    pub exit_codes: Option<Box<ContainerRestartRuleOnExitCodes>>,
}

codec! { ContainerRestartRule
    0 "action" [1] opt action .required()
    1 "exitCodes" [2] opt exit_codes
    => [2 exit_codes] [1 action]
}

/// `io.k8s.api.core.v1.ContainerRestartRuleOnExitCodes`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerRestartRuleOnExitCodes {
    pub operator: IStr,
    pub values: List<i32>,
}

codec! { ContainerRestartRuleOnExitCodes
    0 "operator" [1] opt operator .required()
    1 "values" [2] opt values .list_set()
    => [2 values] [1 operator]
}

/// `io.k8s.api.core.v1.EnvFromSource`.
#[derive(Clone, Default, PartialEq)]
pub struct EnvFromSource {
    pub prefix: IStr,
    pub config_map_ref: Option<Box<ConfigMapEnvSource>>,
    pub secret_ref: Option<Box<SecretEnvSource>>,
}

codec! { EnvFromSource
    0 "prefix" [1] opt prefix
    1 "configMapRef" [2] opt config_map_ref
    2 "secretRef" [3] opt secret_ref
    => [3 secret_ref] [2 config_map_ref] [1 prefix]
}

/// `io.k8s.api.core.v1.EnvVar`.
#[derive(Clone, Default, PartialEq)]
pub struct EnvVar {
    pub name: IStr,
    pub value: IStr,
    pub value_from: Option<Box<EnvVarSource>>,
}

codec! { EnvVar
    0 "name" [1] req name .required()
    1 "value" [2] opt value
    2 "valueFrom" [3] opt value_from
    => [3 value_from] [2 value] [1 name]
}

/// `io.k8s.api.core.v1.EnvVarSource`.
#[derive(Clone, Default, PartialEq)]
pub struct EnvVarSource {
    pub field_ref: Option<Box<ObjectFieldSelector>>,
    pub resource_field_ref: Option<Box<ResourceFieldSelector>>,
    pub config_map_key_ref: Option<Box<ConfigMapKeySelector>>,
    pub secret_key_ref: Option<Box<SecretKeySelector>>,
    pub file_key_ref: Option<Box<FileKeySelector>>,
}

codec! { EnvVarSource
    0 "fieldRef" [1] opt field_ref .map_atomic()
    1 "resourceFieldRef" [2] opt resource_field_ref .map_atomic()
    2 "configMapKeyRef" [3] opt config_map_key_ref .map_atomic()
    3 "secretKeyRef" [4] opt secret_key_ref .map_atomic()
    4 "fileKeyRef" [5] opt file_key_ref .map_atomic()
    => [5 file_key_ref] [4 secret_key_ref] [3 config_map_key_ref] [2 resource_field_ref]
       [1 field_ref]
}

/// `io.k8s.api.core.v1.ExecAction`.
#[derive(Clone, Default, PartialEq)]
pub struct ExecAction {
    pub command: List<IStr>,
}

codec! { ExecAction
    0 "command" [1] opt command .list_atomic()
    => [1 command]
}

/// `io.k8s.api.core.v1.FileKeySelector`.
#[derive(Clone, Default, PartialEq)]
pub struct FileKeySelector {
    pub volume_name: IStr,
    pub path: IStr,
    pub key: IStr,
    pub optional: Option<bool>,
}

codec! { FileKeySelector
    0 "volumeName" [1] req volume_name .required()
    1 "path" [2] req path .required()
    2 "key" [3] req key .required()
    3 "optional" [4] opt optional
    => [4 optional] [3 key] [2 path] [1 volume_name]
}

/// `io.k8s.api.core.v1.GRPCAction`.
#[derive(Clone, Default, PartialEq)]
pub struct GRPCAction {
    pub port: i32,
    pub service: Option<IStr>,
}

codec! { GRPCAction
    0 "port" [1] req port .required()
    1 "service" [2] opt service
    => [2 service] [1 port]
}

/// `io.k8s.api.core.v1.HTTPGetAction`.
#[derive(Clone, Default, PartialEq)]
pub struct HTTPGetAction {
    pub path: IStr,
    pub port: IntOrString,
    pub host: IStr,
    pub scheme: IStr,
    pub http_headers: List<HTTPHeader>,
}

codec! { HTTPGetAction
    0 "path" [1] opt path
    1 "port" [2] req port .required()
    2 "host" [3] opt host
    3 "scheme" [4] opt scheme
    4 "httpHeaders" [5] opt http_headers .list_atomic()
    => [5 http_headers] [4 scheme] [3 host] [2 port] [1 path]
}

/// `io.k8s.api.core.v1.HTTPHeader`.
#[derive(Clone, Default, PartialEq)]
pub struct HTTPHeader {
    pub name: IStr,
    pub value: IStr,
}

codec! { HTTPHeader
    0 "name" [1] req name .required()
    1 "value" [2] req value .required()
    => [2 value] [1 name]
}

/// `io.k8s.api.core.v1.Lifecycle`.
#[derive(Clone, Default, PartialEq)]
pub struct Lifecycle {
    pub post_start: Option<Box<LifecycleHandler>>,
    pub pre_stop: Option<Box<LifecycleHandler>>,
    pub stop_signal: Option<IStr>,
}

codec! { Lifecycle
    0 "postStart" [1] opt post_start
    1 "preStop" [2] opt pre_stop
    2 "stopSignal" [3] opt stop_signal
    => [3 stop_signal] [2 pre_stop] [1 post_start]
}

/// `io.k8s.api.core.v1.LifecycleHandler`.
#[derive(Clone, Default, PartialEq)]
pub struct LifecycleHandler {
    pub exec: Option<Box<ExecAction>>,
    pub http_get: Option<Box<HTTPGetAction>>,
    pub tcp_socket: Option<Box<TCPSocketAction>>,
    pub sleep: Option<Box<SleepAction>>,
}

codec! { LifecycleHandler
    0 "exec" [1] opt exec
    1 "httpGet" [2] opt http_get
    2 "tcpSocket" [3] opt tcp_socket
    3 "sleep" [4] opt sleep
    => [4 sleep] [3 tcp_socket] [2 http_get] [1 exec]
}

/// `io.k8s.api.core.v1.ObjectFieldSelector`.
#[derive(Clone, Default, PartialEq)]
pub struct ObjectFieldSelector {
    pub api_version: IStr,
    pub field_path: IStr,
}

codec! { ObjectFieldSelector
    0 "apiVersion" [1] opt api_version
    1 "fieldPath" [2] req field_path .required()
    => [2 field_path] [1 api_version]
}

/// `io.k8s.api.core.v1.Probe`.
#[derive(Clone, Default, PartialEq)]
pub struct Probe {
    pub exec: Option<Box<ExecAction>>,
    pub http_get: Option<Box<HTTPGetAction>>,
    pub tcp_socket: Option<Box<TCPSocketAction>>,
    pub grpc: Option<Box<GRPCAction>>,
    pub initial_delay_seconds: i32,
    pub timeout_seconds: i32,
    pub period_seconds: i32,
    pub success_threshold: i32,
    pub failure_threshold: i32,
    pub termination_grace_period_seconds: Option<i64>,
}

codec! { Probe
    0 "exec" [1 1] opt exec
    1 "httpGet" [1 2] opt http_get
    2 "tcpSocket" [1 3] opt tcp_socket
    3 "grpc" [1 4] opt grpc
    4 "initialDelaySeconds" [2] opt initial_delay_seconds
    5 "timeoutSeconds" [3] opt timeout_seconds
    6 "periodSeconds" [4] opt period_seconds
    7 "successThreshold" [5] opt success_threshold
    8 "failureThreshold" [6] opt failure_threshold
    9 "terminationGracePeriodSeconds" [7] opt termination_grace_period_seconds
    => [7 termination_grace_period_seconds] [6 failure_threshold] [5 success_threshold]
       [4 period_seconds] [3 timeout_seconds] [2 initial_delay_seconds] (1 [4 grpc] [3 tcp_socket]
       [2 http_get] [1 exec])
}

blank!(Probe);

/// `io.k8s.api.core.v1.ResourceClaim`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceClaim {
    pub name: IStr,
    pub request: IStr,
}

codec! { ResourceClaim
    0 "name" [1] req name .required()
    1 "request" [2] opt request
    => [2 request] [1 name]
}

/// `io.k8s.api.core.v1.ResourceFieldSelector`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceFieldSelector {
    pub container_name: IStr,
    pub resource: IStr,
    pub divisor: Quantity,
}

codec! { ResourceFieldSelector
    0 "containerName" [1] opt container_name
    1 "resource" [2] req resource .required()
    2 "divisor" [3] opt divisor
    => [3 divisor] [2 resource] [1 container_name]
}

/// `io.k8s.api.core.v1.ResourceRequirements`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceRequirements {
    pub limits: Map<Quantity>,
    pub requests: Map<Quantity>,
    pub claims: List<ResourceClaim>,
}

codec! { ResourceRequirements
    0 "limits" [1] opt limits
    1 "requests" [2] opt requests
    2 "claims" [3] opt claims .list_map(&["name"])
    => [3 claims] [2 requests] [1 limits]
}

blank!(ResourceRequirements);

/// `io.k8s.api.core.v1.SELinuxOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct SELinuxOptions {
    pub user: IStr,
    pub role: IStr,
    pub type_: IStr,
    pub level: IStr,
}

codec! { SELinuxOptions
    0 "user" [1] opt user
    1 "role" [2] opt role
    2 "type" [3] opt type_
    3 "level" [4] opt level
    => [4 level] [3 type_] [2 role] [1 user]
}

/// `io.k8s.api.core.v1.SeccompProfile`.
#[derive(Clone, Default, PartialEq)]
pub struct SeccompProfile {
    pub type_: IStr,
    pub localhost_profile: Option<IStr>,
}

codec! { SeccompProfile
    0 "type" [1] req type_ .required()
    1 "localhostProfile" [2] opt localhost_profile
    => [2 localhost_profile] [1 type_]
}

/// `io.k8s.api.core.v1.SecretEnvSource`.
#[derive(Clone, Default, PartialEq)]
pub struct SecretEnvSource {
    pub name: IStr,
    pub optional: Option<bool>,
}

codec! { SecretEnvSource
    0 "name" [1 1] opt name
    1 "optional" [2] opt optional
    => [2 optional] (1 [1 name])
}

/// `io.k8s.api.core.v1.SecretKeySelector`.
#[derive(Clone, Default, PartialEq)]
pub struct SecretKeySelector {
    pub name: IStr,
    pub key: IStr,
    pub optional: Option<bool>,
}

codec! { SecretKeySelector
    0 "name" [1 1] opt name
    1 "key" [2] req key .required()
    2 "optional" [3] opt optional
    => [3 optional] [2 key] (1 [1 name])
}

/// `io.k8s.api.core.v1.SecurityContext`.
#[derive(Clone, Default, PartialEq)]
pub struct SecurityContext {
    pub capabilities: Option<Box<Capabilities>>,
    pub privileged: Option<bool>,
    pub se_linux_options: Option<Box<SELinuxOptions>>,
    pub windows_options: Option<Box<WindowsSecurityContextOptions>>,
    pub run_as_user: Option<i64>,
    pub run_as_group: Option<i64>,
    pub run_as_non_root: Option<bool>,
    pub read_only_root_filesystem: Option<bool>,
    pub allow_privilege_escalation: Option<bool>,
    pub proc_mount: Option<IStr>,
    pub seccomp_profile: Option<Box<SeccompProfile>>,
    pub app_armor_profile: Option<Box<AppArmorProfile>>,
}

codec! { SecurityContext
    0 "capabilities" [1] opt capabilities
    1 "privileged" [2] opt privileged
    2 "seLinuxOptions" [3] opt se_linux_options
    3 "windowsOptions" [10] opt windows_options
    4 "runAsUser" [4] opt run_as_user
    5 "runAsGroup" [8] opt run_as_group
    6 "runAsNonRoot" [5] opt run_as_non_root
    7 "readOnlyRootFilesystem" [6] opt read_only_root_filesystem
    8 "allowPrivilegeEscalation" [7] opt allow_privilege_escalation
    9 "procMount" [9] opt proc_mount
    10 "seccompProfile" [11] opt seccomp_profile
    11 "appArmorProfile" [12] opt app_armor_profile
    => [12 app_armor_profile] [11 seccomp_profile] [10 windows_options] [9 proc_mount]
       [8 run_as_group] [7 allow_privilege_escalation] [6 read_only_root_filesystem]
       [5 run_as_non_root] [4 run_as_user] [3 se_linux_options] [2 privileged] [1 capabilities]
}

blank!(SecurityContext);

/// `io.k8s.api.core.v1.SleepAction`.
#[derive(Clone, Default, PartialEq)]
pub struct SleepAction {
    pub seconds: i64,
}

codec! { SleepAction
    0 "seconds" [1] req seconds .required()
    => [1 seconds]
}

/// `io.k8s.api.core.v1.TCPSocketAction`.
#[derive(Clone, Default, PartialEq)]
pub struct TCPSocketAction {
    pub port: IntOrString,
    pub host: IStr,
}

codec! { TCPSocketAction
    0 "port" [1] req port .required()
    1 "host" [2] opt host
    => [2 host] [1 port]
}

/// `io.k8s.api.core.v1.VolumeDevice`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeDevice {
    pub name: IStr,
    pub device_path: IStr,
}

codec! { VolumeDevice
    0 "name" [1] req name .required()
    1 "devicePath" [2] req device_path .required()
    => [2 device_path] [1 name]
}

/// `io.k8s.api.core.v1.VolumeMount`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeMount {
    pub name: IStr,
    pub read_only: bool,
    pub recursive_read_only: Option<IStr>,
    pub mount_path: IStr,
    pub sub_path: IStr,
    pub mount_propagation: Option<IStr>,
    pub sub_path_expr: IStr,
}

codec! { VolumeMount
    0 "name" [1] req name .required()
    1 "readOnly" [2] opt read_only
    2 "recursiveReadOnly" [7] opt recursive_read_only
    3 "mountPath" [3] req mount_path .required()
    4 "subPath" [4] opt sub_path
    5 "mountPropagation" [5] opt mount_propagation
    6 "subPathExpr" [6] opt sub_path_expr
    => [7 recursive_read_only] [6 sub_path_expr] [5 mount_propagation] [4 sub_path] [3 mount_path]
       [2 read_only] [1 name]
}

blank!(VolumeMount);

/// `io.k8s.api.core.v1.WindowsSecurityContextOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct WindowsSecurityContextOptions {
    pub gmsa_credential_spec_name: Option<IStr>,
    pub gmsa_credential_spec: Option<IStr>,
    pub run_as_user_name: Option<IStr>,
    pub host_process: Option<bool>,
}

codec! { WindowsSecurityContextOptions
    0 "gmsaCredentialSpecName" [1] opt gmsa_credential_spec_name
    1 "gmsaCredentialSpec" [2] opt gmsa_credential_spec
    2 "runAsUserName" [3] opt run_as_user_name
    3 "hostProcess" [4] opt host_process
    => [4 host_process] [3 run_as_user_name] [2 gmsa_credential_spec] [1 gmsa_credential_spec_name]
}
