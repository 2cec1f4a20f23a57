//! `core/v1`: `Node` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity, Time};

/// `io.k8s.api.core.v1.Node`.
#[derive(Clone, Default, PartialEq)]
pub struct Node {
    pub metadata: ObjectMeta,
    pub spec: NodeSpec,
    pub status: NodeStatus,
}

codec! { Node: "v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { Node "" "v1" "nodes" Cluster, NodeStatus }

/// `io.k8s.api.core.v1.AttachedVolume`.
#[derive(Clone, Default, PartialEq)]
pub struct AttachedVolume {
    pub name: IStr,
    pub device_path: IStr,
}

codec! { AttachedVolume
    0 "name" [1] req name .required()
    1 "devicePath" [2] req device_path .required()
    => [2 device_path] [1 name]
}

/// `io.k8s.api.core.v1.ConfigMapNodeConfigSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ConfigMapNodeConfigSource {
    pub namespace: IStr,
    pub name: IStr,
    pub uid: IStr,
    pub resource_version: IStr,
    pub kubelet_config_key: IStr,
}

codec! { ConfigMapNodeConfigSource
    0 "namespace" [1] req namespace .required()
    1 "name" [2] req name .required()
    2 "uid" [3] opt uid
    3 "resourceVersion" [4] opt resource_version
    4 "kubeletConfigKey" [5] req kubelet_config_key .required()
    => [5 kubelet_config_key] [4 resource_version] [3 uid] [2 name] [1 namespace]
}

/// `io.k8s.api.core.v1.ContainerImage`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerImage {
    pub names: List<IStr>,
    pub size_bytes: i64,
}

codec! { ContainerImage
    0 "names" [1] opt names .list_atomic()
    1 "sizeBytes" [2] opt size_bytes
    => [2 size_bytes] [1 names]
}

/// `io.k8s.api.core.v1.DaemonEndpoint`.
#[derive(Clone, Default, PartialEq)]
pub struct DaemonEndpoint {
    pub port: i32,
}

codec! { DaemonEndpoint
    0 "Port" [1] req port .required()
    => [1 port]
}

/// `io.k8s.api.core.v1.NodeAddress`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeAddress {
    pub type_: IStr,
    pub address: IStr,
}

codec! { NodeAddress
    0 "type" [1] req type_ .required()
    1 "address" [2] req address .required()
    => [2 address] [1 type_]
}

/// `io.k8s.api.core.v1.NodeCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_heartbeat_time: Option<Time>,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { NodeCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastHeartbeatTime" [3; time] opt last_heartbeat_time
    3 "lastTransitionTime" [4; time] opt last_transition_time
    4 "reason" [5] opt reason
    5 "message" [6] opt message
    => [6 message] [5 reason] [4 last_transition_time; time] [3 last_heartbeat_time; time]
       [2 status] [1 type_]
}

/// `io.k8s.api.core.v1.NodeConfigSource`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeConfigSource {
    pub config_map: Option<Box<ConfigMapNodeConfigSource>>,
}

codec! { NodeConfigSource
    0 "configMap" [2] opt config_map
    => [2 config_map]
}

/// `io.k8s.api.core.v1.NodeConfigStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeConfigStatus {
    pub assigned: Option<Box<NodeConfigSource>>,
    pub active: Option<Box<NodeConfigSource>>,
    pub last_known_good: Option<Box<NodeConfigSource>>,
    pub error: IStr,
}

codec! { NodeConfigStatus
    0 "assigned" [1] opt assigned
    1 "active" [2] opt active
    2 "lastKnownGood" [3] opt last_known_good
    3 "error" [4] opt error
    => [4 error] [3 last_known_good] [2 active] [1 assigned]
}

/// `io.k8s.api.core.v1.NodeDaemonEndpoints`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeDaemonEndpoints {
    pub kubelet_endpoint: DaemonEndpoint,
}

codec! { NodeDaemonEndpoints
    0 "kubeletEndpoint" [1] opt kubelet_endpoint
    => [1 kubelet_endpoint]
}

/// `io.k8s.api.core.v1.NodeFeatures`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeFeatures {
    pub supplemental_groups_policy: Option<bool>,
}

codec! { NodeFeatures
    0 "supplementalGroupsPolicy" [1] opt supplemental_groups_policy
    => [1 supplemental_groups_policy]
}

/// `io.k8s.api.core.v1.NodeRuntimeHandler`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeRuntimeHandler {
    pub name: IStr,
    pub features: Option<Box<NodeRuntimeHandlerFeatures>>,
}

codec! { NodeRuntimeHandler
    0 "name" [1] req name
    1 "features" [2] opt features
    => [2 features] [1 name]
}

/// `io.k8s.api.core.v1.NodeRuntimeHandlerFeatures`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeRuntimeHandlerFeatures {
    pub recursive_read_only_mounts: Option<bool>,
    pub user_namespaces: Option<bool>,
}

codec! { NodeRuntimeHandlerFeatures
    0 "recursiveReadOnlyMounts" [1] opt recursive_read_only_mounts
    1 "userNamespaces" [2] opt user_namespaces
    => [2 user_namespaces] [1 recursive_read_only_mounts]
}

