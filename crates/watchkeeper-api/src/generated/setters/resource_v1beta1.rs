//! `resource/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::core::v1::NodeSelector;
use crate::meta::v1::{Condition, ObjectMeta};
use crate::resource::v1beta1::{
    AllocatedDeviceStatus, AllocationResult, BasicDevice, CELDeviceSelector, CapacityRequestPolicy,
    CapacityRequestPolicyRange, CapacityRequirements, Counter, CounterSet, Device,
    DeviceAllocationConfiguration, DeviceAllocationResult, DeviceAttribute, DeviceCapacity,
    DeviceClaim, DeviceClaimConfiguration, DeviceClass, DeviceClassConfiguration, DeviceClassSpec,
    DeviceConstraint, DeviceCounterConsumption, DeviceRequest, DeviceRequestAllocationResult,
    DeviceSelector, DeviceSubRequest, DeviceTaint, DeviceToleration, NetworkDeviceData,
    NodeAllocatableResourceMapping, OpaqueDeviceConfiguration, ResourceClaim,
    ResourceClaimConsumerReference, ResourceClaimSpec, ResourceClaimStatus, ResourceClaimTemplate,
    ResourceClaimTemplateSpec, ResourcePool, ResourceSlice, ResourceSliceSpec,
};
use crate::{IStr, List, Map, Quantity, Raw, Time, setters};

