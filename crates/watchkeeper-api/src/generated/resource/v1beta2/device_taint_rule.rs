//! `resource/v1beta2`: `DeviceTaintRule` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{IStr, List, Time};

/// `io.k8s.api.resource.v1beta2.DeviceTaintRule`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceTaintRule {
    pub metadata: ObjectMeta,
    pub spec: DeviceTaintRuleSpec,
    pub status: DeviceTaintRuleStatus,
}

codec! { DeviceTaintRule: "resource.k8s.io/v1beta2"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    DeviceTaintRule "resource.k8s.io" "v1beta2" "devicetaintrules" Cluster, DeviceTaintRuleStatus
}

/// `io.k8s.api.resource.v1beta2.DeviceTaint`.
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

/// `io.k8s.api.resource.v1beta2.DeviceTaintRuleSpec`.
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

/// `io.k8s.api.resource.v1beta2.DeviceTaintRuleStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceTaintRuleStatus {
    pub conditions: List<Condition>,
}

codec! { DeviceTaintRuleStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    => [1 conditions]
}

/// `io.k8s.api.resource.v1beta2.DeviceTaintSelector`.
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
