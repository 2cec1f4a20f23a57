//! `core/v1`: `Pod` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{PodSpec, ResourceRequirements};
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity, Shared, Time, blank};

/// `io.k8s.api.core.v1.Pod`.
#[derive(Clone, Default, PartialEq)]
pub struct Pod {
    pub metadata: ObjectMeta,
    pub spec: PodSpec,
    pub status: PodStatus,
}

codec! { Pod: "v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { Pod "" "v1" "pods" Namespaced, PodStatus }

/// `io.k8s.api.core.v1.ContainerExtendedResourceRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerExtendedResourceRequest {
    pub container_name: IStr,
    pub resource_name: IStr,
    pub request_name: IStr,
}

codec! { ContainerExtendedResourceRequest
    0 "containerName" [1] req container_name .required()
    1 "resourceName" [2] req resource_name .required()
    2 "requestName" [3] req request_name .required()
    => [3 request_name] [2 resource_name] [1 container_name]
}

/// `io.k8s.api.core.v1.ContainerState`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerState {
    pub waiting: Option<Box<ContainerStateWaiting>>,
    pub running: Option<Box<ContainerStateRunning>>,
    pub terminated: Option<Box<ContainerStateTerminated>>,
}

codec! { ContainerState
    0 "waiting" [1] opt waiting
    1 "running" [2] opt running
    2 "terminated" [3] opt terminated
    => [3 terminated] [2 running] [1 waiting]
}

/// `io.k8s.api.core.v1.ContainerStateRunning`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerStateRunning {
    pub started_at: Option<Time>,
}

codec! { ContainerStateRunning
    0 "startedAt" [1; time] opt started_at
    => [1 started_at; time]
}

/// `io.k8s.api.core.v1.ContainerStateTerminated`.
#[derive(Clone, Default, PartialEq)]
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
    0 "exitCode" [1] req exit_code .required()
    1 "signal" [2] opt signal
    2 "reason" [3] opt reason
    3 "message" [4] opt message
    4 "startedAt" [5; time] opt started_at
    5 "finishedAt" [6; time] opt finished_at
    6 "containerID" [7] opt container_id
    => [7 container_id] [6 finished_at; time] [5 started_at; time] [4 message] [3 reason] [2 signal]
       [1 exit_code]
}

/// `io.k8s.api.core.v1.ContainerStateWaiting`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerStateWaiting {
    pub reason: IStr,
    pub message: IStr,
}

codec! { ContainerStateWaiting
    0 "reason" [1] opt reason
    1 "message" [2] opt message
    => [2 message] [1 reason]
}

/// `io.k8s.api.core.v1.ContainerStatus`.
#[derive(Clone, Default, PartialEq)]
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
    pub resources: Option<Shared<ResourceRequirements>>,
    pub volume_mounts: List<Shared<VolumeMountStatus>>,
    pub user: Option<Box<ContainerUser>>,
    pub allocated_resources_status: List<ResourceStatus>,
    pub stop_signal: Option<IStr>,
}

codec! { ContainerStatus
    0 "name" [1] req name .required()
    1 "state" [2] opt state
    2 "lastState" [3] opt last_state
    3 "ready" [4] req ready .required()
    4 "restartCount" [5] req restart_count .required()
    5 "image" [6] req image .required()
    6 "imageID" [7] req image_id .required()
    7 "containerID" [8] unique container_id
    8 "started" [9] opt started
    9 "allocatedResources" [10] same allocated_resources
    10 "resources" [11] opt resources
    11 "volumeMounts" [12] each volume_mounts .list_map(&["mountPath"])
    12 "user" [13] opt user
    13 "allocatedResourcesStatus" [14] opt allocated_resources_status .list_map(&["name"])
    14 "stopSignal" [15] opt stop_signal
    => [15 stop_signal] [14 allocated_resources_status] [13 user] [12 volume_mounts] [11 resources]
       [10 allocated_resources] [9 started] [8 container_id] [7 image_id] [6 image]
       [5 restart_count] [4 ready] [3 last_state] [2 state] [1 name]
}

/// `io.k8s.api.core.v1.ContainerUser`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerUser {
    pub linux: Option<Box<LinuxContainerUser>>,
}

codec! { ContainerUser
    0 "linux" [1] opt linux
    => [1 linux]
}

/// `io.k8s.api.core.v1.HostIP`.
#[derive(Clone, Default, PartialEq)]
pub struct HostIP {
    pub ip: IStr,
}

codec! { HostIP
    0 "ip" [1] req ip .required()
    => [1 ip]
}

/// `io.k8s.api.core.v1.ImageVolumeStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ImageVolumeStatus {
    pub image_ref: IStr,
}

codec! { ImageVolumeStatus
    0 "imageRef" [1] opt image_ref .required()
    => [1 image_ref]
}

/// `io.k8s.api.core.v1.LinuxContainerUser`.
#[derive(Clone, Default, PartialEq)]
pub struct LinuxContainerUser {
    pub uid: i64,
    pub gid: i64,
    pub supplemental_groups: List<i64>,
}

codec! { LinuxContainerUser
    0 "uid" [1] req uid .required()
    1 "gid" [2] req gid .required()
    2 "supplementalGroups" [3] opt supplemental_groups .list_atomic()
    => [3 supplemental_groups] [2 gid] [1 uid]
}

/// `io.k8s.api.core.v1.NodeAllocatableResourceClaimStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeAllocatableResourceClaimStatus {
    pub resource_claim_name: IStr,
    pub containers: List<IStr>,
    pub resources: Map<Quantity>,
}