setters! {
    DeviceClass {
        with_metadata metadata: ObjectMeta,
        with_spec spec: DeviceClassSpec,
    }
    CELDeviceSelector {
        with_expression expression: IStr,
    }
    DeviceClassConfiguration {
        with_opaque opaque: Option<Box<OpaqueDeviceConfiguration>>,
    }
    DeviceClassSpec {
        with_selectors selectors: List<DeviceSelector>,
        with_config config: List<DeviceClassConfiguration>,
        with_extended_resource_name extended_resource_name: Option<IStr>,
    }
    DeviceSelector {
        with_cel cel: Option<Box<CELDeviceSelector>>,
    }
    OpaqueDeviceConfiguration {
        with_driver driver: IStr,
        with_parameters parameters: Raw,
    }
    ResourceClaim {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ResourceClaimSpec,
        with_status status: ResourceClaimStatus,
    }
    AllocatedDeviceStatus {
        with_driver driver: IStr,
        with_pool pool: IStr,
        with_device device: IStr,
        with_share_id share_id: Option<IStr>,
        with_conditions conditions: List<Condition>,
        with_data data: Option<Raw>,
        with_network_data network_data: Option<Box<NetworkDeviceData>>,
    }
    AllocationResult {
        with_devices devices: DeviceAllocationResult,
        with_node_selector node_selector: Option<Box<NodeSelector>>,
        with_allocation_timestamp allocation_timestamp: Option<Time>,
    }
    CapacityRequirements {
        with_requests requests: Map<Quantity>,
    }
    DeviceAllocationConfiguration {
        with_source source: IStr,
        with_requests requests: List<IStr>,
        with_opaque opaque: Option<Box<OpaqueDeviceConfiguration>>,
    }
    DeviceAllocationResult {
        with_results results: List<DeviceRequestAllocationResult>,
        with_config config: List<DeviceAllocationConfiguration>,
    }
    DeviceClaim {
        with_requests requests: List<DeviceRequest>,
        with_constraints constraints: List<DeviceConstraint>,
        with_config config: List<DeviceClaimConfiguration>,
    }
    DeviceClaimConfiguration {
        with_requests requests: List<IStr>,
        with_opaque opaque: Option<Box<OpaqueDeviceConfiguration>>,
    }
    DeviceConstraint {
        with_requests requests: List<IStr>,
        with_match_attribute match_attribute: Option<IStr>,
        with_distinct_attribute distinct_attribute: Option<IStr>,
    }
    DeviceRequest {
        with_name name: IStr,
        with_device_class_name device_class_name: IStr,
        with_selectors selectors: List<DeviceSelector>,
        with_allocation_mode allocation_mode: IStr,
        with_count count: i64,
        with_admin_access admin_access: Option<bool>,
        with_first_available first_available: List<DeviceSubRequest>,
        with_tolerations tolerations: List<DeviceToleration>,
        with_capacity capacity: Option<Box<CapacityRequirements>>,
    }
    DeviceRequestAllocationResult {
        with_request request: IStr,
        with_driver driver: IStr,
        with_pool pool: IStr,
        with_device device: IStr,
        with_admin_access admin_access: Option<bool>,
        with_tolerations tolerations: List<DeviceToleration>,
        with_binding_conditions binding_conditions: List<IStr>,
        with_binding_failure_conditions binding_failure_conditions: List<IStr>,
        with_share_id share_id: Option<IStr>,
        with_consumed_capacity consumed_capacity: Map<Quantity>,
    }
    DeviceSubRequest {
        with_name name: IStr,
        with_device_class_name device_class_name: IStr,
        with_selectors selectors: List<DeviceSelector>,
        with_allocation_mode allocation_mode: IStr,
        with_count count: i64,
        with_tolerations tolerations: List<DeviceToleration>,
        with_capacity capacity: Option<Box<CapacityRequirements>>,
    }
    DeviceToleration {
        with_key key: IStr,
        with_operator operator: IStr,
        with_value value: IStr,
        with_effect effect: IStr,
        with_toleration_seconds toleration_seconds: Option<i64>,
    }
    NetworkDeviceData {
        with_interface_name interface_name: IStr,
        with_ips ips: List<IStr>,
        with_hardware_address hardware_address: IStr,
    }
    ResourceClaimConsumerReference {
        with_api_group api_group: IStr,
        with_resource resource: IStr,
        with_name name: IStr,
        with_uid uid: IStr,
    }
    ResourceClaimSpec {
        with_devices devices: DeviceClaim,
    }
    ResourceClaimStatus {
        with_allocation allocation: Option<Box<AllocationResult>>,
        with_reserved_for reserved_for: List<ResourceClaimConsumerReference>,
        with_devices devices: List<AllocatedDeviceStatus>,
    }
    ResourceClaimTemplate {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ResourceClaimTemplateSpec,
    }
    ResourceClaimTemplateSpec {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ResourceClaimSpec,
    }
    ResourceSlice {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ResourceSliceSpec,
    }
    BasicDevice {
        with_attributes attributes: Map<DeviceAttribute>,
        with_capacity capacity: Map<DeviceCapacity>,
        with_consumes_counters consumes_counters: List<DeviceCounterConsumption>,
        with_node_name node_name: Option<IStr>,
        with_node_selector node_selector: Option<Box<NodeSelector>>,
        with_all_nodes all_nodes: Option<bool>,
        with_taints taints: List<DeviceTaint>,
        with_binds_to_node binds_to_node: Option<bool>,
        with_binding_conditions binding_conditions: List<IStr>,
        with_binding_failure_conditions binding_failure_conditions: List<IStr>,
        with_allow_multiple_allocations allow_multiple_allocations: Option<bool>,
        with_node_allocatable_resource_mappings node_allocatable_resource_mappings: Map<NodeAllocatableResourceMapping>,
    }
    CapacityRequestPolicy {
        with_default default: Option<Quantity>,
        with_valid_values valid_values: List<Quantity>,
        with_valid_range valid_range: Option<Box<CapacityRequestPolicyRange>>,
    }
    CapacityRequestPolicyRange {
        with_min min: Option<Quantity>,
        with_max max: Option<Quantity>,
        with_step step: Option<Quantity>,
    }
    Counter {
        with_value value: Quantity,
    }
    CounterSet {
        with_name name: IStr,
        with_counters counters: Map<Counter>,
    }
    Device {
        with_name name: IStr,
        with_basic basic: Option<Box<BasicDevice>>,
    }
    DeviceAttribute {
        with_int int: Option<i64>,
        with_bool bool: Option<bool>,
        with_string string: Option<IStr>,
        with_version version: Option<IStr>,
        with_ints ints: List<i64>,
        with_bools bools: List<bool>,
        with_strings strings: List<IStr>,
        with_versions versions: List<IStr>,
    }
    DeviceCapacity {
        with_value value: Quantity,
        with_request_policy request_policy: Option<Box<CapacityRequestPolicy>>,
    }
    DeviceCounterConsumption {
        with_counter_set counter_set: IStr,
        with_counters counters: Map<Counter>,
    }
    DeviceTaint {
        with_key key: IStr,
        with_value value: IStr,
        with_effect effect: IStr,
        with_time_added time_added: Option<Time>,
    }
    NodeAllocatableResourceMapping {
        with_capacity_key capacity_key: Option<IStr>,
        with_allocation_multiplier allocation_multiplier: Option<Quantity>,
    }
    ResourcePool {
        with_name name: IStr,
        with_generation generation: i64,
        with_resource_slice_count resource_slice_count: i64,
    }
    ResourceSliceSpec {
        with_driver driver: IStr,
        with_pool pool: ResourcePool,
        with_node_name node_name: IStr,
        with_node_selector node_selector: Option<Box<NodeSelector>>,
        with_all_nodes all_nodes: bool,
        with_devices devices: List<Device>,
        with_per_device_node_selection per_device_node_selection: Option<bool>,
        with_shared_counters shared_counters: List<CounterSet>,
    }
}
