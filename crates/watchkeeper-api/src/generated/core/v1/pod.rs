//! `core/v1`: `Pod` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{PodSpec, ResourceRequirements};
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity, Time};

/// `io.k8s.api.core.v1.Pod`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pod {
    pub metadata: ObjectMeta,
    pub spec: PodSpec,
    pub status: PodStatus,
}

codec! { Pod: "v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! { Pod "" "v1" "pods" Namespaced, PodStatus }

/// `io.k8s.api.core.v1.ContainerExtendedResourceRequest`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainerExtendedResourceRequest {
    pub container_name: IStr,
    pub resource_name: IStr,
    pub request_name: IStr,
}

codec! { ContainerExtendedResourceRequest
    0 "containerName" req container_name .required()
    1 "resourceName" req resource_name .required()
    2 "requestName" req request_name .required()
}

/// `io.k8s.api.core.v1.ContainerState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainerState {
    pub waiting: Option<Box<ContainerStateWaiting>>,
    pub running: Option<Box<ContainerStateRunning>>,
    pub terminated: Option<Box<ContainerStateTerminated>>,
}

codec! { ContainerState
    0 "waiting" opt waiting
    1 "running" opt running
    2 "terminated" opt terminated
}

/// `io.k8s.api.core.v1.ContainerStateRunning`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainerStateRunning {
    pub started_at: Option<Time>,
}

codec! { ContainerStateRunning
    0 "startedAt" opt started_at
}

/// `io.k8s.api.core.v1.ContainerStateTerminated`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainerStateTerminated {
    pub exit_code: i32,
    pub signal: i32,
    pub reason: IStr,
    pub message: IStr,
    pub started_at: Option<Time>,
    pub finished_at: Option<Time>,
    pub container_id: IStr,
}

codec! { ContainerStateTerminated
    0 "exitCode" req exit_code .required()
    1 "signal" opt signal
    2 "reason" opt reason
    3 "message" opt message
    4 "startedAt" opt started_at
    5 "finishedAt" opt finished_at
    6 "containerID" opt container_id
}

/// `io.k8s.api.core.v1.ContainerStateWaiting`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainerStateWaiting {
    pub reason: IStr,
    pub message: IStr,
}

codec! { ContainerStateWaiting
    0 "reason" opt reason
    1 "message" opt message
}

/// `io.k8s.api.core.v1.ContainerStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainerStatus {
    pub name: IStr,
    pub state: ContainerState,
    pub last_state: ContainerState,
    pub ready: bool,
    pub restart_count: i32,
    pub image: IStr,
    pub image_id: IStr,
    pub container_id: IStr,
    pub started: Option<bool>,
    pub allocated_resources: Map<Quantity>,
    pub resources: Option<Box<ResourceRequirements>>,
    pub volume_mounts: List<VolumeMountStatus>,
    pub user: Option<Box<ContainerUser>>,
    pub allocated_resources_status: List<ResourceStatus>,
    pub stop_signal: Option<IStr>,
}

codec! { ContainerStatus
    0 "name" req name .required()
    1 "state" opt state
    2 "lastState" opt last_state
    3 "ready" req ready .required()
    4 "restartCount" req restart_count .required()
    5 "image" req image .required()
    6 "imageID" req image_id .required()
    7 "containerID" unique container_id
    8 "started" opt started
    9 "allocatedResources" opt allocated_resources
    10 "resources" opt resources
    11 "volumeMounts" opt volume_mounts .list_map(&["mountPath"])
    12 "user" opt user
    13 "allocatedResourcesStatus" opt allocated_resources_status .list_map(&["name"])
    14 "stopSignal" opt stop_signal
}

/// `io.k8s.api.core.v1.ContainerUser`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainerUser {
    pub linux: Option<Box<LinuxContainerUser>>,
}

codec! { ContainerUser
    0 "linux" opt linux
}

/// `io.k8s.api.core.v1.HostIP`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostIP {
    pub ip: IStr,
}

codec! { HostIP
    0 "ip" req ip .required()
}

/// `io.k8s.api.core.v1.ImageVolumeStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageVolumeStatus {
    pub image_ref: IStr,
}

codec! { ImageVolumeStatus
    0 "imageRef" opt image_ref .required()
}

/// `io.k8s.api.core.v1.LinuxContainerUser`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinuxContainerUser {
    pub uid: i64,
    pub gid: i64,
    pub supplemental_groups: List<i64>,
}

codec! { LinuxContainerUser
    0 "uid" req uid .required()
    1 "gid" req gid .required()
    2 "supplementalGroups" opt supplemental_groups .list_atomic()
}

/// `io.k8s.api.core.v1.NodeAllocatableResourceClaimStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeAllocatableResourceClaimStatus {
    pub resource_claim_name: IStr,
    pub containers: List<IStr>,
    pub resources: Map<Quantity>,
}

codec! { NodeAllocatableResourceClaimStatus
    0 "resourceClaimName" req resource_claim_name .required()
    1 "containers" opt containers .list_set()
    2 "resources" opt resources .required()
}

