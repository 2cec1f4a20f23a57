//! `resource/v1`: `ResourceClaim` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{DeviceSelector, OpaqueDeviceConfiguration};
use crate::codec::{codec, kind};
use crate::core::v1::NodeSelector;
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{IStr, List, Map, Quantity, Raw, Time};

/// `io.k8s.api.resource.v1.ResourceClaim`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceClaim {
    pub metadata: ObjectMeta,
    pub spec: ResourceClaimSpec,
    pub status: ResourceClaimStatus,
}

codec! { ResourceClaim: "resource.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { ResourceClaim "resource.k8s.io" "v1" "resourceclaims" Namespaced, ResourceClaimStatus }

/// `io.k8s.api.resource.v1.AllocatedDeviceStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct AllocatedDeviceStatus {
    pub driver: IStr,
    pub pool: IStr,
    pub device: IStr,
    pub share_id: Option<IStr>,
    pub conditions: List<Condition>,
    pub data: Option<Raw>,
    pub network_data: Option<Box<NetworkDeviceData>>,
}

codec! { AllocatedDeviceStatus
    0 "driver" [1] req driver .required()
    1 "pool" [2] req pool .required()
    2 "device" [3] req device .required()
    3 "shareID" [7] opt share_id
    4 "conditions" [4] opt conditions .list_map(&["type"])
    5 "data" [5] opt data
    6 "networkData" [6] opt network_data
    => [7 share_id] [6 network_data] [5 data] [4 conditions] [3 device] [2 pool] [1 driver]
}

/// `io.k8s.api.resource.v1.AllocationResult`.
#[derive(Clone, Default, PartialEq)]
pub struct AllocationResult {
    pub devices: DeviceAllocationResult,
    pub node_selector: Option<Box<NodeSelector>>,
    pub allocation_timestamp: Option<Time>,
}

codec! { AllocationResult
    0 "devices" [1] opt devices
    1 "nodeSelector" [3] opt node_selector .map_atomic()
    2 "allocationTimestamp" [5] opt allocation_timestamp
    => [5 allocation_timestamp] [3 node_selector] [1 devices]
}

/// `io.k8s.api.resource.v1.CapacityRequirements`.
#[derive(Clone, Default, PartialEq)]
pub struct CapacityRequirements {
    pub requests: Map<Quantity>,
}

codec! { CapacityRequirements
    0 "requests" [1] opt requests
    => [1 requests]
}

/// `io.k8s.api.resource.v1.DeviceAllocationConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceAllocationConfiguration {
    pub source: IStr,
    pub requests: List<IStr>,
    pub opaque: Option<Box<OpaqueDeviceConfiguration>>,
}

codec! { DeviceAllocationConfiguration
    0 "source" [1] req source .required()
    1 "requests" [2] opt requests .list_atomic()
    2 "opaque" [3 1] opt opaque
    => (3 [1 opaque]) [2 requests] [1 source]
}

/// `io.k8s.api.resource.v1.DeviceAllocationResult`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceAllocationResult {
    pub results: List<DeviceRequestAllocationResult>,
    pub config: List<DeviceAllocationConfiguration>,
}

codec! { DeviceAllocationResult
    0 "results" [1] opt results .list_atomic()
    1 "config" [2] opt config .list_atomic()
    => [2 config] [1 results]
}

/// `io.k8s.api.resource.v1.DeviceClaim`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceClaim {
    pub requests: List<DeviceRequest>,
    pub constraints: List<DeviceConstraint>,
    pub config: List<DeviceClaimConfiguration>,
}

codec! { DeviceClaim
    0 "requests" [1] opt requests .list_atomic()
    1 "constraints" [2] opt constraints .list_atomic()
    2 "config" [3] opt config .list_atomic()
    => [3 config] [2 constraints] [1 requests]
}

/// `io.k8s.api.resource.v1.DeviceClaimConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceClaimConfiguration {
    pub requests: List<IStr>,
    pub opaque: Option<Box<OpaqueDeviceConfiguration>>,
}

codec! { DeviceClaimConfiguration
    0 "requests" [1] opt requests .list_atomic()
    1 "opaque" [2 1] opt opaque
    => (2 [1 opaque]) [1 requests]
}

/// `io.k8s.api.resource.v1.DeviceConstraint`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceConstraint {
    pub requests: List<IStr>,
    pub match_attribute: Option<IStr>,
    pub distinct_attribute: Option<IStr>,
}

codec! { DeviceConstraint
    0 "requests" [1] opt requests .list_atomic()
    1 "matchAttribute" [2] opt match_attribute
    2 "distinctAttribute" [3] opt distinct_attribute
    => [3 distinct_attribute] [2 match_attribute] [1 requests]
}

/// `io.k8s.api.resource.v1.DeviceRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceRequest {
    pub name: IStr,
    pub exactly: Option<Box<ExactDeviceRequest>>,
    pub first_available: List<DeviceSubRequest>,
}

codec! { DeviceRequest
    0 "name" [1] req name .required()
    1 "exactly" [2] opt exactly
    2 "firstAvailable" [3] opt first_available .list_atomic()
    => [3 first_available] [2 exactly] [1 name]
}