/// `io.k8s.api.core.v1.NodeSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeSpec {
    pub pod_cidr: IStr,
    pub pod_cidrs: List<IStr>,
    pub provider_id: IStr,
    pub unschedulable: bool,
    pub taints: List<Taint>,
    pub config_source: Option<Box<NodeConfigSource>>,
    pub external_id: IStr,
}

codec! { NodeSpec
    0 "podCIDR" [1] opt pod_cidr
    1 "podCIDRs" [7] opt pod_cidrs .list_set()
    2 "providerID" [3] opt provider_id
    3 "unschedulable" [4] opt unschedulable
    4 "taints" [5] opt taints .list_atomic()
    5 "configSource" [6] opt config_source
    6 "externalID" [2] opt external_id
    => [7 pod_cidrs] [6 config_source] [5 taints] [4 unschedulable] [3 provider_id] [2 external_id]
       [1 pod_cidr]
}

/// `io.k8s.api.core.v1.NodeStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeStatus {
    pub capacity: Map<Quantity>,
    pub allocatable: Map<Quantity>,
    pub phase: IStr,
    pub conditions: List<NodeCondition>,
    pub addresses: List<NodeAddress>,
    pub daemon_endpoints: NodeDaemonEndpoints,
    pub node_info: NodeSystemInfo,
    pub images: List<ContainerImage>,
    pub volumes_in_use: List<IStr>,
    pub volumes_attached: List<AttachedVolume>,
    pub config: Option<Box<NodeConfigStatus>>,
    pub runtime_handlers: List<NodeRuntimeHandler>,
    pub features: Option<Box<NodeFeatures>>,
    pub declared_features: List<IStr>,
}

codec! { NodeStatus
    0 "capacity" [1] opt capacity
    1 "allocatable" [2] opt allocatable
    2 "phase" [3] opt phase
    3 "conditions" [4] opt conditions .list_map(&["type"])
    4 "addresses" [5] opt addresses .list_map(&["type"])
    5 "daemonEndpoints" [6] opt daemon_endpoints
    6 "nodeInfo" [7] opt node_info
    7 "images" [8] opt images .list_atomic()
    8 "volumesInUse" [9] opt volumes_in_use .list_atomic()
    9 "volumesAttached" [10] opt volumes_attached .list_atomic()
    10 "config" [11] opt config
    11 "runtimeHandlers" [12] opt runtime_handlers .list_atomic()
    12 "features" [13] opt features
    13 "declaredFeatures" [14] opt declared_features .list_atomic()
    => [14 declared_features] [13 features] [12 runtime_handlers] [11 config] [10 volumes_attached]
       [9 volumes_in_use] [8 images] [7 node_info] [6 daemon_endpoints] [5 addresses] [4 conditions]
       [3 phase] [2 allocatable] [1 capacity]
}

/// `io.k8s.api.core.v1.NodeSwapStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeSwapStatus {
    pub capacity: Option<i64>,
}

codec! { NodeSwapStatus
    0 "capacity" [1] opt capacity
    => [1 capacity]
}

/// `io.k8s.api.core.v1.NodeSystemInfo`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeSystemInfo {
    pub machine_id: IStr,
    pub system_uuid: IStr,
    pub boot_id: IStr,
    pub kernel_version: IStr,
    pub os_image: IStr,
    pub container_runtime_version: IStr,
    pub kubelet_version: IStr,
    pub kube_proxy_version: IStr,
    pub operating_system: IStr,
    pub architecture: IStr,
    pub swap: Option<Box<NodeSwapStatus>>,
}

codec! { NodeSystemInfo
    0 "machineID" [1] req machine_id .required()
    1 "systemUUID" [2] req system_uuid .required()
    2 "bootID" [3] req boot_id .required()
    3 "kernelVersion" [4] req kernel_version .required()
    4 "osImage" [5] req os_image .required()
    5 "containerRuntimeVersion" [6] req container_runtime_version .required()
    6 "kubeletVersion" [7] req kubelet_version .required()
    7 "kubeProxyVersion" [8] req kube_proxy_version .required()
    8 "operatingSystem" [9] req operating_system .required()
    9 "architecture" [10] req architecture .required()
    10 "swap" [11] opt swap
    => [11 swap] [10 architecture] [9 operating_system] [8 kube_proxy_version] [7 kubelet_version]
       [6 container_runtime_version] [5 os_image] [4 kernel_version] [3 boot_id] [2 system_uuid]
       [1 machine_id]
}

/// `io.k8s.api.core.v1.Taint`.
#[derive(Clone, Default, PartialEq)]
pub struct Taint {
    pub key: IStr,
    pub value: IStr,
    pub effect: IStr,
    pub time_added: Option<Time>,
}

codec! { Taint
    0 "key" [1] req key .required()
    1 "value" [2] opt value
    2 "effect" [3] req effect .required()
    3 "timeAdded" [4] opt time_added
    => [4 time_added] [3 effect] [2 value] [1 key]
}