codec! { NodeAllocatableResourceClaimStatus
    0 "resourceClaimName" [1] req resource_claim_name .required()
    1 "containers" [2] opt containers .list_set()
    2 "resources" [3] opt resources .required()
    => [3 resources] [2 containers] [1 resource_claim_name]
}

/// `io.k8s.api.core.v1.PodCondition`.
#[derive(Clone, Default, PartialEq)]
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
    0 "type" [1] req type_ .required()
    1 "observedGeneration" [7] opt observed_generation
    2 "status" [2] req status .required()
    3 "lastProbeTime" [3; time] opt last_probe_time
    4 "lastTransitionTime" [4; time] opt last_transition_time
    5 "reason" [5] opt reason
    6 "message" [6] opt message
    => [7 observed_generation] [6 message] [5 reason] [4 last_transition_time; time]
       [3 last_probe_time; time] [2 status] [1 type_]
}

/// `io.k8s.api.core.v1.PodExtendedResourceClaimStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PodExtendedResourceClaimStatus {
    pub request_mappings: List<ContainerExtendedResourceRequest>,
    pub resource_claim_name: IStr,
}

codec! { PodExtendedResourceClaimStatus
    0 "requestMappings" [1] opt request_mappings .required() .list_atomic()
    1 "resourceClaimName" [2] req resource_claim_name .required()
    => [2 resource_claim_name] [1 request_mappings]
}

/// `io.k8s.api.core.v1.PodIP`.
#[derive(Clone, Default, PartialEq)]
pub struct PodIP {
    pub ip: IStr,
}

codec! { PodIP
    0 "ip" [1] own ip .required()
    => [1 ip]
}

/// `io.k8s.api.core.v1.PodResourceClaimStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PodResourceClaimStatus {
    pub name: IStr,
    pub resource_claim_name: Option<IStr>,
}

codec! { PodResourceClaimStatus
    0 "name" [1] req name .required()
    1 "resourceClaimName" [2] opt resource_claim_name
    => [2 resource_claim_name] [1 name]
}

/// `io.k8s.api.core.v1.PodStatus`.
#[derive(Clone, Default, PartialEq)]
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
    0 "observedGeneration" [17] opt observed_generation
    1 "phase" [1] opt phase
    2 "conditions" [2] opt conditions .list_map(&["type"])
    3 "message" [3] opt message
    4 "reason" [4] opt reason
    5 "nominatedNodeName" [11] opt nominated_node_name
    6 "hostIP" [5] opt host_ip
    7 "hostIPs" [16] opt host_ips .list_atomic()
    8 "podIP" [6] unique pod_ip
    9 "podIPs" [12] opt pod_ips .list_map(&["ip"])
    10 "startTime" [7] opt start_time
    11 "initContainerStatuses" [10] opt init_container_statuses .list_atomic()
    12 "containerStatuses" [8] opt container_statuses .list_atomic()
    13 "qosClass" [9] opt qos_class
    14 "ephemeralContainerStatuses" [13] opt ephemeral_container_statuses .list_atomic()
    15 "resize" [14] opt resize
    16 "resourceClaimStatuses" [15] opt resource_claim_statuses .list_map(&["name"])
    17 "extendedResourceClaimStatus" [18] opt extended_resource_claim_status
    18 "allocatedResources" [19] opt allocated_resources
    19 "resources" [20] opt resources
    20 "nodeAllocatableResourceClaimStatuses" [21] opt node_allocatable_resource_claim_statuses .list_atomic()
    => [21 node_allocatable_resource_claim_statuses] [20 resources] [19 allocated_resources]
       [18 extended_resource_claim_status] [17 observed_generation] [16 host_ips]
       [15 resource_claim_statuses] [14 resize] [13 ephemeral_container_statuses] [12 pod_ips]
       [11 nominated_node_name] [10 init_container_statuses] [9 qos_class] [8 container_statuses]
       [7 start_time] [6 pod_ip] [5 host_ip] [4 reason] [3 message] [2 conditions] [1 phase]
}

/// `io.k8s.api.core.v1.ResourceHealth`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceHealth {
    pub resource_id: IStr,
    pub health: IStr,
    pub message: Option<IStr>,
}

codec! { ResourceHealth
    0 "resourceID" [1] req resource_id .required()
    1 "health" [2] opt health
    2 "message" [6] opt message
    => [6 message] [2 health] [1 resource_id]
}

/// `io.k8s.api.core.v1.ResourceStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceStatus {
    pub name: IStr,
    pub resources: List<ResourceHealth>,
}

codec! { ResourceStatus
    0 "name" [1] req name .required()
    1 "resources" [2] opt resources .list_map(&["resourceID"])
    => [2 resources] [1 name]
}

/// `io.k8s.api.core.v1.VolumeMountStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeMountStatus {
    pub name: IStr,
    pub mount_path: IStr,
    pub read_only: bool,
    pub recursive_read_only: Option<IStr>,
    pub volume_status: Option<Box<VolumeStatus>>,
}

codec! { VolumeMountStatus
    0 "name" [1] req name .required()
    1 "mountPath" [2] req mount_path .required()
    2 "readOnly" [3] opt read_only
    3 "recursiveReadOnly" [4] opt recursive_read_only
    4 "volumeStatus" [5] opt volume_status
    => [5 volume_status] [4 recursive_read_only] [3 read_only] [2 mount_path] [1 name]
}

blank!(VolumeMountStatus);

/// `io.k8s.api.core.v1.VolumeStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeStatus {
    pub image: Option<Box<ImageVolumeStatus>>,
}

codec! { VolumeStatus
    0 "image" [1] opt image
    => [1 image]
}
