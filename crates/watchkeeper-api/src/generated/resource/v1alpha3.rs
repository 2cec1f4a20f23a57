//! `resource/v1alpha3`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{IStr, List, Time};

/// `io.k8s.api.resource.v1alpha3.DeviceTaintRule`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceTaintRule {
    pub metadata: ObjectMeta,
    pub spec: DeviceTaintRuleSpec,
    pub status: DeviceTaintRuleStatus,
}

codec! { DeviceTaintRule: "resource.k8s.io/v1alpha3"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    DeviceTaintRule "resource.k8s.io" "v1alpha3" "devicetaintrules" Cluster, DeviceTaintRuleStatus
}

/// `io.k8s.api.resource.v1alpha3.DeviceTaint`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceTaint {
    pub key: IStr,
    pub value: IStr,
    pub effect: IStr,
    pub time_added: Option<Time>,
}

codec! { DeviceTaint
    0 "key" [1] req key .required()
    1 "value" [2] opt value
    2 "effect" [3] req effect .required()
    3 "timeAdded" [4] opt time_added
    => [4 time_added] [3 effect] [2 value] [1 key]
}

/// `io.k8s.api.resource.v1alpha3.DeviceTaintRuleSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceTaintRuleSpec {
    pub device_selector: Option<Box<DeviceTaintSelector>>,
    pub taint: DeviceTaint,
}

codec! { DeviceTaintRuleSpec
    0 "deviceSelector" [1] opt device_selector
    1 "taint" [2] opt taint .required()
    => [2 taint] [1 device_selector]
}

/// `io.k8s.api.resource.v1alpha3.DeviceTaintRuleStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceTaintRuleStatus {
    pub conditions: List<Condition>,
}

codec! { DeviceTaintRuleStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    => [1 conditions]
}

/// `io.k8s.api.resource.v1alpha3.DeviceTaintSelector`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceTaintSelector {
    pub driver: Option<IStr>,
    pub pool: Option<IStr>,
    pub device: Option<IStr>,
}

codec! { DeviceTaintSelector
    0 "driver" [2] opt driver
    1 "pool" [3] opt pool
    2 "device" [4] opt device
    => [4 device] [3 pool] [2 driver]
}

/// `io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourcePoolStatusRequest {
    pub metadata: ObjectMeta,
    pub spec: ResourcePoolStatusRequestSpec,
    pub status: Option<Box<ResourcePoolStatusRequestStatus>>,
}

codec! { ResourcePoolStatusRequest: "resource.k8s.io/v1alpha3"
    2 "metadata" [1] opt metadata .required()
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    ResourcePoolStatusRequest "resource.k8s.io" "v1alpha3" "resourcepoolstatusrequests" Cluster, Option<Box<ResourcePoolStatusRequestStatus>>
}

/// `io.k8s.api.resource.v1alpha3.PoolStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PoolStatus {
    pub driver: IStr,
    pub pool_name: IStr,
    pub generation: i64,
    pub resource_slice_count: Option<i32>,
    pub total_devices: Option<i32>,
    pub allocated_devices: Option<i32>,
    pub available_devices: Option<i32>,
    pub unavailable_devices: Option<i32>,
    pub node_name: Option<IStr>,
    pub validation_error: Option<IStr>,
}

codec! { PoolStatus
    0 "driver" [1] opt driver .required()
    1 "poolName" [2] opt pool_name .required()
    2 "generation" [9] req generation .required()
    3 "resourceSliceCount" [8] opt resource_slice_count
    4 "totalDevices" [4] opt total_devices
    5 "allocatedDevices" [5] opt allocated_devices
    6 "availableDevices" [6] opt available_devices
    7 "unavailableDevices" [7] opt unavailable_devices
    8 "nodeName" [3] opt node_name
    9 "validationError" [10] opt validation_error
    => [10 validation_error] [9 generation] [8 resource_slice_count] [7 unavailable_devices]
       [6 available_devices] [5 allocated_devices] [4 total_devices] [3 node_name] [2 pool_name]
       [1 driver]
}

/// `io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequestSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourcePoolStatusRequestSpec {
    pub driver: IStr,
    pub pool_name: Option<IStr>,
    pub limit: Option<i32>,
}

codec! { ResourcePoolStatusRequestSpec
    0 "driver" [1] req driver .required()
    1 "poolName" [2] opt pool_name
    2 "limit" [3] opt limit .default_json("100")
    => [3 limit] [2 pool_name] [1 driver]
}

/// `io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequestStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourcePoolStatusRequestStatus {
    pub pool_count: Option<i32>,
    pub pools: List<PoolStatus>,
    pub conditions: List<Condition>,
}

codec! { ResourcePoolStatusRequestStatus
    0 "poolCount" [6] opt pool_count .required()
    1 "pools" [2] opt pools .list_atomic()
    2 "conditions" [3] opt conditions .list_map(&["type"])
    => [6 pool_count] [3 conditions] [2 pools]
}