/// `io.k8s.api.resource.v1.DeviceRequestAllocationResult`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceRequestAllocationResult {
    pub request: IStr,
    pub driver: IStr,
    pub pool: IStr,
    pub device: IStr,
    pub admin_access: Option<bool>,
    pub tolerations: List<DeviceToleration>,
    pub binding_conditions: List<IStr>,
    pub binding_failure_conditions: List<IStr>,
    pub share_id: Option<IStr>,
    pub consumed_capacity: Map<Quantity>,
}

codec! { DeviceRequestAllocationResult
    0 "request" [1] req request .required()
    1 "driver" [2] req driver .required()
    2 "pool" [3] req pool .required()
    3 "device" [4] req device .required()
    4 "adminAccess" [5] opt admin_access
    5 "tolerations" [6] opt tolerations .list_atomic()
    6 "bindingConditions" [7] opt binding_conditions .list_atomic()
    7 "bindingFailureConditions" [8] opt binding_failure_conditions .list_atomic()
    8 "shareID" [9] opt share_id
    9 "consumedCapacity" [10] opt consumed_capacity
    => [10 consumed_capacity] [9 share_id] [8 binding_failure_conditions] [7 binding_conditions]
       [6 tolerations] [5 admin_access] [4 device] [3 pool] [2 driver] [1 request]
}

/// `io.k8s.api.resource.v1.DeviceSubRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceSubRequest {
    pub name: IStr,
    pub device_class_name: IStr,
    pub selectors: List<DeviceSelector>,
    pub allocation_mode: IStr,
    pub count: i64,
    pub tolerations: List<DeviceToleration>,
    pub capacity: Option<Box<CapacityRequirements>>,
}

codec! { DeviceSubRequest
    0 "name" [1] req name .required()
    1 "deviceClassName" [2] req device_class_name .required()
    2 "selectors" [3] opt selectors .list_atomic()
    3 "allocationMode" [4] opt allocation_mode
    4 "count" [5] opt count
    5 "tolerations" [6] opt tolerations .list_atomic()
    6 "capacity" [7] opt capacity
    => [7 capacity] [6 tolerations] [5 count] [4 allocation_mode] [3 selectors]
       [2 device_class_name] [1 name]
}

/// `io.k8s.api.resource.v1.DeviceToleration`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceToleration {
    pub key: IStr,
    pub operator: IStr,
    pub value: IStr,
    pub effect: IStr,
    pub toleration_seconds: Option<i64>,
}

codec! { DeviceToleration
    0 "key" [1] opt key
    1 "operator" [2] opt operator .default_json("\"Equal\"")
    2 "value" [3] opt value
    3 "effect" [4] opt effect
    4 "tolerationSeconds" [5] opt toleration_seconds
    => [5 toleration_seconds] [4 effect] [3 value] [2 operator] [1 key]
}

/// `io.k8s.api.resource.v1.ExactDeviceRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct ExactDeviceRequest {
    pub device_class_name: IStr,
    pub selectors: List<DeviceSelector>,
    pub allocation_mode: IStr,
    pub count: i64,
    pub admin_access: Option<bool>,
    pub tolerations: List<DeviceToleration>,
    pub capacity: Option<Box<CapacityRequirements>>,
}

codec! { ExactDeviceRequest
    0 "deviceClassName" [1] req device_class_name .required()
    1 "selectors" [2] opt selectors .list_atomic()
    2 "allocationMode" [3] opt allocation_mode
    3 "count" [4] opt count
    4 "adminAccess" [5] opt admin_access
    5 "tolerations" [6] opt tolerations .list_atomic()
    6 "capacity" [7] opt capacity
    => [7 capacity] [6 tolerations] [5 admin_access] [4 count] [3 allocation_mode] [2 selectors]
       [1 device_class_name]
}

/// `io.k8s.api.resource.v1.NetworkDeviceData`.
#[derive(Clone, Default, PartialEq)]
pub struct NetworkDeviceData {
    pub interface_name: IStr,
    pub ips: List<IStr>,
    pub hardware_address: IStr,
}

codec! { NetworkDeviceData
    0 "interfaceName" [1] opt interface_name
    1 "ips" [2] opt ips .list_atomic()
    2 "hardwareAddress" [3] opt hardware_address
    => [3 hardware_address] [2 ips] [1 interface_name]
}

/// `io.k8s.api.resource.v1.ResourceClaimConsumerReference`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceClaimConsumerReference {
    pub api_group: IStr,
    pub resource: IStr,
    pub name: IStr,
    pub uid: IStr,
}

codec! { ResourceClaimConsumerReference
    0 "apiGroup" [1] opt api_group
    1 "resource" [3] req resource .required()
    2 "name" [4] req name .required()
    3 "uid" [5] req uid .required()
    => [5 uid] [4 name] [3 resource] [1 api_group]
}

/// `io.k8s.api.resource.v1.ResourceClaimSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceClaimSpec {
    pub devices: DeviceClaim,
}

codec! { ResourceClaimSpec
    0 "devices" [1] opt devices
    => [1 devices]
}

/// `io.k8s.api.resource.v1.ResourceClaimStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceClaimStatus {
    pub allocation: Option<Box<AllocationResult>>,
    pub reserved_for: List<ResourceClaimConsumerReference>,
    pub devices: List<AllocatedDeviceStatus>,
}

codec! { ResourceClaimStatus
    0 "allocation" [1] opt allocation
    1 "reservedFor" [2] opt reserved_for .list_map(&["uid"])
    2 "devices" [4] opt devices .list_map(&["driver", "device", "pool", "shareID"])
    => [4 devices] [2 reserved_for] [1 allocation]
}
