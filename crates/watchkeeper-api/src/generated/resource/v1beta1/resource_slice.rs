//! `resource/v1beta1`: `ResourceSlice` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::NodeSelector;
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity, Time};

/// `io.k8s.api.resource.v1beta1.ResourceSlice`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceSlice {
    pub metadata: ObjectMeta,
    pub spec: ResourceSliceSpec,
}

codec! { ResourceSlice: "resource.k8s.io/v1beta1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { ResourceSlice "resource.k8s.io" "v1beta1" "resourceslices" Cluster }

/// `io.k8s.api.resource.v1beta1.BasicDevice`.
#[derive(Clone, Default, PartialEq)]
pub struct BasicDevice {
    pub attributes: Map<DeviceAttribute>,
    pub capacity: Map<DeviceCapacity>,
    pub consumes_counters: List<DeviceCounterConsumption>,
    pub node_name: Option<IStr>,
    pub node_selector: Option<Box<NodeSelector>>,
    pub all_nodes: Option<bool>,
    pub taints: List<DeviceTaint>,
    pub binds_to_node: Option<bool>,
    pub binding_conditions: List<IStr>,
    pub binding_failure_conditions: List<IStr>,
    pub allow_multiple_allocations: Option<bool>,
    pub node_allocatable_resource_mappings: Map<NodeAllocatableResourceMapping>,
}

codec! { BasicDevice
    0 "attributes" [1] opt attributes
    1 "capacity" [2] opt capacity
    2 "consumesCounters" [3] opt consumes_counters .list_atomic()
    3 "nodeName" [4] opt node_name
    4 "nodeSelector" [5] opt node_selector .map_atomic()
    5 "allNodes" [6] opt all_nodes
    6 "taints" [7] opt taints .list_atomic()
    7 "bindsToNode" [8] opt binds_to_node
    8 "bindingConditions" [9] opt binding_conditions .list_atomic()
    9 "bindingFailureConditions" [10] opt binding_failure_conditions .list_atomic()
    10 "allowMultipleAllocations" [11] opt allow_multiple_allocations
    11 "nodeAllocatableResourceMappings" [12] opt node_allocatable_resource_mappings
    => [12 node_allocatable_resource_mappings] [11 allow_multiple_allocations]
       [10 binding_failure_conditions] [9 binding_conditions] [8 binds_to_node] [7 taints]
       [6 all_nodes] [5 node_selector] [4 node_name] [3 consumes_counters] [2 capacity]
       [1 attributes]
}

/// `io.k8s.api.resource.v1beta1.CapacityRequestPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct CapacityRequestPolicy {
    pub default: Option<Quantity>,
    pub valid_values: List<Quantity>,
    pub valid_range: Option<Box<CapacityRequestPolicyRange>>,
}

codec! { CapacityRequestPolicy
    0 "default" [1] opt default
    1 "validValues" [3] opt valid_values .list_atomic()
    2 "validRange" [4] opt valid_range
    => [4 valid_range] [3 valid_values] [1 default]
}

/// `io.k8s.api.resource.v1beta1.CapacityRequestPolicyRange`.
#[derive(Clone, Default, PartialEq)]
pub struct CapacityRequestPolicyRange {
    pub min: Option<Quantity>,
    pub max: Option<Quantity>,
    pub step: Option<Quantity>,
}

codec! { CapacityRequestPolicyRange
    0 "min" [1] opt min .required()
    1 "max" [2] opt max
    2 "step" [3] opt step
    => [3 step] [2 max] [1 min]
}

/// `io.k8s.api.resource.v1beta1.Counter`.
#[derive(Clone, Default, PartialEq)]
pub struct Counter {
    pub value: Quantity,
}

codec! { Counter
    0 "value" [1] req value .required()
    => [1 value]
}

/// `io.k8s.api.resource.v1beta1.CounterSet`.
#[derive(Clone, Default, PartialEq)]
pub struct CounterSet {
    pub name: IStr,
    pub counters: Map<Counter>,
}

codec! { CounterSet
    0 "name" [1] req name .required()
    1 "counters" [2] opt counters .required()
    => [2 counters] [1 name]
}

