//! `core/v1`: `Node` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity, Time};

/// `io.k8s.api.core.v1.Node`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    pub metadata: ObjectMeta,
    pub spec: NodeSpec,
    pub status: NodeStatus,
}

codec! { Node: "v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! { Node "" "v1" "nodes" Cluster, NodeStatus }

/// `io.k8s.api.core.v1.AttachedVolume`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttachedVolume {
    pub name: IStr,
    pub device_path: IStr,
}

codec! { AttachedVolume
    0 "name" req name .required()
    1 "devicePath" req device_path .required()
}

/// `io.k8s.api.core.v1.ConfigMapNodeConfigSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigMapNodeConfigSource {
    pub namespace: IStr,
    pub name: IStr,
    pub uid: IStr,
    pub resource_version: IStr,
    pub kubelet_config_key: IStr,
}

codec! { ConfigMapNodeConfigSource
    0 "namespace" req namespace .required()
    1 "name" req name .required()
    2 "uid" opt uid
    3 "resourceVersion" opt resource_version
    4 "kubeletConfigKey" req kubelet_config_key .required()
}

/// `io.k8s.api.core.v1.ContainerImage`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainerImage {
    pub names: List<IStr>,
    pub size_bytes: i64,
}

codec! { ContainerImage
    0 "names" opt names .list_atomic()
    1 "sizeBytes" opt size_bytes
}

/// `io.k8s.api.core.v1.DaemonEndpoint`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DaemonEndpoint {
    pub port: i32,
}

codec! { DaemonEndpoint
    0 "Port" req port .required()
}

/// `io.k8s.api.core.v1.NodeAddress`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeAddress {
    pub type_: IStr,
    pub address: IStr,
}

codec! { NodeAddress
    0 "type" req type_ .required()
    1 "address" req address .required()
}

/// `io.k8s.api.core.v1.NodeCondition`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_heartbeat_time: Option<Time>,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { NodeCondition
    0 "type" req type_ .required()
    1 "status" req status .required()
    2 "lastHeartbeatTime" opt last_heartbeat_time
    3 "lastTransitionTime" opt last_transition_time
    4 "reason" opt reason
    5 "message" opt message
}

/// `io.k8s.api.core.v1.NodeConfigSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeConfigSource {
    pub config_map: Option<Box<ConfigMapNodeConfigSource>>,
}

codec! { NodeConfigSource
    0 "configMap" opt config_map
}

/// `io.k8s.api.core.v1.NodeConfigStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeConfigStatus {
    pub assigned: Option<Box<NodeConfigSource>>,
    pub active: Option<Box<NodeConfigSource>>,
    pub last_known_good: Option<Box<NodeConfigSource>>,
    pub error: IStr,
}

codec! { NodeConfigStatus
    0 "assigned" opt assigned
    1 "active" opt active
    2 "lastKnownGood" opt last_known_good
    3 "error" opt error
}

/// `io.k8s.api.core.v1.NodeDaemonEndpoints`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeDaemonEndpoints {
    pub kubelet_endpoint: DaemonEndpoint,
}

codec! { NodeDaemonEndpoints
    0 "kubeletEndpoint" opt kubelet_endpoint
}

/// `io.k8s.api.core.v1.NodeFeatures`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeFeatures {
    pub supplemental_groups_policy: Option<bool>,
}

codec! { NodeFeatures
    0 "supplementalGroupsPolicy" opt supplemental_groups_policy
}

/// `io.k8s.api.core.v1.NodeRuntimeHandler`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeRuntimeHandler {
    pub name: IStr,
    pub features: Option<Box<NodeRuntimeHandlerFeatures>>,
}

codec! { NodeRuntimeHandler
    0 "name" req name
    1 "features" opt features
}

/// `io.k8s.api.core.v1.NodeRuntimeHandlerFeatures`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeRuntimeHandlerFeatures {
    pub recursive_read_only_mounts: Option<bool>,
    pub user_namespaces: Option<bool>,
}

codec! { NodeRuntimeHandlerFeatures
    0 "recursiveReadOnlyMounts" opt recursive_read_only_mounts
    1 "userNamespaces" opt user_namespaces
}

/// `io.k8s.api.core.v1.NodeSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "podCIDR" opt pod_cidr
    1 "podCIDRs" opt pod_cidrs .list_set()
    2 "providerID" opt provider_id
    3 "unschedulable" opt unschedulable
    4 "taints" opt taints .list_atomic()
    5 "configSource" opt config_source
    6 "externalID" opt external_id
}

/// `io.k8s.api.core.v1.NodeStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "capacity" opt capacity
    1 "allocatable" opt allocatable
    2 "phase" opt phase
    3 "conditions" opt conditions .list_map(&["type"])
    4 "addresses" opt addresses .list_map(&["type"])
    5 "daemonEndpoints" opt daemon_endpoints
    6 "nodeInfo" opt node_info
    7 "images" opt images .list_atomic()
    8 "volumesInUse" opt volumes_in_use .list_atomic()
    9 "volumesAttached" opt volumes_attached .list_atomic()
    10 "config" opt config
    11 "runtimeHandlers" opt runtime_handlers .list_atomic()
    12 "features" opt features
    13 "declaredFeatures" opt declared_features .list_atomic()
}

/// `io.k8s.api.core.v1.NodeSwapStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeSwapStatus {
    pub capacity: Option<i64>,
}

codec! { NodeSwapStatus
    0 "capacity" opt capacity
}

/// `io.k8s.api.core.v1.NodeSystemInfo`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "machineID" req machine_id .required()
    1 "systemUUID" req system_uuid .required()
    2 "bootID" req boot_id .required()
    3 "kernelVersion" req kernel_version .required()
    4 "osImage" req os_image .required()
    5 "containerRuntimeVersion" req container_runtime_version .required()
    6 "kubeletVersion" req kubelet_version .required()
    7 "kubeProxyVersion" req kube_proxy_version .required()
    8 "operatingSystem" req operating_system .required()
    9 "architecture" req architecture .required()
    10 "swap" opt swap
}

/// `io.k8s.api.core.v1.Taint`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taint {
    pub key: IStr,
    pub value: IStr,
    pub effect: IStr,
    pub time_added: Option<Time>,
}

codec! { Taint
    0 "key" req key .required()
    1 "value" opt value
    2 "effect" req effect .required()
    3 "timeAdded" opt time_added
}
