//! `resource/v1alpha3`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::meta::v1::{Condition, ObjectMeta};
use crate::resource::v1alpha3::{
    DeviceTaint, DeviceTaintRule, DeviceTaintRuleSpec, DeviceTaintRuleStatus, DeviceTaintSelector,
    PoolStatus, ResourcePoolStatusRequest, ResourcePoolStatusRequestSpec,
    ResourcePoolStatusRequestStatus,
};
use crate::{IStr, List, Time, setters};

setters! {
    DeviceTaintRule {
        with_metadata metadata: ObjectMeta,
        with_spec spec: DeviceTaintRuleSpec,
        with_status status: DeviceTaintRuleStatus,
    }
    DeviceTaint {
        with_key key: IStr,
        with_value value: IStr,
        with_effect effect: IStr,
        with_time_added time_added: Option<Time>,
    }
    DeviceTaintRuleSpec {
        with_device_selector device_selector: Option<Box<DeviceTaintSelector>>,
        with_taint taint: DeviceTaint,
    }
    DeviceTaintRuleStatus {
        with_conditions conditions: List<Condition>,
    }
    DeviceTaintSelector {
        with_driver driver: Option<IStr>,
        with_pool pool: Option<IStr>,
        with_device device: Option<IStr>,
    }
    ResourcePoolStatusRequest {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ResourcePoolStatusRequestSpec,
        with_status status: Option<Box<ResourcePoolStatusRequestStatus>>,
    }
    PoolStatus {
        with_driver driver: IStr,
        with_pool_name pool_name: IStr,
        with_generation generation: i64,
        with_resource_slice_count resource_slice_count: Option<i32>,
        with_total_devices total_devices: Option<i32>,
        with_allocated_devices allocated_devices: Option<i32>,
        with_available_devices available_devices: Option<i32>,
        with_unavailable_devices unavailable_devices: Option<i32>,
        with_node_name node_name: Option<IStr>,
        with_validation_error validation_error: Option<IStr>,
    }
    ResourcePoolStatusRequestSpec {
        with_driver driver: IStr,
        with_pool_name pool_name: Option<IStr>,
        with_limit limit: Option<i32>,
    }
    ResourcePoolStatusRequestStatus {
        with_pool_count pool_count: Option<i32>,
        with_pools pools: List<PoolStatus>,
        with_conditions conditions: List<Condition>,
    }
}