/// `io.k8s.api.resource.v1beta1.Device`.
#[derive(Clone, Default, PartialEq)]
pub struct Device {
    pub name: IStr,
    pub basic: Option<Box<BasicDevice>>,
}

codec! { Device
    0 "name" [1] req name .required()
    1 "basic" [2] opt basic
    => [2 basic] [1 name]
}

/// `io.k8s.api.resource.v1beta1.DeviceAttribute`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceAttribute {
    pub int: Option<i64>,
    pub bool: Option<bool>,
    pub string: Option<IStr>,
    pub version: Option<IStr>,
    pub ints: List<i64>,
    pub bools: List<bool>,
    pub strings: List<IStr>,
    pub versions: List<IStr>,
}

codec! { DeviceAttribute
    0 "int" [2] opt int
    1 "bool" [3] opt bool
    2 "string" [4] opt string
    3 "version" [5] opt version
    4 "ints" [6] opt ints .list_atomic()
    5 "bools" [7] opt bools .list_atomic()
    6 "strings" [8] opt strings .list_atomic()
    7 "versions" [9] opt versions .list_atomic()
    => [9 versions] [8 strings] [7 bools] [6 ints] [5 version] [4 string] [3 bool] [2 int]
}

/// `io.k8s.api.resource.v1beta1.DeviceCapacity`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceCapacity {
    pub value: Quantity,
    pub request_policy: Option<Box<CapacityRequestPolicy>>,
}

codec! { DeviceCapacity
    0 "value" [1] req value .required()
    1 "requestPolicy" [2] opt request_policy
    => [2 request_policy] [1 value]
}

/// `io.k8s.api.resource.v1beta1.DeviceCounterConsumption`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceCounterConsumption {
    pub counter_set: IStr,
    pub counters: Map<Counter>,
}

codec! { DeviceCounterConsumption
    0 "counterSet" [1] req counter_set .required()
    1 "counters" [2] opt counters .required()
    => [2 counters] [1 counter_set]
}

/// `io.k8s.api.resource.v1beta1.DeviceTaint`.
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

/// `io.k8s.api.resource.v1beta1.NodeAllocatableResourceMapping`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeAllocatableResourceMapping {
    pub capacity_key: Option<IStr>,
    pub allocation_multiplier: Option<Quantity>,
}

codec! { NodeAllocatableResourceMapping
    0 "capacityKey" [1] opt capacity_key
    1 "allocationMultiplier" [2] opt allocation_multiplier
    => [2 allocation_multiplier] [1 capacity_key]
}

/// `io.k8s.api.resource.v1beta1.ResourcePool`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourcePool {
    pub name: IStr,
    pub generation: i64,
    pub resource_slice_count: i64,
}

codec! { ResourcePool
    0 "name" [1] req name .required()
    1 "generation" [2] req generation .required()
    2 "resourceSliceCount" [3] req resource_slice_count .required()
    => [3 resource_slice_count] [2 generation] [1 name]
}

/// `io.k8s.api.resource.v1beta1.ResourceSliceSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceSliceSpec {
    pub driver: IStr,
    pub pool: ResourcePool,
    pub node_name: IStr,
    pub node_selector: Option<Box<NodeSelector>>,
    pub all_nodes: bool,
    pub devices: List<Device>,
    pub per_device_node_selection: Option<bool>,
    pub shared_counters: List<CounterSet>,
}

codec! { ResourceSliceSpec
    0 "driver" [1] req driver .required()
    1 "pool" [2] opt pool .required()
    2 "nodeName" [3] opt node_name
    3 "nodeSelector" [4] opt node_selector .map_atomic()
    4 "allNodes" [5] opt all_nodes
    5 "devices" [6] opt devices .list_atomic()
    6 "perDeviceNodeSelection" [7] opt per_device_node_selection
    7 "sharedCounters" [8] opt shared_counters .list_atomic()
    => [8 shared_counters] [7 per_device_node_selection] [6 devices] [5 all_nodes] [4 node_selector]
       [3 node_name] [2 pool] [1 driver]
}