/// `io.k8s.api.core.v1.PodCondition`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodCondition {
    pub type_: IStr,
    pub observed_generation: i64,
    pub status: IStr,
    pub last_probe_time: Option<Time>,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { PodCondition
    0 "type" req type_ .required()
    1 "observedGeneration" opt observed_generation
    2 "status" req status .required()
    3 "lastProbeTime" opt last_probe_time
    4 "lastTransitionTime" opt last_transition_time
    5 "reason" opt reason
    6 "message" opt message
}

/// `io.k8s.api.core.v1.PodExtendedResourceClaimStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodExtendedResourceClaimStatus {
    pub request_mappings: List<ContainerExtendedResourceRequest>,
    pub resource_claim_name: IStr,
}

codec! { PodExtendedResourceClaimStatus
    0 "requestMappings" opt request_mappings .required() .list_atomic()
    1 "resourceClaimName" req resource_claim_name .required()
}

/// `io.k8s.api.core.v1.PodIP`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodIP {
    pub ip: IStr,
}

codec! { PodIP
    0 "ip" req ip .required()
}

/// `io.k8s.api.core.v1.PodResourceClaimStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodResourceClaimStatus {
    pub name: IStr,
    pub resource_claim_name: Option<IStr>,
}

codec! { PodResourceClaimStatus
    0 "name" req name .required()
    1 "resourceClaimName" opt resource_claim_name
}

/// `io.k8s.api.core.v1.PodStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodStatus {
    pub observed_generation: i64,
    pub phase: IStr,
    pub conditions: List<PodCondition>,
    pub message: IStr,
    pub reason: IStr,
    pub nominated_node_name: IStr,
    pub host_ip: IStr,
    pub host_ips: List<HostIP>,
    pub pod_ip: IStr,
    pub pod_ips: List<PodIP>,
    pub start_time: Option<Time>,
    pub init_container_statuses: List<ContainerStatus>,
    pub container_statuses: List<ContainerStatus>,
    pub qos_class: IStr,
    pub ephemeral_container_statuses: List<ContainerStatus>,
    pub resize: IStr,
    pub resource_claim_statuses: List<PodResourceClaimStatus>,
    pub extended_resource_claim_status: Option<Box<PodExtendedResourceClaimStatus>>,
    pub allocated_resources: Map<Quantity>,
    pub resources: Option<Box<ResourceRequirements>>,
    pub node_allocatable_resource_claim_statuses: List<NodeAllocatableResourceClaimStatus>,
}

codec! { PodStatus
    0 "observedGeneration" opt observed_generation
    1 "phase" opt phase
    2 "conditions" opt conditions .list_map(&["type"])
    3 "message" opt message
    4 "reason" opt reason
    5 "nominatedNodeName" opt nominated_node_name
    6 "hostIP" opt host_ip
    7 "hostIPs" opt host_ips .list_atomic()
    8 "podIP" opt pod_ip
    9 "podIPs" opt pod_ips .list_map(&["ip"])
    10 "startTime" opt start_time
    11 "initContainerStatuses" opt init_container_statuses .list_atomic()
    12 "containerStatuses" opt container_statuses .list_atomic()
    13 "qosClass" opt qos_class
    14 "ephemeralContainerStatuses" opt ephemeral_container_statuses .list_atomic()
    15 "resize" opt resize
    16 "resourceClaimStatuses" opt resource_claim_statuses .list_map(&["name"])
    17 "extendedResourceClaimStatus" opt extended_resource_claim_status
    18 "allocatedResources" opt allocated_resources
    19 "resources" opt resources
    20 "nodeAllocatableResourceClaimStatuses" opt node_allocatable_resource_claim_statuses .list_atomic()
}

/// `io.k8s.api.core.v1.ResourceHealth`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceHealth {
    pub resource_id: IStr,
    pub health: IStr,
    pub message: Option<IStr>,
}

codec! { ResourceHealth
    0 "resourceID" req resource_id .required()
    1 "health" opt health
    2 "message" opt message
}

/// `io.k8s.api.core.v1.ResourceStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceStatus {
    pub name: IStr,
    pub resources: List<ResourceHealth>,
}

codec! { ResourceStatus
    0 "name" req name .required()
    1 "resources" opt resources .list_map(&["resourceID"])
}

/// `io.k8s.api.core.v1.VolumeMountStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeMountStatus {
    pub name: IStr,
    pub mount_path: IStr,
    pub read_only: bool,
    pub recursive_read_only: Option<IStr>,
    pub volume_status: Option<Box<VolumeStatus>>,
}

codec! { VolumeMountStatus
    0 "name" req name .required()
    1 "mountPath" req mount_path .required()
    2 "readOnly" opt read_only
    3 "recursiveReadOnly" opt recursive_read_only
    4 "volumeStatus" opt volume_status
}

/// `io.k8s.api.core.v1.VolumeStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeStatus {
    pub image: Option<Box<ImageVolumeStatus>>,
}

codec! { VolumeStatus
    0 "image" opt image
}
